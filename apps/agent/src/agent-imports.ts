import Module, { register } from 'node:module'
import { delimiter } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Lets an agent module that is outside of this repository import `@moorage/agent` and `zod`: where its own folders have none, it gets those of
 * this app. An ES module through a hook, which runs in a thread of its own and so is given as source text; a CommonJS module, which is what
 * TypeScript outside of any package becomes, through the folders where Node looks last.
 */
export function lendImports(): void {
  register(`data:text/javascript,${encodeURIComponent(HOOK)}`, { data: { parentURL: import.meta.url } })
  const lent = fileURLToPath(new URL('../node_modules', import.meta.url))
  process.env['NODE_PATH'] = [process.env['NODE_PATH'], lent].filter(Boolean).join(delimiter)
  // Node reads the variable at its start; this, without a public name, makes it read it again.
  ;(Module as unknown as { readonly _initPaths: () => void })._initPaths()
}

const HOOK = `
const lent = /^(@moorage\\/agent|zod)(\\/|$)/
let parentURL
export function initialize(data) {
  parentURL = data.parentURL
}
export async function resolve(specifier, context, nextResolve) {
  try {
    return await nextResolve(specifier, context)
  } catch (error) {
    if (error?.code !== 'ERR_MODULE_NOT_FOUND' || !lent.test(specifier)) throw error
    return nextResolve(specifier, { ...context, parentURL })
  }
}
`
