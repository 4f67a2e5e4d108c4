import type { ReactNode } from 'react'
import type { UseRow } from '#app/chat/usage.ts'
import { costWords, formatTokens, readWords } from './use-words.ts'

interface UseTableProps {
  readonly title: string
  /** What the first column holds. */
  readonly of: string
  readonly rows: readonly UseRow[]
  readonly name: (row: UseRow) => ReactNode
}

export function UseTable({ title, of, rows, name }: UseTableProps) {
  if (rows.length === 0) return null
  return (
    <section className="sec">
      <h2 className="h3">{title}</h2>
      <div className="tbl-scroll">
        <table className="tbl use">
          <thead>
            <tr>
              <th scope="col">{of}</th>
              <th scope="col" className="r">
                Requests
              </th>
              <th scope="col" className="r">
                Tokens read
              </th>
              <th scope="col" className="r">
                Written
              </th>
              <th scope="col" className="r">
                Cost
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.key}>
                <th scope="row">{name(row)}</th>
                <td className="r num">{row.requests.toLocaleString('en')}</td>
                <td className="r num">{readWords(row)}</td>
                <td className="r num">{formatTokens(row.outputTokens)}</td>
                <td className="r num">{costWords(row) ?? <span className="dim">not known</span>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
