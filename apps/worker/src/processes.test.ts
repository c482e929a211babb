import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@moorage/dev-postgres'
import { claimDataFolder, ensureEngine, findRunningEngine, startEngine } from '@moorage/engine'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type RunningProcess, runApp } from './running-process.js'
import { temporaryFolder } from './temporary-folder.js'

async function urlOf(agent: RunningProcess): Promise<string> {
  return (await agent.said(/Agent Card +(http:\S+?)\/\.well-known/))[1] ?? ''
}

async function post(url: string, path: string, text: string): Promise<Response> {
  const message = { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text }] }
  const headers = { 'A2A-Version': '1.0', 'Content-Type': 'application/json' }
  return fetch(`${url}/a2a/${path}`, { method: 'POST', headers, body: JSON.stringify({ message }) })
}

/** Sends, waits until that is done, and gives the task. */
async function send(
  url: string,
  text: string,
): Promise<{ readonly status: object; readonly artifacts: readonly { readonly parts: object[] }[] }> {
  const { task } = (await (await post(url, 'message:send', text)).json()) as { task: Awaited<ReturnType<typeof send>> }
  return task
}

/** Resolves once the stream has brought so many chunks. */
async function chunksOf(response: Response, count: number): Promise<void> {
  let text = ''
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    if (text.split('artifactUpdate').length > count) return
  }
}

/** Occupies a port of this machine until the test ends. */
async function occupy(port: number): Promise<void> {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
}

const done = { state: 'TASK_STATE_COMPLETED' }

describe('apps/worker beside apps/agent with MOORAGE_WORKER=off, on one data folder', () => {
  it('runs what that accepts; where a worker dies in a turn, the next one runs it again', async () => {
    const MOORAGE_DATA_DIR = await temporaryFolder()
    const agent = runApp('agent', { MOORAGE_DATA_DIR, MOORAGE_WORKER: 'off' })
    const first = runApp('worker', { MOORAGE_DATA_DIR, MOORAGE_HEALTH_PORT: '0' })
    const url = await urlOf(agent)
    const [, health = ''] = await first.said(/Health +(\S+)/)
    expect(await send(url, 'hello')).toMatchObject({ status: done })
    const answers = await Promise.all([health, `${url}/readyz`].map((each) => fetch(each)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])

    const counting = send(url, 'count to 30')
    await chunksOf(await post(url, 'message:stream', 'count to 30'), 5)
    first.signal('SIGKILL')
    await first.ended
    const second = runApp('worker', { MOORAGE_DATA_DIR })
    const task = await counting
    expect(task).toMatchObject({ status: done })
    expect(task.artifacts[0]?.parts).toHaveLength(30)

    second.signal('SIGTERM')
    expect(await second.ended).toBe(0)
  })

  it('follows the engine to another port, where the owner of the folder was killed and started again', async () => {
    const MOORAGE_DATA_DIR = await temporaryFolder()
    const first = runApp('agent', { MOORAGE_DATA_DIR, MOORAGE_WORKER: 'off' })
    await urlOf(first)
    const worker = runApp('worker', { MOORAGE_DATA_DIR })
    await worker.said(/run here/)
    const address = (await findRunningEngine(MOORAGE_DATA_DIR))?.address
    first.signal('SIGKILL')
    await expect.poll(() => findRunningEngine(MOORAGE_DATA_DIR), { timeout: 60_000 }).toBeUndefined()
    await occupy(Number(address?.split(':')[1]))
    const second = runApp('agent', { MOORAGE_DATA_DIR, MOORAGE_WORKER: 'off' })
    const url = await urlOf(second)
    expect(await send(url, 'hello')).toMatchObject({ status: done })
    expect(worker.output()).toContain('"msg":"the engine has another address now"')
  })
})

it('runs beside apps/agent on Postgres and a Temporal of its own, without a folder', async () => {
  const [engineDir, postgresDir, cwd] = await Promise.all([temporaryFolder(), mkdtemp(join(tmpdir(), 'moorage-pg-')), temporaryFolder()])
  const postgres = await startPostgres({ dataDir: postgresDir, settings: { fsync: 'off' } })
  onTestFinished(async () => {
    await postgres.stop('immediate')
    await rm(postgresDir, { recursive: true })
  })
  const cli = await ensureEngine({ cli: process.env['TEMPORAL_CLI'], path: process.env['PATH'], env: process.env })
  const engine = await startEngine({ cli, dataDir: engineDir, env: process.env })
  onTestFinished(() => engine.stop())
  const dataDir = join(cwd, 'none')
  const env = {
    DATABASE_URL: postgres.url,
    TEMPORAL_ADDRESS: engine.address,
    MOORAGE_DATA_DIR: dataDir,
    MOORAGE_PAYLOAD_KEYS: `k:${'A'.repeat(43)}=`,
  }
  const agents = [runApp('agent', { ...env, MOORAGE_WORKER: 'off' }), runApp('agent', { ...env, MOORAGE_WORKER: 'off' })]
  const worker = runApp('worker', { ...env, MOORAGE_POSTGRES_POOL: '4' })
  const urls = await Promise.all(agents.map(urlOf))
  expect((await Promise.all(urls.map((url) => send(url, 'hello')))).map(({ status }) => status)).toMatchObject([done, done])
  await expect(access(dataDir)).rejects.toThrow('ENOENT')
  expect(worker.output()).toMatch(/Store +Postgres at 127\.0\.0\.1:\d+, database postgres\n/)
  for (const { output } of [...agents, worker]) expect(output()).not.toContain(new URL(postgres.url).password)
})

describe('a signal', () => {
  it('is told what it waits for, and forced by a second one', async () => {
    const MOORAGE_DATA_DIR = await temporaryFolder()
    const url = await urlOf(runApp('agent', { MOORAGE_DATA_DIR, MOORAGE_WORKER: 'off' }))
    const worker = runApp('worker', { MOORAGE_DATA_DIR, MOORAGE_HEALTH_PORT: '0' })
    const [, health = ''] = await worker.said(/Health +(\S+)/)
    await chunksOf(await post(url, 'message:stream', 'count to 300'), 2)
    worker.signal('SIGTERM')
    await worker.said(/stopping: 1 turn is still running; it has 10 s; press Ctrl-C again to end at once\n/)
    const answer = await fetch(health)
    expect([answer.status, await answer.json()]).toEqual([503, { status: 'unavailable', unavailable: ['draining'] }])
    worker.signal('SIGTERM')
    expect(await worker.ended).toBe(143)
  })
})

describe('apps/worker that cannot work', () => {
  it('says what to do where the owner of its data folder has no engine, and exits with 1', async () => {
    const MOORAGE_DATA_DIR = await temporaryFolder()
    const claim = await claimDataFolder(MOORAGE_DATA_DIR, { url: 'http://127.0.0.1:8080' })
    onTestFinished(() => claim.release())
    const worker = runApp('worker', { MOORAGE_DATA_DIR })
    expect(await worker.ended).toBe(1)
    expect(worker.output()).toMatch(/^Moorage cannot start: Process \d+ serves http:\/\/127\.0\.0\.1:8080 .*: set TEMPORAL_ADDRESS to/)
  })

  it('says that an agent module never finishes loading, and exits with 78', async () => {
    const path = join(await temporaryFolder(), 'agent.mjs')
    await writeFile(path, 'await new Promise(() => undefined)')
    const worker = runApp('worker', { MOORAGE_AGENT: path })
    expect(await worker.ended).toBe(78)
    expect(worker.output()).toContain(`MOORAGE_AGENT: ${path} did not finish loading: an await at its top level never settles`)
  })

  it('says all that is wrong with its configuration, and exits with 78', async () => {
    const worker = runApp('worker', { MOORAGE_AGENT: '/nowhere/a.ts,/nowhere/b.ts', MOORAGE_HEALTH_PORT: 'x', MOORAGE_BUILD_ID: '7' })
    expect(await worker.ended).toBe(78)
    expect(worker.output().split('\n')).toEqual([
      'Moorage cannot start:',
      expect.stringMatching(/^ {2}- MOORAGE_HEALTH_PORT must be a whole number from 0 to 65535; it is "x"$/),
      expect.stringMatching(/^ {2}- MOORAGE_AGENT names \/nowhere\/a\.ts, which does not exist/),
      expect.stringMatching(/^ {2}- MOORAGE_AGENT names \/nowhere\/b\.ts, which does not exist/),
      expect.stringMatching(/^ {2}- MOORAGE_DEPLOYMENT_NAME is not set/),
      '',
    ])
  })
})
