/**
 * A real store with one task, for tests of the Activities without Temporal around them.
 * @module
 */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Agent } from '@moorage/agent'
import { createRedactor } from '@moorage/inbox'
import { receive } from '@moorage/inbox/receive'
import type { MessageJson, TaskJson } from '@moorage/protocol'
import { ANONYMOUS, isPublic, type TaskStore } from '@moorage/store'
import { openSqliteStore } from '@moorage/store/sqlite'
import { onTestFinished } from 'vitest'
import { SILENT } from '../logger.js'
import type { Execution } from './execution.js'
import type { ActivityPorts } from './ports.js'

export interface TurnStage {
  readonly ports: ActivityPorts
  readonly taskId: string
  send(text: string): Promise<void>
  task(): Promise<TaskJson>
  /** What clients see of the log, in a word for each entry. */
  log(): Promise<readonly string[]>
  /** Keeps everybody from writing to the database until the returned function is called. */
  lock(): Promise<() => Promise<void>>
}

/** For a test that locks the database: its store is soon away. */
export const IMPATIENT = { acceptDeadlineMs: 100 }

export async function openTurnStage(agent: Agent, text = 'go', { direct = false, acceptDeadlineMs = 60_000 } = {}): Promise<TurnStage> {
  const dir = await mkdtemp(join(tmpdir(), 'moorage-turn-'))
  const path = join(dir, 'store.db')
  const store = await openSqliteStore({ path, acceptDeadlineMs })
  onTestFinished(async () => {
    await store.close()
    await rm(dir, { recursive: true, force: true })
  })
  const send = async (words: string, taskId?: string): Promise<string> => {
    const message: MessageJson = { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text: words }], ...(taskId && { taskId }) }
    const reception = await receive(store, { agent: agent.id, commands: new Set(Object.keys(agent.commands)), direct }, ANONYMOUS, message)
    if (reception.result === 'refused') throw new Error(`refused: ${reception.reason}`)
    return reception.receipt.taskId
  }
  const taskId = await send(text)
  return {
    ports: { store, agent, logger: SILENT, redactor: createRedactor(['correct horse battery 4711']) },
    taskId,
    send: async (words) => void (await send(words, taskId)),
    task: async () => (await store.get(taskId))?.task ?? Promise.reject(new Error('no task')),
    log: async () => (await store.read(taskId, 0, 1000)).filter(isPublic).map(({ payload }) => describe(payload)),
    lock: () => lock(path, store, taskId),
  }
}

/** An execution as an Activity would have it. */
export function execution(overrides: Partial<Execution> = {}): Execution {
  return {
    scheduling: { id: 'run/1', attempt: 1 },
    timeoutMs: 60_000,
    beatMs: 1000,
    cancellation: new AbortController().signal,
    beat: () => {},
    ...overrides,
  }
}

/** Another process that is inside a transaction. */
async function lock(path: string, { id }: TaskStore, taskId: string): Promise<() => Promise<void>> {
  const other = await openSqliteStore({ path })
  if (other.id !== id) throw new Error('another database')
  let release = (): void => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let transaction: Promise<void> = Promise.resolve()
  await new Promise<void>((locked) => {
    transaction = other.transact([taskId], async () => {
      locked()
      await held
    })
  })
  return async () => {
    release()
    await transaction
    await other.close()
  }
}

function describe(payload: object): string {
  const { task, statusUpdate, artifactUpdate } = payload as {
    task?: TaskJson
    statusUpdate?: { status: TaskJson['status'] }
    artifactUpdate?: { artifact: { artifactId: string; parts: MessageJson['parts'] } }
  }
  if (artifactUpdate) return `${artifactUpdate.artifact.artifactId}: ${textOf(artifactUpdate.artifact.parts)}`
  const status = statusUpdate?.status ?? task?.status
  const said = status?.message ? ` ${textOf(status.message.parts)}` : ''
  return `${status?.state.replace('TASK_STATE_', '')}${said}`
}

function textOf(parts: MessageJson['parts']): string {
  return parts.map((part) => ('text' in part ? part.text : '')).join('')
}
