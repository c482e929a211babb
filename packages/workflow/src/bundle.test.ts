import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode } from '@temporalio/worker'
import { afterAll, beforeAll, expect, test } from 'vitest'

const quiet = () => {}
const said: string[] = []
const say = (message: string) => void said.push(message)
const logger = { log: quiet, trace: quiet, debug: quiet, info: quiet, warn: say, error: say }
const sources = fileURLToPath(new URL('.', import.meta.url))
let folder: string

beforeAll(async () => {
  // Inside the package, since the bundler looks for the SDK from there.
  folder = await mkdtemp(join(sources, '..', 'node_modules', 'leak-'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

test('bundles the workflows for the sandbox, without the code of any Activity', { timeout: 60_000 }, async () => {
  const { code } = await bundleWorkflowCode({ workflowsPath: join(sources, 'workflows', 'index.ts'), logger })
  expect(code).toContain('taskWorkflow')
  expect(code).not.toContain('createActivities')
  expect(code).not.toContain('StoreUnavailableError')
})

test.each([
  ['an Activity', `export { createActivities } from '${join(sources, 'activities', 'create-activities.js')}'`],
  ['a module of Node', `export { readFileSync } from 'node:fs'`],
])('refuses a workflow that imports %s', { timeout: 60_000 }, async (_, source) => {
  const workflowsPath = join(folder, 'leak.js')
  await writeFile(workflowsPath, source)
  await expect(bundleWorkflowCode({ workflowsPath, logger })).rejects.toThrow()
  // The bundle has no module of Node, and so nothing that needs one.
  expect(said.join('\n')).toContain('Reading from "node:')
})
