import { setTimeout as pause } from 'node:timers/promises'
import { Connection, isGrpcServiceError } from '@temporalio/client'
import { msToTs } from '@temporalio/common/lib/time.js'

/** gRPC's status codes. */
const ALREADY_EXISTS = 6
const NOT_FOUND = 5

export interface RegisterNamespaceOptions {
  readonly address: string
  readonly namespace: string
  /** How long the namespace keeps closed workflows. */
  readonly retentionMs: number
  readonly signal: AbortSignal
}

/** Registers the namespace, or sets the retention of an existing one, and resolves once it can be used: the server reads new ones from a cache. */
export async function registerNamespace({ address, namespace, retentionMs, signal }: RegisterNamespaceOptions): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout: '30s' })
  const retention = msToTs(retentionMs)
  try {
    await connection.withDeadline(Date.now() + 30_000, async () => {
      const { workflowService } = connection
      try {
        await workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: retention })
      } catch (error) {
        if (!hasCode(error, ALREADY_EXISTS)) throw error
        await workflowService.updateNamespace({ namespace, config: { workflowExecutionRetentionTtl: retention } })
      }
    })
    await untilKnown(connection, namespace, signal)
  } finally {
    await connection.close()
  }
}

async function untilKnown({ workflowService }: Connection, namespace: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      await workflowService.countWorkflowExecutions({ namespace })
      return
    } catch (error) {
      if (!hasCode(error, NOT_FOUND)) throw error
      await pause(100, undefined, { signal })
    }
  }
}

function hasCode(error: unknown, code: number): boolean {
  return isGrpcServiceError(error) && error.code === code
}
