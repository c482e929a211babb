import fc from 'fast-check'
import { type JsonTree, type Mutation, mutateAt, toTree } from './json-tree.js'

const ODD_STRINGS = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udc00a',
  '\u202e\u2066',
  '\ufeff',
  'é\u0301'.repeat(50),
  '👩‍👩‍👧‍👦'.repeat(20),
  '__proto__',
  'constructor',
  'toString',
  "'; drop table tasks; --",
  '../../etc/passwd',
  '{{7*7}}',
  '<script>alert(1)</script>',
  'null',
  'true',
  '-1',
  '1e999',
  '2026-13-45T99:99:99Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999999+23:59',
  'TASK_STATE_UNSPECIFIED',
  'ROLE_AGENT',
  'http://[::1',
  'file:///etc/passwd',
  'data:text/plain,x',
]

const HUGE_STRINGS = ['x'.repeat(100_000), '\u0000'.repeat(20_000), '\ud83d'.repeat(20_000), '%'.repeat(50_000), '9'.repeat(50_000)]

const oddString = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom(...ODD_STRINGS) },
  { weight: 10, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.constantFrom(...HUGE_STRINGS) },
)

const ODD_NUMBERS = [
  '0',
  '-0',
  '-1',
  '1.5',
  '2147483648',
  '-2147483649',
  '9007199254740993',
  '1e308',
  '1e400',
  '-1e400',
  '1e-400',
  `1${'0'.repeat(400)}`,
]

/** What JSON.parse refuses. */
const NO_JSON = ['NaN', 'undefined', '01', '+1', "'x'", '{', ']', '"\n"', '/**/', '\\u0000', '']

const leaf = fc.oneof(
  { weight: 8, arbitrary: oddString.map((text) => JSON.stringify(text)) },
  { weight: 5, arbitrary: fc.constantFrom(...ODD_NUMBERS) },
  { weight: 5, arbitrary: fc.constantFrom('null', 'true', 'false', '[]', '{}') },
  { weight: 1, arbitrary: fc.constantFrom(...NO_JSON) },
)

const deep = fc
  .tuple(fc.constantFrom(63, 64, 65, 200, 5000), fc.constantFrom(['[', ']'], ['{"a":', '}'], ['{"__proto__":[', ']}']))
  .map(([levels, [open = '', close = '']]) => `${open.repeat(levels)}0${close.repeat(levels)}`)

const wide = fc
  .tuple(fc.constantFrom(101, 2000), fc.constantFrom('0', '{}', '"x"', '{"text":"x"}'))
  .map(([length, item]) => `[${Array(length).fill(item).join(',')}]`)

const ODD_NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'toJSON',
  'then',
  '',
  'a.b',
  '[0]',
  '\u0000',
  '\ud800',
  'kind',
  'final',
]

const oddName = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...ODD_NAMES) }, { weight: 1, arbitrary: oddString })

/** Any value that a field should not have. */
const hostileValue: fc.Arbitrary<JsonTree> = fc.oneof(
  { weight: 12, arbitrary: leaf.map(asTree) },
  { weight: 1, arbitrary: deep.map(asTree) },
  { weight: 1, arbitrary: wide.map(asTree) },
  {
    weight: 3,
    arbitrary: fc.object({ maxDepth: 3, maxKeys: 4, key: oddName, values: [fc.string(), fc.double(), fc.boolean()] }).map(toTree),
  },
)

function asTree(text: string): JsonTree {
  return { kind: 'text', text }
}

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Changes the members of an object, and replaces whatever is none. */
function ofMembers(
  change: (members: readonly (readonly [string, JsonTree])[]) => readonly (readonly [string, JsonTree])[],
  otherwise: JsonTree,
): Mutation {
  return (tree) => (tree.kind === 'object' ? { ...tree, members: change(tree.members) } : otherwise)
}

const mutation: fc.Arbitrary<Mutation> = fc.tuple(fc.nat(9), hostileValue, oddName, fc.nat(20)).map(([kind, value, name, place]) => {
  switch (kind) {
    case 0:
      return ofMembers((members) => members.filter((_, index) => index !== place % members.length), value)
    case 1:
      return ofMembers((members) => [...members, [name, value]], value)
    case 2:
      return ofMembers((members) => members.flatMap((member) => [member, [member[0], value] as const]), value)
    case 3:
      return ofMembers((members) => members.flatMap((member) => [member, [snake(member[0]), member[1]] as const]), value)
    case 4:
      return ofMembers((members) => members.map(([own, member]) => [snake(own), member] as const), value)
    case 5:
      return (tree) => ({ kind: 'list', items: [tree, value] })
    default:
      return () => value
  }
})

/** A value of the wire with up to three places changed. */
export function spoiled(value: unknown): fc.Arbitrary<JsonTree> {
  const mutations = fc.array(fc.tuple(fc.nat(10_000), mutation), { minLength: 1, maxLength: 3 })
  return fc.oneof({ weight: 1, arbitrary: fc.constant([]) }, { weight: 2, arbitrary: mutations }).map((changes) => {
    let tree = toTree(value)
    for (const [place, change] of changes) tree = mutateAt(tree, place, change)
    return tree
  })
}

export { oddString }
