import { claimDataFolder } from '@moorage/engine'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from './temporary-folder.js'
import { waitForDatabase } from './wait-for-database.js'
import { waitForEngine } from './wait-for-engine.js'

const signal = new AbortController().signal

describe('waitForEngine', () => {
  it('says where no engine runs, and what to do', async () => {
    const folder = await temporaryFolder()
    const lines: string[] = []
    const ports = { progress: (line: string) => void lines.push(line), signal }
    await expect(waitForEngine(folder, ports, { ownerMs: 150, engineMs: 150 })).rejects.toThrow(
      `No engine runs in ${folder} (MOORAGE_DATA_DIR): start apps/agent on that folder first, or set TEMPORAL_ADDRESS`,
    )
    expect(lines).toEqual([expect.stringMatching(/^No engine runs in .*; waiting .* for it\.$/)])
  })

  it('waits for an owner that has not got its engine to serve yet, and says so', async () => {
    const folder = await temporaryFolder()
    const claim = await claimDataFolder(folder)
    onTestFinished(() => claim.release())
    const stop = new AbortController()
    const waiting = new Promise<string>((resolve) => {
      waitForEngine(folder, { progress: resolve, signal: stop.signal }).catch(() => undefined)
    })
    expect(await waiting).toMatch(new RegExp(`^Process ${process.pid} is starting the engine in .*; waiting 900 s for it\\.$`))
    stop.abort()
  })

  it('says that an owner uses another Temporal', async () => {
    const folder = await temporaryFolder()
    const claim = await claimDataFolder(folder, { url: 'http://127.0.0.1:8080' })
    onTestFinished(() => claim.release())
    await expect(waitForEngine(folder, { progress: () => undefined, signal })).rejects.toThrow(
      `Process ${process.pid} serves http://127.0.0.1:8080 from ${folder} (MOORAGE_DATA_DIR) without an engine there: set TEMPORAL_ADDRESS`,
    )
  })
})

describe('waitForDatabase', () => {
  it('does not take a folder without one for the beginning of one', async () => {
    const folder = await temporaryFolder()
    await expect(waitForDatabase(`${folder}/moorage.db`, { progress: () => undefined, signal }, 1)).rejects.toThrow(
      `There is no database in ${folder} (MOORAGE_DATA_DIR): start apps/agent on that folder first, or set DATABASE_URL.`,
    )
  })
})
