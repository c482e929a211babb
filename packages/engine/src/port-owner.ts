import { readdir, readFile, readlink } from 'node:fs/promises'

/** A process that listens on a port. */
export interface PortOwner {
  readonly pid: number
  /** Its command line. */
  readonly command: string
}

/** State "listening" in `/proc/net/tcp`. */
const listening = '0A'

/** Who listens on a local TCP port; undefined where nobody does, where it cannot be seen (another user's process), and on other systems than Linux. */
export async function findPortOwner(port: number): Promise<PortOwner | undefined> {
  const inodes = new Set<string>()
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const inode of listeners(await readOrEmpty(table), port)) inodes.add(`socket:[${inode}]`)
  }
  if (inodes.size === 0) return undefined
  for (const name of await readdir('/proc')) {
    if (/^\d+$/.test(name) && (await hasOpen(name, inodes))) {
      const command = (await readOrEmpty(`/proc/${name}/cmdline`)).replaceAll('\0', ' ').trim()
      return { pid: Number(name), command }
    }
  }
  return undefined
}

function listeners(table: string, port: number): readonly string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  return table
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((columns) => columns[1]?.endsWith(suffix) === true && columns[3] === listening)
    .flatMap((columns) => columns[9] ?? [])
}

async function hasOpen(pid: string, targets: ReadonlySet<string>): Promise<boolean> {
  const folder = `/proc/${pid}/fd`
  const names = await readdir(folder).catch((): string[] => [])
  const links = await Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => '')))
  return links.some((target) => targets.has(target))
}

async function readOrEmpty(file: string): Promise<string> {
  return readFile(file, 'latin1').catch(() => '')
}
