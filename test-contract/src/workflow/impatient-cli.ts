import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EngineCli } from '@moorage/engine'
import { inject } from 'vitest'

/** The CLI with an Event History that counts as long from so many events on. The script that says so is kept in `dir`. */
export async function impatientCli(dir: string, events: number): Promise<EngineCli> {
  const cli = inject('engineCli')
  const path = join(dir, 'temporal')
  const options = `case "$1" in server) set -- "$@" --dynamic-config-value limit.historyCount.suggestContinueAsNew=${events} ;; esac`
  await writeFile(path, `#!/bin/sh\n${options}\nexec '${cli.path}' "$@"\n`)
  await chmod(path, 0o755)
  return { ...cli, path }
}
