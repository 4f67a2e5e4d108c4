// The resources of all servers, by server.
import type { Route } from '#renderer/router.ts'
import { hrefOf } from '#renderer/router.ts'
import { useServers } from '#renderer/stores/react.tsx'
import { LibraryFrame } from '../library-frame.tsx'

export function ResourcesShelf(_props: { readonly route: Extract<Route, { page: 'library' }> }) {
  const servers = useServers((state) => state.list)
  return (
    <LibraryFrame tab="resources">
      <div className="page">
        <div className="in">
          <ul className="lines">
            {servers.map(({ name, counts }) => (
              <li key={name}>
                <a className="grow" href={hrefOf({ page: 'servers', name, tab: 'resources' })}>
                  {name}
                </a>
                <span className="faint num">{counts.resources}</span>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </LibraryFrame>
  )
}
