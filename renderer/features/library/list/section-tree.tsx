// The list of a library section as a tree. Only the rows in sight are drawn: tens of thousands of rows scroll as few do.
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import { navigate } from '#renderer/router.ts'
import { SearchInput } from '#renderer/ui/field.tsx'
import { Badge, Icon, type IconName, ServerMark, Spinner } from '#renderer/ui/icon.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { useTree } from '#renderer/ui/lib/use-tree.ts'
import { useScaledRows, useTextScale } from '#renderer/ui/lib/use-visible-rows.ts'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { LibraryFrame } from '../library-frame.tsx'
import type { SectionRow } from './library-sections.ts'

/** Pixels, as in the style sheet. */
const rowHeight = 28
/** Number of rows up to which all are drawn, for the browser's own search too. */
const plainUpTo = 100
const indent = 18

const icons: Readonly<Partial<Record<SectionRow['kind'], IconName>>> = {
  folder: 'folder',
  resource: 'file',
  template: 'edit',
  prompt: 'text',
  skill: 'flow',
}

interface SectionTreeProps {
  readonly label: string
  readonly rows: readonly SectionRow[]
  /** Key of the row whose content is shown beside the list. */
  readonly chosen: string | undefined
  readonly onChoose: (row: SectionRow) => void
  readonly onOpen: (row: SectionRow, open: boolean) => void
}

function SectionTree({ label, rows, chosen, onChoose, onOpen }: SectionTreeProps) {
  const box = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState(chosen)
  const height = rowHeight * useTextScale()
  const virtualizer = useScaledRows({
    count: rows.length,
    enabled: rows.length > plainUpTo,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  })
  const items = rows.length > plainUpTo ? virtualizer.getVirtualItems() : rows.map((_row, index) => ({ index, start: index * height }))
  // The chosen row is scrolled into sight, also where a link led here.
  const place = chosen === undefined ? -1 : rows.findIndex((one) => one.key === chosen)
  const brought = useRef<string | undefined>(undefined)
  useEffect(() => {
    if (chosen === undefined || place < 0 || brought.current === chosen) return
    brought.current = chosen
    setAt(chosen)
    bringIntoSight(box.current, place, height)
  }, [chosen, place, height])

  const press = (one: SectionRow): void => {
    setAt(one.key)
    if (one.open !== undefined) onOpen(one, !one.open)
    else if (one.item !== undefined) {
      brought.current = one.key
      onChoose(one)
    }
  }
  const { active, idOf, onKeyDown } = useTree({
    rows,
    keyOf: ({ key }) => key,
    at,
    onGo(one, index) {
      setAt(one.key)
      bringIntoSight(box.current, index, height)
    },
    onPress: press,
    onOpen,
    page: () => pageOf(box.current, height),
  })
  const isDrawn = items.some((item) => item.index === active)

  return (
    <div
      ref={box}
      className="section-tree"
      role="tree"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={isDrawn ? idOf(active) : undefined}
      onKeyDown={onKeyDown}
    >
      <div className="section-rows" role="presentation" style={{ height: rows.length * height }}>
        {items.map(({ index, start }) => {
          const one = rows[index]
          return one ? (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the focus and the keys
            <div
              key={one.key}
              id={idOf(index)}
              data-row={one.kind}
              role="treeitem"
              tabIndex={-1}
              aria-level={one.level}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              aria-selected={one.key === chosen}
              {...(one.open !== undefined && { 'aria-expanded': one.open })}
              className={cx('section-row', one.kind, index === active && 'at')}
              style={{ transform: `translateY(${start}px)`, paddingInlineStart: `${(8 + (one.level - 1) * indent) / 16}rem` }}
              onClick={() => press(one)}
            >
              <RowContent row={one} />
            </div>
          ) : null
        })}
      </div>
    </div>
  )
}

/** `height`: of a row. */
function bringIntoSight(box: HTMLElement | null, index: number, height: number): void {
  if (!box) return
  const top = index * height
  if (top < box.scrollTop) box.scrollTop = top
  else if (top + height > box.scrollTop + box.clientHeight) box.scrollTop = top + height - box.clientHeight
}

/** Rows of one page, less one that stays in sight. */
const pageOf = (box: HTMLElement | null, height: number): number => Math.max(1, Math.floor((box?.clientHeight ?? 0) / height) - 1)

function RowContent({ row }: { readonly row: SectionRow }) {
  const icon = icons[row.kind]
  return (
    <>
      {row.open !== undefined && <Icon name={row.open ? 'chevron-down' : 'chevron-right'} small />}
      {row.kind === 'server' && <ServerMark name={row.server} />}
      {icon && <Icon name={icon} small />}
      <span className="cut">
        <VisibleText text={row.text} />
        {row.beside !== undefined && <VisibleText className="faint beside" text={row.beside} />}
      </span>
      {row.busy && <Spinner label={t`Loading…`} />}
      {row.live && <Badge>{t`live`}</Badge>}
      {row.aside !== undefined && <span className="faint num aside">{row.aside}</span>}
    </>
  )
}

interface SectionFrameProps extends SectionTreeProps {
  readonly tab: 'resources' | 'prompts' | 'skills'
  readonly find: string
  readonly text: string
  readonly onText: (text: string) => void
  /** Sentence in place of an empty list. */
  readonly none: ReactNode
  /** The item in the address; narrow windows show either it or the list. */
  readonly item: string | undefined
  readonly instead?: ReactNode
  readonly children: ReactNode
}

/** A library section with its list, a search through it, and one item beside it. */
export const SectionFrame = ({ tab, find, text, onText, none, item, instead, children, ...tree }: SectionFrameProps) => (
  <LibraryFrame
    tab={tab}
    onBack={item === undefined ? undefined : () => navigate({ page: 'library', tab })}
    actions={<SearchInput label={find} value={text} onChange={onText} />}
  >
    {instead ?? (
      <div className={cx('split slim library', item === undefined && 'showlist')}>
        <div className="a">{none ? <p className="help section-none">{none}</p> : <SectionTree {...tree} />}</div>
        {children}
      </div>
    )}
  </LibraryFrame>
)
