import { HOST, requirement } from './requirement.js'

const awaits = (reason: string) => ({ pending: { until: 'authentication', reason } }) as const

/** Authentication and security. */
export const SECURITY = [
  requirement('SEC-01', 'M', '7.1', 'The documentation says that TLS belongs before the server, and how.', { on: HOST }),
  requirement('SEC-02', 'M', '7.4', 'Every request is authenticated as the card declares.', awaits('no card declares a scheme yet')),
  requirement('SEC-03', 'S', '7.4', 'A 401 says how to authenticate.', awaits('there is no 401 yet')),
  requirement(
    'SEC-04',
    'M',
    '13.1',
    'Every operation looks whether the caller may, and shows nothing else.',
    awaits('every caller is the same anonymous one yet'),
  ),
  requirement('SEC-05', 'M', '7.6.1', 'An agent that needs authorisation says so by a status with a message; messages and streams go on.'),
  requirement('SEC-06', 'M', '13.4', 'All input is checked; what is too large, too deep or too much is refused.'),
  requirement('SEC-07', 'M', '13.2', 'No credential reaches the log.', awaits('no credential is taken yet')),
  requirement('SEC-08', 'S', '13.4', 'A peer that is too fast gets 429 and is told when to come again.'),
  requirement('SEC-09', 'M', '13.5', 'The documentation says what is kept, and for how long.', { on: HOST }),
]
