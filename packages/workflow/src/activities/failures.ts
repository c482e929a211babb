import { StoreUnavailableError } from '@moorage/store'
import { ApplicationFailure, ApplicationFailureCategory, CancelledFailure } from '@temporalio/common'
import type { Logger } from '../logger.js'

/** Why an Activity is to be run again. Pinned: recorded histories name them. */
export type FailureType = 'TurnFailed' | 'CommandFailed' | 'StoreUnavailable' | 'WorkerShutdown' | 'Internal'

const MESSAGES: Readonly<Record<FailureType, string>> = {
  TurnFailed: 'The turn failed and is tried again; the cause is in the log of the worker',
  CommandFailed: 'The command failed and is tried again; the cause is in the log of the worker',
  StoreUnavailable: 'The store cannot be reached',
  WorkerShutdown: 'The worker shuts down; another one goes on',
  Internal: 'Unexpected error; the cause is in the log of the worker',
}

/** How soon it is tried again where the store is away: Temporal's own pauses would grow, and leave work waiting when it is back. */
const STORE_RETRY_MS = 3000

/** A failure that makes Temporal run the Activity again. It carries neither cause nor stack: Temporal keeps nothing private. */
export function failure(
  type: FailureType,
  nextRetryDelayMs = type === 'StoreUnavailable' ? STORE_RETRY_MS : undefined,
): ApplicationFailure {
  const created = ApplicationFailure.create({
    message: MESSAGES[type],
    type,
    ...(nextRetryDelayMs !== undefined && { nextRetryDelay: nextRetryDelayMs }),
    ...(type !== 'Internal' && { category: ApplicationFailureCategory.BENIGN }),
  })
  created.stack = ''
  return created
}

/** Runs an Activity's work and lets only failures of the pinned types leave it. */
export async function pinned<T>(logger: Logger, fields: object, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApplicationFailure || error instanceof CancelledFailure) throw error
    if (error instanceof StoreUnavailableError) {
      logger.warn({ ...fields, err: error }, 'the store cannot be reached; the Activity is run again')
      throw failure('StoreUnavailable')
    }
    logger.error({ ...fields, err: error }, 'unexpected error; the Activity is run again')
    throw failure('Internal')
  }
}
