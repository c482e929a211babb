import type { Redactor, TextRedaction } from '@moorage/inbox'
import type { PartJson } from '@moorage/protocol'
import type { TurnWrite } from '@moorage/store'

/** Where a turn writes: what it writes is recorded in the order of the calls. */
export interface Writer {
  push(write: TurnWrite): Promise<void>
  flush(): Promise<void>
}

type ArtifactWrite = Extract<TurnWrite, { readonly kind: 'artifact' }>

/** The text of one artifact as it comes. */
interface Running {
  readonly text: TextRedaction
  /** The artifact as the last write has named it. */
  readonly artifact: Pick<ArtifactWrite, 'kind' | 'artifactId' | 'name' | 'description'>
}

/**
 * Takes secrets out of what a turn writes. Plain text goes through as it comes, chunk by chunk, but for the end of one that may be a secret which the next
 * chunk goes on with: that waits for it, for another kind of part, for the last chunk, or for `flush`.
 */
export class RedactingWriter implements Writer {
  readonly #writer: Writer
  readonly #redactor: Redactor
  readonly #running = new Map<string, Running>()

  constructor(writer: Writer, redactor: Redactor) {
    this.#writer = writer
    this.#redactor = redactor
  }

  push(write: TurnWrite): Promise<void> {
    if (write.kind === 'status') return this.#writer.push({ ...write, message: this.#redactor.message(write.message) })
    const { text, artifact } = this.#runningOf(write)
    const redacted = write.parts.flatMap((part) => this.#redactPart(text, part))
    const parts = write.last ? [...redacted, ...held(text)] : redacted
    // All of it is held back: what is still to come makes the chunk.
    if (parts.length === 0 && !write.replace && !write.last) return Promise.resolve()
    return this.#writer.push({ ...write, ...artifact, parts: parts.length === 0 ? [{ text: '' }] : parts })
  }

  async flush(): Promise<void> {
    for (const { text, artifact } of this.#running.values()) {
      if (text.holds) void this.#writer.push({ ...artifact, parts: [{ text: text.flush() }] }).catch(() => {})
    }
    await this.#writer.flush()
  }

  #redactPart(text: TextRedaction, part: PartJson): readonly PartJson[] {
    if (!isPlainText(part)) return [...held(text), this.#redactor.part(part)]
    if (part.text === '') return [part]
    const decided = text.push(part.text)
    return decided === '' ? [] : [{ text: decided }]
  }

  #runningOf({ kind, artifactId, name, description, replace }: ArtifactWrite): Running {
    const known = replace ? undefined : this.#running.get(artifactId)
    const named = this.#redactor.json({ ...(name !== undefined && { name }), ...(description !== undefined && { description }) })
    const running = { text: known?.text ?? this.#redactor.stream(), artifact: { kind, artifactId, ...named } }
    this.#running.set(artifactId, running)
    return running
  }
}

function held(text: TextRedaction): readonly PartJson[] {
  return text.holds ? [{ text: text.flush() }] : []
}

function isPlainText(part: PartJson): part is { readonly text: string } {
  return 'text' in part && Object.keys(part).length === 1
}
