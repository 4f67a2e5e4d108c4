// Structured content that is no table: a tree, with path and value of what is chosen to be copied.

import { useMemo, useRef, useState } from 'react'
import { isJsonObject, type Json } from '#app/json.ts'
import { numberWords } from '#app/words/formats.ts'
import { t } from '#app/words/translate.ts'
import { cx } from '#renderer/ui/class-names.ts'
import { CopyButton } from '#renderer/ui/copy-button.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { useTree } from '#renderer/ui/use-tree.ts'
import { firstState, type TreeRow, toggled, treeRows, withMore } from './tree-rows.ts'

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
  if (row.more !== undefined) return <span className="faint">{tx`${numberWords(row.more)} more`}</span>
  return (
    <>
      {row.open !== undefined ? <Icon name={row.open ? 'chevron-down' : 'chevron-right'} small /> : <span className="leaf" />}
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
  if (Array.isArray(value)) return size === 1 ? t`1 item` : t`${numberWords(size)} items`
  if (isJsonObject(value)) return size === 1 ? t`1 member` : t`${numberWords(size)} members`
  return typeof value === 'string' ? value || '“”' : String(value)
}
