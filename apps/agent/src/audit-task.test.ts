import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ANONYMOUS, type TaskStore } from '@moorage/store'
import { openSqliteStore } from '@moorage/store/sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { AUDIT_USAGE, auditTask } from './audit-task.js'
import { temporaryFolder } from './temporary-folder.js'

const AT = Date.UTC(2026, 0, 2, 3, 4, 5, 678)
const ann = { tenant: 'acme', subject: 'ann', participant: 'ann', claims: {} }

async function openFolder(): Promise<{ readonly folder: string; readonly store: TaskStore }> {
  const folder = await temporaryFolder()
  const store = await openSqliteStore({ path: join(folder, 'moorage.db'), now: () => AT })
  onTestFinished(() => store.close())
  await store.transact([], async (tx) => {
    const row = { agent: 'support', taskId: 't1' }
    await tx.audit({ ...row, principal: ann, operation: 'message', outcome: 'accepted', position: 1 })
    const stranger = { ...ANONYMOUS, participant: 'a\u001b[31m' }
    await tx.audit({ ...row, principal: stranger, operation: 'get task', outcome: 'refused', reason: 'task-not-found' })
    await tx.audit({ ...row, taskId: 't2', principal: ann, operation: 'message', outcome: 'accepted', position: 1 })
  })
  return { folder, store }
}

async function run(folder: string, ...args: string[]): Promise<string> {
  let printed = ''
  const print = async (text: string) => {
    printed += text
  }
  await auditTask(args, { env: { MOORAGE_DATA_DIR: folder }, cwd: folder, print })
  return printed
}

describe('npm run audit', () => {
  it('prints what was done with a task and what was refused, beside the server', async () => {
    const { folder } = await openFolder()
    expect(await run(folder, '--task', 't1')).toBe(`\
TIME                      OPERATION           OUTCOME    POSITION  PARTICIPANT           SUBJECT               TENANT        REASON
2026-01-02T03:04:05.678Z  message             accepted   1         ann                   ann                   acme          -
2026-01-02T03:04:05.678Z  get task            refused    -         a\\u001b[31m           anonymous             -             task-not-found
`)
  })

  it('prints a JSON object a line', async () => {
    const { folder } = await openFolder()
    const lines = (await run(folder, '--json', '--task=t1')).trimEnd().split('\n')
    const time = '2026-01-02T03:04:05.678Z'
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      {
        time,
        operation: 'message',
        outcome: 'accepted',
        position: 1,
        participant: 'ann',
        subject: 'ann',
        tenant: 'acme',
        agent: 'support',
      },
      {
        time,
        operation: 'get task',
        outcome: 'refused',
        participant: 'a\u001b[31m',
        subject: 'anonymous',
        tenant: '',
        reason: 'task-not-found',
        agent: 'support',
      },
    ])
  })

  it('prints a long audit whole, in order', async () => {
    const { folder, store } = await openFolder()
    await store.transact([], async (tx) => {
      for (let position = 1; position <= 1001; position += 1)
        await tx.audit({ agent: 'support', taskId: 'long', principal: ann, operation: 'message', outcome: 'accepted', position })
    })
    const lines = (await run(folder, '--json', '--task', 'long')).trimEnd().split('\n')
    const positions = lines.map((line) => (JSON.parse(line) as { position: number }).position)
    expect(positions).toEqual(Array.from({ length: 1001 }, (_, index) => index + 1))
  })

  it('says that there is no such task, and that there is no database, and makes none', async () => {
    const { folder } = await openFolder()
    await expect(run(folder, '--task', 'none')).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringContaining('The audit has nothing of a task "none": there is no such task in this database'),
    })
    const empty = await temporaryFolder()
    await expect(run(empty, '--task', 't1')).rejects.toMatchObject({
      name: 'StartError',
      message: `There is no database in ${empty} (MOORAGE_DATA_DIR): name the data folder of the agent, or set DATABASE_URL.`,
    })
    expect(await readdir(empty)).toEqual([])
  })

  it('explains itself', async () => {
    expect(await run('/nowhere', '--help')).toBe(AUDIT_USAGE)
  })

  it.each([[[]], [['--task']], [['--task', '']], [['--tsk', 't1']], [['t1']]])('refuses the arguments %j', async (args) => {
    await expect(run('/nowhere', ...args)).rejects.toMatchObject({
      name: 'ConfigError',
      message: expect.stringContaining('npm run audit --'),
    })
  })

  it('names the variable that is wrong', async () => {
    const ports = { env: { DATABASE_URL: 'mysql://x' }, cwd: '/', print: async () => {} }
    await expect(auditTask(['--task', 't1'], ports)).rejects.toThrow('DATABASE_URL must be a postgres://')
  })
})
