// Structured content that is no table: a tree, by keyboard as the pattern has it (arrows, Home, End, Enter), with path and
// value of what is chosen to be copied.
import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react'
import { isJsonObject, type Json } from '#app/json.ts'
import { t } from '#app/words/translate.ts'
import { cx } from '#renderer/ui/class-names.ts'
import { CopyButton } from '#renderer/ui/copy-button.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { firstState, type TreeRow, toggled, treeRows, withMore } from './tree-rows.ts'

export function ValueTree({ value, label }: { readonly value: Json; readonly label: string }) {
  const [state, setState] = useState(() => firstState(value))
  const [chosen, setChosen] = useState<string | undefined>(undefined)
  const box = useRef<HTMLDivElement>(null)
  const id = useId()
  const rows = useMemo(() => treeRows(value, state), [value, state])
  const at = Math.max(
    0,
    rows.findIndex((row) => row.path === chosen),
  )
  const row = rows[at]

  const choose = (index: number): void => {
    const next = rows[Math.min(rows.length - 1, Math.max(0, index))]
    if (!next) return
    setChosen(next.path)
    box.current?.children[rows.indexOf(next)]?.scrollIntoView({ block: 'nearest' })
  }
  const press = (one: TreeRow): void => {
    setChosen(one.path)
    if (one.more !== undefined) setState(withMore(state, one.path))
    else if (one.size > 0) setState(toggled(state, one.path))
  }
  const parentOf = (index: number): number => {
    const level = rows[index]?.level ?? 1
    for (let up = index - 1; up >= 0; up--) if ((rows[up]?.level ?? 0) < level) return up
    return index
  }
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => choose(at + 1),
    ArrowUp: () => choose(at - 1),
    Home: () => choose(0),
    End: () => choose(rows.length - 1),
    ArrowRight: () => row && (row.open || row.size === 0 ? choose(at + 1) : press(row)),
    ArrowLeft: () => row && (row.open ? press(row) : choose(parentOf(at))),
    Enter: () => row && press(row),
    ' ': () => row && press(row),
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const act = keys[event.key]
    if (!act || event.metaKey || event.ctrlKey || event.altKey) return
    event.preventDefault()
    act()
  }

  return (
    <div className="value-tree">
      <div ref={box} role="tree" aria-label={label} tabIndex={0} aria-activedescendant={row && `${id}-${at}`} onKeyDown={onKeyDown}>
        {rows.map((one, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the focus and the keys
          <div
            key={one.path}
            id={`${id}-${index}`}
            role="treeitem"
            tabIndex={-1}
            aria-level={one.level}
            aria-selected={one.path === chosen}
            {...(one.size > 0 && { 'aria-expanded': one.open })}
            className={cx(index === at && 'at')}
            style={{ paddingInlineStart: 6 + (one.level - 1) * 16 }}
            onClick={() => press(one)}
          >
            <RowText row={one} />
          </div>
        ))}
      </div>
      {row && chosen !== undefined && row.more === undefined && (
        <p className="row help">
          <span className="mono cut grow">
            <Revealed text={row.path} />
          </span>
          <CopyButton text={row.path} label={t`Copy path`} variant="ghost">
            {t`Copy path`}
          </CopyButton>
          <CopyButton
            text={() => (typeof row.value === 'string' ? row.value : JSON.stringify(row.value, null, 2))}
            label={t`Copy value`}
            variant="ghost"
          >
            {t`Copy value`}
          </CopyButton>
        </p>
      )}
    </div>
  )
}

function RowText({ row }: { readonly row: TreeRow }) {
  if (row.more !== undefined) return <span className="faint">{tx`${row.more.toLocaleString('en')} more`}</span>
  return (
    <>
      {row.size > 0 ? <Icon name={row.open ? 'chevron-down' : 'chevron-right'} small /> : <span className="leaf" />}
      <span className="tree-name">
        <Revealed text={row.name} />
      </span>
      <span className={kindClass(row.value)}>
        <Revealed text={shortValue(row)} />
      </span>
    </>
  )
}

const kindClass = (value: Json): string => {
  if (typeof value === 'string') return 'tree-text'
  return typeof value === 'object' && value !== null ? 'faint' : 'hl-number'
}

function shortValue({ value, size }: TreeRow): string {
  if (Array.isArray(value)) return size === 1 ? '1 item' : t`${size.toLocaleString('en')} items`
  if (isJsonObject(value)) return size === 1 ? '1 member' : t`${size.toLocaleString('en')} members`
  return typeof value === 'string' ? value || '“”' : String(value)
}
