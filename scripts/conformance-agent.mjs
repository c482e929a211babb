/** `npm run conformance-agent`: the agent of test-contract that compatibility kits are pointed at. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { runProgram } from './run-app.mjs'
import { ROOT } from './setup.mjs'

const CONTRACT = join(ROOT, 'test-contract')

await runProgram({
  name: 'The conformance agent',
  packages: ['@moorage/test-contract^...'],
  nodeArgs() {
    const tsx = createRequire(join(CONTRACT, 'package.json')).resolve('tsx')
    return ['--import', pathToFileURL(tsx).href, join(CONTRACT, 'src', 'conformance-agent', 'main.ts')]
  },
})
