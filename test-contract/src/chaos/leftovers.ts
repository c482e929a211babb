import { execFile } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { TASK_WORKFLOW } from '@moorage/workflow/contract'
import { Client, Connection } from '@temporalio/client'
import { type Finding, found } from './finding.js'
import { leftRows } from './stored-task.js'
import type { World } from './world.js'

/** How long what ends behind a task may take to end. */
const PATIENCE_MS = 60_000
const LOOK_MS = 250

/** Once every task has ended: rows that wait, and runs that are open. */
export async function findLeftWork(world: World): Promise<readonly Finding[]> {
  const rows = await settle(() => leftRows(world.query))
  const connection = await Connection.connect({ address: await world.temporalAddress() })
  try {
    const client = new Client({ connection })
    const runs = await settle(async () => {
      const open: string[] = []
      for await (const run of client.workflow.list({ query: `ExecutionStatus="Running" AND WorkflowType="${TASK_WORKFLOW}"` })) {
        open.push(`open run ${run.workflowId}`)
      }
      return open
    })
    return [...rows, ...runs].map((what) => found('left over', what))
  } finally {
    await connection.close()
  }
}

/** Processes that the folder is named to, once everything has been stopped. */
export async function findLeftProcesses(folder: string): Promise<readonly Finding[]> {
  const left = await settle(async () => {
    const { stdout } = await promisify(execFile)('ps', ['-A', 'e', '-o', 'pid=,args='], { maxBuffer: 64 * 1024 * 1024 })
    const own = new RegExp(`^\\s*${process.pid}\\b`)
    const lines = stdout.split('\n').filter((line) => line.includes(folder) && !own.test(line) && !line.includes('<defunct>'))
    return lines.map((line) => `process ${line.trim().slice(0, 120)}`)
  })
  return left.map((what) => found('left over', what))
}

/** What is still there when the patience is at its end. */
async function settle(look: () => Promise<readonly string[]>): Promise<readonly string[]> {
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    const left = await look()
    if (left.length === 0 || performance.now() > deadline) return left
    await pause(LOOK_MS)
  }
}
