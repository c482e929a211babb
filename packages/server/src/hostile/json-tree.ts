/**
 * JSON as text would have it: an object is a list of members, so that a name may come twice or be `__proto__`, and a leaf is the text itself,
 * so that it may be a number that no double holds, or no JSON at all.
 */
export type JsonTree =
  | { readonly kind: 'object'; readonly members: readonly (readonly [string, JsonTree])[] }
  | { readonly kind: 'list'; readonly items: readonly JsonTree[] }
  | { readonly kind: 'text'; readonly text: string }

export function toTree(value: unknown): JsonTree {
  if (Array.isArray(value)) return { kind: 'list', items: value.map(toTree) }
  if (typeof value !== 'object' || value === null) return { kind: 'text', text: JSON.stringify(value) ?? 'null' }
  return { kind: 'object', members: Object.entries(value).map(([name, member]) => [name, toTree(member)] as const) }
}

export function printTree(tree: JsonTree): string {
  if (tree.kind === 'text') return tree.text
  if (tree.kind === 'list') return `[${tree.items.map(printTree).join(',')}]`
  return `{${tree.members.map(([name, member]) => `${JSON.stringify(name)}:${printTree(member)}`).join(',')}}`
}

/** What becomes of one place of a tree. */
export type Mutation = (tree: JsonTree) => JsonTree

/** The tree with its nth node changed, counted from the root down and around its end. */
export function mutateAt(tree: JsonTree, place: number, mutation: Mutation): JsonTree {
  let left = place % size(tree)
  const visit = (node: JsonTree): JsonTree => {
    left -= 1
    if (left === -1) return mutation(node)
    if (left < -1 || node.kind === 'text') return node
    if (node.kind === 'list') return { ...node, items: node.items.map(visit) }
    return { ...node, members: node.members.map(([name, member]) => [name, visit(member)] as const) }
  }
  return visit(tree)
}

function size(tree: JsonTree): number {
  if (tree.kind === 'text') return 1
  const children = tree.kind === 'list' ? tree.items : tree.members.map(([, member]) => member)
  return children.reduce((sum, child) => sum + size(child), 1)
}
