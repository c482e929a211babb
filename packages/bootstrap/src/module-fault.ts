import { dirname, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createRedactor } from '@moorage/inbox'

const redactor = createRedactor()

/**
 * What a module threw while it was loaded, in one line: where, as far as that is in the module's own folder, and what. The kind of error is said
 * where it says more than its message, and what looks like a secret is not.
 */
export function describeModuleFault(path: string, error: unknown): string {
  if (!(error instanceof Error)) return `It threw ${redactor.text(String(error))}`
  const message = redactor.text(plain(error.message))
  if (message.includes('Top-level await is currently not supported')) {
    return `Its await at the top level needs an ES module: name the file ${path.replace(/\.c?ts$/, '.mts')}, or set "type": "module" in its package.json`
  }
  const place = message.includes(`${path}:`) ? undefined : placeOf(path, error)
  const what = /^(Transform)?Error$/.test(error.name) ? message : `${error.name}: ${message}`
  return place === undefined ? what : `${place}: ${what}`
}

/** Without what tsx adds to the names of modules, and on one line. */
function plain(message: string): string {
  return message
    .replace(/\?namespace=[\w-]+/g, '')
    .replace(/Transform failed with \d+ errors?:\s*/, '')
    .replace(/\s*\n\s*-?\s*/g, ' ')
}

/** `file:line` of the innermost frame that is the user's. */
function placeOf(path: string, { stack = '' }: Error): string | undefined {
  const folder = dirname(path) + sep
  for (const [, name = '', line] of stack.matchAll(/(?:\(|at )((?:file:\/\/)?\/[^\n()]*?):(\d+):\d+\)?$/gm)) {
    const file = name.startsWith('file:') ? fileURLToPath(name.replace(/\?.*$/, '')) : name.replace(/\?namespace=.*$/, '')
    if (file.startsWith(folder) && !file.includes(`${sep}node_modules${sep}`)) return `${file}:${line}`
  }
  return undefined
}
