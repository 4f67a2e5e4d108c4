// Tools one below the other, in the pane that scrolls them. What was opened stays open when it comes into sight again.
import { useState } from 'react'
import type { ToolEntry } from '#app/server/catalogue.ts'
import type { ServerView } from '#app/server/view.ts'
import { useConsent } from '#renderer/stores/react.tsx'
import { useDrawnRows } from '#renderer/ui/use-drawn-rows.ts'
import { ToolRow } from './tool-row.tsx'
import { toolStanding } from './tool-standing.ts'

/** Of a row with a description, in pixels; it is measured once it is drawn. */
const rowHeight = 53

export interface ToolListProps {
  readonly server: ServerView
  readonly tools: readonly ToolEntry[]
  readonly onEnabled: (tool: string, enabled: boolean) => void
}

export function ToolList({ server, tools, onEnabled }: ToolListProps) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const rules = useConsent((state) => state.rules)
  const { list, style, indexes, measure } = useDrawnRows({
    count: tools.length,
    rowHeight,
    keyOf: (index) => tools[index]?.name ?? index,
  })
  const open = (name: string, isOpen: boolean): void =>
    setOpened((before) => new Set(isOpen ? [...before, name] : [...before].filter((one) => one !== name)))
  return (
    <div ref={list} className="lines tools" style={style}>
      {indexes.map((index) => {
        const tool = tools[index]
        return (
          tool && (
            <ToolRow
              key={tool.name}
              server={server}
              tool={tool}
              standing={toolStanding(rules, { server: server.name, trusted: server.definition.trusted, now: Date.now() }, tool)}
              open={opened.has(tool.name)}
              onOpen={(isOpen) => open(tool.name, isOpen)}
              onEnabled={(enabled) => onEnabled(tool.name, enabled)}
              {...(measure ? { place: { index, measure } } : {})}
            />
          )
        )
      })}
    </div>
  )
}
