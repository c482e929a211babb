import { existsSync } from 'node:fs'
import { appendFile, writeFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { command, defineAgent, type Outcome, type Turn } from '@moorage/agent'
import { type Script, scriptSchema } from './script.js'

/** An agent that does what the message's script says; a message without one is completed with its own text. */
export const agent = defineAgent({
  id: 'scripted',
  card: {
    name: 'Scripted agent',
    description: 'Does what the script in its message says.',
    defaultInputModes: ['text/plain', 'application/json'],
  },
  commands: { echo: command('Says it again', (run) => run.reply(run.args)) },
  async turn(turn) {
    const control = { ignoresAbort: false }
    for (const step of scriptOf(turn)) {
      const outcome = await perform(turn, step, control)
      if (outcome) return outcome
    }
    return turn.complete(turn.text)
  },
})

function scriptOf(turn: Turn): Script {
  const parts = turn.messages.flatMap((message) => message.parts)
  const data = parts.flatMap((part) => ('data' in part ? [part.data] : []))
  return data.length === 0 ? [] : scriptSchema.parse((data[0] as { script: unknown }).script)
}

async function perform(turn: Turn, step: Script[number], control: { ignoresAbort: boolean }): Promise<Outcome | undefined> {
  if ('chunks' in step) await numberedChunks(turn, step)
  if ('count' in step) await turn.step('count', async ({ key }) => appendFile(step.count, `${key}\n`))
  if ('writePid' in step) await writeFile(step.writePid, String(process.pid))
  if ('touch' in step) await writeFile(step.touch, '')
  if ('await' in step) await waitForFile(step.await, control.ignoresAbort ? undefined : turn.signal)
  if ('ignoreAbort' in step) control.ignoresAbort = true
  if ('throw' in step) throw new Error(step.throw)
  if ('stray' in step) void Promise.reject(new Error(step.stray))
  if ('ask' in step) return turn.ask(step.ask)
  if ('complete' in step) return turn.complete(step.complete)
  return undefined
}

async function numberedChunks(turn: Turn, { chunks, everyMs }: { readonly chunks: number; readonly everyMs: number }): Promise<void> {
  const numbers = turn.artifact('numbers')
  for (let number = 1; number <= chunks; number++) {
    await numbers.append(`${number} `, { last: number === chunks })
    await setTimeout(everyMs, undefined, { signal: turn.signal })
  }
}

async function waitForFile(path: string, signal: AbortSignal | undefined): Promise<void> {
  while (!existsSync(path)) await setTimeout(20, undefined, { ...(signal && { signal }) })
}
