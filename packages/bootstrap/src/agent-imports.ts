import Module, { register } from 'node:module'
import { delimiter } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RawEnvironment } from './environment.js'

let lending = false

/**
 * Lets a module that is outside of this repository import `@moorage/agent`, `@moorage/server` and `zod`: where its own folders have none, it gets those of
 * this package. An ES module through a hook, which runs in a thread of its own and so is given as source text; a CommonJS module through the
 * folders where Node looks last. The same hook makes ES modules of TypeScript files whose package, if there is one, does not say what they are:
 * tsx would make CommonJS of them, without top-level await, and with the whole source in each line of a stack.
 */
export function lendImports(env: RawEnvironment & { NODE_PATH?: string | undefined }): void {
  if (lending) return
  lending = true
  register(`data:text/javascript,${encodeURIComponent(HOOK)}`, { data: { parentURL: import.meta.url } })
  const lent = fileURLToPath(new URL('../node_modules', import.meta.url))
  env.NODE_PATH = [env.NODE_PATH, lent].filter(Boolean).join(delimiter)
  // Node reads the variable at its start; this, without a public name, makes it read it again.
  ;(Module as unknown as { readonly _initPaths: () => void })._initPaths()
}

const HOOK = `
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
const lent = /^(@moorage\\/(?:agent|server)|zod)(\\/|$)/
const typescript = /^file:[^?]*\\.tsx?(\\?|$)/
let parentURL
export function initialize(data) {
  parentURL = data.parentURL
}
export async function resolve(specifier, context, nextResolve) {
  try {
    const found = await nextResolve(specifier, context)
    return typescript.test(found.url) && typeOf(fileURLToPath(found.url)) === undefined ? { ...found, format: 'module' } : found
  } catch (error) {
    if (error?.code !== 'ERR_MODULE_NOT_FOUND' || !lent.test(specifier)) throw error
    return nextResolve(specifier, { ...context, parentURL })
  }
}
function typeOf(path) {
  const folder = dirname(path)
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).type
  } catch {
    return dirname(folder) === folder ? undefined : typeOf(folder)
  }
}
`
