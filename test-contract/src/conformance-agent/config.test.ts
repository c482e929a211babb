import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { readConfig } from './config.js'

test('warns of names that are no variables, as the apps do', async () => {
  const known = { MOORAGE_PROFILE: 'bare', MOORAGE_TURN_SLOTS: '2', MOORAGE_DATA_DIR: tmpdir(), TCK_STREAMING_TIMEOUT: '1.0' }
  expect((await readConfig(known, tmpdir())).warnings).toEqual([])
  expect((await readConfig({ ...known, MOORAGE_PROFIL: 'bare', MOORAGE_DATADIR: '/x', MOORAGE_EMPTY: ' ' }, tmpdir())).warnings).toEqual([
    'MOORAGE_PROFIL, MOORAGE_DATADIR: without effect, since there is no such variable',
  ])
})
