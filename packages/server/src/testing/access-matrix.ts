import type { ErrorName } from '@moorage/protocol'
import type { OperationName } from '../dispatch.js'

/** Whoever asks: by its role in the task, or by why it has none. */
export const COLUMNS = ['assignee', 'reporter', 'admin', 'watcher', 'anybody else', 'no participant'] as const
export type Column = (typeof COLUMNS)[number]

/** What is answered; `yes`: what was asked for. */
export type Cell = 'yes' | ErrorName

/** The task that an operation is on: `asking` for an authorisation, among others; `none`: it is on none. */
export type TaskKind = 'open' | 'ended' | 'asking' | 'none'

export interface MatrixRow {
  /** What the README calls it. */
  readonly what: string
  readonly operations: readonly OperationName[]
  readonly on: readonly TaskKind[]
  readonly cells: Readonly<Record<Column, Cell>>
  /** What A2A 0.3 answers instead. */
  readonly inV03: Readonly<Partial<Record<Cell, Cell>>>
}

/** The cells in the order of the columns. */
type Cells = readonly [Cell, Cell, Cell, Cell, Cell, Cell]

const UNSUPPORTED = 'UnsupportedOperationError'
const UNKNOWN = 'TaskNotFoundError'
const ENDED = 'TaskNotCancelableError'
const DENIED = 'PermissionDenied'
const SENDS = ['sendMessage', 'sendStreamingMessage'] as const
const PUSH_CONFIGS = [
  'createTaskPushNotificationConfig',
  'getTaskPushNotificationConfig',
  'listTaskPushNotificationConfigs',
  'deleteTaskPushNotificationConfig',
] as const

function row(
  what: string,
  operations: readonly OperationName[],
  on: readonly TaskKind[],
  [assignee, reporter, admin, watcher, other, nobody]: Cells,
  inV03: MatrixRow['inV03'] = {},
): MatrixRow {
  return { what, operations, on, inV03, cells: { assignee, reporter, admin, watcher, 'anybody else': other, 'no participant': nobody } }
}

/** Who may do what, and what is answered else. The README prints it. */
export const ACCESS_MATRIX: readonly MatrixRow[] = [
  row('Send a first message', SENDS, ['none'], ['yes', 'yes', 'yes', 'yes', 'yes', DENIED]),
  row('Send to an open task', SENDS, ['open'], ['yes', 'yes', 'yes', UNSUPPORTED, UNKNOWN, DENIED]),
  row('Send to one that has ended', SENDS, ['ended'], [UNSUPPORTED, UNSUPPORTED, UNSUPPORTED, UNSUPPORTED, UNKNOWN, DENIED]),
  row('GetTask', ['getTask'], ['open', 'ended'], ['yes', 'yes', 'yes', 'yes', UNKNOWN, UNKNOWN]),
  row('CancelTask', ['cancelTask'], ['open'], ['yes', 'yes', 'yes', UNSUPPORTED, UNKNOWN, UNKNOWN]),
  row('CancelTask, ended', ['cancelTask'], ['ended'], [ENDED, ENDED, ENDED, UNSUPPORTED, UNKNOWN, UNKNOWN]),
  row('SubscribeToTask', ['subscribeToTask'], ['open'], ['yes', 'yes', 'yes', 'yes', UNKNOWN, UNKNOWN]),
  row('SubscribeToTask, ended', ['subscribeToTask'], ['ended'], [UNSUPPORTED, UNSUPPORTED, UNSUPPORTED, UNSUPPORTED, UNKNOWN, UNKNOWN], {
    [UNSUPPORTED]: 'yes',
  }),
  row('Push notification configs, all four', PUSH_CONFIGS, ['open', 'ended'], ['yes', 'yes', 'yes', UNSUPPORTED, UNKNOWN, UNKNOWN]),
  row('Authorise a task that asks for it', ['authorizeTask'], ['asking'], [UNSUPPORTED, 'yes', 'yes', UNSUPPORTED, UNKNOWN, UNKNOWN]),
  row('ListTasks', ['listTasks'], ['none'], ['yes', 'yes', 'yes', 'yes', 'yes', 'yes']),
  row(
    'GetExtendedAgentCard, not declared',
    ['getExtendedAgentCard'],
    ['none'],
    [UNSUPPORTED, UNSUPPORTED, UNSUPPORTED, UNSUPPORTED, UNSUPPORTED, UNSUPPORTED],
    { [UNSUPPORTED]: 'ExtendedAgentCardNotConfiguredError' },
  ),
]

/** The operations on tasks by their names in the audit. */
export const AUDITED: Readonly<Partial<Record<OperationName, string>>> = {
  sendMessage: 'message',
  sendStreamingMessage: 'message',
  getTask: 'get task',
  cancelTask: 'cancel',
  subscribeToTask: 'subscribe',
  createTaskPushNotificationConfig: 'create push config',
  getTaskPushNotificationConfig: 'get push config',
  listTaskPushNotificationConfigs: 'list push configs',
  deleteTaskPushNotificationConfig: 'delete push config',
  authorizeTask: 'authorize',
}

/** The same as a table in Markdown. */
export function printMatrix(): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const rows = ACCESS_MATRIX.map(({ what, cells }) => line([what, ...COLUMNS.map((column) => cells[column].replace(/Error$/, ''))]))
  return [line(['', ...COLUMNS]), line(['---', ...COLUMNS.map(() => '---')]), ...rows].join('\n')
}
