import { type AuthorizationRefusal, authorize } from '@moorage/inbox/receive'
import type { Receipt, Sender, TaskStore } from '@moorage/store'
import type { Waker } from './contract/index.js'

/** What a task client works with. */
export interface TaskClientOptions {
  readonly store: TaskStore
  readonly waker: Waker
}

/** Who authorises; `tenant` is '' and `participant` the subject where they are unset. */
export type AuthorizedBy = Pick<Sender, 'subject'> & Partial<Sender>

/** What a host's own code does to tasks: the callback of an OAuth server, above all. */
export interface TaskClient {
  /**
   * Says that the authorisation is there which the task asks for (A2A §7.6.1): it goes on with its request, in any worker. The same again gets the
   * first receipt. What was granted does not come along: the agent finds it where the host has put it.
   *
   * @param by is held to the same policy as a caller: a reporter or an admin of the task
   * @param options.scheme refuses where the task asks for another one
   * @throws TaskClientError where it is refused, StoreUnavailableError where nothing could be recorded.
   */
  authorize(taskId: string, by: AuthorizedBy, options?: { readonly scheme?: string }): Promise<Receipt>
}

const SENTENCES: Readonly<Record<AuthorizationRefusal['reason'], string>> = {
  'task-not-found': 'There is no such task, or none that the participant takes part in',
  role: 'Only a reporter or an admin of the task may authorise it',
  scheme: 'The task waits for the authorisation of another scheme',
  'not-waiting': 'The task waits for no authorisation',
  terminal: 'The task has ended',
}

/** Why a task client was refused: `code` says so, `state` the state of a task that does not wait. */
export class TaskClientError extends Error {
  override readonly name = 'TaskClientError'
  readonly code: AuthorizationRefusal['reason']
  readonly taskId: string
  readonly state?: string

  constructor(refusal: AuthorizationRefusal) {
    super(SENTENCES[refusal.reason])
    this.code = refusal.reason
    this.taskId = refusal.taskId
    if ('state' in refusal) this.state = refusal.state
  }
}

/** Creates a client for the tasks of a store. */
export function createTaskClient({ store, waker }: TaskClientOptions): TaskClient {
  return {
    async authorize(taskId, { tenant = '', subject, participant = subject }, { scheme } = {}) {
      const task = await store.record(taskId)
      if (!task) throw new TaskClientError({ result: 'refused', reason: 'task-not-found', taskId })
      const reception = await authorize(store, task.agent, { tenant, subject, participant, claims: {} }, taskId, scheme)
      if (reception.result === 'refused') throw new TaskClientError(reception)
      const { receipt, kind, handled } = reception
      if (!handled) waker.wake(task.agent, taskId, [{ position: receipt.position, kind }])
      return receipt
    },
  }
}
