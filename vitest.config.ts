import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const here = fileURLToPath(new URL('.', import.meta.url))
const members = ['packages', 'apps']
  .flatMap((folder) => readdirSync(join(here, folder)).map((name) => join(here, folder, name)))
  .filter((root) => existsSync(join(root, 'package.json')))

/** A member as it says itself; one that has nothing to say gets the limits of below. */
function projectOf(root: string) {
  if (existsSync(join(root, 'vitest.config.ts'))) return root
  const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly name: string }
  return { extends: true as const, root, test: { name } }
}

export default defineConfig({
  test: {
    projects: [...members.map(projectOf), 'test-contract'],
    maxWorkers: 2,
    // They only end a test that hangs: a busy machine may be ten times slower than this one.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // At its end a run searches all that it has stored.
    teardownTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
