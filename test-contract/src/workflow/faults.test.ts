import { randomUUID } from 'node:crypto'
import { defineAgent } from '@moorage/agent'
import { checkTemporal, createWaker, type TemporalFault, type TemporalOptions } from '@moorage/workflow/client'
import { createWorker } from '@moorage/workflow/worker'
import { expect, inject, test } from 'vitest'
import { until } from '../until.js'
import { AUTHORITY, CLIENT, STRANGER } from './certificates.js'
import { createListener } from './listener.js'
import { saying, stageTest } from './stage.js'
import { startTlsFront } from './tls-front.js'

const echo = defineAgent({ id: 'echo', turn: (turn) => turn.complete(`You said ${turn.text}`) })
const trusting = { serverRootCACertificate: AUTHORITY }
const MUTUAL = { requestCert: true, rejectUnauthorized: true, ca: [AUTHORITY] }

stageTest('says which namespace is missing, keeps trying, and runs what waited once somebody has created it', async ({ open }) => {
  const namespace = `shop-${randomUUID()}`
  const stage = await open(echo, { temporal: { namespace }, worker: false, wakeAfterMs: 100 })
  const { logger, lines } = createListener()
  const waker = createWaker({ temporal: stage.temporal, storeId: stage.store.id, logger })
  const worker = createWorker({ temporal: stage.temporal, store: stage.store, agents: [echo], waker, logger })
  worker.start()
  const { taskId } = await stage.send('hello', { wake: false })
  const message =
    `Temporal at ${stage.temporal.address} (namespace ${namespace}) does not have this namespace: ` +
    `create it with "temporal operator namespace create -n ${namespace}", or correct temporal.namespace (TEMPORAL_NAMESPACE)`
  await until(() => worker.status().fault)
  expect(worker.status()).toEqual({ connected: false, fault: { kind: 'namespace', message }, turns: 0, commands: 0 })
  expect(await waker.check()).toEqual({ connected: false, fault: { kind: 'namespace', message } })
  expect(await checkTemporal(stage.temporal)).toEqual({ kind: 'namespace', message })

  const workflowExecutionRetentionPeriod = { seconds: 86_400 as never }
  await stage.client.connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod })
  expect(saying(await stage.ended(taskId))).toBe('You said hello')
  expect(worker.status()).toEqual({ connected: true, turns: 0, commands: 0 })
  await worker.stop()
  await waker.close()
  expect(lines().filter((line) => line.startsWith('error'))).toEqual([`error ${message}; until then, what is accepted waits`])
})

/** A server that a busy machine keeps from answering in time has told nothing yet. */
function findFault(options: TemporalOptions): Promise<TemporalFault> {
  return until(async () => {
    const fault = await checkTemporal(options)
    return fault?.kind !== 'unreachable' && fault
  })
}

test.each<[string, object, Partial<TemporalOptions>, string, RegExp]>([
  ['wants TLS', {}, {}, 'tls', /speaks TLS and is called without it/],
  ['wants TLS and a client certificate', MUTUAL, {}, 'tls', /speaks TLS and is called without it/],
  ['has an unknown authority', {}, { tls: true }, 'tls', /certificate that is not trusted/],
  ['has another name', {}, { tls: { ...trusting, serverNameOverride: 'elsewhere.example' } }, 'tls', /for another host name/],
  ['asks for a client certificate', MUTUAL, { tls: trusting }, 'credentials', /asks for a client certificate/],
  [
    'asks for another client certificate',
    MUTUAL,
    { tls: { ...trusting, clientCertPair: STRANGER } },
    'credentials',
    /does not take the client certificate/,
  ],
  [
    'asks for a client certificate by TLS 1.2',
    { ...MUTUAL, maxVersion: 'TLSv1.2' },
    { tls: trusting },
    'credentials',
    /asks for a client certificate/,
  ],
])('tells a server that %s', async (_, front, options, kind, sentence) => {
  const address = await startTlsFront(inject('engine'), front)
  expect(await findFault({ address, ...options })).toMatchObject({ kind, message: expect.stringMatching(sentence) })
})

test('tells that the engine speaks no TLS', async () => {
  const fault = await findFault({ address: inject('engine'), apiKey: 'an-api-key-brings-tls-with-it' })
  expect(fault).toMatchObject({ kind: 'tls', message: expect.stringContaining('speaks no TLS') })
})

stageTest('runs tasks over TLS with a client certificate', async ({ open }) => {
  const address = await startTlsFront(inject('engine'), MUTUAL)
  const stage = await open(echo, { temporal: { address, tls: { ...trusting, clientCertPair: CLIENT } } })
  const { taskId } = await stage.send('hello')
  expect(saying(await stage.ended(taskId))).toBe('You said hello')
})
