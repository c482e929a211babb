import type { Fence, Scheduling } from '@moorage/store'

/** How a turn may end here: a state that is terminal, or one that waits for the client. */
export type EndKind = 'complete' | 'fail' | 'ask' | 'park'

/** One transaction that a replica or a worker asks for. Names of messages that begin with a `c` are commands; the first is sent without the task's id. */
export type Request =
  | { readonly kind: 'send'; readonly name: string; readonly first: boolean }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'open'; readonly scheduling: Scheduling }
  | { readonly kind: 'append'; readonly fence: Fence; readonly batch: number }
  | { readonly kind: 'step'; readonly fence: Fence }
  | { readonly kind: 'end'; readonly fence: Fence; readonly outcome: EndKind }
  | { readonly kind: 'stumble'; readonly fence: Fence }
  | { readonly kind: 'claim'; readonly scheduling: Scheduling }
  | { readonly kind: 'reply'; readonly position: number; readonly claim: number }
  | { readonly kind: 'stumble in command'; readonly position: number; readonly claim: number }
  | { readonly kind: 'settle' }
  | { readonly kind: 'sweep' }

/** How often the agent's code may throw here. */
export const MAX_ATTEMPTS = 2

export function isCommand(name: string): boolean {
  return name.startsWith('c')
}

/** What is said with a request; different requests say different things. */
export const TEXTS = {
  message: (name: string): string => (isCommand(name) ? `/status ${name}` : name),
  chunk: ({ turn, attempt }: Fence, batch: number): string => `chunk ${turn}.${attempt}.${batch}`,
  end: ({ turn, attempt }: Fence, outcome: EndKind): string => `${outcome} ${turn}.${attempt}`,
  failure: ({ turn, attempt }: Fence): string => `failed ${turn}.${attempt}`,
  reply: (position: number, claim: number): string => `reply ${position}.${claim}`,
} as const
