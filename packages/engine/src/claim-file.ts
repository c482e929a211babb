import { randomUUID } from 'node:crypto'
import { link, readFile, rename, unlink, writeFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { identifySelf, isLiving, type ProcessIdentity } from './process-identity.js'

/** What every claim file says of its owner. */
export interface Claim {
  /** Names this claim among all. */
  readonly id: string
  readonly owner: ProcessIdentity
  /** When it was claimed, ISO 8601. */
  readonly since: string
}

/** A claim file that this process holds. */
export interface HeldClaim<T> {
  /** What the dead owner before left; undefined where the file was free or unreadable. */
  readonly stale: (Claim & Partial<T>) | undefined
  /** Replaces the fields beside the claim's own, in one step. */
  rewrite(fields: T): Promise<void>
  /** Removes the file. */
  release(): Promise<void>
}

/** Ten seconds of attempts; one succeeds or sees the owner unless a rival is halted in the middle. */
const maxAttempts = 500

/** Either the claim is held, or a living process has it. */
export type ClaimOutcome<T> = { readonly held: HeldClaim<T> } | { readonly taken: Claim & Partial<T> }

/**
 * Claims a file for this process: it is created with an exclusive link, or taken over from an owner that no longer runs. Of several processes at
 * once exactly one succeeds. The folder must exist and its file system know hard links.
 *
 * A takeover of claim X first creates `<file>.X.taken`, which only one process can, then looks again whether X is still there, then replaces the
 * file in one rename. So the file is never missing in between, and who was slow finds another claim than X and begins again.
 */
export async function claimFile<T extends object>(
  path: string,
  fields: (stale: (Claim & Partial<T>) | undefined) => T,
  now: () => Date = () => new Date(),
): Promise<ClaimOutcome<T>> {
  const own: Claim = { id: randomUUID(), owner: await identifySelf(), since: now().toISOString() }
  const temporary = `${path}.${own.id}.tmp`
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const current = await readClaim<T>(path)
    const stale = current === unreadable ? undefined : current
    if (stale !== undefined && (await isLiving(stale.owner))) return { taken: stale }
    await writeFile(temporary, encode(own, fields(stale)), { flush: true })
    try {
      const staleId = idOf(current)
      const won = staleId === undefined ? await linkNew(temporary, path) : await takeOver(path, staleId, temporary)
      if (won) return { held: hold<T>(path, own, stale) }
    } finally {
      await unlink(temporary).catch(() => undefined)
    }
    await delay(20)
  }
  throw new Error(`${path} could not be claimed: another process has begun to and does not go on. If there is none, delete ${path}*.`)
}

/** Reads a claim file without claiming it; undefined where there is none. */
export async function readClaimFile<T>(path: string): Promise<(Claim & Partial<T>) | undefined> {
  const claim = await readClaim<T>(path)
  return claim === unreadable ? undefined : claim
}

function hold<T extends object>(path: string, own: Claim, stale: (Claim & Partial<T>) | undefined): HeldClaim<T> {
  return {
    stale,
    async rewrite(fields) {
      const temporary = `${path}.${own.id}.tmp`
      await writeFile(temporary, encode(own, fields), { flush: true })
      await rename(temporary, path)
    },
    async release() {
      if (idOf(await readClaim(path)) === own.id) await unlink(path)
    },
  }
}

async function takeOver(path: string, staleId: string, temporary: string): Promise<boolean> {
  const inherited: string[] = []
  let guard = `${path}.${staleId}.taken`
  while (!(await linkNew(temporary, guard))) {
    const rival = await readClaim(guard)
    if (rival === undefined || rival === unreadable || (await isLiving(rival.owner))) return false
    // The rival died between its two steps: whoever takes over from it inherits its guard.
    inherited.push(guard)
    guard = `${path}.${rival.id}.taken`
  }
  if (idOf(await readClaim(path)) !== staleId) {
    await unlink(guard)
    return false
  }
  await rename(temporary, path)
  for (const file of [...inherited, guard]) await unlink(file)
  return true
}

async function linkNew(existing: string, path: string): Promise<boolean> {
  try {
    await link(existing, path)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/** Content that no claimant has written. */
const unreadable = 'unreadable'

type FoundClaim<T> = (Claim & Partial<T>) | typeof unreadable | undefined

function idOf<T>(found: FoundClaim<T>): string | undefined {
  return found === unreadable ? unreadable : found?.id
}

async function readClaim<T>(path: string): Promise<FoundClaim<T>> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'))
    return isClaim(value) ? (value as Claim & Partial<T>) : unreadable
  } catch (error) {
    if (error instanceof SyntaxError) return unreadable
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

function isClaim(value: unknown): value is Claim {
  if (typeof value !== 'object' || value === null || !('id' in value) || !('owner' in value)) return false
  const { id, owner } = value
  if (typeof id !== 'string' || !/^[\w-]+$/.test(id) || typeof owner !== 'object' || owner === null) return false
  return 'pid' in owner && typeof owner.pid === 'number' && 'start' in owner && typeof owner.start === 'string'
}

function encode(own: Claim, fields: object): string {
  return `${JSON.stringify({ ...fields, ...own }, null, 2)}\n`
}
