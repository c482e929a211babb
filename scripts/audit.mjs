/** `npm run audit -- --task ID`: prints the audit of a task. */
import { join } from 'node:path'
import { runProgram } from './run-app.mjs'
import { ROOT } from './setup.mjs'

await runProgram({
  name: 'The audit',
  packages: ['@moorage/app-agent'],
  nodeArgs: () => [join(ROOT, 'apps', 'agent', 'dist', 'audit.js')],
})
