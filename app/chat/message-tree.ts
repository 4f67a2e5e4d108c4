// The messages of a conversation as a tree: each knows its parent, and the conversation the last message of the path that
// is shown. A deleted message stays in the tree, unseen: what hung below it then hangs below its nearest seen ancestor.
// So to delete and to restore are each other's inverse, wherever in the tree they happen.
import type { Message } from './message.ts'

// What belongs together on a path: an answer is all that the model says between two messages of the person, in as many
// messages as it took steps; a turn is a question with its answer. Tool calls stand in their message with their results, so
// what is cut along these lines never parts the two.

/** The messages of the answer that `id` is part of; none when it is no answer's. */
export function answerAround(path: readonly Message[], id: string): readonly Message[] {
  const at = path.findIndex((message) => message.id === id)
  if (path[at]?.role !== 'assistant') return []
  let start = at
  while (start > 0 && path[start - 1]?.role !== 'user') start -= 1
  const end = path.findIndex((message, index) => index > at && message.role === 'user')
  return path.slice(start, end < 0 ? undefined : end).filter(({ role }) => role === 'assistant')
}

/** The question and whatever answers it; what the person added while it was being answered is part of it. */
function turnAround(path: readonly Message[], questionId: string): readonly Message[] {
  const start = path.findIndex((message) => message.id === questionId)
  const question = path[start]
  if (question?.role !== 'user') return []
  const end = path.findIndex((message, index) => index > start && message.role === 'user' && message.turnId !== question.turnId)
  return path.slice(start, end < 0 ? undefined : end).filter(({ role }) => role === 'user' || role === 'assistant')
}

/** What goes when the person deletes a message: a question takes its answer along, an answer goes whole. */
export function deletedWith(path: readonly Message[], id: string): readonly Message[] {
  const answer = answerAround(path, id)
  return answer.length > 0 ? answer : turnAround(path, id)
}

export interface TreeNode {
  readonly id: string
  /** Null: it begins the conversation. */
  readonly parent: string | null
  readonly deleted: boolean
}

export interface MessageTree {
  /** In the order of their making: a parent before its children. */
  readonly nodes: readonly TreeNode[]
  /** Where the path ends, be that message deleted or not; null: before the first one. */
  readonly leaf: string | null
  /** By parent: the child whose branch was shown last, where that is not the one made last. */
  readonly shown: Readonly<Record<string, string>>
}

/** From the first message to the leaf, deleted ones too. */
export function wholePath({ nodes, leaf }: MessageTree): TreeNode[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const path: TreeNode[] = []
  // Bounded, so that a damaged profile (a message below itself) cannot hold the host.
  for (let at = byId.get(leaf ?? ''); at && path.length < nodes.length; at = byId.get(at.parent ?? '')) path.push(at)
  return path.reverse()
}

/** What is shown, and what the model reads. */
export const pathIds = (tree: MessageTree): string[] => wholePath(tree).flatMap(({ id, deleted }) => (deleted ? [] : [id]))

/**
 * Where the path has a choice: by message of it ('': before the first one) all that may follow, in the order of their
 * making. Of its last message also a single one: what is written next will stand beside that.
 */
export function branchesOnPath(tree: MessageTree): Record<string, string[]> {
  const children = seenChildren(tree)
  const path = pathIds(tree)
  const choices = [null, ...path].flatMap((id, at): [string, string[]][] => {
    const family = children.get(id) ?? []
    return family.length > (at === path.length ? 0 : 1) ? [[id ?? '', family]] : []
  })
  return Object.fromEntries(choices)
}

/** The end of the branch through a message that was shown last. */
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

/** Where the path ends once something on it was deleted: as it did, unless nothing is seen there where another branch is. */
export function leafAfterDeletion(tree: MessageTree): string | null {
  const end = pathIds(tree).at(-1) ?? null
  const other = seenChildren(tree).get(end)?.at(-1)
  return other === undefined ? tree.leaf : leafUnder(tree, other)
}

/** The nearest ancestor that is seen, by message; null: there is none. */
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
