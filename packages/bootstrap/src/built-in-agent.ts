import { setTimeout as pause } from 'node:timers/promises'
import { type Agent, type AgentCardInput, command, defineAgent, type Outcome, type Turn } from '@moorage/agent'
import type { TaskJson } from '@moorage/protocol'

const CHUNK_PAUSE_MS = 40
const COUNT_PAUSE_MS = 100
const COUNT_MAX = 1000

const INTRODUCTION = [
  'I am the agent that Moorage brings along; I need no key and know nothing, but I show what an agent can do.',
  '- "count to 50" streams fifty chunks. Kill the server meanwhile and start it again: the task ends with each of them once.',
  '- "ask me about boats" asks a question, and the answer completes the task.',
  '- "artifacts" makes a text, a data and a file artifact.',
  '- "/status" says what this task is doing, also while it is doing it.',
  'To serve an agent of your own, set MOORAGE_AGENT to its module; examples/hello/agent.ts is the smallest one.',
]

const CARD: AgentCardInput = {
  name: 'Moorage',
  description: 'The agent that Moorage brings along: it streams, asks, makes artifacts and has a command, without a model or a key.',
  version: '1.0.0',
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain', 'application/json', 'text/csv'],
  skills: [
    {
      id: 'introduce',
      name: 'Introduce',
      description: 'Answers anything by saying what can be tried, streamed in chunks.',
      tags: ['streaming'],
      examples: ['hello'],
    },
    {
      id: 'count',
      name: 'Count',
      description: `Streams one chunk for each number, up to ${COUNT_MAX}, ten a second; after a crash it counts again, and the artifact has each number once.`,
      tags: ['streaming', 'durability'],
      examples: ['count to 50'],
    },
    {
      id: 'ask',
      name: 'Ask',
      description: 'Asks a question (input required); the next message to the task is the answer and completes it.',
      tags: ['input-required'],
      examples: ['ask me', 'ask me about boats'],
    },
    {
      id: 'artifacts',
      name: 'Make artifacts',
      description: 'Makes a text, a data and a file artifact.',
      tags: ['artifacts'],
      examples: ['artifacts'],
    },
    {
      id: 'status',
      name: 'Status',
      description: 'A command: says what the task is doing, also while a turn runs.',
      tags: ['command'],
      examples: ['/status'],
    },
  ],
}

/** The agent that is served where `MOORAGE_AGENT` names none. Its card's skills say what it understands. */
export const builtInAgent: Agent = defineAgent({
  id: 'moorage',
  card: CARD,
  commands: {
    status: command('Says what this task is doing', async (run) => run.reply(describeTask(await run.task()))),
  },
  async turn(turn) {
    const text = turn.text.trim()
    if (wasAsked(await turn.task())) return turn.complete(`Thank you. You answered: ${text}`)
    const count = /^count to (\d{1,4})\b/i.exec(text)
    if (count !== null) return countTo(turn, Math.min(Number(count[1]), COUNT_MAX))
    const ask = /^ask(?: me)?\b(?:\s*about\s+(.+))?/i.exec(text)
    if (ask !== null) return askAbout(turn, ask[1])
    return /\bartifacts?\b/i.test(text) ? makeArtifacts(turn) : introduce(turn)
  },
})

async function introduce(turn: Turn): Promise<Outcome> {
  const answer = turn.artifact('answer', { name: 'Answer' })
  const lines = [`You said: ${turn.text || '(no text)'}`, ...INTRODUCTION]
  for (const [index, line] of lines.entries()) {
    await answer.append(`${line}\n`, { last: index === lines.length - 1 })
    await pause(CHUNK_PAUSE_MS, undefined, { signal: turn.signal })
  }
  return turn.complete()
}

async function countTo(turn: Turn, end: number): Promise<Outcome> {
  const begun = await turn.step('note when it began', () => new Date().toISOString())
  const count = turn.artifact('count', { name: 'Count' })
  for (let number = 1; number <= end; number += 1) {
    await count.append(`${number}\n`, { last: number === end })
    await pause(COUNT_PAUSE_MS, undefined, { signal: turn.signal })
  }
  const attempts = turn.attempt === 1 ? 'one attempt' : `${turn.attempt} attempts`
  return turn.complete(`Counted to ${end} in ${attempts}; the first one began at ${begun}.`)
}

/** The mark is for `wasAsked`: it stays with the question in the task's history. */
function askAbout(turn: Turn, topic: string | undefined): Outcome {
  const text = topic === undefined ? 'What is your name?' : `What should I know about ${topic.replace(/\bmy\b/gi, 'your')}?`
  return turn.ask({ text, metadata: { question: true } })
}

function wasAsked({ history = [] }: TaskJson): boolean {
  return history.some((message) => message.role === 'ROLE_AGENT' && message.parts.some((part) => part.metadata?.['question'] === true))
}

async function makeArtifacts(turn: Turn): Promise<Outcome> {
  const made = await turn.step('note the time', () => new Date().toISOString())
  const rows = [
    { harbour: 'Lisboa', berths: 640 },
    { harbour: 'Porto', berths: 240 },
  ]
  await turn.artifact('note', { name: 'A text' }).append(`Two harbours, listed at ${made}.`, { last: true })
  await turn.artifact('harbours', { name: 'Data' }).append({ data: { made, rows }, mediaType: 'application/json' }, { last: true })
  const csv = ['harbour,berths', ...rows.map((row) => `${row.harbour},${row.berths}`), ''].join('\n')
  const file = { raw: Buffer.from(csv).toString('base64'), filename: 'harbours.csv', mediaType: 'text/csv' }
  await turn.artifact('file', { name: 'A file' }).append(file, { last: true })
  return turn.complete('Made a text, a data and a file artifact.')
}

function describeTask({ status, artifacts = [], history = [] }: TaskJson): string {
  const state = status.state.replace('TASK_STATE_', '').toLowerCase().replaceAll('_', '-')
  const made = artifacts.map((artifact) => `${artifact.artifactId} (${artifact.parts.length})`)
  return `This task is ${state}. Messages: ${history.length}. Artifacts and their parts: ${made.join(', ') || 'none'}.`
}
