import { readdir, readFile } from 'node:fs/promises'

const PACKAGES = new URL('../../../../packages/', import.meta.url)

interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly exports?: Readonly<Record<string, string | { readonly types?: string }>>
}

/** What each entry point of each public package exports, types too, as its source says. */
export async function publicExports(): Promise<Readonly<Record<string, readonly string[]>>> {
  const entries: [string, readonly string[]][] = []
  for (const folder of (await readdir(PACKAGES)).sort()) {
    const manifest = await manifestOf(folder)
    if (manifest === undefined || manifest.private) continue
    for (const [entry, target] of Object.entries(manifest.exports ?? {})) {
      const types = typeof target === 'string' ? undefined : target.types
      if (types === undefined) continue
      entries.push([`${manifest.name}${entry.slice(1)}`, await exportsOf(new URL(`${folder}/${sourceOf(types)}`, PACKAGES))])
    }
  }
  return Object.fromEntries(entries)
}

function sourceOf(declarations: string): string {
  return declarations.replace('/dist/', '/src/').replace(/\.d\.ts$/, '.ts')
}

async function manifestOf(folder: string): Promise<Manifest | undefined> {
  const text = await readFile(new URL(`${folder}/package.json`, PACKAGES), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : (JSON.parse(text) as Manifest)
}

/** Names only: `export { a, type B as C } from …`, and what is declared in place. */
async function exportsOf(source: URL): Promise<readonly string[]> {
  const text = await readFile(source, 'utf8')
  const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = '']) => list.split(','))
  const declared = [...text.matchAll(/^export (?:async )?(?:function|const|class|interface|type) (\w+)/gm)].map(([, name = '']) => name)
  const listed = lists.map((item) => item.trim().split(' ').at(-1) ?? '')
  return [...listed, ...declared].filter((name) => name !== '').sort()
}
