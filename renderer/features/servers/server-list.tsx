import { type KeyboardEvent, useRef } from 'react'
import type { ServerView } from '#app/server/view.ts'
import { ServerRow } from './server-row.tsx'
import { groupServers, groupTitle } from './state-words.ts'

export interface ServerListProps {
  readonly servers: readonly ServerView[]
  readonly selected: string | undefined
  readonly hrefOf: (name: string) => string
}

/** Grouped by what they want of the person. Arrow keys move between the rows, Tab goes row by row as with any links. */
export function ServerList({ servers, selected, hrefOf }: ServerListProps) {
  const list = useRef<HTMLElement>(null)
  const move = (event: KeyboardEvent): void => {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('.item') ?? [])]
    const at = rows.indexOf(document.activeElement as HTMLElement)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key]
    if (at < 0 || to === undefined) return
    event.preventDefault()
    rows[Math.min(rows.length - 1, Math.max(0, to))]?.focus()
  }
  return (
    <nav ref={list} aria-label="Servers" onKeyDown={move}>
      {groupServers(servers).map(({ group, servers: members }) => (
        <section key={group} aria-label={groupTitle[group]}>
          <h2 className="grouphead">{groupTitle[group]}</h2>
          {members.map((server) => (
            <ServerRow key={server.name} server={server} selected={server.name === selected} href={hrefOf(server.name)} />
          ))}
        </section>
      ))}
    </nav>
  )
}
