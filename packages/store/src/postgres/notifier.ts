import { setTimeout as sleep } from 'node:timers/promises'

/** Postgres takes payloads below 8000 bytes. */
const PAYLOAD_BYTES = 7900
const GATHER_MS = 5

/** Tasks and the last sequence numbers of their logs, as they are told to other processes. */
export type Changed = readonly (readonly [taskId: string, seq: number])[]

/** Tells other processes of new entries, gathered, since each notification takes a lock of the whole server for a moment. */
export class Notifier {
  readonly #send: (payloads: readonly string[]) => Promise<unknown>
  readonly #gathered = new Map<string, number>()
  #sending: Promise<void> | undefined

  /** What `send` fails to send is lost: followers look for themselves every second. */
  constructor(send: (payloads: readonly string[]) => Promise<unknown>) {
    this.#send = send
  }

  add(changes: ReadonlyMap<string, number>): void {
    for (const [taskId, seq] of changes) this.#gathered.set(taskId, Math.max(seq, this.#gathered.get(taskId) ?? 0))
    if (this.#gathered.size > 0) this.#sending ??= this.#drain()
  }

  /** Resolves when nothing waits to be sent. */
  async idle(): Promise<void> {
    await this.#sending
  }

  async #drain(): Promise<void> {
    while (this.#gathered.size > 0) {
      await sleep(GATHER_MS)
      const payloads = toPayloads([...this.#gathered])
      this.#gathered.clear()
      await this.#send(payloads).catch(() => {})
    }
    this.#sending = undefined
  }
}

/** Each payload is a JSON array of pairs, and as long as one may be. A task whose id alone is longer is left out. */
export function toPayloads(changed: Changed): readonly string[] {
  const payloads: string[] = []
  let pairs: string[] = []
  let bytes = 2
  for (const pair of changed.map((one) => JSON.stringify(one))) {
    const length = Buffer.byteLength(pair) + 1
    if (length + 2 > PAYLOAD_BYTES) continue
    if (bytes + length > PAYLOAD_BYTES) {
      payloads.push(`[${pairs.join()}]`)
      pairs = []
      bytes = 2
    }
    pairs.push(pair)
    bytes += length
  }
  return pairs.length > 0 ? [...payloads, `[${pairs.join()}]`] : payloads
}

/** @throws where somebody else has written to the channel. */
export function fromPayload(payload: string): Changed {
  return JSON.parse(payload) as Changed
}
