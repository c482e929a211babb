import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { describeAudit } from '../suite/audit-suite.js'
import { createTask } from '../suite/fixtures.js'
import { openSqliteAudit } from './open-sqlite-audit.js'
import { openSqliteStore } from './open-sqlite-store.js'
import { temporaryFile } from './temporary-file.js'

describeAudit(async () => {
  const path = temporaryFile()
  writeFileSync(path, '')
  return {
    async openStore() {
      const store = await openSqliteStore({ path })
      onTestFinished(() => store.close())
      return store
    },
    async openAudit() {
      const reader = await openSqliteAudit({ path })
      onTestFinished(() => reader.close())
      return reader
    },
  }
})

it('reads a file that nobody has open, and leaves it alone', async () => {
  const path = temporaryFile()
  const store = await openSqliteStore({ path })
  await createTask(store, 't1')
  await store.close()
  const before = readdirSync(dirname(path))
  const reader = await openSqliteAudit({ path })
  expect(await reader.read('t1', 0, 10)).toEqual([])
  await reader.close()
  expect(readdirSync(dirname(path))).toEqual(before)
  const again = await openSqliteStore({ path })
  expect(await again.record('t1')).toBeDefined()
  await again.close()
})

it('makes no file where there is none, and takes no other file for a database', async () => {
  const path = temporaryFile()
  await expect(openSqliteAudit({ path })).rejects.toThrow(`Cannot read ${path}: `)
  expect(existsSync(path)).toBe(false)
  writeFileSync(path, 'no database '.repeat(100))
  await expect(openSqliteAudit({ path })).rejects.toThrow('file is not a database')
})
