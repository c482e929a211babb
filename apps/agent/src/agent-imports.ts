import { register } from 'node:module'

/**
 * Lets an agent module that is outside of this repository import `@moorage/agent` and `zod`: where its own folders have none, it gets those of
 * this app. A module hook runs in a thread of its own, so it is given as source text.
 */
export function lendImports(): void {
  register(`data:text/javascript,${encodeURIComponent(HOOK)}`, { data: { parentURL: import.meta.url } })
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
