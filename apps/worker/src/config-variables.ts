import {
  type ConfigVariable,
  configRows,
  host,
  integerText,
  optional,
  SHARED_ROWS,
  SHARED_VARIABLES,
  type Variables,
} from '@moorage/bootstrap'
import { z } from 'zod'

/** What apps/worker reads beside what both apps do. */
export const WORKER_VARIABLES = {
  MOORAGE_AGENT: optional(
    '(the built-in agent)',
    'Path of the agent module, TypeScript or JavaScript; several with commas between them, each with an id of its own',
    agentPaths(),
  ),
  MOORAGE_HEALTH_PORT: optional(
    '(none)',
    'Port that answers /healthz and /readyz; 0 = any that is free (0 to 65535)',
    integerText(0, 65_535),
  ),
  HOST: host('Address that MOORAGE_HEALTH_PORT is on'),
} satisfies Variables

/** What apps/agent alone reads: without effect here, but no mistake where both have one environment. */
export const AGENT_ONLY: readonly string[] = [
  'MOORAGE_BASE_URL',
  'MOORAGE_CARD_KEYS',
  'MOORAGE_JWT_ISSUER',
  'MOORAGE_JWT_AUDIENCE',
  'MOORAGE_JWT_JWKS_URL',
  'MOORAGE_JWT_ALGORITHMS',
  'MOORAGE_JWT_TENANT_CLAIM',
  'MOORAGE_API_KEYS',
  'MOORAGE_API_KEY_IN',
  'MOORAGE_PERIMETER_HEADER',
  'MOORAGE_PERIMETER_ADDRESSES',
  'MOORAGE_PERIMETER_SCHEME',
  'MOORAGE_ACCESS',
  'MOORAGE_WORKER',
  'MOORAGE_RATE_PER_MINUTE',
  'MOORAGE_STREAMS_PER_PEER',
  'MOORAGE_MAX_STREAMS',
  'MOORAGE_MAX_REQUEST_BYTES',
  'MOORAGE_BLOCKING_TIMEOUT_MS',
  'MOORAGE_MAX_WAITING',
  'MOORAGE_DRAIN_DELAY_MS',
  'MOORAGE_PUSH_KEYS',
]

/** The names of Moorage's own that this app reads. */
export const KNOWN_VARIABLES: Variables = { ...WORKER_VARIABLES, ...SHARED_VARIABLES }

/** Every variable that apps/worker reads, in the order of its README's table, which is tested against this one. */
export const CONFIG_VARIABLES: readonly ConfigVariable[] = [...configRows(WORKER_VARIABLES), ...SHARED_ROWS]

function agentPaths(): z.ZodType<readonly string[], string> {
  return z.string().transform((text, context) => {
    const paths = text.split(',').map((path) => path.trim())
    if (paths.includes('')) context.addIssue('must be paths with one comma between two of them')
    return paths
  })
}
