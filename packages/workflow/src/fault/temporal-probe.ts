import type { Connection } from '@temporalio/client'
import { type Logger, SILENT } from '../logger.js'
import { openConnection } from '../open-connection.js'
import { addressOf, namespaceOf, type TemporalOptions, usesTls } from '../temporal-options.js'
import { findingBesidesTls, findingOf } from './describe-temporal-fault.js'
import { type Finding, faultOf, OLDEST_VERSION } from './fault-sentences.js'
import { observeHandshake } from './observe-handshake.js'
import type { TemporalFault } from './temporal-fault.js'

/** How long Temporal may take to answer. */
const ANSWER_MS = 5000
/** gRPC's own code for a limit that is reached: the server is there, and has too much to do. */
const RESOURCE_EXHAUSTED = 8

/** Asks Temporal whether it takes this process, again and again over one connection. */
export class TemporalProbe {
  readonly #options: TemporalOptions
  readonly #logger: Logger
  readonly #connection: Connection

  /** @throws TypeError that names the option of the connection which is wrong. */
  constructor(options: TemporalOptions, logger = SILENT) {
    this.#options = options
    this.#logger = logger
    // Temporal's library takes some of these, and fails at each call; `check` could not look at the handshake either.
    if (!URL.canParse(`tcp://${addressOf(options)}`)) {
      throw new TypeError(`temporal.address must be host:port, like 127.0.0.1:7233; it is ${JSON.stringify(options.address)}`)
    }
    // No retries: an answer is wanted now, and the next question comes soon.
    this.#connection = openConnection(options, [])
  }

  /** What is wrong, or undefined. Never rejects. */
  async check(): Promise<TemporalFault | undefined> {
    const namespace = namespaceOf(this.#options)
    const { workflowService } = this.#connection
    try {
      const { serverVersion } = await this.#connection.withDeadline(Date.now() + ANSWER_MS, async () => {
        const info = await workflowService.getSystemInfo({})
        await workflowService.describeNamespace({ namespace })
        return info
      })
      return isOld(serverVersion) ? faultOf('old', this.#options, serverVersion) : undefined
    } catch (error) {
      this.#logger.debug({ err: error, address: addressOf(this.#options) }, 'Temporal did not answer as it should')
      if ((error as { readonly code?: unknown }).code === RESOURCE_EXHAUSTED) return undefined
      return faultOf(await this.#find(error), this.#options)
    }
  }

  async close(): Promise<void> {
    await this.#connection.close()
  }

  async #find(error: unknown): Promise<Finding> {
    return findingOf(error) ?? (await observeHandshake(this.#options, usesTls(this.#options))) ?? findingBesidesTls(error)
  }
}

/** A version that cannot be read counts as new: those who change it know what they do. */
function isOld(version: string): boolean {
  const [, major, minor] = /^v?(\d+)\.(\d+)\./.exec(version) ?? []
  if (major === undefined || minor === undefined) return false
  const [oldestMajor, oldestMinor] = OLDEST_VERSION
  return Number(major) < oldestMajor || (Number(major) === oldestMajor && Number(minor) < oldestMinor)
}
