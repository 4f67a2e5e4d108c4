import { numberWords } from '#app/words/formats.ts'
import { t } from '#app/words/translate.ts'
import { IconButton } from '#renderer/ui/button.tsx'
import { SearchInput } from '#renderer/ui/search-input.tsx'
import { isTyping } from '#renderer/ui/typing.ts'

interface LogSearchFieldProps {
  readonly query: string
  readonly onQuery: (query: string) => void
  readonly found: number
  /** Which of them the list is at, from one; undefined: at none yet. */
  readonly current: number | undefined
  readonly onGo: (step: 1 | -1) => void
}

/** Enter goes to the next line that holds the words, Shift and Enter to the one before. */
export function LogSearchField({ query, onQuery, found, current, onGo }: LogSearchFieldProps) {
  const lines = found === 1 ? t`one line` : t`${numberWords(found)} lines`
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the field within.
    <div
      className="row log-search"
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || isTyping(event) || !(event.target instanceof HTMLInputElement)) return
        event.preventDefault()
        onGo(event.shiftKey ? -1 : 1)
      }}
    >
      <SearchInput label={t`Find in the log`} value={query} onChange={onQuery} />
      <span className="help num nowrap" role="status">
        {query === '' ? '' : found === 0 ? t`not found` : current === undefined ? lines : t`${numberWords(current)} of ${lines}`}
      </span>
      {found === 0 ? null : (
        <>
          <IconButton label={t`Match before`} icon="chevron-up" small onClick={() => onGo(-1)} />
          <IconButton label={t`Next match`} icon="chevron-down" small onClick={() => onGo(1)} />
        </>
      )}
    </div>
  )
}
