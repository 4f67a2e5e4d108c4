// A JSON value as the rows of a tree: which are there depends on what is open. Pure.
import { pointerTo } from '#app/consent/match.ts'
import { isJsonObject, type Json } from '#app/json.ts'

export interface TreeRow {
  /** JSON Pointer (RFC 6901); '' is the whole. */
  readonly path: string
  readonly level: number
  /** Its name in its parent, or its place there. */
  readonly name: string
  readonly value: Json
  /** Members or items; 0 for what has none. */
  readonly size: number
  /** Of what has any. */
  readonly open?: boolean
  /** Stands for this many items that are not shown yet. */
  readonly more?: number
}

/** Items of one parent that are shown at first, and how many more each time. */
export const itemsAtOnce = 100

export const childrenOf = (value: Json): readonly (readonly [string, Json])[] => {
  if (Array.isArray(value)) return (value as readonly Json[]).map((item, index) => [String(index), item] as const)
  return isJsonObject(value) ? Object.entries(value) : []
}

export interface TreeState {
  readonly open: ReadonlySet<string>
  /** How many items are shown, by path of their parent, where it is not `itemsAtOnce`. */
  readonly shown: ReadonlyMap<string, number>
}

/** The whole is open, and so is what is in it while that is little. */
export function firstState(value: Json): TreeState {
  const open = new Set([''])
  let rows = childrenOf(value).length
  for (const [name, child] of childrenOf(value)) {
    rows += childrenOf(child).length
    if (rows > 30) break
    if (childrenOf(child).length > 0) open.add(pointerTo(name))
  }
  return { open, shown: new Map() }
}

export function treeRows(value: Json, { open, shown }: TreeState): TreeRow[] {
  const rows: TreeRow[] = []
  const visit = (parent: Json, path: string, level: number): void => {
    const children = childrenOf(parent)
    const count = shown.get(path) ?? itemsAtOnce
    for (const [name, child] of children.slice(0, count)) {
      const at = path + pointerTo(name)
      const size = childrenOf(child).length
      const isOpen = open.has(at)
      rows.push({ path: at, level, name, value: child, size, ...(size > 0 ? { open: isOpen } : {}) })
      if (size > 0 && isOpen) visit(child, at, level + 1)
    }
    const rest = children.length - count
    if (rest > 0) rows.push({ path: `${path}/…`, level, name: '', value: null, size: 0, more: rest })
  }
  visit(value, '', 1)
  return rows
}

export function toggled(state: TreeState, path: string): TreeState {
  const open = new Set(state.open)
  if (!open.delete(path)) open.add(path)
  return { ...state, open }
}

/** `path`: of a row that stands for more. */
export function withMore(state: TreeState, path: string): TreeState {
  const parent = path.slice(0, -2)
  return { ...state, shown: new Map(state.shown).set(parent, (state.shown.get(parent) ?? itemsAtOnce) + itemsAtOnce) }
}
