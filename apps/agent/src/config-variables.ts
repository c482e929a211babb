import {
  type ConfigVariable,
  choice,
  configRows,
  host,
  integer,
  namedKeys,
  optional,
  SHARED_ROWS,
  SHARED_VARIABLES,
  secret,
  type Variables,
} from '@moorage/bootstrap'
import { z } from 'zod'
import { ACCESS_VARIABLES } from './access-variables.js'
import { cardKeys } from './card-keys.js'

/** What apps/agent reads beside what both apps do. */
export const AGENT_VARIABLES = {
  HOST: host('Address to listen on'),
  PORT: integer('8080', 'Port to listen on; 0 = any that is free', 0, 65_535),
  MOORAGE_BASE_URL: optional('(http://HOST:PORT)', 'URL under which clients reach this server; the card says it', baseUrl()),
  MOORAGE_CARD_KEYS: secret(
    '(the card is not signed)',
    'Private keys that each sign the card, as a JWK set in JSON: EC P-256, Ed25519, or RSA of at least 2048 bits, each with its kid',
    cardKeys,
  ),
  MOORAGE_AGENT: optional('(the built-in agent)', 'Path of the agent module, TypeScript or JavaScript', z.string()),
  ...ACCESS_VARIABLES,
  MOORAGE_WORKER: choice('on', 'Whether turns and commands run in this process: on, or off where apps/worker runs them', ['on', 'off']),
  MOORAGE_RATE_PER_MINUTE: integer('120', 'Requests a minute from one peer, by its address; 0 = no limit', 0, 1_000_000),
  MOORAGE_STREAMS_PER_PEER: integer('100', 'Streams that one peer may have open, by its address', 1, 1_000_000),
  MOORAGE_MAX_STREAMS: integer('10000', 'Streams that may be open in all', 1, 1_000_000),
  MOORAGE_MAX_REQUEST_BYTES: integer('1048576', 'Largest request body, in bytes', 1024, 104_857_600),
  MOORAGE_BLOCKING_TIMEOUT_MS: integer(
    '600000',
    'How long a blocking send waits before it answers with the task as it is; 0 = without end',
    0,
    86_400_000,
  ),
  MOORAGE_MAX_WAITING: integer('1000', 'How many messages may wait on one task', 1, 1_000_000),
  MOORAGE_DRAIN_DELAY_MS: integer(
    '0',
    'How long a process that is told to stop still takes requests, while /readyz is 503 already: what a load balancer needs to notice',
    0,
    600_000,
  ),
  MOORAGE_PUSH_KEYS: secret(
    '(made in MOORAGE_DATA_DIR)',
    'Keys that encrypt the secrets of push notification configs: id:key,id:key, each key 32 bytes in base64; the first encrypts, all decrypt; needed with DATABASE_URL where the card declares push notifications',
    namedKeys,
  ),
  TEMPORAL_CLI: optional('(found or fetched)', 'Path of the Temporal CLI whose dev server is the embedded engine', z.string()),
} satisfies Variables

/** What apps/worker alone reads: without effect here, but no mistake where both have one environment. */
export const WORKER_ONLY: readonly string[] = ['MOORAGE_HEALTH_PORT']

/** The names of Moorage's own that this app reads. */
export const KNOWN_VARIABLES: Variables = { ...AGENT_VARIABLES, ...SHARED_VARIABLES }

/** Every variable that apps/agent reads, in the order of the README's table, which is tested against this one. */
export const CONFIG_VARIABLES: readonly ConfigVariable[] = [...configRows(AGENT_VARIABLES), ...SHARED_ROWS]

/** A path of plain characters: routes are made of it. */
function baseUrl(): z.ZodType<string, string> {
  return z.string().transform((text, context) => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    const plain = url !== undefined && url.search === '' && url.hash === '' && url.username === ''
    const path = url?.pathname.replace(/\/+$/, '') ?? ''
    if (plain && /^https?:$/.test(url.protocol) && /^(\/[\w.~-]+)*$/.test(path)) return `${url.origin}${path}`
    context.addIssue('must be an http or https URL without query and fragment, such as https://agent.example')
    return z.NEVER
  })
}
