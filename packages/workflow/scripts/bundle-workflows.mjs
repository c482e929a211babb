// Bundles the built workflows for Temporal's sandbox, so that no worker has to do it when it starts.
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker'

const dist = new URL('../dist/', import.meta.url)
const { code } = await bundleWorkflowCode({
  workflowsPath: fileURLToPath(new URL('workflows/index.js', dist)),
  logger: new DefaultLogger('WARN'),
})
await writeFile(new URL('workflow-bundle.js', dist), code)
