import { mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { claimDataFolder, type DataFolderClaim, DataFolderTakenError } from '@moorage/engine'
import { ClusterError } from './cluster-error.js'
import type { Mode } from './parse-arguments.js'

/** Everything that a cluster keeps is in one folder, which one process at a time owns. */
export interface ClusterFolder {
  /** Absolute path. */
  readonly path: string
  readonly claim: DataFolderClaim
}

/** Not in the data folder of an agent, which is its owner's alone. */
const DEFAULT_FOLDER = '.moorage-cluster'

/** Postgres does not run as root: the account that it runs as then has to get through this folder to its own. */
const MODE = process.getuid?.() === 0 ? 0o711 : 0o700

/** The folder of a mode: that of the cluster itself, or one beside it, so that a demo touches nobody's tasks. Relative to `cwd`. */
export function folderOf(mode: Mode, configured: string | undefined, cwd: string): string {
  const folder = resolve(cwd, configured?.trim() || DEFAULT_FOLDER)
  return mode === 'run' ? folder : `${folder}-${mode}`
}

/**
 * Claims the folder, and makes it and an empty folder for logs where they are missing.
 * @throws ClusterError where a living process owns it
 */
export async function openFolder(path: string): Promise<ClusterFolder> {
  const claim = await claimDataFolder(path, { mode: MODE }).catch((error: unknown) => {
    throw error instanceof DataFolderTakenError ? new ClusterError(describeTaken(error), { cause: error }) : error
  })
  const logs = join(path, 'logs')
  await rm(logs, { recursive: true, force: true })
  await mkdir(logs, 0o700)
  return { path, claim }
}

function describeTaken({ dir, pid, url }: DataFolderTakenError): string {
  const where = url === undefined ? '' : `, which serves ${url}`
  return `The folder ${dir} belongs to a cluster that runs (process ${pid}${where}). Stop that one, or set MOORAGE_CLUSTER_DIR to another folder.`
}
