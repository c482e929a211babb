import type { Fields } from './forms.js'
import type { Operation } from './operation.js'

/** The verb, the path and the body of an operation over HTTP+JSON (A2A §11.3). */
export function httpRequest(operation: Operation, fields: Fields): { method: string; path: string; body?: Fields } {
  const { id = '', taskId = '', ...rest } = fields
  const task = `/tasks/${encodeURIComponent(String(id))}`
  const configs = `/tasks/${encodeURIComponent(String(taskId))}/pushNotificationConfigs`
  const config = `${configs}/${encodeURIComponent(String(id))}`
  switch (operation) {
    case 'SendMessage':
      return { method: 'POST', path: '/message:send', body: fields }
    case 'SendStreamingMessage':
      return { method: 'POST', path: '/message:stream', body: fields }
    case 'GetTask':
      return { method: 'GET', path: `${task}${query(rest)}` }
    case 'ListTasks':
      return { method: 'GET', path: `/tasks${query(fields)}` }
    case 'CancelTask':
      return { method: 'POST', path: `${task}:cancel`, body: rest }
    case 'SubscribeToTask':
      return { method: 'POST', path: `${task}:subscribe`, body: rest }
    case 'CreateTaskPushNotificationConfig':
      return { method: 'POST', path: configs, body: { ...rest, ...('id' in fields && { id }) } }
    case 'ListTaskPushNotificationConfigs':
      return { method: 'GET', path: `${configs}${query(rest)}` }
    case 'GetTaskPushNotificationConfig':
      return { method: 'GET', path: `${config}${query(rest)}` }
    case 'DeleteTaskPushNotificationConfig':
      return { method: 'DELETE', path: `${config}${query(rest)}` }
    case 'GetExtendedAgentCard':
      return { method: 'GET', path: `/extendedAgentCard${query(fields)}` }
  }
}

function query(fields: Fields): string {
  const entries = Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)])
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries)}`
}
