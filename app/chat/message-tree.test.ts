import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { branchesOnPath, leafAfterDeletion, leafUnder, type MessageTree, pathIds, type TreeNode, wholePath } from './message-tree.ts'

/** `parents`: that of each message, by number; names are `m0`, `m1`, … */
function makeTree(parents: readonly (number | null)[], leaf: number | null, deleted: readonly number[] = []): MessageTree {
  const nodes = parents.map(
    (parent, at): TreeNode => ({ id: `m${at}`, parent: parent === null ? null : `m${parent}`, deleted: deleted.includes(at) }),
  )
  return { nodes, leaf: leaf === null ? null : `m${leaf}`, shown: {} }
}
const withDeleted = (tree: MessageTree, ids: readonly string[], deleted: boolean): MessageTree => ({
  ...tree,
  nodes: tree.nodes.map((node) => (ids.includes(node.id) ? { ...node, deleted } : node)),
})

// Two questions; the first was edited (m3), and its answer given anew (m5).
const edited = makeTree([null, 0, 1, 1, 3, 3], 5)

describe('a tree of messages', () => {
  it('is read from its first message to the end of the path', () => {
    expect([pathIds(edited), pathIds({ ...edited, leaf: 'm2' }), pathIds({ ...edited, leaf: null })]).toEqual([
      ['m0', 'm1', 'm3', 'm5'],
      ['m0', 'm1', 'm2'],
      [],
    ])
  })

  it('knows where the path has a choice, and what would stand beside what is written next', () => {
    expect([branchesOnPath(edited), branchesOnPath({ ...edited, leaf: 'm0' }), branchesOnPath({ ...edited, leaf: null })]).toEqual([
      { m1: ['m2', 'm3'], m3: ['m4', 'm5'] },
      { m0: ['m1'] },
      { '': ['m0'] },
    ])
  })

  it('goes down to the branch made last, or to the one that was shown after that', () => {
    expect([leafUnder(edited, 'm3'), leafUnder({ ...edited, shown: { m3: 'm4' } }, 'm0'), leafUnder(edited, 'm2')]).toEqual([
      'm5',
      'm4',
      'm2',
    ])
  })

  it('leaves out what is deleted, and what hung below it counts as its ancestor’s', () => {
    const tree = withDeleted(edited, ['m3'], true)
    expect([pathIds(tree), branchesOnPath(tree)]).toEqual([['m0', 'm1', 'm5'], { m1: ['m2', 'm4', 'm5'] }])
  })

  it.each([
    ['goes on where other branches are', ['m5'], 'm4'],
    ['goes on there also for a whole turn', ['m3', 'm4', 'm5'], 'm2'],
    ['stays where something is seen yet', ['m1'], 'm5'],
    ['stays where nothing is', ['m0', 'm1', 'm2', 'm3', 'm4', 'm5'], 'm5'],
  ])('after a deletion the path %s', (_name, ids, leaf) => {
    expect(leafAfterDeletion(withDeleted(edited, ids, true))).toBe(leaf)
  })

  it('ends, also when a message hangs below itself', () => {
    const circle: MessageTree = {
      nodes: [
        { id: 'a', parent: 'b', deleted: false },
        { id: 'b', parent: 'a', deleted: false },
      ],
      leaf: 'a',
      shown: {},
    }
    expect([pathIds(circle).length, leafUnder(circle, 'a')]).toEqual([2, 'a'])
  })
})

const trees = fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { minLength: 1, maxLength: 30 }).chain((picks) => {
  // The parent of each is one of those before it, or none.
  const parents = picks.map((pick, at) => (at === 0 || pick < 0.1 ? null : Math.floor(pick * at)))
  const some = fc.subarray([...picks.keys()])
  return fc.tuple(some, fc.nat(picks.length - 1)).map(([deleted, leaf]) => makeTree(parents, leaf, deleted))
})

describe('whatever the tree', () => {
  it('a path begins without a parent, each next message is the child of the one before, and none of it is deleted', () => {
    fc.assert(
      fc.property(trees, (tree) => {
        const whole = wholePath(tree)
        expect(whole.map(({ parent }) => parent)).toEqual([null, ...whole.slice(0, -1).map(({ id }) => id)])
        expect(whole.at(-1)?.id).toBe(tree.leaf)
        expect(pathIds(tree)).toEqual(whole.filter(({ deleted }) => !deleted).map(({ id }) => id))
      }),
    )
  })

  it('deleting and restoring are each other’s inverse', () => {
    fc.assert(
      fc.property(trees, fc.nat(), (tree, pick) => {
        const path = pathIds(tree)
        const id = path[pick % path.length]
        if (id === undefined) return
        const deleted = withDeleted(tree, [id], true)
        expect(pathIds(deleted)).toEqual(path.filter((one) => one !== id))
        expect(withDeleted(deleted, [id], false)).toEqual(tree)
      }),
    )
  })

  it('switching to another branch shows it, keeps the choice, and leads back', () => {
    fc.assert(
      fc.property(trees, fc.nat(), fc.nat(), (tree, one, two) => {
        const choices = Object.entries(branchesOnPath(tree))
        const [after, family] = choices[one % choices.length] ?? []
        const other = family?.[two % family.length]
        if (after === undefined || family === undefined || other === undefined) return
        const path = pathIds(tree)
        const before = path[after === '' ? 0 : path.indexOf(after) + 1]
        const switched = { ...tree, leaf: leafUnder(tree, other) }
        expect(pathIds(switched)).toContain(other)
        if (family.length > 1) expect(branchesOnPath(switched)[after]).toEqual(family)
        if (before !== undefined) expect(pathIds({ ...tree, leaf: leafUnder(switched, before) })).toContain(before)
      }),
    )
  })

  it('after a deletion something is shown if anything is left', () => {
    fc.assert(
      fc.property(trees, (tree) => {
        const shown = pathIds({ ...tree, leaf: leafAfterDeletion(tree) })
        expect(shown.length > 0).toBe(tree.nodes.some(({ deleted }) => !deleted))
      }),
    )
  })
})
