/** `npm run chaos`: kills, pauses and cuts off processes while tasks run, and tells what became of the tasks. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { runProgram } from './run-app.mjs'
import { ROOT } from './setup.mjs'

const CONTRACT = join(ROOT, 'test-contract')

await runProgram({
  name: 'The chaos suite',
  // The cluster is no dependency of the tests: it is what runs them.
  packages: ['@moorage/test-contract^...', '@moorage/app-cluster'],
  nodeArgs() {
    const tsx = createRequire(join(CONTRACT, 'package.json')).resolve('tsx')
    return ['--import', pathToFileURL(tsx).href, join(CONTRACT, 'src', 'chaos', 'main.ts')]
  },
})
