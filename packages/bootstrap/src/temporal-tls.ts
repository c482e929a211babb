import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Environment } from './environment.js'
import { unreadable } from './unreadable.js'

const PREFIX = 'TEMPORAL_TLS_'
/** The parts of TLS that are a PEM text, each in a variable of its own or in a file that another one names. */
const PEMS = { CLIENT_CERT: 'certificate', CLIENT_KEY: 'private key', SERVER_CA_CERT: 'certificate' } as const

const KNOWN: readonly string[] = [
  'TEMPORAL_TLS',
  `${PREFIX}SERVER_NAME`,
  `${PREFIX}DISABLE_HOST_VERIFICATION`,
  ...Object.keys(PEMS).flatMap((part) => [`${PREFIX}${part}_PATH`, `${PREFIX}${part}_DATA`]),
]

/** The variables that look like Temporal's for TLS and that its library does not read. */
export function unknownTlsVariables(env: Environment): readonly string[] {
  return Object.keys(env).filter((name) => name.startsWith('TEMPORAL_TLS') && !KNOWN.includes(name))
}

/** A sentence for each of Temporal's TLS variables that its library would take amiss, or take for something else. */
export function checkTemporalTls(env: Environment): readonly string[] {
  return [...checkSwitches(env), ...Object.entries(PEMS).flatMap(([part, kind]) => checkPem(env, part, kind)), ...checkPair(env)]
}

/** Temporal's library takes anything but `true` and `1` for "off". */
function checkSwitches(env: Environment): readonly string[] {
  return ['TEMPORAL_TLS', `${PREFIX}DISABLE_HOST_VERIFICATION`].flatMap((name) => {
    const value = env[name]
    if (value === undefined || /^(true|false|1|0)$/.test(value)) return []
    return [`${name} must be true or false; it is ${JSON.stringify(value)}`]
  })
}

function checkPem(env: Environment, part: string, kind: 'certificate' | 'private key'): readonly string[] {
  const [pathName, dataName] = [`${PREFIX}${part}_PATH`, `${PREFIX}${part}_DATA`]
  const { [pathName]: path, [dataName]: data } = env
  if (path !== undefined && data !== undefined) return [`${pathName} and ${dataName} are both set: unset one of them`]
  if (path === undefined) return data === undefined || isPem(data, kind) ? [] : [`${dataName} must be a ${kind} in PEM form, and is none`]
  try {
    return isPem(readFileSync(path, 'utf8'), kind) ? [] : [`${pathName} must name a ${kind} in PEM form; ${path} is none`]
  } catch (error) {
    return [`${pathName} names ${path}, which ${unreadable(error)}. Give the path of a ${kind} in PEM form, or unset it`]
  }
}

function checkPair(env: Environment): readonly string[] {
  const has = (part: string): boolean => `${PREFIX}${part}_PATH` in env || `${PREFIX}${part}_DATA` in env
  const [cert, key] = [has('CLIENT_CERT'), has('CLIENT_KEY')]
  if (cert === key) return []
  const [set, missing] = cert ? ['CLIENT_CERT', 'CLIENT_KEY'] : ['CLIENT_KEY', 'CLIENT_CERT']
  return [`${PREFIX}${set}_… is set without ${PREFIX}${missing}_…: a client needs both, set the other one too`]
}

function isPem(text: string, kind: 'certificate' | 'private key'): boolean {
  if (kind === 'private key') return /-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)
  try {
    return new X509Certificate(text).subject !== undefined
  } catch {
    return false
  }
}
