import { z } from 'zod'

/** One row of the configuration table, here and in the README. */
export interface ConfigVariable {
  readonly name: string
  /** As text; in parentheses where it is no value that the variable could have. */
  readonly default: string
  readonly meaning: string
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** Moorage's own variables, by name. A schema takes the variable's text; its message goes on from the variable's name. */
export const ENVIRONMENT = z.object({
  HOST: variable('127.0.0.1', 'Address to listen on', host()),
  PORT: variable('8080', 'Port to listen on; 0 = any that is free', integer(0, 65_535)),
  MOORAGE_BASE_URL: optional('(http://HOST:PORT)', 'URL under which clients reach this server; the card says it', baseUrl()),
  MOORAGE_AGENT: optional('(the built-in agent)', 'Path of the agent module, TypeScript or JavaScript', z.string()),
  MOORAGE_DATA_DIR: variable('.moorage', 'Folder of the database and of the embedded engine; one process at a time owns it', z.string()),
  LOG_LEVEL: variable('info', `What is logged: ${LOG_LEVELS.join(', ')}`, oneOf(LOG_LEVELS)),
  MOORAGE_RATE_PER_MINUTE: variable('120', 'Requests a minute from one peer, by its address; 0 = no limit', integer(0, 1_000_000)),
  MOORAGE_MAX_REQUEST_BYTES: variable('1048576', 'Largest request body, in bytes', integer(1024, 104_857_600)),
  MOORAGE_BLOCKING_TIMEOUT_MS: variable(
    '600000',
    'How long a blocking send waits before it answers with the task as it is; 0 = without end',
    integer(0, 86_400_000),
  ),
  MOORAGE_MAX_WAITING: variable('1000', 'How many messages may wait on one task', integer(1, 1_000_000)),
  MOORAGE_TURN_TIMEOUT_MS: variable('3600000', 'How long one attempt at a turn may run', integer(1000, 604_800_000)),
  MOORAGE_COMMAND_TIMEOUT_MS: variable('600000', 'How long one attempt at a command may run', integer(1000, 604_800_000)),
  MOORAGE_HEARTBEAT_TIMEOUT_MS: variable(
    '20000',
    'After how long without a sign of life a turn counts as lost and runs again',
    integer(1000, 3_600_000),
  ),
  MOORAGE_WAKE_AFTER_MS: variable('15000', 'After how long a waiting task is woken again', integer(100, 600_000)),
  MOORAGE_TURN_SLOTS: variable('100', 'How many turns run at the same time in this process', integer(1, 10_000)),
  MOORAGE_COMMAND_SLOTS: variable('20', 'How many commands run at the same time in this process', integer(1, 10_000)),
  MOORAGE_SHUTDOWN_GRACE_MS: variable(
    '10000',
    'How long turns may go on after a signal to stop; then they run again later',
    integer(0, 600_000),
  ),
  TEMPORAL_CLI: optional('(found or fetched)', 'Path of the Temporal CLI whose dev server is the embedded engine', z.string()),
})

/** Temporal's variables are read by Temporal's own library; these are their rows in the table. */
const TEMPORAL: readonly ConfigVariable[] = [
  {
    name: 'TEMPORAL_ADDRESS',
    default: '(the embedded engine)',
    meaning: 'host:port of a Temporal server on this machine, to be used instead of the embedded engine',
  },
  { name: 'TEMPORAL_NAMESPACE', default: 'default', meaning: 'Namespace at TEMPORAL_ADDRESS' },
  { name: 'TEMPORAL_API_KEY', default: '(none)', meaning: 'API key for TEMPORAL_ADDRESS' },
  { name: 'TEMPORAL_TLS…', default: '(none)', meaning: "TLS for TEMPORAL_ADDRESS, in the variables of Temporal's own tools" },
  { name: 'TEMPORAL_PROFILE', default: 'default', meaning: "Profile of Temporal's configuration file; it may name the address too" },
  { name: 'TEMPORAL_CONFIG_FILE', default: "(where Temporal's own tools look)", meaning: "Path of Temporal's configuration file" },
]

/** Every variable that apps/agent reads, in the order of the README's table, which is tested against this one. */
export const CONFIG_VARIABLES: readonly ConfigVariable[] = [
  ...Object.entries(ENVIRONMENT.shape).map(([name, schema]) => ({ name, ...row(schema) })),
  ...TEMPORAL,
]

function row(schema: z.ZodType): Omit<ConfigVariable, 'name'> {
  const meta = schema.meta()
  return { default: String(meta?.['defaultText']), meaning: String(meta?.description) }
}

function variable<Output>(text: string, meaning: string, schema: z.ZodType<Output, string>) {
  return schema.prefault(text).meta({ defaultText: text, description: meaning })
}

function optional<Output>(text: string, meaning: string, schema: z.ZodType<Output, string>) {
  return schema.optional().meta({ defaultText: text, description: meaning })
}

function integer(min: number, max: number): z.ZodType<number, string> {
  const message = `must be a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message)
}

function oneOf<const Value extends string>(values: readonly Value[]): z.ZodType<Value, string> {
  return z.string().transform((text, context) => {
    const value = values.find((candidate) => candidate === text)
    if (value !== undefined) return value
    context.addIssue(`must be one of ${values.join(', ')}`)
    return z.NEVER
  })
}

function host(): z.ZodType<string, string> {
  const message = 'must be an address or a host name to listen on, without scheme, port or path'
  return z.string().refine((text) => URL.canParse(`http://${text.includes(':') ? `[${text}]` : text}/`) && !/[\s/@?#]/.test(text), message)
}

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
