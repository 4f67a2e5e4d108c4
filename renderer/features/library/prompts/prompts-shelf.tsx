// The prompts of all servers, by server.
import type { Route } from '#renderer/router.ts'
import { hrefOf } from '#renderer/router.ts'
import { useServers } from '#renderer/stores/react.tsx'
import { LibraryFrame } from '../library-frame.tsx'

export function PromptsShelf(_props: { readonly route: Extract<Route, { page: 'library' }> }) {
  const servers = useServers((state) => state.list)
  return (
    <LibraryFrame tab="prompts">
      <div className="page">
        <div className="in">
          <ul className="lines">
            {servers.map(({ name, counts }) => (
              <li key={name}>
                <a className="grow" href={hrefOf({ page: 'servers', name, tab: 'prompts' })}>
                  {name}
                </a>
                <span className="faint num">{counts.prompts}</span>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </LibraryFrame>
  )
}
