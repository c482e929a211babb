import { fieldPath } from '@moorage/protocol'
import { type Document, LineCounter, parseDocument } from 'yaml'
import { CardError, type CardFault } from './card-error.js'
import type { CardSource } from './card-source.js'
import { yamlEntries } from './yaml-entries.js'
import { type YamlFinding, yamlFindings } from './yaml-findings.js'
import type { YamlText } from './yaml-text.js'

/**
 * The value of a YAML text, and where each part of it stands.
 * @param file is named by errors
 * @throws {CardError} if it is written so that its fields cannot be told
 */
export function parseYaml(text: string, file: string): CardSource {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'error' })
  const placeAt = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(line, 1), column: Math.max(col, 1) }
  }
  const yaml = { text, document, entries: yamlEntries(document), placeAt }
  const findings = yamlFindings(yaml)
  const faults = faultsOf(findings, yaml)
  if (!findings.every(({ isHarmless }) => isHarmless)) throw new CardError(faults, file)
  const value = toValue(document, file)
  return { value, faults, placeOf: (path) => placeAt(offsetOf(path, yaml)) }
}

/** One slip often makes the parser stumble more than once: of what hides the structure, only the first in each line is told. */
function faultsOf(findings: readonly YamlFinding[], { placeAt }: YamlText): readonly CardFault[] {
  const lines = new Set<number>()
  return findings.flatMap(({ offset, field, message, isHarmless }): readonly CardFault[] => {
    const place = placeAt(offset)
    if (lines.has(place.line) && !isHarmless) return []
    lines.add(place.line)
    return [{ field, message, ...place }]
  })
}

/** An alias can lead to what has far too many of them. */
function toValue(document: Document.Parsed, file: string): unknown {
  try {
    return document.toJS()
  } catch (cause) {
    const message = `The aliases cannot be followed (${(cause as Error).message}); write the values out.`
    throw new CardError([{ field: '', message }], file, { cause })
  }
}

/** Offset of the field in the text, or of the nearest thing around it that is there. */
function offsetOf(path: readonly PropertyKey[], yaml: YamlText): number {
  const field = fieldPath(path)
  const entry = yaml.entries.findLast((candidate) => candidate.field === field)
  if (entry !== undefined) return entry.start
  return path.length === 0 ? (yaml.document.contents?.range?.[0] ?? 0) : offsetOf(path.slice(0, -1), yaml)
}
