import type { ReactNode } from 'react'
import { t } from '#app/i18n/translate.ts'
import { assertNever } from '#app/json.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import type { EditField } from '#app/server/doctor.ts'
import type { Session } from '#app/server/server-state.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { formatDuration } from '#app/text/format-text.ts'
import { BundleSection } from '#renderer/features/bundles/bundle-section.tsx'
import { ConsentCard } from '#renderer/features/consent/consent-card.tsx'
import { hrefOf, navigate } from '#renderer/router.ts'
import { useActions, useConsent, useSettings, useStores } from '#renderer/stores/store-hooks.tsx'
import { showToast } from '#renderer/stores/view-state.ts'
import { Badge, ServerMark, Spinner } from '#renderer/ui/badges.tsx'
import { Button, IconButton, LinkButton } from '#renderer/ui/button.tsx'
import { Switch } from '#renderer/ui/choices.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { useNow } from '#renderer/ui/lib/use-now.ts'
import { Menu, MenuItem, MenuSeparator } from '#renderer/ui/menu.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { OwnIcon } from '#renderer/ui/server-icon.tsx'
import { Tabs } from '#renderer/ui/tabs.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { SignInSection } from './auth/auth-section.tsx'
import { SignInWaiting } from './auth/waiting-for-sign-in.tsx'
import { oauthSummary, toOAuthForm } from './edit/oauth-form.ts'
import { SamplingSection } from './edit/sampling-section.tsx'
import { ServerRoots } from './edit/server-roots.tsx'
import { LogTab, useServerLog } from './log/log-tab.tsx'
import { MessagesTab } from './messages/messages-tab.tsx'
import { SecretsSection } from './secrets/secrets-section.tsx'
import { ActivitySection } from './status/activity-section.tsx'
import { DoubtNotice, FailureNotice, serverAddressOf } from './status/failure-notice.tsx'
import { WhatWasTried } from './status/start-trace.tsx'
import { countsTime, headlineLabel, startingLabel } from './status/state-labels.ts'
import { ResourcesPromptsTab } from './tools/resources-prompts-tabs.tsx'
import { ToolsTab, useCatalogue } from './tools/server-tools-tab.tsx'

const foundBy: Record<Session['foundBy'], string> = {
  discover: t`it answered to server/discover`,
  initialize: t`agreed on in the handshake`,
  remembered: t`remembered from the last start`,
}

const spokenOver: Record<NonNullable<Session['transport']>, string> = {
  stdio: t`its standard input and output`,
  'streamable-http': t`Streamable HTTP`,
  sse: t`HTTP with SSE, the oldest transport`,
}

const Row = ({ label, mono, children }: { readonly label: string; readonly mono?: boolean; readonly children: ReactNode }) => (
  <>
    <dt>{label}</dt>
    <dd className={mono ? 'mono' : undefined}>{children}</dd>
  </>
)

/** One word a line, as the program gets them: nothing is joined, so nothing can be misread. */
function CommandLines({ command, args }: { readonly command: string; readonly args: readonly string[] }) {
  return (
    <div className="cmdline">
      <div>
        <span>{t`program`}</span>
        <b>
          <VisibleText text={command} />
        </b>
      </div>
      {args.map((arg, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an argument is known by its place.
        <div key={index}>
          <span>{index + 1}</span>
          <div>{arg === '' ? <span className="faint">{t`(empty)`}</span> : <VisibleText text={arg} />}</div>
        </div>
      ))}
    </div>
  )
}

function Values({ values }: { readonly values: Readonly<Record<string, string>> }) {
  return Object.entries(values).map(([name, value]) => (
    <div key={name}>
      {name} <span className="faint">= {value === '' ? t`(empty)` : <VisibleText text={value} />}</span>
    </div>
  ))
}

function Where({ definition }: { readonly definition: ServerDefinition }) {
  switch (definition.transport) {
    case 'builtin':
      return <p className="dim">{t`It comes with Assent and runs from there.`}</p>
    case 'stdio':
      return <CommandLines command={definition.command} args={definition.args} />
    default:
      return (
        <div className="cmdline">
          <VisibleText text={definition.url} />
        </div>
      )
  }
}

function DetailsTab({ server }: { readonly server: ServerSummary }) {
  const { definition, state } = server
  const defaultTimeout = useSettings((all) => all.settings.callTimeoutMs)
  const session = state.kind === 'ready' ? state.session : server.session
  const transport = {
    stdio: t`program on this computer`,
    'streamable-http': t`Streamable HTTP`,
    sse: t`HTTP with SSE (legacy)`,
    builtin: t`built in`,
  }[definition.transport]
  return (
    <>
      {server.warnings.map((warning) => (
        <Notice key={warning} tone="warn" title={<VisibleText text={warning} />} />
      ))}
      <SignInSection server={server} />
      <ActivitySection server={server} />
      <section className="sec">
        <div className="row">
          <h3 className="h3">{t`As configured`}</h3>
          <span className="grow" />
          <LinkButton variant="ghost" size="sm" href={hrefOf({ page: 'servers', name: '', tab: 'config' })}>
            {t`Open servers.json`}
          </LinkButton>
        </div>
        <Where definition={definition} />
        <dl className="kv">
          <Row label={t`Transport`}>{transport}</Row>
          {definition.transport === 'stdio' && definition.cwd !== undefined ? (
            <Row label={t`Folder`} mono>
              {definition.cwd}
            </Row>
          ) : null}
          {definition.transport === 'stdio' && Object.keys(definition.env).length > 0 ? (
            <Row label={t`Environment`} mono>
              <Values values={definition.env} />
            </Row>
          ) : null}
          {'headers' in definition && Object.keys(definition.headers).length > 0 ? (
            <Row label={t`Headers`} mono>
              <Values values={definition.headers} />
            </Row>
          ) : null}
          {'oauth' in definition && definition.oauth ? <Row label={t`Sign-in`}>{oauthSummary(toOAuthForm(definition.oauth))}</Row> : null}
          <Row label={t`Starts`}>{definition.start === 'launch' ? t`with Assent` : t`when a chat needs it`}</Row>
          {definition.startTimeoutMs === undefined ? null : (
            <Row label={t`Its start may take`}>{t`${formatDuration(definition.startTimeoutMs)} without an answer`}</Row>
          )}
          <Row label={t`Stopped`}>
            {definition.idleMinutes === undefined
              ? t`by you, or with Assent`
              : t`when nobody needed it for ${formatDuration(definition.idleMinutes * 60_000)}`}
          </Row>
          <Row label={t`A call may take`}>
            {definition.timeoutMs === undefined
              ? t`${formatDuration(defaultTimeout)} without progress, as in the settings`
              : t`${formatDuration(definition.timeoutMs)} without progress`}
          </Row>
          <Row label={t`Annotations`}>{definition.trusted ? t`trusted: they count as facts in rules` : t`claims: no rule counts them`}</Row>
        </dl>
      </section>
      <ServerRoots name={server.name} />
      <BundleSection server={server} />
      <SecretsSection server={server} />
      <SamplingSection key={server.name} name={server.name} />
      {session ? (
        <section className="sec">
          <h3>{state.kind === 'ready' ? t`As agreed` : t`As agreed the last time`}</h3>
          <dl className="kv">
            <Row label={t`Revision`}>
              <span className="mono">
                <VisibleText text={session.protocolVersion} />
              </span>{' '}
              <span className="dim">
                {session.era}, {foundBy[session.foundBy]}
              </span>
            </Row>
            {session.transport === undefined ? null : <Row label={t`Spoken over`}>{spokenOver[session.transport]}</Row>}
            {session.serverInfo ? (
              <Row label={t`Calls itself`}>
                <OwnIcon icons={session.serverInfo.icons} /> “<VisibleText text={session.serverInfo.title ?? session.serverInfo.name} />”{' '}
                <span className="dim">
                  <VisibleText text={session.serverInfo.version} />
                </span>
              </Row>
            ) : null}
            {state.kind === 'ready' && state.pid !== undefined ? <Row label={t`Process`}>{state.pid}</Row> : null}
            {session.instructions ? (
              <Row label={t`Tells the model`}>
                <span className="said-by-server">
                  “<VisibleText text={session.instructions} />”
                </span>
              </Row>
            ) : null}
          </dl>
        </section>
      ) : null}
    </>
  )
}

const running = new Set(['starting', 'ready', 'waiting'])

/** By hand: start, stop, restart, edit, remove. How a start ends is shown as the server's state, so a failure is not said twice. */
function ServerMenu({ server, onEdit }: { readonly server: ServerSummary; readonly onEdit: () => void }) {
  const { attempt, ask, go } = useActions()
  const { view } = useStores()
  const { name, definition, state } = server
  const remove = async (): Promise<void> => {
    const done = await ask('server.remove', { name })
    if (!done) return
    navigate({ page: 'servers' })
    showToast(view, t`“${name}” removed.`, { action: { label: t`Undo`, run: () => go('config.save', { text: done.text }) } })
  }
  return (
    <Menu align="end" trigger={<IconButton label={t`More about “${name}”`} icon="more" small />}>
      {running.has(state.kind) ? (
        <>
          <MenuItem onSelect={() => void attempt('server.restart', { name })}>{t`Restart`}</MenuItem>
          <MenuItem onSelect={() => go('server.stop', { name })}>{t`Stop`}</MenuItem>
        </>
      ) : (
        <MenuItem disabled={!definition.enabled || state.kind === 'stopping'} onSelect={() => void attempt('server.start', { name })}>
          {t`Start`}
        </MenuItem>
      )}
      <MenuSeparator />
      {definition.transport === 'builtin' ? null : <MenuItem onSelect={onEdit}>{t`Edit…`}</MenuItem>}
      <MenuItem danger onSelect={() => void remove()}>
        {t`Remove`}
      </MenuItem>
    </Menu>
  )
}

const detailTabs = ['tried', 'tools', 'resources', 'prompts', 'log', 'messages', 'details'] as const
type DetailTab = (typeof detailTabs)[number]
export const isDetailTab = (value: string | undefined): value is DetailTab => detailTabs.some((tab) => tab === value)

interface ServerDetailProps {
  readonly server: ServerSummary
  readonly tab: DetailTab | undefined
  readonly onEdit: (field?: EditField) => void
}

function Headline({ server, onEdit }: Omit<ServerDetailProps, 'tab'>) {
  const { go, attempt } = useActions()
  const { name, definition, state } = server
  const now = useNow(1000, countsTime(server))
  const session = state.kind === 'ready' ? state.session : undefined
  const idle = state.kind === 'stopped' || state.kind === 'refused'
  return (
    <header className="headline">
      <ServerMark name={name} large />
      <div className="grow">
        <h2 className="row">
          <span className="cut">{name}</span>
          {session ? <Badge mono>{session.protocolVersion}</Badge> : null}
          {session?.era === 'legacy' ? <Badge>{t`legacy`}</Badge> : null}
        </h2>
        <p className="faint">{headlineLabel(server, serverAddressOf(definition), now)}</p>
      </div>
      {idle ? (
        <Button size="sm" icon="play" onClick={() => void attempt('server.start', { name })}>
          {state.kind === 'refused' ? t`Ask again` : t`Start`}
        </Button>
      ) : null}
      <Switch
        checked={definition.enabled}
        label={t`“${name}” on`}
        hideLabel
        onChange={(enabled) => go('server.save', { name, definition: { ...definition, enabled } })}
      />
      <ServerMenu server={server} onEdit={() => onEdit()} />
    </header>
  )
}

/** What the state adds above the tabs: a failure and its remedies, the question that waits, the step it is at. */
function StateBlock({ server, onEdit }: Omit<ServerDetailProps, 'tab'>) {
  const { state } = server
  switch (state.kind) {
    case 'failed':
      return <FailureNotice server={server} state={state} onEdit={onEdit} />
    case 'waiting':
      return <Waiting requestId={state.requestId} />
    case 'starting':
      if (state.diagnosis) return <DoubtNotice server={server} diagnosis={state.diagnosis} onEdit={onEdit} />
      return state.step === 'signing-in' ? null : <Starting server={server} />
    case 'disabled':
    case 'stopped':
    case 'refused':
    case 'ready':
    case 'stopping':
      return null
    default:
      return assertNever(state)
  }
}

function Starting({ server }: { readonly server: ServerSummary }) {
  const now = useNow(1000)
  return (
    <p className="row dim" role="status">
      <Spinner />
      <span>
        {t`${startingLabel(server, now)}.`} {server.counts.tools > 0 ? t`Its tools are listed from last time.` : ''}
      </span>
    </p>
  )
}

function Waiting({ requestId }: { readonly requestId: string }) {
  const request = useConsent((all) => all.requests.find((one) => one.id === requestId))
  return request ? <ConsentCard request={request} /> : null
}

/** Where to read what the list marks with “read this”. */
const DetailsLabel = ({ unread }: { readonly unread: number }) =>
  tx`Details ${unread > 0 ? <Badge tone="warn">{tx`${unread} to read`}</Badge> : null}`

const MessagesLabel = () => (
  <>
    {t`Messages`} <Badge>{t`recording`}</Badge>
  </>
)

export function ServerDetail({ server, tab, onEdit }: ServerDetailProps) {
  const { name, counts, state } = server
  const page = useCatalogue(name, server.catalogueRevision)
  const log = useServerLog(name)
  const failed = state.kind === 'failed' ? state : undefined
  const wanted = tab === 'tried' && !failed ? undefined : tab
  const shown = wanted ?? (failed ? 'tried' : 'tools')
  const count = (label: string, value: number) => (
    <>
      {label} {value > 0 ? <span className="faint num">{value}</span> : null}
    </>
  )
  return (
    <section className="b" aria-label={name}>
      <div className="in">
        <Headline server={server} onEdit={onEdit} />
        <StateBlock server={server} onEdit={onEdit} />
        <SignInWaiting server={server} />
        <Tabs<DetailTab>
          label={t`About “${name}”`}
          value={shown}
          onChange={(next) => navigate({ page: 'servers', name, tab: next }, { replace: true })}
          tabs={[
            ...(failed ? [{ value: 'tried', label: t`What was tried` } as const] : []),
            { value: 'tools', label: count(t`Tools`, counts.tools) },
            { value: 'resources', label: count(t`Resources`, counts.resources) },
            { value: 'prompts', label: count(t`Prompts`, counts.prompts) },
            { value: 'log', label: t`Log` },
            { value: 'messages', label: server.inspecting ? <MessagesLabel /> : t`Messages` },
            { value: 'details', label: <DetailsLabel unread={server.warnings.length} /> },
          ]}
        >
          {shown === 'tried' && failed ? <WhatWasTried key={failed.at} server={server} /> : null}
          {shown === 'tools' ? <ToolsTab server={server} page={page} /> : null}
          {shown === 'resources' || shown === 'prompts' ? <ResourcesPromptsTab server={server} tab={shown} /> : null}
          {shown === 'log' ? <LogTab server={server} log={log} /> : null}
          {shown === 'messages' ? <MessagesTab key={name} server={server} /> : null}
          {shown === 'details' ? <DetailsTab server={server} /> : null}
        </Tabs>
      </div>
    </section>
  )
}
