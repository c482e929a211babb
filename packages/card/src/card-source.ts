import { readFileSync } from 'node:fs'
import { dirname, isAbsolute, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Document, isMap, isNode, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLParseError } from 'yaml'
import { CardError, type CardFault } from './card-error.js'

/** What the author declared, before it is checked, and where each part of it stands. */
export interface CardSource {
  readonly value: unknown
  readonly file?: string
  /** The line of the field, or of the nearest thing around it that is there. */
  readonly lineOf: (path: readonly PropertyKey[]) => number | undefined
}

/** A card that code declared: as JSON has it, without fields that are undefined, and without lines. */
export function sourceOfObject(value: object): CardSource {
  return { value: JSON.parse(JSON.stringify(value)), lineOf: () => undefined }
}

function locateFile(path: string, modulePath: string | undefined): string {
  if (isAbsolute(path)) return path
  if (modulePath === undefined) {
    const message = `The path ${JSON.stringify(path)} is relative to the agent's module: give an absolute one, or modulePath.`
    throw new CardError([{ field: '', message }])
  }
  return resolve(dirname(modulePath.startsWith('file:') ? fileURLToPath(modulePath) : modulePath), path)
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? 'unknown error'
    throw new CardError([{ field: '', message: `The file cannot be read (${reason}).` }], file, { cause })
  }
}

/** The key and the value that one step leads to: a field of a map, or an item of a list. */
function follow(node: Node | null, step: PropertyKey): readonly [unknown, unknown] {
  if (isMap(node)) {
    const pair = node.items.find(({ key }) => isScalar(key) && key.value === step)
    return [pair?.key, pair?.value]
  }
  return [undefined, isSeq(node) && typeof step === 'number' ? node.items[step] : undefined]
}

/** Offset of the field in the text, or of the nearest thing around it that is there. */
function offsetOf(contents: Node | null, path: readonly PropertyKey[]): number | undefined {
  let node = contents
  let offset = contents?.range?.[0]
  for (const step of path) {
    const [key, value] = follow(node, step)
    node = isNode(value) ? value : null
    offset = (isNode(key) ? key : node)?.range?.[0] ?? offset
  }
  return offset
}

/**
 * Reads an `agent-card.yaml` (or JSON, which is YAML).
 * @param modulePath path or file URL of the module that a relative path is relative to
 * @throws {CardError} if there is no such file, or it is no YAML
 */
export function sourceOfFile(path: string, modulePath: string | undefined): CardSource {
  const file = locateFile(path, modulePath)
  const lines = new LineCounter()
  const document = parseDocument(readText(file), { lineCounter: lines, prettyErrors: false })
  if (document.errors.length > 0)
    throw new CardError(
      document.errors.map((error) => syntaxFault(error, lines)),
      file,
    )
  const lineOf = (field: readonly PropertyKey[]) => {
    const offset = offsetOf(document.contents, field)
    return offset === undefined ? undefined : lines.linePos(offset).line
  }
  return { value: toValue(document, file), file, lineOf }
}

function syntaxFault({ message, pos }: YAMLParseError, lines: LineCounter): CardFault {
  return { field: '', message: `This is no YAML: ${message}`, line: lines.linePos(pos[0]).line }
}

/** Aliases are looked up only here: one can lead nowhere, or far too often to the same. */
function toValue(document: Document.Parsed, file: string): unknown {
  try {
    return document.toJS()
  } catch (cause) {
    throw new CardError([{ field: '', message: `This is no YAML: ${(cause as Error).message}` }], file, { cause })
  }
}
