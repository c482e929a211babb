import { describe, expect, it } from 'vitest'
import { CONFIGURED_SECRET, INNOCENT, SECRETS } from './corpus.js'
import { createRedactor } from './redactor.js'

const redactor = createRedactor([CONFIGURED_SECRET])
const secrets = SECRETS.map((entry) => [entry.name, entry] as const)

describe('a text', () => {
  it.each(secrets)('loses %s, and nothing more when it is redacted again', (_name, { text, secret }) => {
    const redacted = redactor.text(text)
    for (const piece of secret.split('\n')) expect(redacted).not.toContain(piece)
    expect(redacted).toContain('[redacted]')
    expect(redactor.text(redacted)).toBe(redacted)
    expect(redactor.isSecret(text)).toBe(true)
  })

  it.each(secrets)('loses %s between other text, which stays', (_name, { text, secret }) => {
    const redacted = redactor.text(`Dear all,\n${text}\n\nRegards, Ann`)
    for (const piece of secret.split('\n')) expect(redacted).not.toContain(piece)
    expect(redacted).toMatch(/^Dear all,\n/)
    if (!text.startsWith('-----')) expect(redacted).toMatch(/\n\nRegards, Ann$/)
  })

  it.each(INNOCENT.map((text) => [text]))('keeps %s', (text) => {
    expect(redactor.text(text)).toBe(text)
  })

  it.each(secrets)('loses %s in JSON within JSON, as in the line of a log', (_name, { text, secret }) => {
    for (let times = 1, json = text; times <= 3; times++) {
      json = JSON.stringify(json)
      const redacted = redactor.text(json)
      for (const piece of secret.split('\n')) expect(redacted).not.toContain(piece)
    }
  })

  it('in JSON is still JSON', () => {
    for (const { text } of SECRETS)
      expect(() => JSON.parse(redactor.text(JSON.stringify({ before: 1, text, after: [text] })))).not.toThrow()
  })

  it('keeps what says which secret it was', () => {
    expect(redactor.text('DB_PASSWORD=hunter2 npm start')).toBe('DB_PASSWORD=[redacted] npm start')
    expect(redactor.text('postgres://app:s3cr3t@db/x')).toBe('postgres://[redacted]@db/x')
    expect(redactor.text('{"api_key": "abc"}')).toBe('{"api_key": "[redacted]"}')
  })

  it.each([
    ['beginnings of JWTs', 'eyJ-'],
    ['beginnings of JWTs with a point', 'eyJaaaaa.'],
    ['dashes of private keys', '-----BEGIN '],
    ['private keys without an end', '-----BEGIN PRIVATE KEY-----'],
    ['names', 'password_'],
    ['names and signs', 'secret= '],
    ['schemes of URLs', 'http://a:'],
    ['bearers', 'bearer   '],
    ['quotes', 'token: "'],
    ['beginnings of private keys in one line', `-----BEGIN PRIVATE KEY-----"`],
    ['assignments', 'secret='],
    ['letters', 'a'],
  ])('of one megabyte of %s is done in no time', { timeout: 20_000 }, (_what, piece) => {
    const text = piece.repeat(1_000_000 / piece.length)
    expect(redactor.text(text).length).toBeGreaterThan(0)
    const stream = redactor.stream()
    const given =
      Array.from({ length: 250 }, (_, index) => stream.push(text.slice(index * 4000, (index + 1) * 4000))).join('') + stream.flush()
    expect(given.length).toBeGreaterThan(0)
  })
})

describe('a JSON value', () => {
  it.each(secrets)('loses %s wherever it is', (_name, { text, secret }) => {
    const value = { list: [1, null, { deep: text }], [text]: true, kept: 'as it is' }
    const redacted = JSON.stringify(redactor.json(value))
    for (const piece of secret.split('\n')) expect(redacted).not.toContain(piece)
    expect(redacted).toContain('"kept":"as it is"')
  })

  it('loses what is under the name of a secret, whatever it looks like', () => {
    const value = { password: 'plain', clientSecret: 'plain', 'X-Api-Key': 'plain', nextPageToken: 'plain', tokenCount: 'plain', token: '' }
    expect(redactor.json(value)).toEqual({ ...value, password: '[redacted]', clientSecret: '[redacted]', 'X-Api-Key': '[redacted]' })
  })

  it('is the same object where there is nothing to redact', () => {
    const value = { texts: INNOCENT, nested: { more: [...INNOCENT] } }
    expect(redactor.json(value)).toBe(value)
  })
})

describe('a message', () => {
  it.each(secrets)('loses %s in every place but its ids', (_name, { text, secret }) => {
    const redacted = redactor.message({
      messageId: 'm-1',
      taskId: 't-1',
      contextId: 'c-1',
      role: 'ROLE_USER',
      referenceTaskIds: ['t-0'],
      extensions: ['urn:example:one'],
      metadata: { note: text },
      parts: [
        { text, metadata: { note: text } },
        { data: { note: [text] } },
        { url: `https://files.example/?note=${text}`, filename: text },
        { raw: Buffer.from(`a file\n${text}\n`).toString('base64'), mediaType: 'text/plain' },
      ],
    })
    const files = redacted.parts.map((part) => ('raw' in part ? Buffer.from(part.raw, 'base64').toString() : ''))
    for (const piece of secret.split('\n')) expect(JSON.stringify([redacted, files])).not.toContain(piece)
    expect(redacted).toMatchObject({ messageId: 'm-1', taskId: 't-1', contextId: 'c-1', role: 'ROLE_USER', referenceTaskIds: ['t-0'] })
  })

  it('keeps bytes that are no text', () => {
    const raw = Buffer.from([0xff, 0xd8, 0xff, ...Buffer.from('password=hunter2')]).toString('base64')
    expect(redactor.part({ raw })).toEqual({ raw })
  })
})

describe('a text in pieces', () => {
  const inPieces = (text: string, size: number) => {
    const stream = redactor.stream()
    const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
    return pieces.map((piece) => stream.push(piece)).join('') + stream.flush()
  }

  it.each(secrets)('loses %s wherever it is cut', (_name, { text, secret }) => {
    for (const size of [1, 2, 3, 5, 8, 13, 21]) {
      const given = inPieces(`Dear all,\n${text}\n\nRegards, Ann`, size)
      // What names a kind of secret may be out before it is known as one.
      for (const piece of secret.split('\n')) expect(given, `in pieces of ${size}`).not.toContain(piece.slice(4))
      if (!text.startsWith('-----')) expect(given).toMatch(/\n\nRegards, Ann$/)
    }
  })

  it('keeps every piece of a text without secrets as it came', () => {
    for (const text of INNOCENT) {
      for (const size of [1, 2, 3, 5, 8, 13, 21]) expect(inPieces(text, size)).toBe(text)
    }
    const stream = redactor.stream()
    const pieces = ['The ', 'quick', ' brown fox, ', 'password', 's and all', '.']
    expect(pieces.map((piece) => stream.push(piece))).toEqual(pieces)
  })

  it('is marked once, in however many pieces a secret comes', () => {
    const stream = redactor.stream()
    const pieces = ['-----BEGIN PRIV', 'ATE KEY-----\nMI', 'IEvQ', 'IBAD', 'ANBg', '\n-----END PRIVATE', ' KEY-----', ' that was it']
    expect(pieces.map((piece) => stream.push(piece)).join('') + stream.flush()).toBe('-----BEGIN PRIV[redacted] that was it')
  })

  it('loses a private key that goes on after a flush far from its beginning', () => {
    const body = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC'
    const stream = redactor.stream()
    const pieces = [['-----BEGIN', 'PRIVATE KEY-----\n'].join(' '), ...Array.from({ length: 30 }, () => `${body}\n`)]
    const given = pieces.map((piece, index) => stream.push(piece) + (index % 5 === 4 ? stream.flush() : '')).join('') + stream.flush()
    expect(given).not.toContain(body)
  })

  it('loses a secret that goes on after a flush', () => {
    const stream = redactor.stream()
    const key = ['sk', 'proj', 'Zk3vQ9pL7wXr2TbN8sYd4HfJ'].join('-')
    const given = stream.push(key.slice(0, 6)) + stream.flush() + stream.push(key.slice(6)) + stream.flush()
    expect(given).not.toContain(key.slice(6))
  })
})

it('refuses a configured secret that is too short to be one', () => {
  expect(() => createRedactor(['long enough', 'short'])).toThrow('createRedactor: secrets[1] must have at least 6 characters')
})
