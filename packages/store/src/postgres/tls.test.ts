import { chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PostgresServer, startPostgres } from '@moorage/dev-postgres'
import { beforeAll, expect, it, vi } from 'vitest'
import { StoreUnavailableError } from '../store-error.js'
import { PATIENCE } from '../suite/fixtures.js'
import { runSql } from '../suite/run-sql.js'
import { selfSigned } from '../suite/self-signed.js'
import { openPostgresStore } from './open-postgres-store.js'

vi.setConfig({ testTimeout: PATIENCE.timeout, hookTimeout: PATIENCE.timeout })

let folder: string
let server: PostgresServer

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'moorage-postgres-'))
  const dataDir = await mkdtemp(join(tmpdir(), 'moorage-postgres-'))
  server = await startPostgres({ dataDir, settings: { fsync: 'off' } })
  return async () => {
    await server.stop('immediate')
    await Promise.all([folder, dataDir].map((path) => rm(path, { recursive: true })))
  }
})

async function open(sslmode: string, root?: string): Promise<void> {
  const url = new URL(server.url)
  url.searchParams.set('sslmode', sslmode)
  if (root !== undefined) url.searchParams.set('sslrootcert', join(folder, root))
  const store = await openPostgresStore({ url: url.href })
  await store.close()
}

/** Gives the server a certificate, which its account must own. */
async function turnOn({ cert, key }: { readonly cert: string; readonly key: string }): Promise<void> {
  const [row] = await runSql('show data_directory', server.url)
  const directory = String(row?.['data_directory'])
  const { uid, gid } = await stat(directory)
  for (const [name, text] of Object.entries({ 'server.crt': cert, 'server.key': key })) {
    await writeFile(join(directory, name), text, { mode: 0o600 })
    await chown(join(directory, name), uid, gid)
  }
  await runSql('alter system set ssl = on', server.url)
  await server.restart('fast')
  // From here on, nobody gets in without.
  await writeFile(join(directory, 'pg_hba.conf'), 'hostssl all all 127.0.0.1/32 scram-sha-256\n')
  await server.restart('fast')
}

it('encrypts as the URL says, and lets nobody in whom it does not know', async () => {
  await expect(open('require')).rejects.toThrow(/Cannot open the database .* The server does not support SSL connections/)
  const [own, other] = [selfSigned(), selfSigned()]
  await writeFile(join(folder, 'own.crt'), own.cert)
  await writeFile(join(folder, 'other.crt'), other.cert)
  await turnOn(own)
  await open('require')
  await open('verify-ca', 'own.crt')
  await open('verify-full', 'own.crt')
  const refused = [
    () => open('disable'),
    () => open('verify-full'),
    () => open('verify-ca', 'other.crt'),
    () => open('require', 'other.crt'),
  ]
  for (const opening of refused) {
    const error = await opening().catch((fault: unknown) => fault)
    expect(String(error)).toMatch(/^Error: Cannot open the database .* of the url: .*(certificate|no encryption)/)
    expect(error).not.toBeInstanceOf(StoreUnavailableError)
  }
})
