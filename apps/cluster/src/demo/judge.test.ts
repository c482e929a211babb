import { expect, it } from 'vitest'
import { type Evidence, judge } from './judge.js'
import type { TaskReader } from './task-reader.js'

function reader(change: Partial<TaskReader> = {}): TaskReader {
  const task = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING', timestamp: '' } } as const
  const events = [1, 2].map((id) => ({ id, payload: { task } }))
  const folded = { taskId: 't', state: 'TASK_STATE_COMPLETED', isOver: true, text: '1\n2\n' } as const
  return { binding: 'JSON-RPC', events, folded, cuts: 1, ...change } as TaskReader
}

const good: Evidence = { readers: [reader(), reader()], end: 2, recorded: '1\n2\n', targets: ['worker 1'], killed: ['worker 1'] }
const failing = (evidence: Partial<Evidence>) =>
  judge({ ...good, ...evidence })
    .filter(({ holds }) => !holds)
    .map(({ claim }) => claim)

it('finds nothing wrong where all is well', () => {
  expect(failing({})).toEqual([])
})

it('finds what was lost, came twice, came in another order, or differs', () => {
  const { folded, events } = reader()
  expect(failing({ killed: [] })).toEqual(['killed while the task ran: none; the task was over before worker 1'])
  expect(failing({ recorded: '1\n' })).toEqual(['GetTask has the same artifact'])
  for (const text of ['1\n', '1\n2\n2\n', '2\n1\n']) {
    const one = reader({ folded: { ...folded, text } })
    expect(failing({ readers: [one] })).toEqual(['JSON-RPC: the artifact is 1 to 2, each number once and in order'])
  }
  const failed = reader({ folded: { ...folded, state: 'TASK_STATE_FAILED' } })
  expect(failing({ readers: [failed] })).toEqual(['JSON-RPC: the task ended as TASK_STATE_FAILED'])
  const twice = reader({ events: [...events, ...events] })
  expect(failing({ readers: [twice] })).toEqual(['JSON-RPC: 4 events over 2 connections, their ids rising, none twice'])
  expect(failing({ readers: [reader(), reader({ events: events.slice(1) })] })).toEqual(['both readers got the same events'])
})
