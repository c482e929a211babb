/** Who is calling, as the server resolved it. `participant` is the name under which the caller acts in a task. */
export interface Principal {
  readonly tenant: string
  readonly subject: string
  readonly participant: string
  /** What the authenticators say beside that. */
  readonly claims: Readonly<Record<string, unknown>>
}

/** Who sent a message, as it is recorded: claims are not kept. */
export type Sender = Omit<Principal, 'claims'>
