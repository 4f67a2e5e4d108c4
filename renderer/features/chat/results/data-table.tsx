// Shows a table. A long one shows its first rows; all of them scroll in a virtualised box.

import { type ReactNode, type RefObject, useRef, useState } from 'react'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { SmallGhostButton } from '#renderer/ui/button.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { useScaledRows } from '#renderer/ui/lib/use-visible-rows.ts'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import type { TableData } from './read-table.ts'

const rowsAtFirst = 20
const rowHeight = 31

interface DataTableProps {
  readonly table: TableData
  readonly numbered?: boolean
}

export function DataTable({ table, numbered = false }: DataTableProps) {
  const [all, setAll] = useState(false)
  const { length } = table.rows
  if (all) return <LongTable table={table} numbered={numbered} />
  return (
    <>
      <Frame table={table} numbered={numbered}>
        {table.rows.slice(0, rowsAtFirst).map((_row, index) => (
          <Row key={String(index)} table={table} numbered={numbered} index={index} />
        ))}
      </Frame>
      {length > rowsAtFirst && (
        <p>
          <SmallGhostButton onClick={() => setAll(true)}>{tx`Show all`}</SmallGhostButton>
        </p>
      )}
    </>
  )
}

function LongTable({ table, numbered }: Required<DataTableProps>) {
  const box = useRef<HTMLDivElement>(null)
  const virtualizer = useScaledRows({
    count: table.rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 10,
  })
  const items = virtualizer.getVirtualItems()
  const before = items[0]?.start ?? 0
  const after = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0)
  return (
    <Frame table={table} numbered={numbered} box={box}>
      {before > 0 && <Gap height={before} />}
      {items.map((item) => (
        <Row key={item.key} table={table} numbered={numbered} index={item.index} />
      ))}
      {after > 0 && <Gap height={after} />}
    </Frame>
  )
}

const Gap = ({ height }: { readonly height: number }) => (
  <tr style={{ height }}>
    <td />
  </tr>
)

interface FrameProps extends Required<DataTableProps> {
  readonly box?: RefObject<HTMLDivElement | null>
  readonly children: ReactNode
}

function Frame({ table, numbered, box, children }: FrameProps) {
  return (
    <div ref={box} className={cx('tbl-scroll', box && 'tall')} {...(box && { tabIndex: 0 })}>
      <table className="tbl data" aria-rowcount={table.rows.length + 1}>
        <thead>
          <tr>
            {numbered && (
              <th scope="col" className="r faint">
                <span className="sr">{t`Row, of`} </span>
                {formatNumber(table.rows.length)}
              </th>
            )}
            {table.columns.map((column) => (
              <th key={column.name} scope="col" className={column.numeric ? 'r' : undefined}>
                <VisibleText text={column.name} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}

function Row({ table, numbered, index }: Required<DataTableProps> & { readonly index: number }) {
  const row = table.rows[index] ?? []
  return (
    <tr aria-rowindex={index + 2}>
      {numbered && <td className="r faint num">{formatNumber(index + 1)}</td>}
      {table.columns.map((column, at) => (
        <td key={column.name} className={column.numeric ? 'r' : undefined} dir="auto">
          <VisibleText text={row[at] ?? ''} />
        </td>
      ))}
    </tr>
  )
}
