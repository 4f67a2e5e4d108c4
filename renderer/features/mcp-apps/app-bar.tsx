// The bar over a view: its server, the places that it reaches, what it requested and what was refused.

import { useId, useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import type { McpAppPermission, OpenedMcpApp } from '#app/mcp-apps/app-view.ts'
import { type RefusedDomain, reachesOut } from '#app/mcp-apps/csp-domains.ts'
import { useActions } from '#renderer/stores/store-hooks.tsx'
import { IconButton, SmallButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { Badge, Icon, ServerMark } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { Fact } from '#renderer/ui/text/section.tsx'
import { ServerName, SourceName, VisibleText } from '#renderer/ui/visible-text.tsx'
import type { McpAppDisplayMode } from './use-host-context.ts'
import type { ReadyMcpApp } from './use-tool-app.ts'

type Reach = Pick<OpenedMcpApp, 'domains' | 'refused' | 'refusedPermissions'>

const refusalLabels: Readonly<Record<RefusedDomain['why'], string>> = {
  'not-an-origin': t`not one host`,
  insecure: t`not encrypted`,
  wildcard: t`wider than one domain`,
  private: t`inside your own network`,
  'too-many': t`too many to check`,
  frames: t`Embeds pages`,
  origin: t`an address of its own`,
}
const permissionLabels: Readonly<Record<McpAppPermission, string>> = {
  camera: 'camera',
  microphone: 'microphone',
  geolocation: 'place',
  clipboardWrite: 'clipboard',
}

export function McpAppReach({ domains: { connect, resource }, refused, refusedPermissions }: Reach) {
  return (
    <dl className="kv">
      <Places label={t`Talks to`} sources={connect} />
      <Places label={t`Loads from`} sources={resource} />
      {refused.length + refusedPermissions.length > 0 && (
        <Fact label={t`Not given`}>
          <ul className="plain-list">
            {refused.map(({ text, why }) => (
              <li key={`${why} ${text}`}>
                <VisibleText className="mono" text={text} /> <span className="dim">{refusalLabels[why]}</span>
              </li>
            ))}
            {refusedPermissions.length > 0 && <li>{tx`your ${refusedPermissions.map((name) => permissionLabels[name]).join(', ')}`}</li>}
          </ul>
        </Fact>
      )}
    </dl>
  )
}

const Places = ({ label, sources }: { readonly label: string; readonly sources: readonly string[] }) =>
  sources.length > 0 && (
    <Fact label={label}>
      <ul className="plain-list">
        {sources.map((source) => (
          <li key={source}>
            <SourceName source={source} />
          </li>
        ))}
      </ul>
    </Fact>
  )

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
        <span className="cut" title={t`“${view.server}” shows “${tool}”`}>
          {tx`${<ServerName name={view.server} />} shows ${<VisibleText as="b" text={tool} />}`}
        </span>
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
