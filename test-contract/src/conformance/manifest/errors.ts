import { HTTP_JSON, JSON_RPC, requirement } from './requirement.js'

/** Errors, by the table of the specification; then what holds for all of them. */
export const ERRORS = [
  requirement('ERR-01', 'M', '5.4', 'TaskNotFound: -32001, 404, TASK_NOT_FOUND.'),
  requirement('ERR-02', 'M', '5.4', 'TaskNotCancelable: -32002, 400, TASK_NOT_CANCELABLE.'),
  requirement('ERR-03', 'M', '5.4', 'PushNotificationNotSupported: -32003, 400, PUSH_NOTIFICATION_NOT_SUPPORTED.'),
  requirement('ERR-04', 'M', '5.4', 'UnsupportedOperation: -32004, 400, UNSUPPORTED_OPERATION.'),
  requirement('ERR-05', 'M', '5.4', 'ContentTypeNotSupported: -32005, 400, CONTENT_TYPE_NOT_SUPPORTED.', {
    kit: ['HTTP_JSON-STATUS-001'],
  }),
  requirement(
    'ERR-06',
    '-',
    '5.4',
    'InvalidAgentResponse: -32006, 500; this server never says it, since no agent can answer outside the protocol.',
    {
      notShown: 'an agent can only write what the protocol has; the row is pinned with the error table',
    },
  ),
  requirement('ERR-07', '-', '5.4', 'ExtendedAgentCardNotConfigured: -32007, 400, EXTENDED_AGENT_CARD_NOT_CONFIGURED.', {
    pending: { until: 'authentication', reason: 'only a card that declares the extended card can lack it, which none can yet' },
  }),
  requirement('ERR-08', 'M', '5.4', 'ExtensionSupportRequired: -32008, 400, EXTENSION_SUPPORT_REQUIRED.'),
  requirement('ERR-09', 'M', '5.4', 'VersionNotSupported: -32009, 400, VERSION_NOT_SUPPORTED.'),
  requirement('ERR-10', 'M', '9.5', 'Parse error: -32700, 400.'),
  requirement('ERR-11', 'M', '9.5', 'Invalid request: -32600, 400.'),
  requirement('ERR-12', 'M', '9.5', 'Method not found: -32601; unknown routes 404, wrong verbs 405 with Allow.'),
  requirement('ERR-13', 'M', '9.5', 'Invalid parameters: -32602, 400, with every field that is wrong.'),
  requirement('ERR-14', '-', '9.5', 'Internal error: -32603, 500, without a word of the cause.', {
    notShown: 'no request makes it, as 10,000 hostile ones show; the tests of packages/server take the store away',
  }),
  requirement('ERR-15', 'M', '3.3.2', 'Authentication and permission: 401 with WWW-Authenticate, 403.', {
    pending: { until: 'authentication', reason: 'everybody is anonymous yet, and may do everything' },
  }),
  requirement('ERR-16', '-', '3.3.2', 'Too large 413, too fast 429 with Retry-After, in the form of the binding.'),
  requirement('ERR-17', 'M', '3.3.2', 'Every detail of an error has a type; ErrorInfo has reason and domain.'),
  requirement('ERR-18', 'M', '11.6', 'The body is error with code, status, message and details; code is the HTTP status.', {
    on: HTTP_JSON,
  }),
  requirement('ERR-19', '-', '9.5', 'The id is echoed, 0 too, and null where none could be read; batches and notifications are refused.', {
    on: JSON_RPC,
  }),
  requirement('ERR-20', 'M', '3.3.2', "A task that is another caller's is told in the words of one that does not exist.", {
    kit: ['AUTH-SCOPE-003'],
    pending: { until: 'authentication', reason: 'every caller is the same anonymous one yet' },
  }),
  requirement('ERR-21', '-', '3.3.2', 'Of several things that are wrong, the first in the order of refusals is told.'),
  requirement(
    'ERR-22',
    'M',
    '8.3',
    'A tenant is taken from the path, the body and the query; an undeclared one, or two that differ, are refused.',
  ),
]
