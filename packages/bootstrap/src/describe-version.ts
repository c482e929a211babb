import type { TemporalOptions } from '@moorage/workflow/client'
import type { WorkerConfig } from './shared-config.js'

/** What a person has to do before a worker of this version gets tasks; no lines where it takes part in no Worker Versioning. */
export function describeVersion(versioning: WorkerConfig['versioning'], temporal: TemporalOptions): readonly string[] {
  if (versioning === undefined) return []
  const { deploymentName, buildId } = versioning
  const options = {
    address: temporal.address,
    namespace: temporal.namespace ?? 'default',
    'deployment-name': deploymentName,
    'build-id': buildId,
  }
  const words = Object.entries(options).map(([name, value]) => `--${name} ${quoted(value)}`)
  return [`This version gets no tasks until it is current: temporal worker deployment set-current-version ${words.join(' ')}`, '']
}

/** For a shell, in which a text of other characters needs quotes. */
function quoted(text: string): string {
  return /^[\w.:@%+,/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
