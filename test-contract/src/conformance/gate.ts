import type { KitId } from './kit/kit-ids.js'
import type { Requirement, Surface } from './manifest/requirement.js'

/** What a scenario showed: it ran on the surface to its end. */
export interface Citation {
  readonly id: string
  readonly surface: Surface
}

/**
 * Everything that is wrong between what is required and what was shown: a sentence each.
 * Citations are those of scenarios that ran and passed; one that was skipped, or failed, shows nothing.
 */
export function findGaps(manifest: readonly Requirement[], kit: readonly KitId[], citations: readonly Citation[]): readonly string[] {
  const shown = new Set(citations.map(({ id, surface }) => `${id} ${surface}`))
  const cited = new Set(citations.map(({ id }) => id))
  const known = new Set([...manifest, ...kit].map(({ id }) => id))
  return [
    ...doubles([...manifest, ...kit]).map((id) => `${id}: stands twice in the manifest or the list of the kit`),
    ...[...cited]
      .filter((id) => !known.has(id))
      .map((id) => `${id}: a scenario cites it, and neither the manifest nor the list of the kit has it`),
    ...manifest.flatMap((requirement) => gapsOf(requirement, shown, cited)),
    ...kit.flatMap((entry) => kitGaps(entry, cited)),
    ...kit.filter(({ id }) => !manifest.some((row) => row.kit.includes(id))).map(({ id }) => `${id}: no requirement names it`),
    ...manifest.flatMap(({ id, kit: ids }) =>
      ids.filter((name) => !known.has(name)).map((name) => `${id}: names ${name}, which the list of the kit lacks`),
    ),
  ]
}

function gapsOf(requirement: Requirement, shown: ReadonlySet<string>, cited: ReadonlySet<string>): readonly string[] {
  const { id, level, on, pending, notShown, behaviour } = requirement
  if (level === 'M' && notShown !== undefined) return [`${id}: is a must, and may not be left unshown`]
  if (pending !== undefined || notShown !== undefined) {
    return cited.has(id) ? [`${id}: is cited; take "${pending ? 'pending' : 'notShown'}" away`] : []
  }
  return on.filter((surface) => !shown.has(`${id} ${surface}`)).map((surface) => `${id}: no scenario shows it on ${surface}: ${behaviour}`)
}

function kitGaps({ id, pending, wrong }: KitId, cited: ReadonlySet<string>): readonly string[] {
  if (pending !== undefined || wrong !== undefined) return []
  return cited.has(id) ? [] : [`${id}: no scenario sends what the public kit sends for it`]
}

function doubles(entries: readonly { readonly id: string }[]): readonly string[] {
  const seen = new Set<string>()
  return entries.flatMap(({ id }) => (seen.size === seen.add(id).size ? [id] : []))
}
