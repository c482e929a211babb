import type { TemporalOptions } from '@moorage/workflow/client'
import type { SharedConfig } from './shared-config.js'

/** How to reach a Temporal server that was there before this process. */
export function externalTemporal(
  { address, namespace, connection: { tls, apiKey, metadata } }: SharedConfig['temporal'] & { kind: 'external' },
  keys: SharedConfig['payloadKeys'],
): TemporalOptions {
  return {
    ...engineTemporal({ address, namespace }, keys),
    ...(tls != null && { tls }),
    ...(typeof apiKey === 'string' && { apiKey }),
    ...(metadata !== undefined && { metadata }),
  }
}

/** How to reach an engine on this machine; with the folder of one that belongs to this deployment, which faults then name. */
export function engineTemporal(
  { address, namespace }: { readonly address: string; readonly namespace: string },
  keys: SharedConfig['payloadKeys'],
  embeddedIn?: string,
): TemporalOptions {
  return { address, namespace, ...(keys.length > 0 && { encryption: { keys } }), ...(embeddedIn !== undefined && { embeddedIn }) }
}
