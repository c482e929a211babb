import { isTerminal } from '@moorage/protocol'
import type { Count } from '../conformance-agent/rendezvous.js'
import type { RawEvent } from '../raw-stream.js'
import type { Account, Sent } from './account.js'
import { type Finding, found } from './finding.js'
import { foldStream, NOTHING, type Reading } from './fold-stream.js'
import type { StoredEntry, StoredTask } from './stored-task.js'
import type { Expected } from './story.js'

/** Everything that is wrong with one task. `reruns`: how often a step of it may have run again. */
export function judge(
  account: Account,
  stored: StoredTask | undefined,
  counts: Readonly<Record<string, Count>>,
  reruns: number,
): readonly Finding[] {
  if (stored === undefined) return [found('lost', 'its task is not in the store')]
  const { expected, events, task, answer } = account
  const log = fold(stored.entries)
  return [
    ...checkLog(stored),
    ...checkMessages(account.acknowledged, stored),
    ...checkCounters(expected, counts, reruns),
    ...checkReading('the log', expected, log),
    ...(answer === undefined ? checkClient(expected, events, stored.entries, task) : checkAnswer(expected, answer)),
  ]
}

/** The log is dense, and ends with the one entry that ends the task. */
function checkLog({ state, seq, entries }: StoredTask): readonly Finding[] {
  const findings: Finding[] = []
  entries.forEach((entry, index) => {
    const before = entries[index - 1]?.seq ?? 0
    if (entry.seq > before + 1) findings.push(found('lost', `entries ${before + 1} to ${entry.seq - 1} of the log`))
    if (entry.seq <= before) findings.push(found('doubled', `entry ${entry.seq} of the log`))
  })
  const last = entries.at(-1)
  if (last?.seq !== seq) findings.push(found('lost', `the log ends with ${last?.seq}, the task says ${seq}`))
  if (last?.state !== state) findings.push(found('wrong', `the log ends ${last?.state}, the task is ${state}`))
  const ends = entries.filter((entry) => isTerminal(entry.state) && !('internal' in entry.payload))
  if (ends.length > 1)
    findings.push(found('doubled', `${ends.length} entries in a terminal state: ${ends.map((end) => end.seq).join(', ')}`))
  if (!isTerminal(state)) findings.push(found('stuck', `the task is ${state}`))
  return findings
}

/** Every acknowledged message is there once, is handled once, and stands in the history once; each command has one reply. */
function checkMessages(acknowledged: readonly Sent[], { inbox, history, entries }: StoredTask): readonly Finding[] {
  const findings: Finding[] = []
  for (const { messageId, kind } of acknowledged) {
    const rows = inbox.filter((row) => row.messageId === messageId)
    findings.push(...exactlyOne(rows.length, `message ${messageId} in the inbox`))
    if (rows.some(({ handled }) => !handled)) findings.push(found('stuck', `message ${messageId} is not handled`))
    findings.push(...exactlyOne(history.filter((id) => id === messageId).length, `message ${messageId} in the history`))
    if (kind !== 'command') continue
    const replies = entries.filter(({ replyTo }) => replyTo !== null && replyTo === rows[0]?.position)
    findings.push(...exactlyOne(replies.length, `the reply to command ${messageId}`))
  }
  const known = new Set(acknowledged.map(({ messageId }) => messageId))
  for (const { messageId } of inbox) if (!known.has(messageId)) findings.push(found('wrong', `nobody was told of message ${messageId}`))
  return findings
}

/** Each counter was counted by one step, which ran no more often than the faults explain. */
function checkCounters({ counters, mayEndEarly }: Expected, counts: Readonly<Record<string, Count>>, reruns: number): readonly Finding[] {
  return counters.flatMap((name) => {
    const { keys, runs } = counts[name] ?? { keys: 0, runs: 0 }
    if (keys === 0 && !mayEndEarly) return [found('lost', `counter ${name}`)]
    if (keys > 1) return [found('doubled', `counter ${name} was counted by ${keys} steps`)]
    return runs - keys > reruns
      ? [found('doubled', `counter ${name}: its step ran ${runs} times, and the faults explain ${reruns} more than one`)]
      : []
  })
}

/** The state, the last words and the artifacts are those that must come out. */
function checkReading(where: string, expected: Expected, { state, says, artifacts }: Reading): readonly Finding[] {
  const findings: Finding[] = []
  if (state !== expected.state) findings.push(found('wrong', `${where} ends ${state} instead of ${expected.state}`))
  if (expected.says !== undefined && says !== expected.says)
    findings.push(found('wrong', `${where} says ${JSON.stringify(says)} in the end`))
  for (const [id, text] of Object.entries(expected.artifacts)) {
    findings.push(...checkChunks(`artifact ${id} of ${where}`, text, artifacts[id] ?? '', expected.mayEndEarly))
  }
  for (const id of Object.keys(artifacts)) if (!(id in expected.artifacts)) findings.push(found('wrong', `${where} has an artifact ${id}`))
  return findings
}

function checkChunks(where: string, expected: string, actual: string, mayEndEarly: boolean): readonly Finding[] {
  if (mayEndEarly ? expected.startsWith(actual) : actual === expected) return []
  const chunks = actual.split(' ').slice(0, -1)
  const doubled = chunks.filter((chunk, index) => chunks.indexOf(chunk) !== index)
  if (doubled.length > 0) return [found('doubled', `chunks ${abridge(doubled)} of ${where}`)]
  const missing = expected
    .split(' ')
    .slice(0, mayEndEarly ? chunks.length : -1)
    .filter((chunk) => !chunks.includes(chunk))
  if (missing.length > 0) return [found('lost', `chunks ${abridge(missing)} of ${where}`)]
  return [found('wrong', `the order of the chunks in ${where}`)]
}

function checkClient(
  expected: Expected,
  events: readonly RawEvent[],
  entries: readonly StoredEntry[],
  task: Account['task'],
): readonly Finding[] {
  const seen = events.reduce<Reading>((reading, { payload }) => foldStream(reading, payload), NOTHING)
  return [
    ...checkStream(events, entries),
    ...checkReading('the stream', expected, seen),
    ...(task === undefined ? [found('lost', 'GetTask')] : checkReading('GetTask', expected, foldStream(NOTHING, { task }))),
  ]
}

/** From its first event on, a client has seen every public entry of the log once, in order, with the same content. */
function checkStream(events: readonly RawEvent[], entries: readonly StoredEntry[]): readonly Finding[] {
  const [first] = events
  if (first === undefined) return [found('lost', 'the whole stream')]
  const rest = entries.filter(({ seq, payload }) => seq > first.id && !('internal' in payload))
  const seen = new Map(events.map(({ id, payload }) => [id, payload]))
  const missing = rest.filter(({ seq }) => !seen.has(seq)).map(({ seq }) => String(seq))
  const ids = events.map(({ id }) => id)
  const doubled = ids.filter((id, index) => ids.indexOf(id) !== index).map(String)
  const other = rest.filter(({ seq, payload }) => seen.has(seq) && JSON.stringify(seen.get(seq)) !== JSON.stringify(payload))
  return [
    ...(missing.length > 0 ? [found('lost', `events ${abridge(missing)} of the stream`)] : []),
    ...(doubled.length > 0 ? [found('doubled', `events ${abridge(doubled)} of the stream`)] : []),
    ...(ids.some((id, index) => id < (ids[index - 1] ?? 0)) ? [found('wrong', 'the order of the stream')] : []),
    ...(other.length > 0 ? [found('wrong', `events ${abridge(other.map(({ seq }) => String(seq)))} of the stream are not the log's`)] : []),
  ]
}

function checkAnswer({ says }: Expected, answer: string): readonly Finding[] {
  return answer === says ? [] : [found('wrong', `the Message says ${JSON.stringify(answer)}`)]
}

function fold(entries: readonly StoredEntry[]): Reading {
  return entries.reduce<Reading>((reading, { payload }) => ('internal' in payload ? reading : foldStream(reading, payload)), NOTHING)
}

function exactlyOne(count: number, what: string): readonly Finding[] {
  if (count === 1) return []
  return [count === 0 ? found('lost', what) : found('doubled', `${what}, ${count} times`)]
}

function abridge(items: readonly string[]): string {
  return items.length > 12 ? `${items.slice(0, 12).join(' ')} … (${items.length})` : items.join(' ')
}
