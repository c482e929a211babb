/**
 * An agent that says the secrets of the corpus wherever an agent can say something: `MOORAGE_AGENT=…/leaking-agent.ts`.
 * @module
 */
import { command, defineAgent } from '@moorage/agent'
import { SECRETS } from '@moorage/inbox/redaction-corpus'
import type { MessageJson, PartJson } from '@moorage/protocol'

/** The text of the corpus' entry whose place a message names. */
function textFor(place: unknown): string {
  const entry = SECRETS[Number(place)]
  if (entry === undefined) throw new Error(`The corpus has no entry ${String(place)}`)
  return entry.text
}

const partsOf = (text: string): readonly PartJson[] => [
  { text, metadata: { note: text, [text]: 'a name' } },
  { data: { note: text, list: [text], [text]: 'a name' } },
  { raw: btoa(text), mediaType: 'text/plain', filename: text },
]

/** Pieces of a few characters, as a model streams them. */
const piecesOf = (text: string): readonly string[] => text.match(/.{1,7}/gs) ?? []

const metadataOf = (message: MessageJson | undefined) => message?.metadata ?? {}

export const agent = defineAgent({
  id: 'leaking',
  card: { name: 'Leaking agent', description: 'Says secrets.', version: '1.0.0', defaultInputModes: ['text/plain', 'application/json'] },
  commands: {
    leak: command('Says a secret', ({ args, reply }) => reply(partsOf(textFor(args.split(' ')[0])))),
    throw: command('Fails with a secret', ({ args }) => {
      throw new Error(textFor(args.split(' ')[0]))
    }),
  },
  async turn(turn) {
    const { place, ends } = metadataOf(turn.messages.at(-1))
    const text = textFor(place)
    if (ends === 'throw') throw new Error(text, { cause: new TypeError(text) })
    const streamed = turn.artifact('streamed', { name: text, description: text })
    for (const piece of piecesOf(text)) await streamed.append(piece)
    await turn.artifact('whole').append(partsOf(text), { last: true })
    await turn.status(text)
    const recorded = await turn.step('say', () => ({ note: text, list: [text], [text]: 'a name' }))
    return ends === 'fail' ? turn.fail(text) : turn.complete([...partsOf(text), { data: recorded }])
  },
})
