import { spawn } from 'node:child_process'
import { appendFile, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { defineAgent } from '@moorage/agent'
import { expect, inject, onTestFinished } from 'vitest'
import { saying, says, stageTest } from './stage.js'

stageTest('does not repeat a recorded step when the worker is killed in the middle of the turn', async ({ open }) => {
  const files: string[] = []
  const agent = defineAgent({
    id: 'loader',
    async turn(turn) {
      const value = await turn.step('load', async ({ key }) => {
        await appendFile(files[0] ?? '', `${key}\n`)
        return { from: 'the second worker' }
      })
      await turn.artifact('draft').append('all of it')
      return turn.complete(`Loaded from ${value.from}`)
    },
  })
  const stage = await open(agent, { worker: false, policy: { heartbeatTimeoutMs: 2000 } })
  const file = `${stage.path}.steps`
  files.push(file)
  const doomed = spawn(process.execPath, [fileURLToPath(new URL('doomed-worker.mjs', import.meta.url)), inject('engine'), stage.path, file])
  onTestFinished(() => void doomed.kill('SIGKILL'))
  const { taskId } = await stage.send('load it')
  await stage.until(taskId, says('Loaded'))
  doomed.kill('SIGKILL')
  await stage.startWorker()
  const task = await stage.ended(taskId)
  expect(saying(task)).toBe('Loaded from the first worker')
  expect(task.artifacts?.[0]?.parts).toEqual([{ text: 'all of it' }])
  expect(await readFile(file, 'utf8')).toBe(`${taskId}/turn/1/load\n`)
  await stage.history(taskId, 'lost-worker')
})

stageTest('gives a retried turn what its steps returned, each call of a name its own', async ({ open }) => {
  let runs = 0
  const stage = await open(
    defineAgent({
      id: 'stepper',
      async turn(turn) {
        const count = () => turn.step('count', () => ++runs)
        const values = [await count(), await count(), await turn.step('nothing', () => undefined)]
        if (turn.attempt === 1) throw new Error('once more')
        values.push(await count())
        return turn.complete(JSON.stringify(values))
      },
    }),
  )
  const { taskId } = await stage.send('go')
  expect(saying(await stage.ended(taskId))).toBe('[1,2,null,3]')
})
