import type { PartJson } from '@moorage/protocol'
import { describe, expect, test } from 'vitest'
import { checkMediaTypes, mediaTypeOf } from './media-types.js'

describe('the media type of a part', () => {
  test.each<[PartJson, string]>([
    [{ text: '' }, 'text/plain'],
    [{ data: null }, 'application/json'],
    [{ raw: '' }, 'application/octet-stream'],
    [{ url: 'https://example.com' }, 'application/octet-stream'],
    [{ text: '', mediaType: 'Text/Markdown; charset=utf-8' }, 'text/markdown'],
  ])('of %j is %s', (part, mediaType) => {
    expect(mediaTypeOf(part)).toBe(mediaType)
  })

  test.each<[readonly string[], boolean]>([
    [['image/png'], true],
    [['text/plain', 'Image/PNG; q=1'], true],
    [['image/*'], true],
    [['*/*'], true],
    [['text/*'], false],
    [['image/pngx'], false],
    [['imag*'], false],
    [[], false],
  ])('image/png is within %j: %s', (modes, within) => {
    const check = () => checkMediaTypes([{ url: 'x', mediaType: 'image/png' }], modes)
    if (within) expect(check).not.toThrow()
    else expect(check).toThrow('message.parts[0].mediaType')
  })

  test.each<[PartJson, string]>([
    [{ data: null }, 'application/json'],
    [{ raw: '' }, 'application/octet-stream'],
    [{ url: 'https://example.com' }, 'application/octet-stream'],
  ])('%j, which declares none, is refused by what it counts as', (part, counted) => {
    const check = () => checkMediaTypes([{ text: '' }, part], ['text/plain'])
    expect(check).toThrow(`message.parts[1] counts as ${counted}, which is not accepted: send text/plain`)
  })
})
