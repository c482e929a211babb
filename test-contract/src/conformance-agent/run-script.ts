import { setTimeout } from 'node:timers/promises'
import type { Outcome, Turn } from '@moorage/agent'
import type { JsonObject } from '@moorage/protocol'
import type { Rendezvous } from './rendezvous.js'
import type { Script, Step } from './script.js'

/** Where a script goes on after its question is answered: with this step of the message's script. */
export interface Continuation {
  readonly messageId: string
  readonly step: number
}

/** The key of a `Continuation` in the metadata of a question's part. */
export const CONTINUATION = 'scriptGoesOn'

const DEFAULT_ARTIFACT = 'numbers'
/** How much of an artifact of many bytes is one chunk. */
const PIECE_BYTES = 64 * 1024

/** One run of a script, from a step on. */
export class ScriptRun {
  readonly #turn: Turn
  readonly #rendezvous: Rendezvous
  #ignoresAbort = false

  constructor(turn: Turn, rendezvous: Rendezvous) {
    this.#turn = turn
    this.#rendezvous = rendezvous
  }

  /** Performs the steps up to a question or the end; a script without an end completes the task. */
  async run(script: Script, { messageId, step: first }: Continuation): Promise<Outcome> {
    for (const [index, step] of script.entries()) {
      if (index < first) continue
      const outcome = (await this.#work(step)) ?? this.#end(step, { messageId, step: index + 1 }, index + 1 < script.length)
      if (outcome) return outcome
    }
    return this.#turn.complete()
  }

  /** What a step does that is no end. */
  async #work(step: Step): Promise<undefined> {
    const turn = this.#turn
    if ('chunks' in step) await this.#numberedChunks(step)
    if ('chunk' in step) await turn.artifact(step.artifact ?? DEFAULT_ARTIFACT).append(step.chunk)
    if ('bytes' in step) await this.#bytes(step.bytes)
    if ('status' in step) await turn.status(step.status)
    if ('sleepMs' in step) await this.#sleep(step.sleepMs)
    if ('await' in step) await this.#rendezvous.passed(step.await, this.#signal)
    if ('count' in step) await turn.step(`count ${step.count}`, ({ key }) => this.#rendezvous.count(step.count, key))
    if ('ignoreAbort' in step) this.#ignoresAbort = true
    if ('mark' in step) await this.#rendezvous.mark(step.mark)
    if ('stray' in step) void Promise.reject(new Error(step.stray))
  }

  #end(step: Step, next: Continuation, goesOn: boolean): Outcome | undefined {
    const turn = this.#turn
    const question = (text: string) => ({ text, ...(goesOn && { metadata: { [CONTINUATION]: { ...next } } satisfies JsonObject }) })
    if ('throw' in step) throw new Error(step.throw)
    if ('ask' in step) return turn.ask(question(step.ask))
    if ('auth' in step) return turn.requireAuth('conformance', question(step.auth))
    if ('complete' in step) return turn.complete(step.complete)
    if ('fail' in step) return turn.fail(step.fail)
    if ('reject' in step) return turn.reject(step.reject)
    if ('message' in step) return turn.reply(step.message)
    return undefined
  }

  async #numberedChunks({ chunks, everyMs = 0, artifact = DEFAULT_ARTIFACT }: Extract<Step, { chunks: number }>): Promise<void> {
    const writer = this.#turn.artifact(artifact)
    for (let number = 1; number <= chunks; number++) {
      await writer.append(`${number} `, { last: number === chunks })
      await this.#sleep(everyMs)
    }
  }

  async #bytes(bytes: number): Promise<void> {
    const writer = this.#turn.artifact('bytes')
    for (let left = bytes; left > 0; left -= PIECE_BYTES) {
      await writer.append('x'.repeat(Math.min(left, PIECE_BYTES)), { last: left <= PIECE_BYTES })
    }
  }

  async #sleep(ms: number): Promise<void> {
    if (ms > 0) await setTimeout(ms, undefined, { ...(this.#signal && { signal: this.#signal }) })
  }

  get #signal(): AbortSignal | undefined {
    return this.#ignoresAbort ? undefined : this.#turn.signal
  }
}
