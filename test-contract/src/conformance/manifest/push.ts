import { HOST, requirement } from './requirement.js'

const awaitsDelivery = (reason: string) => ({ pending: { until: 'push delivery', reason }, on: HOST }) as const

/** The four operations on push configs. */
export const PUSH_CONFIGS = [
  requirement('PUSH-01', 'M', '3.3.4', 'A card without push notifications: all four are refused before the task is looked up.', {
    kit: ['CORE-CAP-001'],
  }),
  requirement('PUSH-02', 'M', '3.1.7', 'A config gets an id, or keeps its own; the same id on another task is another config.', {
    kit: ['PUSH-CREATE-001'],
  }),
  requirement('PUSH-03', 'M', '3.1.7', 'A task that does not exist is not found.'),
  requirement('PUSH-04', 'M', '4.3.1', 'The URL is absolute http or https; another one is refused.'),
  requirement('PUSH-05', 'M', '3.1.7', 'A config stays until it is deleted, also on a task that has ended.', {
    kit: ['PUSH-CREATE-002', 'PUSH-GET-001'],
  }),
  requirement('PUSH-06', 'M', '3.1.8', 'A config that does not exist is not found.', { kit: ['PUSH-GET-002'] }),
  requirement('PUSH-07', 'M', '3.1.9', 'The list has all configs of the task, and a token for the next page.', { kit: ['PUSH-LIST-001'] }),
  requirement('PUSH-08', 'M', '3.1.10', 'A deleted config is gone, and may be deleted again; the task must exist.', {
    kit: ['PUSH-DEL-001', 'PUSH-DEL-002'],
  }),
  requirement('PUSH-09', '-', '4.3.1', 'Tokens and credentials are never shown again.'),
  requirement('PUSH-10', 'M', '13.1', "Another caller's task is not found by any of the four.", { kit: ['AUTH-SCOPE-001'] }),
]

/** What reaches a webhook. */
export const PUSH_DELIVERY = [
  requirement('DELIVER-01', 'M', '4.3.3', 'A webhook gets a stream event in the form of 1.0, whatever the binding.', {
    kit: ['PUSH-DELIVER-003'],
    ...awaitsDelivery('nothing is sent to webhooks yet'),
  }),
  requirement('DELIVER-02', 'M', '4.3.2', 'It gets the scheme and the credentials of its config.', {
    kit: ['PUSH-DELIVER-001'],
    ...awaitsDelivery('nothing is sent to webhooks yet'),
  }),
  requirement('DELIVER-03', 'M', '4.3.3', 'Every config is tried at least once, whatever becomes of the others.', {
    kit: ['PUSH-DELIVER-002'],
    ...awaitsDelivery('nothing is sent to webhooks yet'),
  }),
  requirement(
    'DELIVER-04',
    'S',
    '4.3.3',
    'The body is application/a2a+json; a config of 0.3 gets the form of 0.3.',
    awaitsDelivery('it is a header of the delivery'),
  ),
  requirement(
    'DELIVER-05',
    'S',
    '13.2',
    'A try has a time limit; it is repeated with growing pauses, and given up.',
    awaitsDelivery('there is no try yet'),
  ),
  requirement(
    'DELIVER-06',
    'S',
    '13.2',
    'Addresses inside the network are not called, nor are redirects followed.',
    awaitsDelivery('nothing is called yet'),
  ),
  requirement(
    'DELIVER-07',
    'S',
    '4.3.3',
    'The token of the config is sent in X-A2A-Notification-Token.',
    awaitsDelivery('it is a header of the delivery'),
  ),
  requirement(
    'DELIVER-08',
    'S',
    '3.5.2',
    'One config gets the events of a task in their order.',
    awaitsDelivery('there is no order without deliveries'),
  ),
  requirement('DELIVER-09', 'M', '4.3.3', 'A webhook that hangs holds up no task.', awaitsDelivery('no webhook is called yet')),
]
