import { visit, type YAMLError } from 'yaml'
import { fieldAt } from './yaml-entries.js'
import type { YamlText } from './yaml-text.js'

/** One thing that the parser stumbled over. */
export interface YamlFinding {
  readonly offset: number
  /** The field that it is in; `''` where that cannot be told. */
  readonly field: string
  /** What is wrong; what to do. */
  readonly message: string
  /** Whether the fields can be told nevertheless. */
  readonly isHarmless: boolean
}

const MISALIGNED =
  'This line does not line up with those before it; begin the fields of one object, and the items of one list, in the same column.'
const TOO_DEEP =
  'This line is indented as if it went on from the value above it; begin it in the same column as the fields that it belongs to.'
const NO_ITEM = 'A list item begins with a dash and a space; write the space.'
const NO_FIELD = 'This line is no field; write it as `name: value`, with a space after the colon.'
const QUOTE_IT = 'put the whole text in double quotes.'

/** Where both begin at the same place, the parser took two lines for one key. */
const JOINED: ReadonlySet<string> = new Set(['BLOCK_AS_IMPLICIT_KEY', 'MULTILINE_IMPLICIT_KEY'])

interface Rule {
  /** Compared with the parser's code and its message. */
  readonly when: RegExp
  /** Where the parser's position is not where the author has to look. */
  readonly at?: (error: YAMLError, yaml: YamlText) => number
  readonly says: string | ((error: YAMLError, yaml: YamlText) => string)
  readonly isHarmless?: true
}

/** The first that fits holds. */
const RULES: readonly Rule[] = [
  { when: /^TAB_AS_INDENT/, says: 'This line is indented with a tab, which YAML does not take; indent it with spaces.' },
  { when: /^DUPLICATE_KEY/, says: twice, isHarmless: true },
  { when: /^MULTIPLE_DOCS/, says: 'A second document begins here; keep one, and take this line out.', isHarmless: true },
  {
    when: /^BAD_SCALAR_START/,
    says: ({ pos }, { text }) => `A text without quotes cannot begin with ${text.charAt(pos[0])}; ${QUOTE_IT}`,
    isHarmless: true,
  },
  {
    when: /^BAD_DQ_ESCAPE/,
    says: 'A backslash in double quotes begins an escape, and this is none; write two backslashes for one.',
    isHarmless: true,
  },
  {
    when: /^TAG_RESOLVE_FAILED/,
    says: 'A word that begins with ! is a tag to YAML, and this one is not known; put the text in double quotes, or take the tag out.',
    isHarmless: true,
  },
  { when: /^BAD_DIRECTIVE/, says: 'This directive is not known; take the line out.', isHarmless: true },
  { when: /^BLOCK_AS_IMPLICIT_KEY.*block sequence/, says: MISALIGNED },
  { when: /^BLOCK_AS_IMPLICIT_KEY/, says: `A colon and a space in a text without quotes begin a field; ${QUOTE_IT}`, isHarmless: true },
  {
    when: /block-seq-ind/,
    says: 'A list item cannot begin here; begin it on a line of its own, in the same column as the items of its list.',
  },
  { when: /^(MULTILINE_IMPLICIT_KEY|MISSING_CHAR Implicit map keys)/, says: NO_FIELD },
  {
    when: /^MISSING_CHAR Missing closing/,
    at: openQuote,
    says: 'The text in quotes that begins here does not end; add the closing quote.',
  },
  { when: /^MISSING_CHAR Missing ,/, says: 'A comma is missing before this; add it.' },
  { when: /^(BAD_INDENT|MISSING_CHAR) Flow/, says: 'What was opened with [ or { is not closed before this; add the ] or }.' },
  { when: /^(BAD_INDENT|MISSING_CHAR)/, says: MISALIGNED },
  { when: /node end$/, says: `There is more after the end of the value; ${QUOTE_IT}` },
  { when: /^UNEXPECTED_TOKEN Not a YAML token/, says: 'A text after | or > begins on the next line; move it there, indented.' },
]

/** Of what no rule fits. */
const OTHERWISE: Rule = {
  when: /^/,
  says: ({ message }) => `This is no YAML (${message}); correct it, or put the value in double quotes.`,
}

/** What the parser stumbled over, in the order of the text. */
export function yamlFindings(yaml: YamlText): readonly YamlFinding[] {
  const errors: readonly YAMLError[] = [...yaml.document.errors, ...yaml.document.warnings]
  const findings = errors.flatMap((error) => {
    const twin = errors.find(({ code, pos }) => pos[0] === error.pos[0] && code !== error.code && JOINED.has(code))
    if (twin === undefined || !JOINED.has(error.code)) return [findingOf(error, yaml)]
    return error.code === 'BLOCK_AS_IMPLICIT_KEY' ? [joinedLines(error, twin, yaml.text)] : []
  })
  return [...findings, ...lostAliases(yaml)].sort((a, b) => a.offset - b.offset)
}

function findingOf(error: YAMLError, yaml: YamlText): YamlFinding {
  const { says, at, isHarmless } = RULES.find(({ when }) => when.test(`${error.code} ${error.message}`)) ?? OTHERWISE
  const message = typeof says === 'string' ? says : says(error, yaml)
  const offset = at?.(error, yaml) ?? error.pos[0]
  if (isHarmless === undefined) return { offset, message, field: '', isHarmless: false }
  // A value that the parser took for an object begins where the first field of that object does.
  const field = fieldAt(yaml.entries, error.code === 'BLOCK_AS_IMPLICIT_KEY' ? offset - 1 : offset)
  return { offset, message, field, isHarmless: true }
}

/** A value and the line below it that the parser took together for a key: that line is indented too deep, or the one above it is no list item. */
function joinedLines(value: YAMLError, key: YAMLError, text: string): YamlFinding {
  const [above, below] = [firstInLine(text, value.pos[0]), firstInLine(text, key.pos[1] - 1)]
  const isNoItem = /^-[^\s-]/.test(text.slice(above, above + 2))
  return { offset: isNoItem ? above : below, message: isNoItem ? NO_ITEM : TOO_DEEP, field: '', isHarmless: false }
}

/** Offset of the first character, blanks apart, in the line of this one. */
function firstInLine(text: string, offset: number): number {
  const start = text.lastIndexOf('\n', offset) + 1
  return start + Math.max(text.slice(start).search(/\S/), 0)
}

function twice({ pos }: YAMLError, { entries, placeAt }: YamlText): string {
  const field = fieldAt(entries, pos[0])
  const first = entries.find((entry) => entry.field === field)
  const where = first === undefined ? '' : `, first in line ${placeAt(first.start).line}`
  return `This field is given twice${where}; keep one.`
}

/** Where the text in quotes begins whose end is missed here: perhaps lines above. */
function openQuote({ pos, message }: YAMLError, { text }: YamlText): number {
  const quote = message.includes('"') ? '"' : "'"
  return Math.max(text.lastIndexOf(quote, pos[0] - 1), 0)
}

/** Aliases that lead nowhere: often a text that begins with an asterisk. */
function lostAliases({ document }: YamlText): readonly YamlFinding[] {
  const findings: YamlFinding[] = []
  visit(document, {
    Alias: (_, alias) => {
      if (alias.resolve(document) !== undefined) return
      const message = `A word that begins with * refers to an anchor, and there is no &${alias.source}; ${QUOTE_IT}`
      findings.push({ offset: alias.range?.[0] ?? 0, message, field: '', isHarmless: false })
    },
  })
  return findings
}
