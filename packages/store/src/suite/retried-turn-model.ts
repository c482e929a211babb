import type { ArtifactJson } from '@moorage/protocol'
import fc from 'fast-check'
import type { TurnWrite } from '../turn.js'
import { says } from './fixtures.js'

/** The batches that one attempt writes before it is lost, or before its turn ends. */
type AttemptPlan = readonly (readonly TurnWrite[])[]

/** What happens to a task: its turns, each with its attempts, of which the last one ends the turn. */
export type TaskPlan = readonly (readonly AttemptPlan[])[]

type ArtifactWrite = Extract<TurnWrite, { readonly kind: 'artifact' }>

const part = fc.oneof(
  fc.string({ maxLength: 3 }).map((text) => ({ text })),
  fc.integer().map((data) => ({ data, metadata: { kind: 'number' } })),
)

const artifactWrite = fc
  .record(
    {
      kind: fc.constant('artifact' as const),
      artifactId: fc.constantFrom('a', 'b', 'c'),
      parts: fc.array(part, { minLength: 1, maxLength: 3 }),
      name: fc.constantFrom('One', 'Two', ''),
      description: fc.constantFrom('First', 'Second'),
      replace: fc.boolean(),
      last: fc.boolean(),
    },
    { requiredKeys: ['kind', 'artifactId', 'parts'] },
  )
  .map((write) => write as ArtifactWrite)

const statusWrite = fc.constantFrom('at it', 'nearly').map((text): TurnWrite => ({ kind: 'status', message: says(text) }))

const batch = fc.array(fc.oneof({ weight: 5, arbitrary: artifactWrite }, { weight: 1, arbitrary: statusWrite }), {
  minLength: 1,
  maxLength: 3,
})

/** One to three turns, each of one to three attempts. */
export const taskPlan: fc.Arbitrary<TaskPlan> = fc.array(fc.array(fc.array(batch, { maxLength: 3 }), { minLength: 1, maxLength: 3 }), {
  minLength: 1,
  maxLength: 3,
})

/** The artifacts that a client is to find after the plan: what the last attempt of each turn wrote, as if there had been no other. */
export function artifactsAfter(plan: TaskPlan): ReadonlyMap<string, ArtifactJson> {
  const artifacts = new Map<string, ArtifactJson>()
  for (const write of plan.flatMap((attempts) => attempts.at(-1) ?? []).flat()) {
    if (write.kind === 'artifact') artifacts.set(write.artifactId, written(write, artifacts.get(write.artifactId)))
  }
  return artifacts
}

function written({ artifactId, parts, name, description, replace }: ArtifactWrite, before: ArtifactJson | undefined): ArtifactJson {
  const kept = replace ? [] : (before?.parts ?? [])
  return {
    ...before,
    artifactId,
    parts: [...kept, ...parts],
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
  }
}
