import { z } from 'zod'
import { type ConfigVariable, choice, configRows, integer, optional, secret, variable } from './config-variable.js'
import { secretTexts } from './configured-secrets.js'
import { databaseUrl } from './database-url.js'
import { namedKeys } from './named-keys.js'
import { buildId, deploymentName } from './worker-version.js'

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** What both apps read, by name. */
export const SHARED_VARIABLES = {
  LOG_LEVEL: choice('info', `What is logged: ${LOG_LEVELS.join(', ')}`, LOG_LEVELS),
  MOORAGE_SECRETS: secret(
    '(none)',
    'Texts that no task and no log may have, beside all that look like secrets and the values of the variables that are: with commas between them, each of at least 6 characters',
    secretTexts,
  ),
  DATABASE_URL: secret(
    '(SQLite in MOORAGE_DATA_DIR)',
    'postgres:// or postgresql:// URL of the database, credentials included',
    databaseUrl,
  ),
  MOORAGE_POSTGRES_POOL: integer('10', 'How many connections to Postgres this process works with, beside the one that listens', 2, 1000),
  MOORAGE_DATA_DIR: variable(
    '.moorage',
    'Folder of the SQLite database and of the embedded engine; unused with both DATABASE_URL and TEMPORAL_ADDRESS',
    z.string(),
  ),
  MOORAGE_TURN_TIMEOUT_MS: integer('3600000', 'How long one attempt at a turn may run', 1000, 604_800_000),
  MOORAGE_COMMAND_TIMEOUT_MS: integer('600000', 'How long one attempt at a command may run', 1000, 604_800_000),
  MOORAGE_HEARTBEAT_TIMEOUT_MS: integer(
    '20000',
    'After how long without a sign of life a turn counts as lost and runs again',
    1000,
    3_600_000,
  ),
  MOORAGE_RETENTION_TASKS_DAYS: integer(
    '30',
    'How many days a task is kept after it has ended; an open one is always kept; 0 = for ever',
    0,
    36_500,
  ),
  MOORAGE_RETENTION_AUDIT_DAYS: integer('90', 'How many days a row of the audit is kept; 0 = for ever', 0, 36_500),
  MOORAGE_WAKE_AFTER_MS: integer('15000', 'After how long a waiting task is woken again', 100, 600_000),
  MOORAGE_TURN_SLOTS: integer('100', 'How many turns of an agent run at the same time in this process', 1, 10_000),
  MOORAGE_COMMAND_SLOTS: integer('20', 'How many commands of an agent run at the same time in this process', 1, 10_000),
  MOORAGE_WORKFLOW_SLOTS: integer('40', 'How many Workflow Tasks of an agent run at the same time in this process', 2, 10_000),
  MOORAGE_POLLERS: integer('10', 'How many polls this process has open for each kind of task, shared by its agents', 2, 1000),
  MOORAGE_CACHED_WORKFLOWS: integer('600', 'How many runs this process keeps in memory, shared by its agents', 2, 1_000_000),
  MOORAGE_SHUTDOWN_GRACE_MS: integer('10000', 'How long turns may go on after a signal to stop; then they run again later', 0, 600_000),
  MOORAGE_DEPLOYMENT_NAME: optional(
    '(no Worker Versioning)',
    'Name of the deployment for Temporal Worker Versioning, together with MOORAGE_BUILD_ID; without . and :',
    deploymentName,
  ),
  MOORAGE_BUILD_ID: optional(
    '(no Worker Versioning)',
    'What tells this version of the deployment from the others; it gets no tasks until it is made the current one at Temporal',
    buildId,
  ),
  MOORAGE_PAYLOAD_KEYS: secret(
    '(not encrypted)',
    'Keys that encrypt what Temporal keeps: id:key,id:key, each key 32 bytes in base64; the first encrypts, all decrypt',
    namedKeys,
  ),
}

/** Temporal's variables are read by Temporal's own library; these are their rows in the table. */
const TEMPORAL: readonly ConfigVariable[] = [
  {
    name: 'TEMPORAL_ADDRESS',
    default: '(the embedded engine)',
    meaning: 'host:port of a Temporal server, to be used instead of the embedded engine; with SQLite one on this machine',
  },
  { name: 'TEMPORAL_NAMESPACE', default: 'default', meaning: 'Namespace at TEMPORAL_ADDRESS' },
  { name: 'TEMPORAL_API_KEY', default: '(none)', meaning: 'API key for TEMPORAL_ADDRESS' },
  { name: 'TEMPORAL_TLS…', default: '(none)', meaning: "TLS for TEMPORAL_ADDRESS, in the variables of Temporal's own tools" },
  { name: 'TEMPORAL_PROFILE', default: 'default', meaning: "Profile of Temporal's configuration file; it may name the address too" },
  { name: 'TEMPORAL_CONFIG_FILE', default: "(where Temporal's own tools look)", meaning: "Path of Temporal's configuration file" },
]

/** The rows of what both apps read, in the order of the READMEs' tables, which are tested against them. */
export const SHARED_ROWS: readonly ConfigVariable[] = [...configRows(SHARED_VARIABLES), ...TEMPORAL]
