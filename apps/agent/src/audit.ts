/**
 * `npm run audit`: prints the audit of a task. Exits with 78 where the arguments or the configuration are wrong, 1 where there is nothing to print.
 * @module
 */
import { ConfigError } from '@moorage/bootstrap'
import { auditTask } from './audit-task.js'

/** sysexits.h: a configuration error. */
const EXIT_CONFIG = 78

// Whoever reads only the beginning, such as head, has had enough.
process.stdout.on('error', () => process.exit(0))

function print(text: string): Promise<void> {
  return new Promise((resolve) => void process.stdout.write(text, () => resolve()))
}

try {
  await auditTask(process.argv.slice(2), { env: process.env, cwd: process.cwd(), print })
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = error instanceof ConfigError ? EXIT_CONFIG : 1
}
// `npm run audit` holds the other end of a channel, which would keep this process.
process.channel?.unref()
