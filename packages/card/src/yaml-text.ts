import type { Document } from 'yaml'
import type { YamlEntry } from './yaml-entries.js'

/** A YAML text as its parser understood it, errors included. */
export interface YamlText {
  readonly text: string
  readonly document: Document.Parsed
  readonly entries: readonly YamlEntry[]
  readonly placeAt: (offset: number) => { readonly line: number; readonly column: number }
}
