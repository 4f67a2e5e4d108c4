import type { ServerView } from '#app/server/view.ts'
import { t } from '#app/words/translate.ts'
import { moveBetween } from '#renderer/ui/arrow-keys.ts'
import { ServerRow } from './server-row.tsx'
import { groupServers, groupTitle } from './state-words.ts'

export interface ServerListProps {
  readonly servers: readonly ServerView[]
  readonly selected: string | undefined
  readonly hrefOf: (name: string) => string
}

/** Grouped by what they want of the person. */
export function ServerList({ servers, selected, hrefOf }: ServerListProps) {
  return (
    <nav aria-label={t`Servers`} onKeyDown={(event) => moveBetween(event, '.item')}>
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
