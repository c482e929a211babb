import type { Engine, EngineCli } from '@moorage/engine'
import { startEngine } from '@moorage/engine'
import { EmbeddedEngine } from './embedded-engine.js'
import type { Link } from './link.js'
import type { Victim } from './victim.js'

/** A dev server of this process's own, behind the links that lead to it. */
export class DevEngine implements Victim {
  readonly links: Link[] = []
  readonly #engine: Engine
  readonly #found: EmbeddedEngine

  private constructor(engine: Engine, dataDir: string) {
    this.#engine = engine
    this.#found = new EmbeddedEngine(dataDir)
  }

  static async start(cli: EngineCli, dataDir: string): Promise<DevEngine> {
    return new DevEngine(await startEngine({ cli, dataDir, env: process.env }), dataDir)
  }

  get port(): number {
    return this.#engine.port
  }

  pids(): Promise<readonly number[]> {
    return this.#found.pids()
  }

  kill(): Promise<void> {
    return this.#found.kill()
  }

  stop(): Promise<void> {
    return this.#engine.stop()
  }
}
