import pg from 'pg'
import { fromStoredText } from './stored-text.js'

const INT8 = 20
const TEXT = 25

/** Whole numbers of 64 bits as numbers: ours are times and counts, far below 2^53. */
export const COLUMN_TYPES: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === INT8) return Number
    if (oid === TEXT) return fromStoredText
    return pg.types.getTypeParser(oid, format)
  },
}
