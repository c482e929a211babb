import { parseArgs } from 'node:util'
import { ConfigError, environmentOf, openAudit, type RawEnvironment, readSharedConfig, StartError } from '@moorage/bootstrap'
import type { AuditReader } from '@moorage/store'
import { AUDIT_HEADINGS, auditJson, auditLine } from './audit-lines.js'

export const AUDIT_USAGE = `Usage: npm run audit -- --task ID [--json]

Prints what was done with a task, and what was refused, in the order in which it came: also for a task that has been removed.

  --task ID   the task
  --json      one JSON object a line
  --help      this

It reads the database that DATABASE_URL names, or else the one in MOORAGE_DATA_DIR, beside what runs on it, and writes nothing.
`

const PAGE = 500

/** What the program needs of the process. `print` resolves when more may be printed. */
export interface AuditPorts {
  readonly env: RawEnvironment
  readonly cwd: string
  readonly print: (text: string) => Promise<void>
}

interface AuditArguments {
  readonly task: string
  readonly json: boolean
}

/**
 * Prints the audit of the task that the arguments name.
 * @throws ConfigError for wrong arguments or a wrong configuration, StartError where there is nothing to print
 */
export async function auditTask(args: readonly string[], { env, cwd, print }: AuditPorts): Promise<void> {
  const asked = readArguments(args)
  if (asked === 'help') return print(AUDIT_USAGE)
  const { config, faults } = await readSharedConfig(environmentOf(env), cwd)
  if (config === undefined) throw new ConfigError(faults)
  const reader = await openAudit(config.store)
  try {
    await printRows(reader, asked, print)
  } finally {
    await reader.close()
  }
}

async function printRows(reader: AuditReader, { task, json }: AuditArguments, print: AuditPorts['print']): Promise<void> {
  let rows = await reader.read(task, 0, PAGE)
  if (rows.length === 0) {
    throw new StartError(
      `The audit has nothing of a task ${JSON.stringify(task)}: there is no such task in this database, or its rows are older than MOORAGE_RETENTION_AUDIT_DAYS.`,
    )
  }
  if (!json) await print(`${AUDIT_HEADINGS}\n`)
  for (let last = rows.at(-1); last !== undefined; last = rows.at(-1)) {
    await print(rows.map((row) => `${json ? auditJson(row) : auditLine(row)}\n`).join(''))
    rows = await reader.read(task, last.id, PAGE)
  }
}

function readArguments(args: readonly string[]): AuditArguments | 'help' {
  const values = parse(args)
  if (values.help) return 'help'
  if (!values.task) throw new ConfigError(['--task must name a task: npm run audit -- --task ID'])
  return { task: values.task, json: values.json }
}

function parse(args: readonly string[]) {
  const flag = { type: 'boolean', default: false } as const
  try {
    return parseArgs({ args: [...args], options: { task: { type: 'string' }, json: flag, help: { ...flag, short: 'h' } } }).values
  } catch (error) {
    throw new ConfigError([`${error instanceof Error ? error.message : String(error)}; see npm run audit -- --help`], { cause: error })
  }
}
