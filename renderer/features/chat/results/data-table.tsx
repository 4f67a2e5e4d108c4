// A list of alike objects as a table. A long one shows its beginning; all of it scrolls in a box of its own, of which only
// what is near the window is in the page.
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, type RefObject, useRef, useState } from 'react'
import { Button } from '#renderer/ui/button.tsx'
import { cx } from '#renderer/ui/class-names.ts'
import { Revealed } from '#renderer/ui/revealed.tsx'
import type { TableData } from './as-table.ts'

const rowsAtFirst = 20
const rowHeight = 31

export function DataTable({ table }: { readonly table: TableData }) {
  const [all, setAll] = useState(false)
  const { length } = table.rows
  if (all) return <LongTable table={table} />
  return (
    <>
      <Frame table={table}>
        {table.rows.slice(0, rowsAtFirst).map((_row, index) => (
          <Row key={String(index)} table={table} index={index} />
        ))}
      </Frame>
      {length > rowsAtFirst && (
        <p>
          <Button size="sm" variant="ghost" onClick={() => setAll(true)}>
            Show all {length.toLocaleString('en')} rows
          </Button>
        </p>
      )}
    </>
  )
}

function LongTable({ table }: { readonly table: TableData }) {
  const box = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: table.rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 10,
  })
  const items = virtualizer.getVirtualItems()
  const before = items[0]?.start ?? 0
  const after = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0)
  return (
    <Frame table={table} box={box}>
      {before > 0 && <Gap height={before} />}
      {items.map((item) => (
        <Row key={item.key} table={table} index={item.index} />
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

interface FrameProps {
  readonly table: TableData
  readonly box?: RefObject<HTMLDivElement | null>
  readonly children: ReactNode
}

function Frame({ table, box, children }: FrameProps) {
  return (
    <div ref={box} className={cx('tbl-scroll', box && 'tall')} {...(box && { tabIndex: 0 })}>
      <table className="tbl data" aria-rowcount={table.rows.length + 1}>
        <thead>
          <tr>
            {table.columns.map((column) => (
              <th key={column.name} scope="col" className={column.numeric ? 'r' : undefined}>
                <Revealed text={column.name} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}

function Row({ table, index }: { readonly table: TableData; readonly index: number }) {
  const row = table.rows[index] ?? []
  return (
    <tr aria-rowindex={index + 2}>
      {table.columns.map((column, at) => (
        <td key={column.name} className={column.numeric ? 'r' : undefined} dir="auto">
          <Revealed text={row[at] ?? ''} />
        </td>
      ))}
    </tr>
  )
}
