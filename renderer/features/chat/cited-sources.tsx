// Where an answer has something from, under the text that says so: the documents' own words, as the provider quotes them.
import type { Citation } from '#app/chat/citation.ts'
import { t } from '#app/words/translate.ts'
import { Revealed } from '#renderer/ui/revealed.tsx'

export function CitedSources({ citations }: { readonly citations: readonly Citation[] }) {
  const sources = unlike(citations)
  return (
    <details className="thinking">
      <summary>{sources.length === 1 ? t`1 source` : t`${sources.length} sources`}</summary>
      <ol className="thinking-text">
        {sources.map((one) => (
          <li key={keyOf(one)}>
            <Revealed text={one.title ?? t`A document`} />
            {one.pages && <span className="dim">, {pageWords(one.pages)}</span>}: “<Revealed text={one.quote.trim()} />”
          </li>
        ))}
      </ol>
    </details>
  )
}

const keyOf = ({ title, pages, quote }: Citation): string => JSON.stringify([title, pages, quote])

function unlike(citations: readonly Citation[]): readonly Citation[] {
  return [...new Map(citations.map((one) => [keyOf(one), one])).values()]
}

const pageWords = ([first, last]: readonly [number, number]): string => (first === last ? t`page ${first}` : t`pages ${first}–${last}`)
