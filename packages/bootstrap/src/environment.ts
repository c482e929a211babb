import type { z } from 'zod'

/** Environment variables as a process has them. */
export type RawEnvironment = Readonly<Record<string, string | undefined>>

/** The variables that are set to something. */
export type Environment = Readonly<Record<string, string>>

/** Leaves out the variables that are set to nothing, which counts as not set. */
export function environmentOf(raw: RawEnvironment): Environment {
  return Object.fromEntries(Object.entries(raw).flatMap(([name, value]) => (value?.trim() ? [[name, value]] : [])))
}

/** Variables by name. A schema takes the variable's text; its message goes on from the variable's name. */
export type Variables = Readonly<Record<string, z.ZodType>>

/** What the variables of a table come to. */
export type Settings<V extends Variables> = { readonly [Name in keyof V]: z.output<V[Name]> }

/** What could be read of a table of variables, and a sentence for each that is wrong. */
export interface Reading<V extends Variables> {
  readonly settings: Partial<Settings<V>>
  readonly faults: readonly string[]
}

/** Reads each variable by itself, so that one that is wrong hides nothing of the others. */
export function readVariables<V extends Variables>(variables: V, env: Environment): Reading<V> {
  const settings: Record<string, unknown> = {}
  const faults: string[] = []
  for (const [name, schema] of Object.entries(variables)) {
    const result = schema.safeParse(env[name])
    if (result.success) settings[name] = result.data
    else faults.push(...result.error.issues.map(({ message }) => describeFault(name, message, schema, env)))
  }
  return { settings: settings as Partial<Settings<V>>, faults }
}

/** The reading whole, for a caller that has seen that there are no faults. */
export function settingsOf<V extends Variables>({ settings, faults }: Reading<V>): Settings<V> {
  if (faults.length > 0) throw new TypeError(`settingsOf: there are faults: ${faults.join('; ')}`)
  return settings as Settings<V>
}

/** The names that begin with `MOORAGE_` and are in none of the tables, as a sentence; none where there is none. */
export function unknownVariables(env: Environment, ...tables: readonly (Variables | readonly string[])[]): readonly string[] {
  const known = new Set(tables.flatMap((table) => (Array.isArray(table) ? table : Object.keys(table))))
  const names = Object.keys(env).filter((name) => name.startsWith('MOORAGE_') && !known.has(name))
  return names.length === 0 ? [] : [`${names.join(', ')}: without effect, since there is no such variable`]
}

function describeFault(name: string, message: string, schema: z.ZodType, env: Environment): string {
  return schema.meta()?.['secret'] === true ? `${name} ${message}` : `${name} ${message}; it is ${JSON.stringify(env[name])}`
}
