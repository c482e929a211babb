import { randomUUID } from 'node:crypto'
import type { MessageJson } from '@moorage/protocol'
import type { Fence, TaskStore, TurnOutcome, TurnWrite } from '@moorage/store'

/** A message of the agent. */
export function says(text: string): MessageJson {
  return { messageId: randomUUID(), role: 'ROLE_AGENT', parts: [{ text }] }
}

/** A chunk of an artifact. */
export function chunk(artifactId: string, text: string): TurnWrite {
  return { kind: 'artifact', artifactId, parts: [{ text }] }
}

/** A turn that a test plays, as a worker's Activity would. */
export interface PlayedTurn {
  write(...writes: readonly TurnWrite[]): Promise<void>
  end(outcome: TurnOutcome): Promise<void>
}

/** Opens a turn over what waits on the task. */
export async function openTurn(store: TaskStore, taskId: string): Promise<PlayedTurn> {
  const opening = await store.transact([taskId], (tx) => tx.openTurn(taskId, { id: randomUUID(), attempt: 1 }))
  if (opening.kind !== 'opened') throw new Error(`nothing to run: ${opening.kind}`)
  const { fence } = opening
  let batch = opening.batch
  return {
    async write(...writes) {
      batch += 1
      expectAppended(await store.transact([taskId], (tx) => tx.append(taskId, fence, batch, writes)))
    },
    async end(outcome) {
      expectAppended(await endTurn(store, taskId, fence, outcome))
    },
  }
}

/** A whole turn: what it writes, then its end. */
export async function playTurn(store: TaskStore, taskId: string, outcome: TurnOutcome, ...writes: readonly TurnWrite[]): Promise<void> {
  const turn = await openTurn(store, taskId)
  if (writes.length > 0) await turn.write(...writes)
  await turn.end(outcome)
}

/** Answers the first command that waits on the task. */
export async function answerCommand(store: TaskStore, taskId: string, text: string): Promise<void> {
  const claimed = await store.transact([taskId], (tx) => tx.claimCommand(taskId, { id: randomUUID(), attempt: 1 }))
  if (claimed.kind !== 'claimed') throw new Error('no command waits')
  await store.transact([taskId], (tx) => tx.replyToCommand(taskId, claimed.position, claimed.claim, says(text)))
}

function endTurn(store: TaskStore, taskId: string, fence: Fence, outcome: TurnOutcome) {
  return store.transact([taskId], (tx) => tx.endTurn(taskId, fence, outcome))
}

function expectAppended({ result }: { readonly result: string }): void {
  if (result !== 'appended') throw new Error(`the store answered ${result}`)
}
