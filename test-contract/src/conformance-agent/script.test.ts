import { describe, expect, test } from 'vitest'
import { parseScript } from './script.js'

describe('parseScript', () => {
  test('takes every step', () => {
    const script = [
      { chunks: 3, everyMs: 10, artifact: 'a' },
      { chunk: 'x', artifact: 'a' },
      { bytes: 10 },
      { status: 'x' },
      { sleepMs: 1 },
      { await: 'gate' },
      { count: 'name' },
      { ask: 'which?' },
      { auth: 'let me in' },
      { ignoreAbort: true },
      { complete: 'done' },
    ]
    expect(parseScript(script)).toEqual({ script })
  })

  test.each<[unknown, string]>([
    ['all of it', 'script: give a list of steps.'],
    [[{ status: 'a' }, { wait: 1 }], 'script[1]: is no step; there are chunks, chunk, bytes,'],
    [[{ status: 'a' }, null], 'script[1]: is no step;'],
    [[{ chunks: 'many' }], 'script[0]: "chunks" is wrong: chunks:'],
    [[{ chunks: 1, everMs: 10 }], 'script[0]: "chunks" is wrong: Unrecognized key: "everMs"'],
    [[{ await: '../gate' }], 'script[0]: "await" is wrong: await: must be 1 to 100 of letters,'],
    [[{ auth: ' ' }], 'script[0]: "auth" is wrong: auth: must not be blank'],
    [[{ complete: 'a' }, { status: 'b' }], 'script[1]: comes after the end, which is "complete".'],
    [[{ message: 'a' }, { message: 'b' }], 'script[1]: comes after the end, which is "message".'],
  ])('says what is wrong with %j', (script, fault) => {
    expect(parseScript(script)).toEqual({ fault: expect.stringContaining(fault) })
  })
})
