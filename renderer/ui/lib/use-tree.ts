// The keys of a tree (arrows, Home, End, PageUp, PageDown, Enter) over rows that stand flat in a list. The active row goes by its key, so
// a list that changes around it keeps its place. Moving opens nothing; Enter and a press do.
import { type KeyboardEvent, useId } from 'react'

interface TreeLine {
  /** Depth, from 1. */
  readonly level: number
  /** Whether the row is open; undefined where it cannot be opened. */
  readonly open?: boolean | undefined
}

interface TreeOptions<Row extends TreeLine> {
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** Key of the active row. Default: the first row. */
  readonly at: string | undefined
  readonly onGo: (row: Row, index: number) => void
  readonly onPress: (row: Row) => void
  readonly onOpen: (row: Row, open: boolean) => void
  /** Number of rows that PageUp and PageDown skip. */
  readonly page?: () => number
}

/** Index of the row in which this one stands. */
function parentOf(rows: readonly TreeLine[], index: number): number {
  const level = rows[index]?.level ?? 1
  for (let up = index - 1; up >= 0; up--) if ((rows[up]?.level ?? 0) < level) return up
  return index
}

export function useTree<Row extends TreeLine>({ rows, keyOf, at, onGo, onPress, onOpen, page = () => 10 }: TreeOptions<Row>) {
  const id = useId()
  const active = Math.max(
    0,
    rows.findIndex((row) => keyOf(row) === at),
  )
  const row = rows[active]
  const go = (index: number): void => {
    const to = Math.min(rows.length - 1, Math.max(0, index))
    const next = rows[to]
    if (next) onGo(next, to)
  }
  const press = (): void => {
    if (row) onPress(row)
  }
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => go(active + 1),
    ArrowUp: () => go(active - 1),
    Home: () => go(0),
    End: () => go(rows.length - 1),
    PageDown: () => go(active + page()),
    PageUp: () => go(active - page()),
    ArrowRight: () => (row?.open === false ? onOpen(row, true) : go(active + 1)),
    ArrowLeft: () => (row?.open ? onOpen(row, false) : go(parentOf(rows, active))),
    Enter: press,
    ' ': press,
  }
  return {
    active,
    idOf: (index: number): string => `${id}-${index}`,
    onKeyDown(event: KeyboardEvent): void {
      const act = keys[event.key]
      if (!act || event.metaKey || event.ctrlKey || event.altKey) return
      event.preventDefault()
      act()
    },
  }
}
