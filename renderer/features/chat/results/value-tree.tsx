// Shows a JSON value as a tree; path and value of the selected row can be copied.
import { useMemo, useRef, useState } from 'react'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json, pointerTo } from '#app/json.ts'
import { CopyButton } from '#renderer/ui/button.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { useTree } from '#renderer/ui/lib/use-tree.ts'
import { LongVisibleText, VisibleText } from '#renderer/ui/visible-text.tsx'

interface TreeRow {
  /** JSON Pointer (RFC 6901); '' is the whole value. */
  readonly path: string
  readonly level: number
  readonly name: string
  readonly value: Json
  readonly size: number
  readonly open?: boolean
  /** Number of items that are not shown yet and that this row stands for. */
  readonly more?: number
}

/** Items of one parent that are shown at first, and that are added at a time. */
const itemsAtOnce = 100

const childrenOf = (value: Json): readonly (readonly [string, Json])[] => {
  if (Array.isArray(value)) return (value as readonly Json[]).map((item, index) => [String(index), item] as const)
  return isJsonObject(value) ? Object.entries(value) : []
}

interface TreeState {
  readonly open: ReadonlySet<string>
  /** Number of shown items by the parent's path; default `itemsAtOnce`. */
  readonly shown: ReadonlyMap<string, number>
}

function firstState(value: Json): TreeState {
  const open = new Set([''])
  let rows = childrenOf(value).length
  for (const [name, child] of childrenOf(value)) {
    rows += childrenOf(child).length
    if (rows > 30) break
    if (childrenOf(child).length > 0) open.add(pointerTo(name))
  }
  return { open, shown: new Map() }
}

function treeRows(value: Json, { open, shown }: TreeState): TreeRow[] {
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

function toggled(state: TreeState, path: string): TreeState {
  const open = new Set(state.open)
  if (!open.delete(path)) open.add(path)
  return { ...state, open }
}

/** Shows more items; `path`: path of the row that stands for them. */
function withMore(state: TreeState, path: string): TreeState {
  const parent = path.slice(0, -2)
  return { ...state, shown: new Map(state.shown).set(parent, (state.shown.get(parent) ?? itemsAtOnce) + itemsAtOnce) }
}

const keyOf = ({ path }: TreeRow): string => path

export function ValueTree({ value, label }: { readonly value: Json; readonly label: string }) {
  const [state, setState] = useState(() => firstState(value))
  const [chosen, setChosen] = useState<string | undefined>(undefined)
  const box = useRef<HTMLDivElement>(null)
  const rows = useMemo(() => treeRows(value, state), [value, state])
  const press = (one: TreeRow): void => {
    setChosen(one.path)
    if (one.more !== undefined) setState(withMore(state, one.path))
    else if (one.open !== undefined) setState(toggled(state, one.path))
  }
  const { active, idOf, onKeyDown } = useTree({
    rows,
    keyOf,
    at: chosen,
    onGo(one, index) {
      setChosen(one.path)
      box.current?.children[index]?.scrollIntoView({ block: 'nearest' })
    },
    onPress: press,
    onOpen: press,
  })
  const row = rows[active]

  return (
    <div className="value-tree">
      <div ref={box} role="tree" aria-label={label} tabIndex={0} aria-activedescendant={row && idOf(active)} onKeyDown={onKeyDown}>
        {rows.map((one, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the focus and the keys
          <div
            key={one.path}
            id={idOf(index)}
            role="treeitem"
            tabIndex={-1}
            aria-level={one.level}
            aria-selected={one.path === chosen}
            aria-expanded={one.open}
            className={cx(index === active && 'at')}
            style={{ paddingInlineStart: `${6 / 16 + one.level - 1}rem` }}
            onClick={() => press(one)}
          >
            {one.more !== undefined ? (
              <span className="faint">{tx`${formatNumber(one.more)} more`}</span>
            ) : (
              <>
                {one.open !== undefined ? <Icon name={one.open ? 'chevron-down' : 'chevron-right'} small /> : <span className="leaf" />}
                <VisibleText className="tree-name" text={one.name} />
                <span className={kindClass(one.value)}>
                  <LongVisibleText text={shortValue(one)} copyTakesAll />
                </span>
              </>
            )}
          </div>
        ))}
      </div>
      {row && chosen !== undefined && row.more === undefined && (
        <p className="row help">
          <VisibleText className="mono cut grow" text={row.path} />
          <CopyButton words text={row.path} variant="ghost" label={t`Copy path`} />
          <CopyButton
            words
            text={() => (typeof row.value === 'string' ? row.value : JSON.stringify(row.value, null, 2))}
            variant="ghost"
            label={t`Copy value`}
          />
        </p>
      )}
    </div>
  )
}

const kindClass = (value: Json): string => {
  if (typeof value === 'string') return 'tree-text'
  return typeof value === 'object' && value !== null ? 'faint' : 'hl-number'
}

function shortValue({ value, size }: TreeRow): string {
  if (Array.isArray(value)) return t`${formatNumber(size)} {item|items}`
  if (isJsonObject(value)) return t`${formatNumber(size)} {member|members}`
  return typeof value === 'string' ? value || '“”' : String(value)
}
