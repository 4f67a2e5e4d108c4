// The messages of a conversation as a tree with the leaf of the shown path. A deleted message stays in the tree; its children are
// shown under its nearest visible ancestor, so deleting and restoring are inverse. An answer is all assistant messages between two
// of the person; a turn is a question with its answer.
import type { Message } from './message.ts'

/** Messages of the answer that `id` is part of; none for other messages. */
export function answerAround(path: readonly Message[], id: string): readonly Message[] {
  const at = path.findIndex((message) => message.id === id)
  if (path[at]?.role !== 'assistant') return []
  let start = at
  while (start > 0 && path[start - 1]?.role !== 'user') start -= 1
  const end = path.findIndex((message, index) => index > at && message.role === 'user')
  return path.slice(start, end < 0 ? undefined : end).filter(({ role }) => role === 'assistant')
}

/** Messages of a turn, including those that the person added while it ran. */
function turnAround(path: readonly Message[], questionId: string): readonly Message[] {
  const start = path.findIndex((message) => message.id === questionId)
  const question = path[start]
  if (question?.role !== 'user') return []
  const end = path.findIndex((message, index) => index > start && message.role === 'user' && message.turnId !== question.turnId)
  return path.slice(start, end < 0 ? undefined : end).filter(({ role }) => role === 'user' || role === 'assistant')
}

/** Messages deleted with `id`: a question goes with its answer, an answer as a whole. */
export function deletedWith(path: readonly Message[], id: string): readonly Message[] {
  const answer = answerAround(path, id)
  return answer.length > 0 ? answer : turnAround(path, id)
}

export interface TreeNode {
  readonly id: string
  /** Parent; null: it begins the conversation. */
  readonly parent: string | null
  readonly deleted: boolean
}

export interface MessageTree {
  /** Nodes in order of creation, parents before children. */
  readonly nodes: readonly TreeNode[]
  /** Last message of the path, even when deleted; null: before the first. */
  readonly leaf: string | null
  /** Child last shown, by parent, where that is not the newest. */
  readonly shown: Readonly<Record<string, string>>
}

/** Path from the first message to the leaf, deleted ones included. */
export function wholePath({ nodes, leaf }: MessageTree): TreeNode[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const path: TreeNode[] = []
  // Bounded: a damaged profile may hold a cycle.
  for (let at = byId.get(leaf ?? ''); at && path.length < nodes.length; at = byId.get(at.parent ?? '')) path.push(at)
  return path.reverse()
}

/** Ids of the path as shown and as the model reads it. */
export const pathIds = (tree: MessageTree): string[] => wholePath(tree).flatMap(({ id, deleted }) => (deleted ? [] : [id]))

/** Branches along the path by message ('': before the first), in order of creation: several, of the last message even one. */
export function branchesOnPath(tree: MessageTree): Record<string, string[]> {
  const children = seenChildren(tree)
  const path = pathIds(tree)
  const choices = [null, ...path].flatMap((id, at): [string, string[]][] => {
    const family = children.get(id) ?? []
    return family.length > (at === path.length ? 0 : 1) ? [[id ?? '', family]] : []
  })
  return Object.fromEntries(choices)
}

/** End of the branch through `id` that was shown last. */
export function leafUnder({ nodes, shown }: MessageTree, id: string): string {
  const lastChild = new Map<string, string>()
  for (const node of nodes) if (node.parent !== null) lastChild.set(node.parent, node.id)
  let leaf = id
  for (let steps = 0; steps < nodes.length; steps += 1) {
    const next = shown[leaf] ?? lastChild.get(leaf)
    if (next === undefined) return leaf
    leaf = next
  }
  return leaf
}

/** Leaf after a deletion: unchanged, unless nothing is visible there and another branch is. */
export function leafAfterDeletion(tree: MessageTree): string | null {
  const end = pathIds(tree).at(-1) ?? null
  const other = seenChildren(tree).get(end)?.at(-1)
  return other === undefined ? tree.leaf : leafUnder(tree, other)
}

/** Nearest visible ancestor by message; null: none. */
function seenParents({ nodes }: MessageTree): Map<string, string | null> {
  const above = new Map<string, string | null>()
  const unseen = new Set<string>()
  for (const { id, parent, deleted } of nodes) {
    above.set(id, parent !== null && unseen.has(parent) ? (above.get(parent) ?? null) : parent)
    if (deleted) unseen.add(id)
  }
  return above
}

function seenChildren(tree: MessageTree): Map<string | null, string[]> {
  const parents = seenParents(tree)
  const children = new Map<string | null, string[]>()
  for (const { id, deleted } of tree.nodes) {
    if (deleted) continue
    const parent = parents.get(id) ?? null
    const family = children.get(parent)
    if (family) family.push(id)
    else children.set(parent, [id])
  }
  return children
}
