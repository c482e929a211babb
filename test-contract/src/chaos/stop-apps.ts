import { type Finding, found } from './finding.js'
import type { KeptApp } from './kept-app.js'

/** Ends the apps in order, one after the other, and tells which did not end so. */
export async function stopApps(apps: readonly KeptApp[]): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const app of apps) {
    if ((await app.pids()).length === 0) continue
    const code = await app.stop()
    if (code !== 0)
      findings.push(found('wrong', `${app.name} ended with ${code ?? 'SIGKILL, since it took too long'} when it was told to stop`))
  }
  return findings
}
