import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Account } from './account.js'
import { describeFault, type Fault, rerunsBy, type Strike } from './fault.js'
import { type Finding, found } from './finding.js'
import { findLeftWork } from './leftovers.js'
import type { Options } from './options.js'
import { planRounds, type Round, type TaskPlan } from './plan.js'
import { runTask } from './run-task.js'
import { countMessages, loadTask } from './stored-task.js'
import { judge } from './verdict.js'
import { strike } from './victim.js'
import type { World } from './world.js'

/** How long a world without a fault may take to end what is open: what has not ended by then is stuck. */
const STUCK_MS = 120_000
/** How many tasks may be open when a round begins. */
const MOST_OPEN = 8
/** How much of the return of what was killed belongs to its round. */
const RETURN_MS = 500

/** Something that is wrong, and with which task. */
export interface Verdict extends Finding {
  readonly task: string
}

export interface ChaosResult {
  readonly strikes: readonly Strike[]
  readonly tasks: number
  readonly verdicts: readonly Verdict[]
}

export interface ChaosOptions extends Options {
  readonly world: World
  readonly signal: AbortSignal
  /** Gets a line for each round. */
  readonly tell: (line: string) => void
}

/** Runs the rounds; after the first one with a finding, none. */
export function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  return new Chaos(options).run()
}

class Chaos {
  readonly #options: ChaosOptions
  readonly #open = new Map<string, Promise<void>>()
  readonly #ended: Account[] = []
  readonly #strikes: Strike[] = []
  readonly #verdicts: Verdict[] = []
  readonly #giveUp = new AbortController()
  readonly #signal: AbortSignal
  /** When what was last done to a target is over. */
  readonly #returns = new Map<string, Promise<void>>()
  #tasks = 0
  #judged = 0

  constructor(options: ChaosOptions) {
    this.#options = options
    this.#signal = AbortSignal.any([options.signal, this.#giveUp.signal])
    // Each task that is open listens.
    setMaxListeners(0, this.#signal)
  }

  async run(): Promise<ChaosResult> {
    for (const round of planRounds(this.#options)) {
      await this.#round(round)
      if (this.#verdicts.length > 0 || this.#options.signal.aborted) break
    }
    if (!this.#options.signal.aborted) await this.#end()
    this.#giveUp.abort()
    return { strikes: this.#strikes, tasks: this.#tasks, verdicts: this.#verdicts }
  }

  async #end(): Promise<void> {
    const { tell, signal } = this.#options
    await Promise.all(this.#returns.values())
    tell(`Waiting for the ${this.#open.size} tasks that are open.`)
    await this.#drain(0)
    tell('Looking at everything once more.')
    if (!signal.aborted) await this.#judgeAll()
  }

  async #round({ number, faults, tasks }: Round): Promise<void> {
    const begun = performance.now()
    for (const plan of tasks) this.#start(plan)
    await Promise.all(faults.map((fault) => this.#strike(fault)))
    const healed = performance.now()
    await this.#drain(MOST_OPEN)
    await this.#judgeNew()
    const seconds = (from: number) => ((performance.now() - from) / 1000).toFixed(1)
    const what = faults.map(describeFault).join('; ')
    this.#options.tell(`${String(number).padStart(4)}  ${seconds(begun)} s  ${what}; ${seconds(healed)} s after it ${this.#open.size} open`)
  }

  /** Resolves when the fault is healed; what was killed comes back meanwhile, while the rounds go on. */
  async #strike(fault: Fault): Promise<void> {
    const { target, kind, forMs } = fault
    const { signal, world } = this.#options
    const victim = world.victims.get(target)
    if (victim === undefined) throw new Error(`There is no ${target}`)
    await pause(fault.afterMs, undefined, { signal }).catch(() => undefined)
    await this.#returns.get(target)
    const record = { fault, begun: performance.now(), healed: Number.POSITIVE_INFINITY }
    this.#strikes.push(record)
    const over = strike(victim, fault, signal).then(
      () => {
        record.healed = performance.now()
      },
      (error: unknown) => {
        if (!signal.aborted) this.#verdicts.push({ ...found('wrong', String(error)), task: target })
      },
    )
    this.#returns.set(target, over)
    await (kind === 'kill' ? Promise.race([over, pause(forMs + RETURN_MS)]) : over)
  }

  #start(plan: TaskPlan): void {
    this.#tasks++
    const { urls, rendezvous } = this.#options.world
    const run = async () => {
      await pause(plan.afterMs, undefined, { signal: this.#signal })
      this.#ended.push(await runTask(plan, { urls, rendezvous, signal: this.#signal }))
    }
    const over = run()
      .catch((error: unknown) => {
        if (!this.#signal.aborted) this.#verdicts.push({ ...found('wrong', String(error)), task: describeTask(plan) })
      })
      .finally(() => this.#open.delete(plan.label))
    this.#open.set(plan.label, over)
  }

  /** Waits, with nothing going wrong, until no more than so many are open. */
  async #drain(most: number): Promise<void> {
    const deadline = performance.now() + STUCK_MS
    while (this.#open.size > most && this.#verdicts.length === 0 && !this.#options.signal.aborted) {
      if (performance.now() > deadline) {
        for (const label of this.#open.keys()) this.#verdicts.push({ ...found('stuck', `open after ${STUCK_MS / 1000} s`), task: label })
        return
      }
      await Promise.race([...this.#open.values(), pause(1000)])
    }
  }

  async #judgeNew(): Promise<void> {
    for (; this.#judged < this.#ended.length; this.#judged++) {
      const account = this.#ended[this.#judged]
      if (account !== undefined) await this.#judge(account)
    }
    for (const crash of this.#options.world.crashes.slice(this.#verdicts.filter(({ task }) => task === 'process').length)) {
      this.#verdicts.push({ ...crash, task: 'process' })
    }
  }

  async #judge(account: Account): Promise<void> {
    const { query, rendezvous } = this.#options.world
    const [first] = account.acknowledged
    const stored = await loadTask(query, { taskId: account.taskId, messageId: first?.messageId ?? '' })
    const meanwhile = this.#strikes.filter(({ begun, healed }) => begun < account.ended && healed > account.begun)
    const reruns = meanwhile.reduce((sum, { fault }) => sum + rerunsBy(fault, this.#options.on), 0)
    const findings = judge(account, stored, await rendezvous.counts(account.expected.counters), reruns)
    const task = `${describeTask(account.plan)} ${stored?.id ?? ''}`
    this.#verdicts.push(...findings.map((finding) => ({ ...finding, task })))
  }

  /** Everything once more, now that nothing runs: what was whole must have stayed so, and nothing may be left. */
  async #judgeAll(): Promise<void> {
    if (this.#verdicts.length > 0) return
    this.#judged = 0
    await this.#judgeNew()
    const messages = await countMessages(this.#options.world.query)
    const acknowledged = new Set(this.#ended.flatMap((account) => account.acknowledged.map(({ messageId }) => messageId)))
    const findings = [
      ...[...messages]
        .filter(([, count]) => count > 1)
        .map(([id, count]) => found('doubled', `message ${id} is in the store ${count} times`)),
      ...[...acknowledged].filter((id) => !messages.has(id)).map((id) => found('lost', `message ${id}`)),
      ...[...messages.keys()].filter((id) => !acknowledged.has(id)).map((id) => found('wrong', `nobody was told of message ${id}`)),
      ...(await findLeftWork(this.#options.world)),
    ]
    this.#verdicts.push(...findings.map((finding) => ({ ...finding, task: 'the end' })))
  }
}

function describeTask({ label, scenario, how, binding }: TaskPlan): string {
  return `${label} (${scenario}, ${how}, ${binding})`
}
