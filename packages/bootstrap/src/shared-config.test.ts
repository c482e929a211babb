import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { readSharedConfig } from './shared-config.js'
import { SHARED_ROWS } from './shared-variables.js'
import { temporaryFolder } from './temporary-folder.js'

const cwd = '/work/somewhere'
const DATABASE_URL = 'postgres://me:hunter2@db.example/moorage'
const TEMPORAL_ADDRESS = 'temporal.example:7233'

describe('readSharedConfig', () => {
  it('needs nothing to be set: SQLite and the embedded engine, in one folder', async () => {
    const { config, warnings } = await readSharedConfig({}, cwd)
    expect(config).toMatchObject({
      dataDir: join(cwd, '.moorage'),
      store: { kind: 'sqlite', path: join(cwd, '.moorage', 'moorage.db') },
      temporal: { kind: 'embedded' },
      payloadKeys: [],
    })
    expect(config?.worker).not.toHaveProperty('versioning')
    expect(warnings).toEqual([])
  })

  it('takes the defaults of the table', async () => {
    const literal = SHARED_ROWS.filter((row) => !row.default.startsWith('(') && !row.name.startsWith('TEMPORAL_'))
    const env = Object.fromEntries(literal.map((row) => [row.name, row.default]))
    expect(await readSharedConfig(env, cwd)).toEqual(await readSharedConfig({}, cwd))
  })

  it('describes every variable in the table, with its range', () => {
    for (const row of SHARED_ROWS) {
      expect(row.default, row.name).toMatch(/./)
      expect(row.default, row.name).not.toBe('undefined')
      expect(row.meaning, row.name).toMatch(/^[A-Zhp]/)
    }
    expect(SHARED_ROWS.find(({ name }) => name === 'MOORAGE_TURN_SLOTS')?.meaning).toMatch(/\(1 to 10000\)$/)
  })

  it('keeps the embedded engine with Postgres, in a folder', async () => {
    const { config } = await readSharedConfig({ DATABASE_URL }, cwd)
    expect(config).toMatchObject({
      dataDir: join(cwd, '.moorage'),
      temporal: { kind: 'embedded' },
      store: { kind: 'postgres', poolSize: 10 },
    })
  })

  it('needs no folder with Postgres and a Temporal of its own, wherever that is', async () => {
    const { config, warnings } = await readSharedConfig({ DATABASE_URL, TEMPORAL_ADDRESS, MOORAGE_DATA_DIR: '/data' }, cwd)
    expect(config).toMatchObject({ dataDir: undefined, temporal: { address: TEMPORAL_ADDRESS } })
    expect(warnings).toEqual(['MOORAGE_DATA_DIR: without effect, since the tasks are in Postgres and Temporal is a server of its own'])
  })

  it('shows the place of the database, and never its credentials', async () => {
    const { config } = await readSharedConfig({ DATABASE_URL }, cwd)
    expect(config?.store).toMatchObject({ where: 'db.example:5432, database moorage' })
    expect(inspect(config, { depth: 9 }) + JSON.stringify(config)).not.toContain('hunter2')
    for (const wrong of ['mysql://me:hunter2@db.example/moorage', 'hunter2']) {
      const { faults } = await readSharedConfig({ DATABASE_URL: wrong }, cwd)
      expect(faults).toEqual([
        expect.stringMatching(/^DATABASE_URL must be a postgres:\/\/ or postgresql:\/\/ URL.*; it(s scheme is mysql| is no URL)/),
      ])
      expect(faults[0]).not.toContain('hunter2')
    }
  })

  it('says what to do about a DATABASE_URL that cannot be used, and never shows its password', async () => {
    const faultsOf = async (url: string) => (await readSharedConfig({ DATABASE_URL: url }, cwd)).faults
    expect(await faultsOf('postgres://me:hunter2/x@db.example/moorage')).toEqual([
      expect.stringMatching(/; it is no URL: percent-encode \/ # \? @ : % in user and password$/),
    ])
    expect(await faultsOf('postgres://me:hunter2%@db.example/moorage')).toEqual([
      'DATABASE_URL has a % that begins no code: percent-encode / # ? @ : % in user and password',
    ])
    expect(await faultsOf(`${DATABASE_URL}?sslmode=verify-full&sslrootcert=/nope.pem`)).toEqual([
      'DATABASE_URL cannot be used: its sslrootcert names /nope.pem, which does not exist',
    ])
  })

  it('says which Temporal is not on this machine, where the store is', async () => {
    expect((await readSharedConfig({ TEMPORAL_ADDRESS }, cwd)).faults).toEqual([
      expect.stringMatching(/set DATABASE_URL .* or unset TEMPORAL_ADDRESS/),
    ])
  })

  it('says that the data folder is a file', async () => {
    const file = join(await temporaryFolder(), 'data')
    await writeFile(file, '')
    expect((await readSharedConfig({ MOORAGE_DATA_DIR: file }, cwd)).faults).toEqual([
      `MOORAGE_DATA_DIR is ${file}, which is a file. Name a folder; it is created where it does not exist`,
    ])
  })

  it('takes a version of two parts, and no half of one', async () => {
    const env = { MOORAGE_DEPLOYMENT_NAME: 'support', MOORAGE_BUILD_ID: 'v7' }
    expect((await readSharedConfig(env, cwd)).config?.worker).toMatchObject({ versioning: { deploymentName: 'support', buildId: 'v7' } })
    expect((await readSharedConfig({ MOORAGE_BUILD_ID: 'v7' }, cwd)).faults).toEqual([
      'MOORAGE_DEPLOYMENT_NAME is not set: Worker Versioning needs both MOORAGE_DEPLOYMENT_NAME and MOORAGE_BUILD_ID, set it or unset the other',
    ])
  })

  it.each(['support.eu', 'support:eu', '__support', 'x'.repeat(256)])(
    'refuses a name of a deployment that Temporal does: %.20s',
    async (name) => {
      const env = { MOORAGE_DEPLOYMENT_NAME: name, MOORAGE_BUILD_ID: '1.2:3' }
      expect((await readSharedConfig(env, cwd)).faults).toEqual([
        expect.stringMatching(/^MOORAGE_DEPLOYMENT_NAME must be without \. and :/),
      ])
    },
  )

  it('refuses a build id that Temporal does', async () => {
    const env = { MOORAGE_DEPLOYMENT_NAME: 'support', MOORAGE_BUILD_ID: '__7' }
    expect((await readSharedConfig(env, cwd)).faults).toEqual([expect.stringMatching(/^MOORAGE_BUILD_ID must .*not begin with __/)])
  })

  it('takes keys of 32 bytes in order, and shows none of them', async () => {
    const [first, second] = [randomBytes(32), randomBytes(32)]
    const text = `2026-02:${first.toString('base64')}, 2026-01:${second.toString('base64')}`
    const { config } = await readSharedConfig({ MOORAGE_PAYLOAD_KEYS: text }, cwd)
    expect(config?.payloadKeys.map(({ id, key }) => [id, Buffer.from(key)])).toEqual([
      ['2026-02', first],
      ['2026-01', second],
    ])
    const { faults } = await readSharedConfig({ MOORAGE_PAYLOAD_KEYS: `a:${randomBytes(31).toString('base64')},hunter2` }, cwd)
    expect(faults).toEqual([
      expect.stringMatching(/^MOORAGE_PAYLOAD_KEYS must be id:key pairs .*; entry 1 \(a\) has 31 bytes$/),
      expect.stringMatching(/; entry 2 is no such pair$/),
    ])
    expect(faults.join()).not.toContain('hunter2')
  })

  it('warns of what has no effect on the embedded engine', async () => {
    expect((await readSharedConfig({ TEMPORAL_NAMESPACE: 'mine' }, cwd)).warnings).toEqual([
      'TEMPORAL_NAMESPACE: without effect, since TEMPORAL_ADDRESS is not set and the embedded engine is used',
    ])
  })

  it("warns of what looks like Temporal's TLS and is not read", async () => {
    const env = { TEMPORAL_ADDRESS: 'localhost:7233', TEMPORAL_TLS_CERT: '/a.pem', TEMPORAL_TLS_SERVER_NAME: 'inner' }
    expect((await readSharedConfig(env, cwd)).warnings).toEqual(['TEMPORAL_TLS_CERT: without effect, since Temporal has no such variable'])
  })
})
