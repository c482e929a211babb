// A worker that is killed in the middle of a turn: `node doomed-worker.mjs <temporal> <store> <file>`. Each run of the step adds a line to the file.
import { appendFile } from 'node:fs/promises'
import { defineAgent } from '@moorage/agent'
import { openSqliteStore } from '@moorage/store/sqlite'
import { createWorker } from '@moorage/workflow/worker'

const [, , address, path, file] = process.argv
const agent = defineAgent({
  id: 'loader',
  async turn(turn) {
    await turn.artifact('draft').append('half of it')
    await turn.step('load', async ({ key }) => {
      await appendFile(file, `${key}\n`)
      return { from: 'the first worker' }
    })
    await turn.status('Loaded')
    return new Promise(() => {})
  },
})
createWorker({ temporal: { address }, store: await openSqliteStore({ path }), agents: [agent] }).start()
