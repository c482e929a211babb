import { join, resolve } from 'node:path'
import { claimFile, readClaimFile } from './claim-file.js'
import { makeFolder } from './make-folder.js'
import { isLiving } from './process-identity.js'

/** What an owner says of itself to those who come too late. */
export interface DataFolderInfo {
  /** Where it can be reached, for the message of `DataFolderTakenError`. */
  readonly url?: string | undefined
  /** Mode of the folder where it is made. @default 0o700 */
  readonly mode?: number | undefined
  readonly now?: (() => Date) | undefined
}

/** A data folder that this process owns, until `release` or its end. */
export interface DataFolderClaim {
  /** Tells another url, as once the port is known. */
  announce(url: string): Promise<void>
  release(): Promise<void>
}

/** Who owns a data folder, as others see it. */
export interface DataFolderOwner {
  readonly pid: number
  /** Where it can be reached; undefined until it has said so. */
  readonly url: string | undefined
}

/** The data folder belongs to another living process (or to this one already). */
export class DataFolderTakenError extends Error {
  override readonly name = 'DataFolderTakenError'
  readonly dir: string
  readonly pid: number
  readonly url: string | undefined
  /** When it was claimed, ISO 8601. */
  readonly since: string

  constructor(dir: string, owner: { readonly pid: number; readonly url: string | undefined; readonly since: string }) {
    const where = owner.url === undefined ? '' : `, which serves ${owner.url}`
    super(
      `The data folder ${dir} is in use since ${owner.since} by process ${owner.pid}${where}. Stop that process, or set MOORAGE_DATA_DIR to another folder.`,
    )
    this.dir = dir
    this.pid = owner.pid
    this.url = owner.url
    this.since = owner.since
  }
}

/**
 * Makes this process the owner of a data folder, by `owner.json` in it; creates the folder where it does not exist. An owner that no longer runs
 * is no owner. Processes in other pid namespaces (two containers with one volume) cannot see each other: the folder is for one of them at a time.
 * @throws DataFolderTakenError where a living process owns it.
 */
export async function claimDataFolder(dir: string, info: DataFolderInfo = {}): Promise<DataFolderClaim> {
  const folder = resolve(dir)
  await makeFolder(folder, info.mode)
  const fields = (url: string | undefined) => (url === undefined ? {} : { url })
  const outcome = await claimFile<{ url?: string }>(ownerFile(folder), () => fields(info.url), info.now)
  if ('taken' in outcome) {
    const { owner, url, since } = outcome.taken
    throw new DataFolderTakenError(folder, { pid: owner.pid, url, since })
  }
  const { held } = outcome
  return { announce: (url) => held.rewrite(fields(url)), release: () => held.release() }
}

/** The living process that owns a data folder, for one that only wants to use it; undefined where nobody does. */
export async function findDataFolderOwner(dir: string): Promise<DataFolderOwner | undefined> {
  const claim = await readClaimFile<{ url: string }>(ownerFile(resolve(dir)))
  return claim !== undefined && (await isLiving(claim.owner)) ? { pid: claim.owner.pid, url: claim.url } : undefined
}

function ownerFile(folder: string): string {
  return join(folder, 'owner.json')
}
