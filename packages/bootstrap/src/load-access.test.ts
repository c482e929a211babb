import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ConfigError } from './config-error.js'
import { type Access, loadAccess } from './load-access.js'
import { temporaryFolder } from './temporary-folder.js'

async function load(name: string, content: string): Promise<{ readonly path: string; readonly access: Access }> {
  const path = join(await temporaryFolder(), name)
  await writeFile(path, content)
  return { path, access: await loadAccess(path, process.env) }
}

const faultsOf = (name: string, content: string) =>
  load(name, content).then(
    () => expect.fail('the module was taken'),
    (error: unknown) => (error as ConfigError).faults,
  )

describe('loadAccess', () => {
  it('loads TypeScript from anywhere, and lends it @moorage/server/authentication', async () => {
    const { access } = await load(
      'access.ts',
      `import { type AuthenticationRequest, defineAuthenticator } from '@moorage/server/authentication'
       const schemes = { key: { apiKeySecurityScheme: { location: 'header', name: 'X-Key' } } }
       export const authenticate = [defineAuthenticator({ schemes, authenticate: ({ headers }: AuthenticationRequest) => undefined })]
       export const mayActFor = () => true`,
    )
    expect(access.authenticate?.map(({ schemes }) => Object.keys(schemes))).toEqual([['key']])
    expect(Object.keys(access).sort()).toEqual(['authenticate', 'mayActFor'])
  })

  it('loads CommonJS', async () => {
    expect(Object.keys((await load('access.cjs', 'module.exports = { resolveParticipant: () => "ann" }')).access)).toEqual([
      'resolveParticipant',
    ])
  })

  it.each([
    ['export const answer = 42', ['exports answer, which has no effect. Export authenticate, resolveParticipant, mayActFor alone']],
    ['', ['exports nothing. Export at least one of authenticate, resolveParticipant, mayActFor']],
    ['export default () => undefined', ['exports default, which has no effect.']],
    [
      'export const authenticate = [() => undefined]',
      ['exports authenticate, which must be a list of at least one authenticator, each made by'],
    ],
    [
      'export const authenticate = []\nexport const mayActFor = true',
      ['exports authenticate, which must', 'exports mayActFor, which must be a function'],
    ],
  ])('names every export that is wrong: %s', async (content, faults) => {
    expect(await faultsOf('access.mjs', content)).toEqual(
      faults.map((fault) => expect.stringMatching(`^MOORAGE_ACCESS: .*access\\.mjs ${fault}`)),
    )
  })

  it('names the variable where the module throws, or is not there', async () => {
    expect(await faultsOf('access.ts', "\nthrow new Error('KEY is not set')")).toEqual([
      expect.stringMatching(/^MOORAGE_ACCESS: .* could not be loaded\..*KEY is not set/),
    ])
    const [fault] = await faultsOf('access.ts', "throw new Error('no answer from https://ann:hunter2hunter2@db.example/')")
    expect(fault).toContain('no answer from https://[redacted]@db.example/')
    await expect(loadAccess('/nowhere/access.ts', process.env)).rejects.toThrow(ConfigError)
    await expect(loadAccess('/nowhere/access.ts', process.env)).rejects.toThrow(
      'MOORAGE_ACCESS names /nowhere/access.ts, which does not exist',
    )
  })
})
