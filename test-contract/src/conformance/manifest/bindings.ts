import { HTTP_JSON, JSON_RPC, requirement } from './requirement.js'

/** The forms of the two bindings. */
export const BINDINGS = [
  requirement('BIND-01', 'M', '9.1', 'The methods have the names of the operations; those of 0.3 are unknown to 1.0.', {
    on: JSON_RPC,
    kit: ['JSONRPC-SVC-001'],
  }),
  requirement('BIND-02', 'M', '9.1', 'Requests and answers are application/json; another type is refused before the body is read.', {
    on: JSON_RPC,
    kit: ['JSONRPC-FMT-002'],
  }),
  requirement('BIND-03', 'M', '9.2', 'Every answer has jsonrpc 2.0, the id of its request, and either a result or an error.', {
    on: JSON_RPC,
    kit: ['JSONRPC-FMT-001', 'JSONRPC-ERR-001'],
  }),
  requirement('BIND-04', 'M', '11.3', 'Every operation has its route, also after a tenant, with ids in percent-encoding.', {
    on: HTTP_JSON,
    kit: ['HTTP_JSON-URL-001', 'HTTP_JSON-URL-002'],
  }),
  requirement('BIND-05', 'S', '11.1', 'Both JSON types are taken, and the answer is in the one that the request asks for or has.', {
    on: HTTP_JSON,
    kit: ['HTTP_JSON-SVC-001', 'HTTP_JSON-ERR-001'],
  }),
  requirement('BIND-06', 'M', '11.3.3', 'The task of a push config is that of the path; the body may repeat it.', { on: HTTP_JSON }),
  requirement('BIND-07', 'M', '5.1', 'What one binding made is the same over the other.', {
    kit: ['BIND-EQUIV-001', 'BIND-EQUIV-002', 'BIND-EQUIV-003'],
  }),
  requirement('BIND-08', 'M', '5.1', 'Both bindings authenticate alike.', {
    kit: ['BIND-EQUIV-004'],
    pending: { until: 'authentication', reason: 'there is no authentication that could differ' },
  }),
  requirement('BIND-09', 'M', '5.5', 'Names are camelCase, enums are names, times are UTC with milliseconds and Z.', {
    kit: ['DM-SERIAL-001', 'DM-SERIAL-002', 'DM-SERIAL-003'],
  }),
  requirement('BIND-10', 'M', '5.5', 'Any ISO time is read; so is snake_case.'),
  requirement('BIND-11', 'S', '5.7', 'Unknown fields are ignored, at every level.', { kit: ['DM-SERIAL-005'] }),
  requirement('BIND-12', 'M', '4.1.6', 'A part has exactly one content; data is any JSON value, bytes are standard base64 again.', {
    kit: ['DM-PART-001'],
  }),
  requirement('BIND-13', '-', '5.5', 'Numbers may come as texts, enums as numbers.'),
]
