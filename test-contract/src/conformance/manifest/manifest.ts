import { BINDINGS } from './bindings.js'
import { CANCEL_TASK, SUBSCRIBE } from './cancel-and-subscribe.js'
import { CARD } from './card.js'
import { ERRORS } from './errors.js'
import { PUSH_CONFIGS, PUSH_DELIVERY } from './push.js'
import { GET_TASK, LIST_TASKS } from './reading.js'
import type { Requirement } from './requirement.js'
import { SECURITY } from './security.js'
import { SEND_MESSAGE } from './send-message.js'
import { SERVICE_PARAMETERS } from './service-parameters.js'
import { STREAMING } from './streaming.js'
import { VERSION_0_3 } from './version-0-3.js'

/** Every rule of A2A 1.0.1 for a server, and those of this server's own. */
export const MANIFEST: readonly Requirement[] = [
  ...SEND_MESSAGE,
  ...STREAMING,
  ...GET_TASK,
  ...LIST_TASKS,
  ...CANCEL_TASK,
  ...SUBSCRIBE,
  ...PUSH_CONFIGS,
  ...PUSH_DELIVERY,
  ...CARD,
  ...ERRORS,
  ...SERVICE_PARAMETERS,
  ...BINDINGS,
  ...SECURITY,
  ...VERSION_0_3,
]
