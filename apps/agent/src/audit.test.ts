import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ANONYMOUS } from '@moorage/store'
import { openSqliteStore } from '@moorage/store/sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from './temporary-folder.js'

const PROGRAM = fileURLToPath(new URL('audit.ts', import.meta.url))

/** Runs the program from its source. */
function run(folder: string, ...args: string[]): Promise<{ readonly code: unknown; readonly stdout: string; readonly stderr: string }> {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], MOORAGE_DATA_DIR: folder }
  return new Promise((resolve) => {
    execFile(process.execPath, ['--import', import.meta.resolve('tsx'), PROGRAM, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    )
  })
}

it('prints rows and nothing else on stdout, and says by its exit code what was wrong', { timeout: 120_000 }, async () => {
  const folder = await temporaryFolder()
  const store = await openSqliteStore({ path: join(folder, 'moorage.db') })
  onTestFinished(() => store.close())
  const row = { agent: 'support', principal: ANONYMOUS, operation: 'cancel', outcome: 'refused', reason: 'terminal', taskId: 't1' } as const
  await store.transact([], (tx) => tx.audit(row))
  const [found, none, wrong] = await Promise.all([run(folder, '--task', 't1', '--json'), run(folder, '--task', 't2'), run(folder, 't1')])
  expect(found).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(found.stdout)).toMatchObject({ operation: 'cancel', outcome: 'refused', reason: 'terminal' })
  expect(none).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^The audit has nothing of a task "t2": .*\n$/) })
  expect(wrong).toMatchObject({ code: 78, stdout: '', stderr: expect.stringMatching(/see npm run audit -- --help\n$/) })
})
