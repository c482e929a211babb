/**
 * `npm test`: installs, builds, checks and tests everything. Each step counts as one test beside those of vitest; a step that fails does not
 * hide the others. The last line is the sum.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { alone, install, ROOT, requireNode, say, tool } from './setup.mjs'

const TURBO = ['--continue', '--output-logs=errors-only']

const sum = { passed: 0, failed: 0, skipped: 0 }

requireNode()
const installed = await alone(async () => {
  const done = await step('install', install)
  if (done) await step('build', () => quietly('turbo', 'run', 'build', ...TURBO))
  return done
})
if (installed) {
  await step('format and lint (biome)', () => quietly('biome', 'check', '.'))
  await step('lint with types (oxlint)', () => quietly('oxlint', '--type-aware'))
  await step('import order (turbo boundaries)', () => quietly('turbo', 'boundaries'))
  await step('types', () => quietly('turbo', 'run', 'typecheck', ...TURBO))
  await step('package exports', () => quietly('turbo', 'run', 'check:exports', ...TURBO))
  await step('unused code (knip)', () => quietly('knip', '--no-progress'))
  await step('Temporal CLI for the tests', findEngine)
  await runVitest()
}
finish()

/** Runs one step, shows what it printed where it fails, and counts it. */
async function step(name, work) {
  const begun = performance.now()
  const { code, output } = await work().catch((error) => ({ code: 1, output: `${error.message}\n` }))
  if (code !== 0) process.stdout.write(output)
  say(`${code === 0 ? 'ok' : 'FAILED'}  ${name} (${((performance.now() - begun) / 1000).toFixed(1)} s)`)
  sum[code === 0 ? 'passed' : 'failed'] += 1
  return code === 0
}

function quietly(...command) {
  return tool(command, { quiet: true })
}

/** Finds or fetches the engine once, so that tests which run at the same time all find it. */
async function findEngine() {
  const { ensureEngine } = await import(pathToFileURL(join(ROOT, 'packages', 'engine', 'dist', 'index.js')).href)
  const { TEMPORAL_CLI: cli, PATH: path } = process.env
  const found = await ensureEngine({ cli, path, env: process.env, onProgress: say })
  process.env.TEMPORAL_CLI = found.path
  return { code: 0, output: '' }
}

async function runVitest() {
  const folder = mkdtempSync(join(tmpdir(), 'moorage-test-'))
  const report = join(folder, 'vitest.json')
  const { code } = await tool(['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`])
  count(code, readReport(report))
  rmSync(folder, { recursive: true, force: true })
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

/** A file that could not even be loaded has no test to count, and neither has an error outside of any test: each is one failure. */
function count(code, report) {
  const broken = report?.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length ?? 0
  const failed = (report?.numFailedTests ?? 0) + broken
  sum.passed += report?.numPassedTests ?? 0
  sum.failed += failed === 0 && code !== 0 ? 1 : failed
  sum.skipped += (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0)
}

function finish() {
  const skipped = sum.skipped > 0 ? `, ${sum.skipped} skipped` : ''
  process.stdout.write(`${sum.passed} passed, ${sum.failed} failed${skipped}\n`)
  process.exitCode = sum.failed > 0 ? 1 : 0
}
