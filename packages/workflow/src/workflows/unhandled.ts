import type { InboxKind, Remaining, Waiting } from '@moorage/store'
import type { Delivery } from '../contract/index.js'

const KINDS: ReadonlySet<string> = new Set<InboxKind>(['message', 'command', 'authorization'])

/**
 * The positions that wait, as far as the run knows, and whether it was asked to look for itself. Nothing here is the truth: each Activity
 * takes its rows from the store and says what is left.
 */
export class Unhandled {
  /** Whether a wake named no positions: the store has to be asked. */
  look = false
  #terminal = false
  readonly #kinds = new Map<number, InboxKind>()

  constructor(first: Delivery) {
    this.deliver(first)
  }

  /** Whether the task has ended. */
  get terminal(): boolean {
    return this.#terminal
  }

  /** Takes a wake. Kinds that this version does not know are left to one that does. */
  deliver(delivery: Delivery): void {
    const unhandled: readonly Waiting[] = delivery?.unhandled ?? []
    if (unhandled.length === 0) this.look = true
    this.#add(unhandled)
  }

  /** Takes what an Activity saw: its word counts up to the last position that it saw; what was delivered beyond stays. */
  observe(remaining: Remaining): void {
    for (const position of this.#kinds.keys()) {
      if (position <= remaining.last) this.#kinds.delete(position)
    }
    this.#add(remaining.unhandled)
    if (remaining.terminal) this.#terminal = true
  }

  has(kind: InboxKind): boolean {
    for (const known of this.#kinds.values()) if (known === kind) return true
    return false
  }

  list(): readonly Waiting[] {
    return [...this.#kinds].map(([position, kind]) => ({ position, kind })).sort((a, b) => a.position - b.position)
  }

  #add(unhandled: readonly Waiting[]): void {
    for (const { position, kind } of unhandled) if (KINDS.has(kind)) this.#kinds.set(position, kind)
  }
}
