import { requirement } from './requirement.js'

/** Version and extensions. */
export const SERVICE_PARAMETERS = [
  requirement('PARAM-01', 'M', '3.2.6', 'The names of headers are taken in any case.'),
  requirement('PARAM-02', 'M', '3.6.2', 'A version that is not served is refused, before the method is looked at.', {
    kit: ['VER-SERVER-002'],
  }),
  requirement('PARAM-03', 'M', '3.6.2', 'No version, or an empty one, is 0.3.', { kit: ['VER-SERVER-003'] }),
  requirement('PARAM-04', 'M', '3.6.1', 'The patch number counts for nothing.', { kit: ['VER-SERVER-001', 'VER-CLIENT-002'] }),
  requirement('PARAM-05', 'y', '3.6.1', 'The version may come in the query; the header wins.'),
  requirement('PARAM-06', 'M', '3.3.4', 'An extension that the card requires must be named.', { kit: ['CORE-CAP-004'] }),
  requirement('PARAM-07', 'S', '4.6', 'An unknown extension is refused, and no task comes of it.'),
  requirement('PARAM-08', 'S', '4.6', 'The answer, the stream and the error name the extensions that the request activated.'),
  requirement('PARAM-09', '-', '3.2.6', 'Extensions may come in several headers, or in one with commas and blanks.'),
]
