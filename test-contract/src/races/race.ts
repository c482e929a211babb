import { cancel, type Reception, receive } from '@moorage/inbox/receive'
import type { MessageJson, TaskState } from '@moorage/protocol'
import type { Fence, Principal, Receipt, Remaining, TaskStore, TaskTransaction } from '@moorage/store'
import { type EndKind, isCommand, MAX_ATTEMPTS, type Request, TEXTS } from './request.js'

export const AGENT = 'racer'

const ANN: Principal = { tenant: '', subject: 'ann', participant: 'ann', claims: {} }

/** One task, and what is asked of it. */
export interface Race {
  readonly taskId: string
  /** Makes the ids of its messages its own. */
  readonly name: string
}

/** What a request was answered, in the words of the model, and what its asker goes on with. */
export interface Answer {
  readonly text: string
  readonly receipt?: Receipt
  readonly turn?: { readonly fence: Fence; readonly batch: number }
  readonly command?: { readonly position: number; readonly claim: number }
}

/** Asks one replica's store for one transaction. */
export async function ask(store: TaskStore, race: Race, request: Request): Promise<Answer> {
  if (request.kind === 'send') return send(store, race, request.name, request.first)
  if (request.kind === 'cancel') return { text: told(await cancel(store, AGENT, ANN, race.taskId)) }
  if (request.kind !== 'sweep') return store.transact([race.taskId], (tx) => write(tx, race.taskId, request))
  await store.claimDue([AGENT], 10)
  return { text: 'swept' }
}

type Write = Exclude<Request, { readonly kind: 'send' | 'cancel' | 'sweep' }>

async function write(tx: TaskTransaction, id: string, request: Write): Promise<Answer> {
  switch (request.kind) {
    case 'open':
      return opened(await tx.openTurn(id, request.scheduling))
    case 'append': {
      const { fence, batch } = request
      const parts = [{ text: TEXTS.chunk(fence, batch) }]
      return { text: (await tx.append(id, fence, batch, [{ kind: 'artifact', artifactId: 'answer', parts }])).result }
    }
    case 'step':
      return { text: (await tx.recordStep(id, request.fence, 'step', 1)).result }
    case 'end':
      return concluded(await tx.endTurn(id, request.fence, endOf(request.fence, request.outcome)))
    case 'stumble':
      return concluded(await tx.failTurn(id, request.fence, MAX_ATTEMPTS, says(TEXTS.failure(request.fence))))
    case 'claim':
      return claimed(await tx.claimCommand(id, request.scheduling))
    case 'reply':
      return concluded(await tx.replyToCommand(id, request.position, request.claim, replyTo(request)))
    case 'stumble in command':
      return concluded(await tx.failCommand(id, request.position, request.claim, MAX_ATTEMPTS, replyTo(request)))
    case 'settle':
      return { text: left(await tx.settle(id)) }
  }
}

/** Sends a message; the first one makes the task. */
export async function send(store: TaskStore, { name: race, taskId }: Race, name: string, first: boolean): Promise<Answer> {
  const parts = [{ text: TEXTS.message(name) }]
  const message: MessageJson = { messageId: `${race} ${name}`, role: 'ROLE_USER', parts, ...(!first && { taskId }) }
  const reception = await receive(store, { agent: AGENT, commands: new Set(['status']) }, ANN, message)
  if (reception.result === 'refused') return { text: told(reception) }
  const { receipt, kind, handled } = reception
  if (kind !== (isCommand(name) ? 'command' : 'message')) throw new Error(`${name} was taken for a ${kind}`)
  const result = receipt.duplicate ? 'duplicate' : 'accepted'
  return { text: `${result} ${receipt.position} ${brief(receipt.state)}${handled ? ' handled' : ''}`, receipt }
}

function told(decided: Exclude<Reception, { result: 'accepted' }> | { readonly result: 'canceled' }): string {
  if (decided.result === 'canceled') return 'canceled'
  return `refused ${decided.reason}${decided.reason === 'terminal' ? ` ${brief(decided.state)}` : ''}`
}

function opened(opening: Awaited<ReturnType<TaskTransaction['openTurn']>>): Answer {
  if (opening.kind !== 'opened') return { text: `${opening.kind} ${left(opening)}` }
  const { fence, batch, received, steps } = opening
  const names = received.map(({ message }) => message.messageId.split(' ').at(-1))
  const step = steps.has('step') ? ' and a step' : ''
  return {
    text: `opened ${fence.turn}.${fence.attempt} after ${batch}${step} for ${names} ${left(opening)}`,
    turn: { fence, batch },
  }
}

function claimed(opening: Awaited<ReturnType<TaskTransaction['claimCommand']>>): Answer {
  if (opening.kind !== 'claimed') return { text: `${opening.kind} ${left(opening)}` }
  const { position, claim } = opening
  return { text: `claimed ${position}.${claim} ${left(opening)}`, command: { position, claim } }
}

function concluded(outcome: Remaining & { readonly result: string; readonly retry?: boolean }): Answer {
  const text = `${outcome.result} ${left(outcome)}`
  return { text: outcome.retry === undefined ? text : `${text} ${outcome.retry ? 'again' : 'over'}` }
}

function left({ unhandled, last, terminal }: Remaining): string {
  return `left [${unhandled.map(({ position, kind }) => `${position}${kind.charAt(0)}`)}] of ${last}${terminal ? ', ended' : ''}`
}

export function brief(state: TaskState): string {
  return state.replace('TASK_STATE_', '')
}

function endOf(fence: Fence, kind: EndKind) {
  return { kind, message: says(TEXTS.end(fence, kind)) }
}

function replyTo({ position, claim }: { readonly position: number; readonly claim: number }): MessageJson {
  return says(TEXTS.reply(position, claim))
}

function says(text: string): MessageJson {
  return { messageId: `said ${text}`, role: 'ROLE_AGENT', parts: [{ text }] }
}
