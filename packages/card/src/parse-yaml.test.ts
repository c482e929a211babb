import { describe, expect, it } from 'vitest'
import { CardError, type CardFault } from './card-error.js'
import { parseYaml } from './parse-yaml.js'

/** The faults, each as its line of the message, the file left out. */
function faultsOf(lines: readonly string[]): readonly string[] {
  return linesOf(readFaults(lines.join('\n')))
}

function readFaults(text: string): readonly CardFault[] {
  try {
    return parseYaml(text, 'card.yaml').faults
  } catch (error) {
    if (error instanceof CardError) return error.faults
    throw error
  }
}

function linesOf(faults: readonly CardFault[]): readonly string[] {
  return faults.map(({ line, column, field, message }) => `${line}:${column} ${field}: ${message}`)
}

const ALIGN = 'begin the fields of one object, and the items of one list, in the same column.'
const SAME_COLUMN = 'begin it in the same column as the fields that it belongs to.'
const QUOTE = 'put the whole text in double quotes.'

describe('a YAML text whose fields cannot be told', () => {
  it.each<[string, readonly string[], string, string]>([
    [
      'a tab',
      ['capabilities:', '\tstreaming: true'],
      '2:1',
      'This line is indented with a tab, which YAML does not take; indent it with spaces.',
    ],
    ['a tab before a list item', ['a:', '  - b: 1', '\t- c: 2'], '3:1', 'indent it with spaces.'],
    ['a field too far to the right', ['name: A', '  description: B'], '2:3', SAME_COLUMN],
    ['a field of an item too far to the right', ['skills:', '  - id: a', '    name: A', '     tags: []'], '4:6', SAME_COLUMN],
    ['a field too far to the left', ['capabilities:', '    streaming: true', '  extensions: []'], '3:1', ALIGN],
    ['a field of an item too far to the left', ['skills:', '  - id: a', '    name: A', '   tags: []'], '4:1', ALIGN],
    ['an item too far to the left', ['skills:', '  - id: a', ' - id: b'], '3:1', ALIGN],
    ['a field of an item under its dash', ['skills:', '  - id: a', '  name: A'], '3:1', ALIGN],
    [
      'a dash without a space',
      ['skills:', '  -id: a', '   name: A'],
      '2:3',
      'A list item begins with a dash and a space; write the space.',
    ],
    ['an item beside its field', ['skills: - a'], '1:9', 'A list item cannot begin here; begin it on a line of its own'],
    ['a line without a colon', ['name: A', 'description B', 'version: "1"'], '2:1', 'This line is no field; write it as `name: value`'],
    ['a colon without a space', ['name:A', 'version: "1"'], '1:1', 'with a space after the colon.'],
    ['a block text that is not indented', ['description: |', 'foo'], '2:1', 'This line is no field;'],
    [
      'a block text that begins too soon',
      ['description: > hello', '  you'],
      '1:16',
      'A text after | or > begins on the next line; move it there',
    ],
    ['a quote that does not end', ['name: "A', 'version: "1.0"'], '1:7', 'The text in quotes that begins here does not end; add the'],
    [
      'a last quote that does not end',
      ['name: A', "version: '1.0", ''],
      '2:10',
      'The text in quotes that begins here does not end; add the',
    ],
    ['an apostrophe in single quotes', ["name: 'it's'"], '1:11', `There is more after the end of the value; ${QUOTE}`],
    [
      'a list that does not end',
      ['tags: [a, b', 'name: A'],
      '2:1',
      'What was opened with [ or { is not closed before this; add the ] or }.',
    ],
    ['an object that does not end', ['{"name": "A"'], '1:13', 'add the ] or }.'],
    ['JSON without a comma', ['{', '  "name": "A"', '  "version": "1"', '}'], '3:3', 'A comma is missing before this; add it.'],
    ['a text that begins with an asterisk', ['name: *bold'], '1:7', `refers to an anchor, and there is no &bold; ${QUOTE}`],
    ['properties twice', ['name: &a &b x'], '1:10', 'This is no YAML (A node can have at most one anchor); correct it'],
  ])('says what is wrong: %s', (_, lines, place, words) => {
    const [fault = '', ...more] = faultsOf(lines)
    expect(fault.startsWith(`${place} : `), fault).toBe(true)
    expect(fault).toContain(words)
    expect(more).toStrictEqual([])
  })

  it('is refused with all that is wrong, in the order of its lines', () => {
    const lines = ['name: @a', 'capabilities:', '\tstreaming: true', 'name: b', 'description: "d']
    const places = faultsOf(lines).map((fault) => fault.split(': ')[0])
    expect(places).toStrictEqual(['1:7 name', '3:1 ', '4:1 name', '5:14 '])
    expect(() => parseYaml(lines.join('\n'), 'card.yaml')).toThrow('\n  - card.yaml:3:1: This line is indented with a tab')
  })

  it('is refused where its aliases multiply', () => {
    const tenfold = (name: string, alias: string) => `${name}: &${name} [${Array(10).fill(`*${alias}`).join(', ')}]`
    const [fault] = readFaults(['a: &a x', tenfold('b', 'a'), tenfold('c', 'b'), tenfold('d', 'c')].join('\n'))
    expect(fault?.message).toMatch(/^The aliases cannot be followed \(.*\); write the values out\.$/)
  })
})

describe('a YAML text whose fields can be told', () => {
  it.each<[string, readonly string[], string]>([
    ['a field given twice', ['name: A', 'version: "1"', 'name: B'], '3:1 name: This field is given twice, first in line 1; keep one.'],
    [
      'a field of an item given twice',
      ['skills:', '  - id: a', '  - id: b', '    id: c'],
      '4:5 skills[1].id: This field is given twice, first in line 3; keep one.',
    ],
    ['a second document', ['name: A', '---', 'name: B'], '2:1 : A second document begins here; keep one, and take this line out.'],
    ['a letter kept for YAML', ['tags: [a, `b`]'], `1:11 tags[1]: A text without quotes cannot begin with \`; ${QUOTE}`],
    ['a colon in a text', ['name: Boats: sail'], `1:7 name: A colon and a space in a text without quotes begin a field; ${QUOTE}`],
    [
      'an escape that is none',
      ['name: "a\\q"'],
      '1:9 name: A backslash in double quotes begins an escape, and this is none; write two backslashes for one.',
    ],
    [
      'a tag',
      ['name: !important'],
      '1:7 name: A word that begins with ! is a tag to YAML, and this one is not known; put the text in double quotes, or take the tag out.',
    ],
    ['a directive', ['%YAML 3.0', '---', 'name: A'], '1:7 : This directive is not known; take the line out.'],
  ])('says what is wrong, with the field, and has a value nevertheless: %s', (_, lines, expected) => {
    const { faults, value } = parseYaml(lines.join('\n'), 'card.yaml')
    expect(linesOf(faults)).toStrictEqual([expected])
    expect(value).toBeTypeOf('object')
  })

  it('has the place of each field, or of the nearest thing around it', () => {
    const { placeOf } = parseYaml(['skills:', '  - id: a', '    tags: [b]', '7: c'].join('\r\n'), 'card.yaml')
    const paths = [[], ['skills', 0, 'tags', 0], ['skills', 0, 'name'], ['skills', 1], ['7'], ['colour']]
    expect(paths.map((path) => Object.values(placeOf(path) ?? {}).join(':'))).toStrictEqual(['1:1', '3:12', '2:5', '1:1', '4:1', '1:1'])
  })
})
