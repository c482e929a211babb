import { existsSync } from 'node:fs'
import { appendFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

const NAME = /^[A-Za-z0-9][\w.-]{0,99}$/

/** Names are those of files. */
export function isName(name: string): boolean {
  return NAME.test(name)
}

export const NAME_RULE = 'must be 1 to 100 of letters, digits, ".", "_" and "-", beginning with a letter or a digit'

/** How often a gate is looked at. */
const LOOK_MS = 20

/** How often a counter was counted: `keys` different steps, `runs` times in all. */
export interface Count {
  readonly keys: number
  readonly runs: number
}

/**
 * Where scripts meet those who sent them: gates, marks and counters, each a file in one folder, so that any number of processes share them and
 * none of it is in the store.
 */
export class Rendezvous {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  async open(gate: string): Promise<void> {
    await writeFile(await this.#file('gates', gate), '')
  }

  /** Resolves once the gate is open; rejects when the signal is aborted. */
  async passed(gate: string, signal?: AbortSignal): Promise<void> {
    const file = await this.#file('gates', gate)
    while (!existsSync(file)) await setTimeout(LOOK_MS, undefined, { ...(signal && { signal }) })
  }

  async mark(name: string): Promise<void> {
    await writeFile(await this.#file('marks', name), '')
  }

  isMarked(name: string): boolean {
    return existsSync(join(this.#folder, 'marks', name))
  }

  async count(name: string, key: string): Promise<void> {
    await appendFile(await this.#file('counters', name), `${JSON.stringify({ key, pid: process.pid })}\n`)
  }

  /** The process that counted last. */
  async lastPid(name: string): Promise<number | undefined> {
    return (await this.#runs(name)).at(-1)?.pid
  }

  /** These counters by their names. @default every counter */
  async counts(wanted?: readonly string[]): Promise<Readonly<Record<string, Count>>> {
    const names = [...(wanted ?? (await readdir(join(this.#folder, 'counters')).catch(() => [])))]
    const entries = names.sort().map(async (name): Promise<[string, Count]> => {
      const runs = await this.#runs(name)
      return [name, { keys: new Set(runs.map(({ key }) => key)).size, runs: runs.length }]
    })
    return Object.fromEntries(await Promise.all(entries))
  }

  async #runs(name: string): Promise<readonly { readonly key: string; readonly pid: number }[]> {
    const text = await readFile(join(this.#folder, 'counters', name), 'utf8').catch(() => '')
    // A line without its end is still being written.
    const lines = text.split('\n').slice(0, -1)
    return lines.map((line) => JSON.parse(line) as { key: string; pid: number })
  }

  async #file(kind: 'gates' | 'marks' | 'counters', name: string): Promise<string> {
    if (!isName(name)) throw new TypeError(`${kind}: the name ${NAME_RULE}`)
    await mkdir(join(this.#folder, kind), { recursive: true })
    return join(this.#folder, kind, name)
  }
}
