// Entries of the registry, a row each, virtualised when there are many. The next page is asked for before the end is reached.
// Arrow keys move between rows; Tab goes row by row.
import { type KeyboardEvent, useEffect } from 'react'
import { t } from '#app/i18n/translate.ts'
import { nameForEntry, type RegistryEntry } from '#app/server/registry/registry-entry.ts'
import { hrefOf } from '#renderer/router.ts'
import { Badge, ServerMark } from '#renderer/ui/icon.tsx'
import { useVisibleRows } from '#renderer/ui/lib/use-visible-rows.ts'
import { VisibleText } from '#renderer/ui/visible-text.tsx'

interface EntryListProps {
  readonly entries: readonly RegistryEntry[]
  /** Name of the entry that is shown. */
  readonly selected: string | undefined
  readonly onNearEnd: () => void
}

export function EntryList({ entries, selected, onNearEnd }: EntryListProps) {
  const { list, style, indexes, measure, scrollTo } = useVisibleRows({
    count: entries.length,
    rowHeight: 54,
    keyOf: (index) => entries[index]?.name ?? index,
    plainUpTo: 60,
    sticky: '.registry-search',
  })
  const last = indexes.at(-1) ?? 0
  useEffect(() => {
    if (last >= entries.length - 15) onNearEnd()
  }, [last, entries.length, onNearEnd])

  const move = (event: KeyboardEvent<HTMLElement>): void => {
    const at = Number((document.activeElement as HTMLElement | null)?.dataset['row'] ?? Number.NaN)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: entries.length - 1 }[event.key]
    if (to === undefined || Number.isNaN(at)) return
    event.preventDefault()
    const next = Math.min(entries.length - 1, Math.max(0, to))
    const rows = event.currentTarget
    scrollTo(next)
    // The row may be in the page only once the list has moved.
    requestAnimationFrame(() => rows.querySelector<HTMLElement>(`[data-row="${next}"]`)?.focus())
  }
  return (
    <nav aria-label={t`Servers of the registry`} ref={list} style={style} onKeyDown={move}>
      <ul>
        {indexes.map((index) => {
          const entry = entries[index]
          return (
            entry && (
              <li key={entry.name} ref={measure} data-index={index} aria-setsize={entries.length} aria-posinset={index + 1}>
                <EntryRow entry={entry} index={index} selected={entry.name === selected} />
              </li>
            )
          )
        })}
      </ul>
    </nav>
  )
}

function EntryRow({ entry, index, selected }: { readonly entry: RegistryEntry; readonly index: number; readonly selected: boolean }) {
  const { name, title, description, version, status } = entry
  return (
    <a className="item" href={hrefOf({ page: 'registry', name })} aria-current={selected ? 'page' : undefined} data-row={index}>
      <ServerMark name={nameForEntry(name)} />
      <span className="t">
        <VisibleText className="cut" text={title ?? name} />
      </span>
      <span className="state">
        {status === 'active' ? (
          <VisibleText className="when num cut registry-version" text={version} />
        ) : (
          <Badge tone="warn">{status}</Badge>
        )}
      </span>
      <VisibleText className="d cut" text={description || name} />
    </a>
  )
}
