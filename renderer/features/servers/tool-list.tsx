// Tools one below the other, in the pane that scrolls them. Of a long list only those in sight are drawn; what was opened
// stays open when it comes into sight again.
import { useVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState } from 'react'
import type { ToolEntry } from '#app/server/catalogue.ts'
import type { ServerView } from '#app/server/view.ts'
import { useConsent } from '#renderer/stores/react.tsx'
import { ToolRow } from './tool-row.tsx'
import { toolStanding } from './tool-standing.ts'

/** Up to so many all are there, for the browser's own search too. */
const plainUpTo = 100
/** Of a row with a description, in pixels; it is measured once it is drawn. */
const rowHeight = 53

export interface ToolListProps {
  readonly server: ServerView
  readonly tools: readonly ToolEntry[]
  readonly onEnabled: (tool: string, enabled: boolean) => void
}

export function ToolList({ server, tools, onEnabled }: ToolListProps) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const [above, setAbove] = useState(0)
  const rules = useConsent((state) => state.rules)
  const list = useRef<HTMLDivElement>(null)
  const long = tools.length > plainUpTo
  const virtualizer = useVirtualizer({
    count: tools.length,
    enabled: long,
    getScrollElement: () => paneOf(list.current),
    estimateSize: () => rowHeight,
    getItemKey: (index) => tools[index]?.name ?? index,
    scrollMargin: above,
    overscan: 8,
  })
  // What stands above the list grows and goes: a failure, a search.
  useLayoutEffect(() => {
    const pane = paneOf(list.current)
    if (!list.current || !pane) return
    setAbove(Math.round(list.current.getBoundingClientRect().top - pane.getBoundingClientRect().top + pane.scrollTop))
  })
  const open = (name: string, isOpen: boolean): void =>
    setOpened((before) => new Set(isOpen ? [...before, name] : [...before].filter((one) => one !== name)))
  const row = (tool: ToolEntry, index?: number) => (
    <ToolRow
      key={tool.name}
      server={server}
      tool={tool}
      standing={toolStanding(rules, { server: server.name, trusted: server.definition.trusted, now: Date.now() }, tool)}
      open={opened.has(tool.name)}
      onOpen={(isOpen) => open(tool.name, isOpen)}
      onEnabled={(enabled) => onEnabled(tool.name, enabled)}
      {...(index === undefined ? {} : { place: { index, measure: virtualizer.measureElement } })}
    />
  )
  if (!long) return <div className="lines tools">{tools.map((tool) => row(tool))}</div>
  const items = virtualizer.getVirtualItems()
  const start = (items[0]?.start ?? above) - above
  const end = (items.at(-1)?.end ?? above) - above
  return (
    <div ref={list} className="lines tools" style={{ paddingTop: start, paddingBottom: Math.max(0, virtualizer.getTotalSize() - end) }}>
      {items.map(({ index }) => {
        const tool = tools[index]
        return tool ? row(tool, index) : null
      })}
    </div>
  )
}

/** The nearest that scrolls: another one where the window is narrow. */
function paneOf(element: HTMLElement | null): HTMLElement | null {
  for (let at = element?.parentElement; at; at = at.parentElement) if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at
  return document.documentElement
}
