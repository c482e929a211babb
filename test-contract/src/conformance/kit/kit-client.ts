import type { Binding } from '../manifest/requirement.js'
import { type Fields, type Form, httpJsonForm, jsonRpcForm } from '../wire/forms.js'
import { createWireClient, type WireClient } from '../wire/wire-client.js'

const SEND = /^Send/
const WITHOUT_BODY = /^(CancelTask|SubscribeToTask)$/
const STREAM = /^(SendStreaming|Subscribe)/

/**
 * Talks as the public kit does: JSON-RPC to the URL with a slash at its end, with parameters in snake_case and a number for the id; over
 * HTTP+JSON every POST is application/json, also without a body, and other requests name no types.
 */
export function createKitClient(base: string, binding: Binding): WireClient {
  return createWireClient(base, binding, binding === 'JSONRPC' ? kitJsonRpc : kitHttpJson)
}

const kitJsonRpc: Form = {
  ...jsonRpcForm,
  request(method, fields) {
    const params = SEND.test(method) ? fields : inSnakeCase(fields)
    const accept = STREAM.test(method) ? 'text/event-stream' : '*/*'
    return {
      method: 'POST',
      path: '/',
      headers: { 'A2A-Version': '1.0', Accept: accept, 'Content-Type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    }
  },
}

const kitHttpJson: Form = {
  ...httpJsonForm,
  request(operation, fields, options) {
    const { body, ...request } = httpJsonForm.request(operation, fields, options)
    const isPost = request.method === 'POST'
    return {
      ...request,
      headers: {
        'A2A-Version': '1.0',
        Accept: STREAM.test(operation) ? 'text/event-stream' : '*/*',
        ...(isPost && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && !WITHOUT_BODY.test(operation) && { body }),
    }
  },
}

function inSnakeCase(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]),
  )
}
