import { readFileSync } from 'node:fs'
import { dirname, isAbsolute, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CardError, type CardFault } from './card-error.js'
import { parseYaml } from './parse-yaml.js'

/** Where something stands in a file, counted from 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** What the author declared, before it is checked, and where each part of it stands. */
export interface CardSource {
  readonly value: unknown
  /** What was wrong with the way it is written, so far as the value can be checked nevertheless. */
  readonly faults: readonly CardFault[]
  readonly file?: string
  /** The place of the field, or of the nearest thing around it that is there. */
  readonly placeOf: (path: readonly PropertyKey[]) => Place | undefined
}

/** What was declared, in a file or by code. */
export function sourceOf(input: string | object, modulePath: string | undefined): CardSource {
  return typeof input === 'string' ? sourceOfFile(input, modulePath) : sourceOfObject(input)
}

/** A card that code declared: as JSON has it, without fields that are undefined, and without places. */
export function sourceOfObject(value: object): CardSource {
  return { value: asJson(value), faults: [], placeOf: () => undefined }
}

function asJson(value: object): unknown {
  try {
    return JSON.parse(JSON.stringify(value))
  } catch (cause) {
    const reason = (cause as Error).message.split('\n')[0]
    const message = `The card cannot be written as JSON (${reason}); give texts, numbers, true, false, lists and objects alone.`
    throw new CardError([{ field: '', message }], undefined, { cause })
  }
}

/**
 * Reads an `agent-card.yaml` (or JSON, which is YAML).
 * @param modulePath path or file URL of the module that a relative path is relative to
 * @throws {CardError} if there is no such file, or it is written so that its fields cannot be told
 */
export function sourceOfFile(path: string, modulePath: string | undefined): CardSource {
  const file = locateFile(path, modulePath)
  return { ...parseYaml(readText(file), file), file }
}

function locateFile(path: string, modulePath: string | undefined): string {
  if (path.trim() === '') {
    const message = "The path of the card is empty; give the path of an agent-card.yaml, or an object with the card's fields."
    throw new CardError([{ field: '', message }])
  }
  if (isAbsolute(path)) return path
  if (modulePath === undefined) {
    const message = `The path ${JSON.stringify(path)} is relative to the agent's module; give an absolute path, or the option modulePath.`
    throw new CardError([{ field: '', message }])
  }
  return resolve(dirname(modulePath.startsWith('file:') ? fileURLToPath(modulePath) : modulePath), path)
}

const READ_FAULTS: Readonly<Record<string, string>> = {
  ENOENT: "There is no such file; create it, or correct the agent's `card`, whose path is relative to the agent's module.",
  ENOTDIR: "There is no such file, and a part of its path is no folder; correct the agent's `card`.",
  EISDIR: "This is a folder, not a file; name the file in the agent's `card`.",
  EACCES: 'This process may not read the file; give it the right to.',
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'unknown error'
    const message = READ_FAULTS[code] ?? `The file cannot be read (${code}); see to it that this process can read it.`
    throw new CardError([{ field: '', message }], file, { cause })
  }
}
