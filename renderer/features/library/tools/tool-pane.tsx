// One tool: what its server says of it, whether that is what the person accepted, and a run of it by hand.
import { useMemo } from 'react'
import { type ApprovedDefinition, definitionOf } from '#app/consent/tool-definition.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import { t } from '#app/words/translate.ts'
import { LongText } from '#renderer/features/consent/argument-list.tsx'
import { ChangedDefinition } from '#renderer/features/consent/changed-definition.tsx'
import { ToolFacts } from '#renderer/features/servers/tool-facts.tsx'
import { hrefOf } from '#renderer/router.ts'
import { Switch } from '#renderer/ui/choices.tsx'
import { ErrorNotice } from '#renderer/ui/error-notice.tsx'
import { Badge, ServerMark, Spinner } from '#renderer/ui/marks.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { OwnIcon } from '#renderer/ui/own-icon.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { InChatSwitch } from './in-chat-switch.tsx'
import { RunTool } from './run-tool.tsx'
import type { FoundTool } from './tool-filter.ts'
import { useTool } from './use-tool.ts'

interface ToolPaneProps {
  readonly server: string
  readonly name: string
  /** As the list has it; undefined: it is not there. */
  readonly listed: FoundTool | undefined
  readonly onEnabled: (on: boolean) => void
}

export function ToolPane({ server, name, listed, onEnabled }: ToolPaneProps) {
  const page = useTool(server, name)
  const { tool, approved } = page
  const title = tool?.title ?? tool?.annotations?.title
  return (
    <section className="b" aria-label={t`Tool “${name}”`}>
      <div className="in tool-pane">
        <header className="stack tight">
          <div className="row wrap">
            {tool && <OwnIcon icons={tool.icons} />}
            <h2 className="mono tool-name">
              <Revealed text={name} />
            </h2>
            <State tool={tool} approved={approved} />
            <span className="grow" />
            {listed && (
              <Switch
                checked={listed.tool.enabled}
                disabled={!listed.server.enabled}
                label={listed.server.enabled ? t`The model sees it` : t`Off with “${server}”`}
                onChange={onEnabled}
              />
            )}
          </div>
          <p className="row wrap help">
            <ServerMark name={server} />
            <a className="link" href={hrefOf({ page: 'servers', name: server, tab: 'tools' })}>
              {server}
            </a>
            {title && (
              <span>
                · “<Revealed text={title} />”
              </span>
            )}
            {tool && <span className="num">· {t`${tool.tokens} tokens in each request`}</span>}
          </p>
          {listed?.server.enabled && listed.tool.enabled && <InChatSwitch server={server} tool={name} />}
        </header>
        {page.error && <ErrorNotice error={page.error} onRetry={page.reload} />}
        {!tool && !page.error && (
          <p className="row faint">
            <Spinner /> {t`Reading it.`}
          </p>
        )}
        {tool && <Known tool={tool} approved={approved} server={server} />}
        {tool && (
          <ToolFacts server={server} trusted={listed?.server.trusted ?? false} tool={tool}>
            {tool.icons && tool.icons.length > 0 && (
              <>
                <dt>{t`Pictures`}</dt>
                <dd className="faint">
                  {tx`${tool.icons.length} named, ${(
                    <Revealed
                      text={tool.icons
                        .map(({ src }) => src.slice(0, 80))
                        .join(', ')
                        .slice(0, 300)}
                    />
                  )}. None is fetched.`}
                </dd>
              </>
            )}
          </ToolFacts>
        )}
        {tool && <Schemas tool={tool} />}
        {tool && <RunTool key={tool.fingerprint} server={server} tool={tool} onChanged={page.reload} />}
      </div>
    </section>
  )
}

function State({ tool, approved }: { readonly tool: ToolEntry | undefined; readonly approved: ApprovedDefinition | null }) {
  if (!tool) return null
  if (!approved) return <Badge>{t`new to you`}</Badge>
  return approved.fingerprint === tool.fingerprint ? <Badge>{t`as you accepted it`}</Badge> : <Badge tone="warn">{t`changed`}</Badge>
}

function Known({
  tool,
  approved,
  server,
}: {
  readonly tool: ToolEntry
  readonly approved: ApprovedDefinition | null
  readonly server: string
}) {
  const definition = useMemo(() => definitionOf(tool), [tool])
  if (!approved || approved.fingerprint === tool.fingerprint) return null
  return (
    <>
      <Notice tone="warn" title={t`“${server}” changed this tool after you accepted it.`}>
        {t`A run of it asks you first, as any call does.`}
      </Notice>
      <ChangedDefinition previous={approved} definition={definition} />
    </>
  )
}

function Schemas({ tool }: { readonly tool: ToolEntry }) {
  const input = useMemo(() => JSON.stringify(tool.inputSchema, null, 2), [tool])
  const output = useMemo(() => (tool.outputSchema ? JSON.stringify(tool.outputSchema, null, 2) : undefined), [tool])
  return (
    <div className="stack tight">
      <details>
        <summary className="label">{t`Schema of its arguments`}</summary>
        <LongText text={input} label={t`schema of its arguments`} />
      </details>
      {output === undefined ? (
        <p className="help">{t`It names no schema of what it gives back.`}</p>
      ) : (
        <details>
          <summary className="label">{t`Schema of what it gives back`}</summary>
          <LongText text={output} label={t`schema of what it gives back`} />
        </details>
      )}
    </div>
  )
}
