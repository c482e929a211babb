import { setTimeout as pause } from 'node:timers/promises'
import { isTerminal, type MessageJson, type SendMessageResponseJson, type TaskState } from '@moorage/protocol'
import type { Rendezvous } from '../conformance-agent/rendezvous.js'
import type { RawEvent } from '../raw-stream.js'
import { A2aClient } from './a2a-client.js'
import type { Account, Sent } from './account.js'
import { foldStream, NOTHING, type Reading } from './fold-stream.js'
import type { TaskPlan } from './plan.js'
import { Random } from './random.js'
import { type Action, FIRST, type Story, tell } from './story.js'

const LOOK_MS = 20
const AGAIN_MS = 150
/** How long a client waits for the end of what it has sent before it sends it again. */
const WAIT_MS = 8000

export interface TaskPorts {
  readonly urls: readonly string[]
  readonly rendezvous: Rendezvous
  /** Ends the attempt: what has not come to its end by then is stuck. */
  readonly signal: AbortSignal
}

/** Does what the plan says as a client who never gives up, and tells what it saw. */
export async function runTask(plan: TaskPlan, ports: TaskPorts): Promise<Account> {
  return new TaskRun(plan, ports).run()
}

class TaskRun {
  readonly #plan: TaskPlan
  readonly #ports: TaskPorts
  readonly #story: Story
  readonly #client: A2aClient
  readonly #events: RawEvent[] = []
  readonly #acknowledged: Sent[] = []
  #reading: Reading = NOTHING
  #taskId: string | undefined
  #failure: { readonly cause: unknown } | undefined

  constructor(plan: TaskPlan, ports: TaskPorts) {
    this.#plan = plan
    this.#ports = ports
    this.#story = tell(plan)
    const random = new Random(plan.seed)
    this.#client = new A2aClient({ urls: ports.urls, binding: plan.binding, random, signal: ports.signal })
  }

  async run(): Promise<Account> {
    const begun = performance.now()
    const { expected } = this.#story
    const answer = await (this.#plan.scenario === 'direct' ? this.#ask() : this.#follow())
    const task = this.#taskId === undefined ? undefined : await this.#client.getTask(this.#taskId)
    return {
      ...{ plan: this.#plan, expected, begun, ended: performance.now(), taskId: this.#taskId },
      ...{ acknowledged: this.#acknowledged, events: this.#events, answer, task },
    }
  }

  /** The answer is a Message, however often it has to be asked for. */
  async #ask(): Promise<string> {
    const message = this.#message({ script: this.#story.script }, 'first')
    for (;;) {
      const response = await this.#client.sendOnce(message, { patienceMs: WAIT_MS })
      if (response !== undefined) {
        this.#acknowledge(message, 'message')
        if (!('message' in response)) throw new Error(`The answer is no Message: ${JSON.stringify(response)}`)
        return response.message.parts.map((part) => ('text' in part ? part.text : '')).join('')
      }
      await this.#pause(AGAIN_MS)
    }
  }

  async #follow(): Promise<undefined> {
    const message = this.#message({ script: this.#story.script }, 'first')
    if (this.#plan.how === 'wait') this.#begin(message, await this.#client.sendOnce(message, { patienceMs: WAIT_MS / 4 }))
    const following = this.#read(message).catch((cause: unknown) => {
      this.#failure = { cause }
    })
    for (const action of this.#story.actions) await this.#perform(action)
    await following
    if (this.#failure !== undefined) throw this.#failure.cause
    return undefined
  }

  /** Reads from the first event to the end, over as many streams as that takes. */
  async #read(message: MessageJson): Promise<void> {
    if (this.#plan.how === 'stream') {
      while (this.#events.length === 0) {
        await this.#take(this.#client.sendStream(message), () => this.#acknowledge(message, 'message'))
        if (this.#events.length === 0) await this.#pause(AGAIN_MS)
      }
    } else if (this.#taskId === undefined) this.#begin(message, await this.#client.send(message))
    while (!this.#isOver) {
      await this.#take(this.#client.resume(this.#taskId ?? '', this.#events.at(-1)?.id ?? 0))
      if (!this.#isOver) await this.#pause(AGAIN_MS)
    }
  }

  async #take(stream: AsyncIterable<RawEvent>, onFirst?: () => void): Promise<void> {
    for await (const event of stream) {
      if (this.#events.length === 0) onFirst?.()
      this.#events.push(event)
      this.#reading = foldStream(this.#reading, event.payload)
      if ('task' in event.payload) this.#taskId = event.payload.task.id
    }
    this.#ports.signal.throwIfAborted()
  }

  #begin(message: MessageJson, response: SendMessageResponseJson | undefined): void {
    if (response === undefined) return
    if (!('task' in response)) throw new Error(`The answer is no Task: ${JSON.stringify(response)}`)
    this.#taskId = response.task.id
    this.#acknowledge(message, 'message')
  }

  async #perform({ when, act }: Action): Promise<void> {
    await this.#until(() => (when === 'asked' ? this.#state === 'TASK_STATE_INPUT_REQUIRED' : this.#chunks >= when.chunks))
    const taskId = this.#taskId ?? ''
    const number = String(this.#acknowledged.length + 1)
    if (act.kind === 'cancel') return this.#client.cancel(taskId)
    if (act.kind === 'open') return this.#ports.rendezvous.open(this.#plan.label)
    const content = act.kind === 'message' ? { script: act.script } : act.kind === 'command' ? `/echo ${act.args}` : 'This one.'
    const message = this.#message(content, number, taskId)
    await this.#client.send(message)
    this.#acknowledge(message, act.kind === 'command' ? 'command' : 'message')
  }

  #message(content: string | { readonly script: Story['script'] }, name: string, taskId?: string): MessageJson {
    const part = typeof content === 'string' ? { text: content } : { data: { script: content.script } }
    const messageId = `${this.#plan.label}-${name}`
    return { messageId, role: 'ROLE_USER', parts: [part], ...(taskId !== undefined && { taskId }) } as MessageJson
  }

  #acknowledge({ messageId }: MessageJson, kind: Sent['kind']): void {
    this.#acknowledged.push({ messageId, kind })
  }

  get #state(): TaskState | undefined {
    return this.#reading.state
  }

  get #isOver(): boolean {
    return this.#state !== undefined && isTerminal(this.#state)
  }

  get #chunks(): number {
    return (this.#reading.artifacts[FIRST] ?? '').split(' ').length - 1
  }

  async #until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      if (this.#failure !== undefined) throw this.#failure.cause
      if (this.#isOver) throw new Error(`The task ended ${this.#state} before its client was done`)
      await this.#pause(LOOK_MS)
    }
  }

  async #pause(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.#ports.signal })
  }
}
