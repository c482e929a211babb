import { BOTH, HOST, requirement } from './requirement.js'

const AUTHENTICATED = {
  until: 'authentication',
  reason: 'the extended card is for authenticated callers alone, and nobody can be one yet',
} as const

/** The agent card and the extended card. */
export const CARD = [
  requirement('CARD-01', 'M', '8.2', 'The card is at /.well-known/agent-card.json, for GET, HEAD, and pages of other origins.', {
    on: HOST,
    kit: ['CARD-DISC-001'],
  }),
  requirement('CARD-02', 'M', '8.3', 'Every binding that is served is declared with URL, name and Major.Minor, and answers there.', {
    on: [...BOTH, 'host'],
    kit: ['CARD-PROTO-001', 'CARD-PROTO-002', 'BIND-FIELD-001'],
  }),
  requirement('CARD-03', 'M', '8.4', 'All required fields are there, also empty ones.', { on: HOST, kit: ['CARD-STRUCT-001'] }),
  requirement('CARD-04', 'M', '8.4', 'A card of 1.0 alone has no field that 1.0 does not know.', { on: HOST, kit: ['CARD-STRUCT-001'] }),
  requirement('CARD-05', 'S', '8.6', 'Cache-Control says how long the card may be kept.', { on: HOST, kit: ['CARD-CACHE-001'] }),
  requirement('CARD-06', 'S', '8.6', 'ETag names the version, and a client that has it gets 304.', { on: HOST, kit: ['CARD-CACHE-002'] }),
  requirement('CARD-07', 'y', '8.6', 'Last-Modified is sent, and a client that has it gets 304.', { on: HOST, kit: ['CARD-CACHE-003'] }),
  requirement('CARD-08', 'M', '3.1.11', 'The extended card is an unsupported operation where it is not declared.', {
    kit: ['CORE-CAP-003', 'CARD-EXT-002'],
  }),
  requirement('CARD-09', 'M', '13.3', 'The extended card needs authentication.', { kit: ['CARD-EXT-001'], pending: AUTHENTICATED }),
  requirement('CARD-10', 'S', '13.3', 'The extended card may differ by caller, and no shared cache keeps it.', { pending: AUTHENTICATED }),
  requirement('CARD-11', 'M', '8.4.1', 'What is signed is the card without its signatures and defaults, in canonical JSON.', {
    on: HOST,
    kit: ['CARD-SIGN-001', 'CARD-SIGN-002'],
  }),
  requirement(
    'CARD-12',
    'M',
    '8.4.2',
    'The protected header names the algorithm and the key; another JOSE library verifies the signature.',
    {
      on: HOST,
      kit: ['CARD-SIGN-003'],
    },
  ),
  requirement('CARD-13', 'M', '8.4', 'Each form of the card is signed as it is served.', { on: HOST }),
]
