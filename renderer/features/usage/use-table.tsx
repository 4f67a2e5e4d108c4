import type { ReactNode } from 'react'
import type { UseRow } from '#app/chat/usage.ts'
import { numberWords } from '#app/words/formats.ts'
import { t } from '#app/words/translate.ts'
import { cachedWords, costWords, formatTokens, readTokens } from './use-words.ts'

interface UseTableProps {
  readonly title: string
  /** What the first column holds. */
  readonly of: string
  readonly rows: readonly UseRow[]
  readonly name: (row: UseRow) => ReactNode
  /** Opened by the person only. */
  readonly folded?: boolean
}

export function UseTable({ title, of, rows, name, folded }: UseTableProps) {
  if (rows.length === 0) return null
  return (
    <Frame title={title} folded={folded}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <section className="tbl-scroll" aria-label={title} tabIndex={0}>
        <table className="tbl use">
          <thead>
            <tr>
              <th scope="col">{of}</th>
              <th scope="col" className="r wide-only">
                {t`Answers`}
              </th>
              <th scope="col" className="r">
                {t`Tokens read`}
              </th>
              <th scope="col" className="r wide-only">
                {t`From the cache`}
              </th>
              <th scope="col" className="r">
                {t`Written`}
              </th>
              <th scope="col" className="r">
                {t`Cost`}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.key}>
                <th scope="row">{name(row)}</th>
                <td className="r num wide-only">{numberWords(row.requests)}</td>
                <td className="r num">{formatTokens(readTokens(row))}</td>
                <td className="r num wide-only">{cachedWords(row)}</td>
                <td className="r num">{formatTokens(row.outputTokens)}</td>
                <td className="r num">{costWords(row) ?? <span className="dim">{t`not known`}</span>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Frame>
  )
}

function Frame({
  title,
  folded,
  children,
}: {
  readonly title: string
  readonly folded: boolean | undefined
  readonly children: ReactNode
}) {
  if (!folded)
    return (
      <section className="sec">
        <h2 className="h3">{title}</h2>
        {children}
      </section>
    )
  return (
    <details className="sec use-folded">
      <summary>
        <h2 className="h3">{title}</h2>
      </summary>
      {children}
    </details>
  )
}
