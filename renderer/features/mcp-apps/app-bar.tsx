// The bar over a view: its server, the places that it reaches, what it requested and what was refused.

import { useId, useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import { reachesOut } from '#app/mcp-apps/csp-domains.ts'
import { McpAppReach } from '#renderer/features/consent/consent-card.tsx'
import { useActions } from '#renderer/stores/store-hooks.tsx'
import { IconButton, SmallButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { Badge, Icon, ServerMark } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { ServerName, VisibleText } from '#renderer/ui/visible-text.tsx'
import type { McpAppDisplayMode } from './use-host-context.ts'
import type { ReadyMcpApp } from './use-tool-app.ts'

interface ViewBarProps {
  readonly view: ReadyMcpApp
  readonly tool: string
  readonly mode: McpAppDisplayMode
  readonly calls: readonly string[]
  /** Whether a context of the view goes with the next message. */
  readonly hasContext: boolean
  readonly onMode: (mode: McpAppDisplayMode) => void
  readonly onEnter: () => void
  readonly onHide: () => void
}

export function McpAppBar({ view, tool, mode, calls, hasContext, onMode, onEnter, onHide }: ViewBarProps) {
  const actions = useActions()
  const [open, setOpen] = useState(false)
  const moreId = useId()
  const { domains, refused, refusedPermissions } = view
  const places = new Set([...domains.connect, ...domains.resource]).size
  const reach = places === 0 ? t`no network` : t`${places} {host|hosts}`
  const last = calls.at(-1)
  const full = mode !== 'inline'
  return (
    <>
      <div className="app-bar">
        <ServerMark name={view.server} />
        <span className="cut">{tx`${<ServerName name={view.server} />} shows ${<VisibleText as="b" text={tool} />}`}</span>
        <SmallGhostButton aria-expanded={open} aria-controls={moreId} onClick={() => setOpen(!open)}>
          {reach}
          <Icon name={open ? 'chevron-down' : 'chevron-right'} small />
        </SmallGhostButton>
        {hasContext && <Badge tone="ink">{t`with your next message`}</Badge>}
        {last !== undefined && (
          <span className="faint cut wide-only">
            {calls.length > 1
              ? tx`called ${<VisibleText text={last} />}, ${calls.length} calls`
              : tx`called ${<VisibleText text={last} />}`}
          </span>
        )}
        <span className="grow" />
        <SmallGhostButton className="app-enter" onClick={onEnter}>
          {t`Continue with focus inside`}
        </SmallGhostButton>
        <SmallGhostButton onClick={() => onMode(full ? 'inline' : 'fullscreen')}>
          {full ? t`Back to the chat` : t`Full page`}
        </SmallGhostButton>
        <IconButton label={t`Hide the view of “${tool}”`} icon="close" small onClick={onHide} />
      </div>
      <div id={moreId} hidden={!open} className="app-more">
        {open && (
          <>
            <p className="dim">{places === 0 ? t`Cannot load or send anything.` : t`Can reach only these hosts.`}</p>
            {(places > 0 || refused.length > 0 || refusedPermissions.length > 0) && <McpAppReach {...view} />}
            {reachesOut(domains) && (
              <SmallButton
                onClick={() => {
                  actions.go('mcpApp.forget', { id: view.id })
                  onHide()
                }}
              >
                {t`Hide, and ask next time`}
              </SmallButton>
            )}
          </>
        )}
      </div>
    </>
  )
}
