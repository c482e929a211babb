import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '@moorage/engine/programs'
import { expect, it } from 'vitest'
import { Postgres } from './postgres.js'
import { connectPostgres, ensureDatabase } from './postgres-client.js'

const never = new AbortController().signal

it('is noticed when it is killed, and starts again with what was committed', { timeout: 60_000 }, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'moorage-cluster-'))
  const postgres = new Postgres({ dataDir, port: await findFreePort() })
  const first = await postgres.start(never)
  const url = await ensureDatabase(postgres.url, 'notes')
  const client = await connectPostgres(url)
  await client.query('create table notes as select 7 as n')
  process.kill(first.pid, 'SIGKILL')
  await first.ended

  const second = await postgres.start(never)
  expect(second.pid).not.toBe(first.pid)
  expect(await ensureDatabase(postgres.url, 'notes')).toBe(url)
  const again = await connectPostgres(url)
  expect((await again.query('select n from notes')).rows).toEqual([{ n: 7 }])
  await again.end()
  await second.stop()
  await second.ended
  await rm(dataDir, { recursive: true })
})
