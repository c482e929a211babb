import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createDatabase } from '@moorage/dev-postgres'
import { SECRETS } from '@moorage/inbox/redaction-corpus'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { type AgentProcess, startAgentProcess } from '../processes/agent-process.js'
import { temporaryFolder } from '../temporary-folder.js'
import { findCorpus } from './find-corpus.js'
import { searchFolder } from './search-folder.js'
import { searchDatabase } from './search-postgres.js'
import { CORPUS_ENVIRONMENT, type CommandName, type Ends, sendCommand, sendEverywhere, sendWhereRefused } from './send-corpus.js'

const AGENT = fileURLToPath(new URL('leaking-agent.ts', import.meta.url))
const PLACES = [...SECRETS.keys()]
/** Where each takes long, some stand for all: what is shown there is that the same redactor is at work. */
const SOME = PLACES.filter((place) => place % 3 === 0)

describe('a process that is told the secrets of the corpus, and whose agent tells them, keeps none', () => {
  test('in its folder, with the databases of SQLite and the engine, and its log', async () => {
    const dataDir = join(await temporaryFolder(), 'data')
    const app = await start(dataDir, {})
    await Promise.all([tellEverything(app, PLACES, 'complete', 'leak'), tellEverything(app, SOME, 'throw', 'throw')])
    expect(await searchFolder(dataDir)).toEqual([])
    await app.end('SIGTERM')
    expect(await searchFolder(dataDir)).toEqual([])
    expect(findCorpus(Buffer.from(app.output()))).toEqual([])
  })

  test('in Postgres and its log', async () => {
    const url = await createDatabase(inject('postgres'))
    const app = await start(join(await temporaryFolder(), 'data'), { DATABASE_URL: url, TEMPORAL_ADDRESS: inject('engine') })
    await tellEverything(app, SOME, 'fail', 'leak')
    await app.end('SIGTERM')
    expect(await searchDatabase(url)).toEqual([])
    expect(findCorpus(Buffer.from(app.output()))).toEqual([])
  })
})

async function start(dataDir: string, env: Readonly<Record<string, string>>): Promise<AgentProcess> {
  const app = await startAgentProcess(dataDir, { ...CORPUS_ENVIRONMENT, MOORAGE_AGENT: AGENT, ...env })
  onTestFinished(async () => {
    await app.end('SIGKILL')
  })
  return app
}

/** Sends the entries in every way, and looks at the answers. */
async function tellEverything(app: AgentProcess, places: readonly number[], ends: Ends, name: CommandName): Promise<void> {
  const turns = places.map((place) => sendEverywhere(app, place, ends))
  const commands = places.map((place) => sendCommand(app, place, name))
  const refusals = places.map((place) => sendWhereRefused(app, place))
  for (const answer of await Promise.all([...turns, ...commands])) {
    expect(answer, JSON.stringify(answer)).toHaveProperty('result.task')
    expect(JSON.stringify(answer)).toContain('[redacted]')
    expect(findCorpus(Buffer.from(JSON.stringify(answer)))).toEqual([])
  }
  for (const [where, answer] of (await Promise.all(refusals)).flat()) expect(answer, where).toMatch(/error/)
}

describe('the search', () => {
  test('finds each secret of the corpus, as it is and in base64, across the pieces that a file is read in', async () => {
    const folder = await temporaryFolder()
    for (const { name, text } of SECRETS) {
      expect(findCorpus(Buffer.from(text)), name).toContain(name)
      for (const before of ['', 'a', 'ab']) expect(findCorpus(Buffer.from(btoa(before + text))), name).toContain(name)
    }
    const [first] = SECRETS
    await writeFile(join(folder, 'long'), `${' '.repeat(8 * 1024 * 1024 - 60)}${first?.text}`)
    await writeFile(join(folder, 'clean'), 'nothing')
    expect(await searchFolder(folder)).toEqual([expect.stringContaining(`long: ${first?.name}`)])
  })
})
