import type { Environment, Settings } from '@moorage/bootstrap'
import type { ApiKey } from '@moorage/server/authentication'
import type { ApiKeyPlace } from './access-values.js'
import type { ACCESS_VARIABLES } from './access-variables.js'

type AccessSettings = Settings<typeof ACCESS_VARIABLES>

/** Who may call; all of it undefined: everybody. */
export interface AccessConfig {
  readonly jwt:
    | {
        readonly issuer: string
        readonly audience: string
        readonly jwks: URL
        readonly algorithms: readonly string[] | undefined
        readonly tenant: string | undefined
      }
    | undefined
  readonly apiKeys: ({ readonly keys: readonly ApiKey[] } & ApiKeyPlace) | undefined
  readonly perimeter: { readonly header: string; readonly addresses: readonly string[]; readonly scheme: string } | undefined
  /** Path of the module that MOORAGE_ACCESS names. */
  readonly modulePath: string | undefined
}

/** Variables of which the first ones are needed as soon as one of them is set. */
const GROUPS: readonly {
  readonly needed: readonly (keyof AccessSettings)[]
  readonly more: readonly (keyof AccessSettings)[]
  readonly what: string
}[] = [
  {
    needed: ['MOORAGE_JWT_ISSUER', 'MOORAGE_JWT_AUDIENCE', 'MOORAGE_JWT_JWKS_URL'],
    more: ['MOORAGE_JWT_ALGORITHMS', 'MOORAGE_JWT_TENANT_CLAIM'],
    what: 'Bearer tokens need',
  },
  { needed: ['MOORAGE_API_KEYS'], more: ['MOORAGE_API_KEY_IN'], what: 'API keys need' },
  {
    needed: ['MOORAGE_PERIMETER_HEADER', 'MOORAGE_PERIMETER_ADDRESSES', 'MOORAGE_PERIMETER_SCHEME'],
    more: [],
    what: 'A trusted proxy needs',
  },
]

/** A sentence for each variable without which others would have no effect: nobody should take a door for locked that is open. */
export function checkAccess(env: Environment): readonly string[] {
  return GROUPS.flatMap(({ needed, more, what }) => {
    const set = [...needed, ...more].filter((name) => name in env)
    const missing = needed.filter((name) => !(name in env))
    if (set.length === 0 || missing.length === 0) return []
    return missing.map((name) => `${name} is not set. ${what} ${needed.join(', ')}: set it, or unset ${set.join(', ')}`)
  })
}

/** Of settings without faults. @param resolvePath makes a path absolute */
export function accessOf(settings: AccessSettings, resolvePath: (path: string) => string): AccessConfig {
  const { MOORAGE_JWT_ISSUER: issuer, MOORAGE_JWT_AUDIENCE: audience, MOORAGE_JWT_JWKS_URL: jwks } = settings
  const { MOORAGE_API_KEYS: keys, MOORAGE_API_KEY_IN: place = { location: 'header', name: 'X-API-Key' } } = settings
  const { MOORAGE_PERIMETER_HEADER: header, MOORAGE_PERIMETER_ADDRESSES: addresses, MOORAGE_PERIMETER_SCHEME: scheme } = settings
  return {
    jwt:
      issuer === undefined || audience === undefined || jwks === undefined
        ? undefined
        : { issuer, audience, jwks, algorithms: settings.MOORAGE_JWT_ALGORITHMS, tenant: settings.MOORAGE_JWT_TENANT_CLAIM },
    apiKeys: keys && { keys, ...place },
    perimeter: header === undefined || addresses === undefined || scheme === undefined ? undefined : { header, addresses, scheme },
    modulePath: settings.MOORAGE_ACCESS === undefined ? undefined : resolvePath(settings.MOORAGE_ACCESS),
  }
}

/** Whether something here knows callers, or may: what a module exports is not known before it is loaded. */
export function isGuarded({ jwt, apiKeys, perimeter, modulePath }: AccessConfig): boolean {
  return [jwt, apiKeys, perimeter, modulePath].some((part) => part !== undefined)
}
