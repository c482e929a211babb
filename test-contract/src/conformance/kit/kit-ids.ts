/** One requirement of the public compatibility kit (a2aproject/a2a-tck). */
export interface KitId {
  readonly id: string
  /** Why a server that keeps the specification fails it, in some version of the kit. */
  readonly wrong?: string
  /** What has to be built before a scenario can send what the kit sends. */
  readonly pending?: 'push delivery' | 'authentication'
}

const plain = (...ids: readonly string[]): readonly KitId[] => ids.map((id) => ({ id }))
const awaiting = (pending: NonNullable<KitId['pending']>, ...ids: readonly string[]): readonly KitId[] => ids.map((id) => ({ id, pending }))

const CACHE = 'Fails without the header, which the specification only recommends or allows; all three are sent.'
const EXTENDED = 'Calls the extended card without credentials and expects it where it is declared; it is left undeclared.'
const MEDIA_TYPE =
  'Before 1.0.1 it demands application/json, and the statuses 409, 415 and 502; 1.0.1 has application/a2a+json, 400 and 500.'

/** Every requirement of the kit that concerns this server. Each is reproduced by a scenario with the kit's own input, but for the reasons given. */
export const KIT_IDS: readonly KitId[] = [
  ...plain('CORE-SEND-001', 'CORE-SEND-002'),
  { id: 'CORE-SEND-003', wrong: 'Before 208a565c it takes every answer but an error for right, and so fails the right one.' },
  ...plain('CORE-EXECUTION-MODE-001', 'CORE-EXECUTION-MODE-002', 'CORE-ERR-002'),
  ...plain('CORE-MULTI-001a', 'CORE-MULTI-002', 'CORE-MULTI-003', 'CORE-MULTI-004', 'CORE-MULTI-005', 'CORE-MULTI-006'),
  { id: 'CORE-MULTI-002a', wrong: 'Expects no certain error for a context id that the agent refuses; here every one is kept.' },
  ...plain('CORE-HIST-001', 'CORE-HIST-002', 'CORE-HIST-003', 'CORE-HIST-005', 'CORE-HIST-006'),
  ...plain('CORE-GET-001', 'CORE-GET-002'),
  ...plain('CORE-LIST-001', 'CORE-LIST-002', 'CORE-LIST-003', 'CORE-LIST-004', 'CORE-LIST-005'),
  ...plain('CORE-CANCEL-001', 'CORE-CANCEL-002', 'CORE-CANCEL-003'),
  ...plain('CORE-CAP-001', 'CORE-CAP-002', 'CORE-CAP-003', 'CORE-CAP-004'),
  { id: 'CORE-STREAM-002', wrong: 'Its name says a lone message, its agent completes a task; a stream of this server is always a task.' },
  ...plain('CORE-STREAM-003', 'STREAM-ORDER-001', 'STREAM-SUB-001', 'STREAM-SUB-004'),
  ...['STREAM-ORDER-002', 'STREAM-ORDER-003', 'STREAM-ORDER-004', 'STREAM-SUB-002'].map((id) => ({
    id,
    wrong: 'Needs a subscription that stays open at a question, against §11.7; here it does (§3.1.6).',
  })),
  {
    id: 'STREAM-SUB-003',
    wrong: 'Reads the first event of a stream that ought not to begin, and so never sees the error, which comes before the stream.',
  },
  ...plain('PUSH-CREATE-001', 'PUSH-CREATE-002', 'PUSH-GET-001', 'PUSH-GET-002', 'PUSH-LIST-001', 'PUSH-DEL-001', 'PUSH-DEL-002'),
  ...awaiting('push delivery', 'PUSH-DELIVER-001', 'PUSH-DELIVER-002', 'PUSH-DELIVER-003'),
  ...plain('CARD-DISC-001', 'CARD-PROTO-001', 'CARD-PROTO-002', 'CARD-STRUCT-001'),
  ...['CARD-CACHE-001', 'CARD-CACHE-002', 'CARD-CACHE-003'].map((id) => ({ id, wrong: CACHE })),
  ...['CARD-EXT-001', 'CARD-EXT-002'].map((id) => ({ id, wrong: EXTENDED })),
  ...plain('CARD-SIGN-001', 'CARD-SIGN-002', 'CARD-SIGN-003'),
  ...plain('VER-SERVER-001', 'VER-SERVER-002', 'VER-SERVER-003', 'VER-CLIENT-002'),
  ...plain('JSONRPC-SVC-001', 'JSONRPC-FMT-001', 'JSONRPC-ERR-001', 'JSONRPC-SSE-001'),
  {
    id: 'JSONRPC-FMT-002',
    wrong: 'For another content type it sends the text of a Python object, which is no JSON; the type is looked at first.',
  },
  ...plain('HTTP_JSON-URL-001', 'HTTP_JSON-URL-002', 'HTTP_JSON-QP-001', 'HTTP_JSON-SSE-001'),
  { id: 'HTTP_JSON-SVC-001', wrong: MEDIA_TYPE },
  { id: 'HTTP_JSON-ERR-001', wrong: MEDIA_TYPE },
  { id: 'HTTP_JSON-STATUS-001', wrong: MEDIA_TYPE },
  ...plain('DM-PART-001', 'DM-SERIAL-001', 'DM-SERIAL-002', 'DM-SERIAL-003', 'DM-SERIAL-004', 'DM-SERIAL-005'),
  ...plain('BIND-EQUIV-001', 'BIND-EQUIV-002', 'BIND-EQUIV-003', 'BIND-FIELD-001'),
  ...awaiting('authentication', 'BIND-EQUIV-004', 'AUTH-SCOPE-001', 'AUTH-SCOPE-002', 'AUTH-SCOPE-003'),
]
