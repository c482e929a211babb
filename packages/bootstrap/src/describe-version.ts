import type { WorkerConfig } from './shared-config.js'

/** What a person has to do before a worker of this version gets tasks; no lines where it takes part in no Worker Versioning. */
export function describeVersion(versioning: WorkerConfig['versioning']): readonly string[] {
  if (versioning === undefined) return []
  const { deploymentName, buildId } = versioning
  const command = `temporal worker deployment set-current-version --deployment-name ${quoted(deploymentName)} --build-id ${quoted(buildId)}`
  return [`This version gets no tasks until it is current: ${command}`, '']
}

/** For a shell, in which a text of other characters needs quotes. */
function quoted(text: string): string {
  return /^[\w.:@%+,/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
