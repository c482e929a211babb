import { describe, expect, test } from 'vitest'
import { parseScript } from './script.js'

describe('parseScript', () => {
  test('takes every step', () => {
    const script = [
      { chunks: 3, everyMs: 10, artifact: 'a' },
      { chunk: 'x', artifact: 'a' },
      { bytes: 10 },
      { bytes: 20_971_520 },
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
    [[{ chunks: 'many' }], 'script[0]: chunks must be an integer from 0 to 1000000.'],
    [[{ chunks: 1_000_001 }], 'script[0]: chunks must be an integer from 0 to 1000000.'],
    [[{ chunks: 1, everyMs: 0.5 }], 'script[0]: everyMs of "chunks" must be an integer from 0 to 3600000.'],
    [[{ chunks: 1, artifact: '' }], 'script[0]: artifact of "chunks" must be a string of 1 to 256 characters.'],
    [[{ chunks: 1, everMs: 10 }], 'script[0]: "chunks" has no field "everMs"; there are chunks, everyMs, artifact.'],
    [[{ chunks: 'a', everyMs: 'b' }], 'script[0]: chunks must be an integer from 0 to 1000000; everyMs of "chunks" must be an integer'],
    [[{ bytes: 104_857_601 }], 'script[0]: bytes must be an integer from 1 to 104857600.'],
    [[{ chunk: 1 }], 'script[0]: chunk must be a string.'],
    [[{ ignoreAbort: 'yes' }], 'script[0]: ignoreAbort must be true.'],
    [[{ await: '../gate' }], 'script[0]: await must be 1 to 100 of letters,'],
    [[{ await: 1 }], 'script[0]: await must be 1 to 100 of letters,'],
    [[{ auth: ' ' }], 'script[0]: auth must be a string that is not blank.'],
    [[{ auth: 1 }], 'script[0]: auth must be a string that is not blank.'],
    [[{ complete: 'a' }, { status: 'b' }], 'script[1]: comes after the end, which is "complete".'],
    [[{ message: 'a' }, { message: 'b' }], 'script[1]: comes after the end, which is "message".'],
  ])('says what is wrong with %j', (script, fault) => {
    expect(parseScript(script)).toEqual({ fault: expect.stringContaining(fault) })
  })
})
