// The bar over a view: whose it is, where it reaches, what it asked for.

import { useId, useState } from 'react'
import { reachesOut } from '#app/apps/domains.ts'
import { t } from '#app/words/translate.ts'
import { useActions } from '#renderer/stores/react.tsx'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { Badge, ServerMark } from '#renderer/ui/marks.tsx'
import { ServerName } from '#renderer/ui/pieces.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { tx } from '#renderer/ui/translate.ts'
import type { ViewMode } from './use-host-context.ts'
import type { ReadyView } from './use-tool-view.ts'
import { ViewReach } from './view-reach.tsx'

interface ViewBarProps {
  readonly view: ReadyView
  readonly tool: string
  readonly mode: ViewMode
  /** Tools that it asked for, the latest last. */
  readonly calls: readonly string[]
  /** Something of it goes along with the next message. */
  readonly told: boolean
  readonly onMode: (mode: ViewMode) => void
  /** Who goes by keys enters the frame. */
  readonly onEnter: () => void
  readonly onHide: () => void
}

export function ViewBar({ view, tool, mode, calls, told, onMode, onEnter, onHide }: ViewBarProps) {
  const actions = useActions()
  const [open, setOpen] = useState(false)
  const moreId = useId()
  const { domains, refused, refusedPermissions } = view
  const places = new Set([...domains.connect, ...domains.resource]).size
  const reach = places === 0 ? t`no network` : places === 1 ? t`1 place` : t`${places} places`
  const last = calls.at(-1)
  const full = mode === 'fullscreen'
  return (
    <>
      <div className="view-bar">
        <ServerMark name={view.server} />
        <span className="cut" title={t`“${view.server}” shows “${tool}”`}>
          {tx`${<ServerName name={view.server} />} shows ${(
            <b>
              <Revealed text={tool} />
            </b>
          )}`}
        </span>
        <Button size="sm" variant="ghost" aria-expanded={open} aria-controls={moreId} onClick={() => setOpen(!open)}>
          {reach}
          <Icon name={open ? 'chevron-down' : 'chevron-right'} small />
        </Button>
        {told && <Badge tone="ink">{t`with your next message`}</Badge>}
        {last !== undefined && (
          <span className="faint cut wide-only">
            {calls.length > 1 ? tx`called ${<Revealed text={last} />}, ${calls.length} calls` : tx`called ${<Revealed text={last} />}`}
          </span>
        )}
        <span className="grow" />
        <Button size="sm" variant="ghost" className="view-enter" onClick={onEnter}>
          {t`Go into it`}
        </Button>
        <Button size="sm" variant="ghost" onClick={() => onMode(full ? 'inline' : 'fullscreen')}>
          {full ? t`Back to the chat` : t`Full page`}
        </Button>
        <IconButton label={t`Hide what “${tool}” shows`} icon="close" small onClick={onHide} />
      </div>
      <div id={moreId} hidden={!open} className="view-more">
        {open && (
          <>
            <p className="dim">
              {places === 0
                ? t`It cannot load or send anything. It knows what the call was given and gave, and asks you for the rest.`
                : t`It can reach these places and no others. It asks you before it calls a tool or opens a page.`}
            </p>
            {(places > 0 || refused.length > 0 || refusedPermissions.length > 0) && <ViewReach {...view} />}
            {reachesOut(domains) && (
              <Button
                size="sm"
                onClick={() => {
                  actions.go('view.forget', { id: view.id })
                  onHide()
                }}
              >
                {t`Hide it, and ask me the next time`}
              </Button>
            )}
          </>
        )}
      </div>
    </>
  )
}
