import { setTimeout as pause } from 'node:timers/promises'
import { findRunningEngine, type RunningEngine } from '@moorage/engine'
import { waitUntilServing } from '@moorage/engine/programs'
import { send } from './send.js'
import type { Victim } from './victim.js'

const LOOK_MS = 50
const BACK_MS = 60_000

/** The dev server that an agent on the data folder has embedded. Its supervisor starts it again. */
export class EmbeddedEngine implements Victim {
  readonly links = []
  readonly #dataDir: string

  constructor(dataDir: string) {
    this.#dataDir = dataDir
  }

  /** Of the next one, where its agent is just being started. */
  async pids(): Promise<readonly number[]> {
    return [(await this.serving()).pid]
  }

  /** How long it is dead is up to its supervisor. */
  async kill(): Promise<void> {
    const { pid } = await this.serving()
    send(pid, 'SIGKILL')
    await this.serving(pid)
  }

  /** The one that serves, other than that process. */
  async serving(not?: number): Promise<RunningEngine> {
    const deadline = performance.now() + BACK_MS
    while (performance.now() < deadline) {
      const engine = await this.#find()
      if (engine !== undefined && engine.pid !== not && (await this.#answers(engine))) return engine
      await pause(LOOK_MS)
    }
    throw new Error(`The engine in ${this.#dataDir} did not come back within ${BACK_MS / 1000} s`)
  }

  #answers({ address }: RunningEngine): Promise<boolean> {
    return waitUntilServing(Number(address.split(':')[1]), 1000, new AbortController().signal)
  }

  #find(): Promise<RunningEngine | undefined> {
    return findRunningEngine(this.#dataDir).catch(() => undefined)
  }
}
