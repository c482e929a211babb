import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { WorkflowHandle } from '@temporalio/client'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'

export type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>

const FOLDER = new URL('../../histories/', import.meta.url)

/** Names of this machine and of its processes (also those of sticky Task Queues), which no recorded history may carry. */
const IDENTITIES = /"(identity|name)": "(?:\d+@)[^"]*"/g

/** Keeps a history that a test has made, where `UPDATE_CONTRACT` is set; a released one is never recorded again. */
export async function recordHistory(name: string, history: History): Promise<void> {
  if (!process.env['UPDATE_CONTRACT']) return
  await mkdir(FOLDER, { recursive: true })
  const json = historyToJSON(history).replace(IDENTITIES, '"$1": "recorded"')
  await writeFile(new URL(`${name}.json`, FOLDER), `${json}\n`)
}

/** The recorded histories by name. */
export async function recordedHistories(): Promise<ReadonlyMap<string, unknown>> {
  const files = (await readdir(fileURLToPath(FOLDER))).filter((file) => file.endsWith('.json'))
  const entries = files.map(async (file) => [file.slice(0, -5), JSON.parse(await readFile(new URL(file, FOLDER), 'utf8'))] as const)
  return new Map(await Promise.all(entries))
}

/** The types of a history's events, as Temporal's UI names them. */
export function eventTypes(history: History): readonly string[] {
  return (history.events ?? []).map((event) => {
    const field = Object.keys(event).find((key) => key.endsWith('EventAttributes') && event[key as keyof typeof event] != null)
    return field?.replace('EventAttributes', '') ?? 'unknown'
  })
}
