import { describe, expect, it } from 'vitest'
import { CardError } from './card-error.js'
import { sourceOfObject } from './card-source.js'
import { checkCard } from './check-card.js'
import { parseYaml } from './parse-yaml.js'

function check(lines: readonly string[]): CardError {
  try {
    checkCard({ ...parseYaml(lines.join('\n'), 'card.yaml'), file: 'card.yaml' })
  } catch (error) {
    if (error instanceof CardError) return error
    throw error
  }
  return expect.fail('the card was accepted')
}

/** The lines of the message, without the first one. */
function faultsOf(lines: readonly string[]): readonly string[] {
  return check(lines).message.split('\n  - ').slice(1)
}

const LIST = 'give a list: in YAML, each item on a line of its own, after a dash and a space.'

describe('checkCard', () => {
  it('names all faults at once, in the order of the lines, those of the YAML among them', () => {
    const faults = faultsOf([
      'colour: red',
      'skills:',
      '  - id: a',
      '    name: A',
      'version: 1.0',
      'capabilities:',
      '  pushNotifications: true',
      'supportedInterfaces:',
      '  - url: https://agents.example.com/a2a',
      '    protocolVersion: 1.0',
      '    protocolBinding: GRPC',
      'name: @boats',
      'version: 2',
    ])
    expect(faults.map((fault) => fault.split(': ')[0])).toStrictEqual([
      'card.yaml:1:1 colour',
      'card.yaml:3:5 skills[0].description',
      'card.yaml:7:3 capabilities.pushNotifications',
      'card.yaml:10:5 supportedInterfaces[0].protocolVersion',
      'card.yaml:11:5 supportedInterfaces[0].protocolBinding',
      'card.yaml:12:7 name',
      'card.yaml:13:1 version',
    ])
  })

  it.each<[readonly string[], string]>([
    [['name: 7'], '1:1 name: This is a number, not a text; put it in quotes.'],
    [['name: true'], '1:1 name: This is true or false, not a text; put it in quotes.'],
    [['name: {{ name }}'], '1:1 name: This is an object, not a text; give a text, in quotes where it begins with [ or {.'],
    [['name: # mine'], '1:1 name: Nothing stands here; give a text.'],
    [['name: " "'], '1:1 name: This text is empty; give one.'],
    [['skills:', '  - id: a', '    name: A'], '2:5 skills[0].description: This field is missing; give a text.'],
    [['defaultInputModes: text/plain'], `1:1 defaultInputModes: This is a text, not a list; ${LIST}`],
    [['skills:'], `1:1 skills: Nothing stands here; ${LIST}`],
    [['skills:', '  id: a'], `1:1 skills: This is an object, not a list; ${LIST}`],
    [['skills:', '  - a'], '2:5 skills[0]: This is a text, not an object; give an object: id, name, description, tags.'],
    [['provider:'], '1:1 provider: Nothing stands here; indent the fields that belong here: url, organization.'],
    [
      ['capabilities:', '  streaming: "yes"'],
      '2:3 capabilities.streaming: This is a text, not true or false; give true or false, without quotes.',
    ],
    [['defaultInputModes: []'], '1:1 defaultInputModes: The list is empty; give at least one media type, or leave the field out.'],
    [['defaultInputModes: [""]'], '1:21 defaultInputModes[0]: This text is empty; give one.'],
    [
      ['documentationUrl: example.com'],
      '1:1 documentationUrl: This is no absolute http or https URL; give one such as https://example.com.',
    ],
    [[''], '1:1: Nothing stands here; give the fields of an AgentCard, such as name and description.'],
    [['- name: A'], '1:1: This is a list, not an object; give the fields of an AgentCard, such as name and description.'],
  ])('says what is there and what is wanted: %j', (lines, expected) => {
    expect(faultsOf(lines)).toStrictEqual([`card.yaml:${expected}`])
  })

  it.each<[readonly string[], string]>([
    [['Name: A'], '1:1 Name: There is no such field; write name.'],
    [['default_input_modes: [text/plain]'], '1:1 default_input_modes: There is no such field; write defaultInputModes.'],
    [['descripton: A'], '1:1 descripton: There is no such field; write description.'],
    [['streaming: true'], '1:1 streaming: There is no such field here; it belongs to capabilities: correct its indentation.'],
    [['organization: A'], '1:1 organization: There is no such field here; it belongs to provider: correct its indentation.'],
    [
      ['capabilities:', '  streaming: true', '  version: "1"'],
      '3:3 capabilities.version: There is no such field here; it belongs to the card itself: correct its indentation.',
    ],
    [
      ['capabilities:', '  colour: red'],
      '2:3 capabilities.colour: There is no such field; leave it out, or take one of streaming, pushNotifications, extendedAgentCard, extensions.',
    ],
    [['1: A'], '1:1 1: There is no such field; leave it out, or take one of name, description, version'],
    [['preferredTransport: A'], '1:1 preferredTransport: This field is of A2A 0.3, whose card is made from this one; leave it out'],
  ])('says what was probably meant by a field that no card has: %j', (lines, expected) => {
    const [fault, ...more] = faultsOf(lines)
    expect([fault?.startsWith(`card.yaml:${expected}`), more], fault).toStrictEqual([true, []])
  })

  it('tells of fields that lost their indentation what they belong to', () => {
    expect(faultsOf(['name: A', 'capabilities:', 'streaming: true', 'skills:', 'id: a'])).toStrictEqual([
      'card.yaml:2:1 capabilities: Nothing stands here; indent the fields that belong here: streaming.',
      'card.yaml:3:1 streaming: There is no such field here; it belongs to capabilities: correct its indentation.',
      `card.yaml:4:1 skills: Nothing stands here; ${LIST}`,
      'card.yaml:5:1 id: There is no such field here; it belongs to skills: correct its indentation.',
    ])
  })

  it('names the fields of a card that has no file', () => {
    const message =
      'The agent card cannot be served:\n  - version: This is a number, not a text; put it in quotes.\n  - colour: There is no such'
    expect(() => checkCard(sourceOfObject({ colour: 'red', version: 1 }))).toThrow(message)
    expect(() => checkCard(sourceOfObject([]))).toThrow('\n  - This is a list, not an object; give the fields')
  })
})
