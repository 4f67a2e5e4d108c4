// Entries of the registry, a row each, virtualised when there are many. The next page is asked for before the end is reached.
// Arrow keys move between rows; Tab goes row by row.
import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type KeyboardEvent, type ReactNode, type RefObject, useEffect } from 'react'
import { t } from '#app/i18n/translate.ts'
import type { RegistryEntry } from '#app/server/registry/registry-entry.ts'
import { nameForEntry } from '#app/server/registry/registry-entry.ts'
import { hrefOf } from '#renderer/router.ts'
import { Badge, ServerMark } from '#renderer/ui/badges.tsx'
import { UntrustedText } from '#renderer/ui/text/untrusted-text.tsx'

const rowHeight = 54
const plainUpTo = 60

interface EntryListProps {
  readonly entries: readonly RegistryEntry[]
  readonly selected: string | undefined
  /** The box that scrolls. */
  readonly box: RefObject<HTMLElement | null>
  readonly onNearEnd: () => void
}

export function EntryList({ entries, selected, box, onNearEnd }: EntryListProps) {
  const long = entries.length > plainUpTo
  const virtualizer = useVirtualizer({
    count: entries.length,
    enabled: long,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => entries[index]?.name ?? index,
    overscan: 8,
  })
  const shown = virtualizer.getVirtualItems()
  const last = long ? (shown.at(-1)?.index ?? 0) : entries.length
  useEffect(() => {
    if (last >= entries.length - 15) onNearEnd()
  }, [last, entries.length, onNearEnd])

  const move = (event: KeyboardEvent<HTMLElement>): void => {
    const at = Number((document.activeElement as HTMLElement | null)?.dataset['row'] ?? Number.NaN)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: entries.length - 1 }[event.key]
    if (to === undefined || Number.isNaN(at)) return
    event.preventDefault()
    const next = Math.min(entries.length - 1, Math.max(0, to))
    const list = event.currentTarget
    if (long) virtualizer.scrollToIndex(next)
    // It may be there only once the list has moved.
    requestAnimationFrame(() => list.querySelector<HTMLElement>(`[data-row="${next}"]`)?.focus())
  }
  const rowAt = (index: number, style?: CSSProperties): ReactNode => {
    const entry = entries[index]
    return (
      entry && (
        <li key={entry.name} className={style && 'virtual-item'} style={style} aria-setsize={entries.length} aria-posinset={index + 1}>
          <EntryRow entry={entry} index={index} selected={entry.name === selected} />
        </li>
      )
    )
  }
  return (
    <nav aria-label={t`Servers of the registry`} onKeyDown={move}>
      {long ? (
        <ul className="virtual" style={{ height: virtualizer.getTotalSize() }}>
          {shown.map((item) => rowAt(item.index, { transform: `translateY(${item.start}px)` }))}
        </ul>
      ) : (
        <ul>{entries.map((_, index) => rowAt(index))}</ul>
      )}
    </nav>
  )
}

function EntryRow({ entry, index, selected }: { readonly entry: RegistryEntry; readonly index: number; readonly selected: boolean }) {
  const { name, title, description, version, status } = entry
  return (
    <a className="item" href={hrefOf({ page: 'registry', name })} aria-current={selected ? 'page' : undefined} data-row={index}>
      <ServerMark name={nameForEntry(name)} />
      <span className="t">
        <UntrustedText className="cut" text={title ?? name} />
      </span>
      <span className="state">
        {status === 'active' ? (
          <UntrustedText className="when num cut registry-version" text={version} />
        ) : (
          <Badge tone="warn">{status}</Badge>
        )}
      </span>
      <UntrustedText className="d cut" text={description || name} />
    </a>
  )
}
