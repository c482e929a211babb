import { HOST, HTTP_JSON, JSON_RPC, requirement } from './requirement.js'

/** Version 0.3 beside 1.0, where the card declares it. Levels are ours: the specification of 1.0 says nothing of it. */
export const VERSION_0_3 = [
  requirement('V03-01', 'M', '-', 'The version is told by the header and the method together.', { on: JSON_RPC }),
  requirement('V03-02', 'M', '-', 'HTTP+JSON of 0.3 is served under /v1, in application/json.', { on: HTTP_JSON }),
  requirement(
    'V03-03',
    'M',
    '-',
    'Objects have kind, enums are lower case, status updates say final, push configs are nested; a send waits only where it is told to.',
  ),
  requirement('V03-04', 'M', '-', 'The card is that of 0.3, of 1.0, or both in one, by the version that is asked for; each is signed.', {
    on: HOST,
  }),
  requirement('V03-05', 'M', '-', 'Errors have the codes of 0.3.'),
  requirement('V03-06', 'M', '-', 'A task made in one version is read in the other.'),
]
