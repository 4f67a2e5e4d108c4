import { t } from '#app/i18n/translate.ts'
import { assertNever } from '#app/json.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import type { EditField } from '#app/server/doctor.ts'
import { fetchedBy } from '#app/server/fetched.ts'
import type { Session } from '#app/server/server-state.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { formatDuration } from '#app/text/format-text.ts'
import { BundleSection } from '#renderer/features/bundles/bundle-section.tsx'
import { ServerDock } from '#renderer/features/consent/dock/dock.tsx'
import { navigate } from '#renderer/router.ts'
import { useActions, useSettings, useStores, useView } from '#renderer/stores/store-hooks.tsx'
import { IconButton, SmallButton, SmallLink } from '#renderer/ui/button.tsx'
import { Switch } from '#renderer/ui/field.tsx'
import { Badge, ServerMark } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { useNow } from '#renderer/ui/lib/use-now.ts'
import { Menu, MenuItem, MenuSeparator } from '#renderer/ui/menu.tsx'
import { WarnNotice } from '#renderer/ui/notice.tsx'
import { OwnIcon } from '#renderer/ui/server-icon.tsx'
import { Tabs } from '#renderer/ui/tabs.tsx'
import { Section } from '#renderer/ui/text/section.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { AccountWord, SignInSection } from './auth/auth-section.tsx'
import { SignInWaiting } from './auth/waiting-for-sign-in.tsx'
import { Busy } from './connection-test/connection-test-panel.tsx'
import { oauthSummary, toOAuthForm } from './edit/oauth-form.ts'
import { LogTab, useServerLog } from './log/log-tab.tsx'
import { MessagesTab } from './messages/messages-tab.tsx'
import { ServerPermissions } from './permissions/server-permissions.tsx'
import { SecretsSection } from './secrets/secrets-section.tsx'
import { ActivitySection } from './status/activity-section.tsx'
import { FactList, type FactRow } from './status/fact-list.tsx'
import { DoubtNotice, FailureNotice, serverAddressOf } from './status/failure-notice.tsx'
import { WhatWasTried } from './status/start-trace.tsx'
import { countsTime, headlineLabel, startingLabel } from './status/state-labels.ts'
import { ResourcesPromptsTab, ToolsTab, useCatalogue } from './tools/server-tools-tab.tsx'

// The tab with everything that is known of one server: its configuration, state, folders, bundle, secrets, limits and session.

function Where({ definition }: { readonly definition: ServerDefinition }) {
  switch (definition.transport) {
    case 'builtin':
      return <p className="dim">{t`Comes with Assent`}</p>
    case 'stdio':
      return (
        <div className="cmdline">
          <div>
            <span>{t`Program`}</span>
            <VisibleText as="b" text={definition.command} />
          </div>
          {definition.args.map((arg, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an argument is known by its place.
            <div key={index}>
              <span>{index + 1}</span>
              <div>{arg === '' ? <span className="faint">{t`empty`}</span> : <VisibleText text={arg} />}</div>
            </div>
          ))}
        </div>
      )
    default:
      return <VisibleText as="div" className="cmdline" text={definition.url} />
  }
}

const transportLabels: Record<ServerDefinition['transport'], string> = {
  stdio: t`Program on this computer`,
  'streamable-http': t`Streamable HTTP`,
  sse: t`HTTP with SSE`,
  builtin: t`built in`,
}

/** `defaultTimeout`: milliseconds of the settings. */
function configuredFacts(definition: ServerDefinition, defaultTimeout: number): FactRow[] {
  const { start, startTimeoutMs, idleMinutes, timeoutMs, trusted } = definition
  const program = definition.transport === 'stdio' ? definition : undefined
  const remote = 'headers' in definition ? definition : undefined
  const values = (record: Readonly<Record<string, string>> = {}) =>
    Object.keys(record).length > 0 &&
    Object.entries(record).map(([name, value]) => (
      <div key={name}>
        {name} <span className="faint">= {value === '' ? t`empty` : <VisibleText text={value} />}</span>
      </div>
    ))
  return [
    [t`Transport`, transportLabels[definition.transport]],
    [t`Folder`, program?.cwd, 'mono'],
    [t`Environment`, values(program?.env), 'mono'],
    [t`Headers`, values(remote?.headers), 'mono'],
    [t`Sign-in`, remote?.oauth && oauthSummary(toOAuthForm(remote.oauth))],
    [t`Starts`, start === 'launch' ? t`with Assent` : t`when a chat needs it`],
    [t`Start timeout`, startTimeoutMs !== undefined && formatDuration(startTimeoutMs)],
    [t`Idle timeout`, idleMinutes === undefined ? t`never` : formatDuration(idleMinutes * 60_000)],
    [t`Tool timeout`, timeoutMs === undefined ? t`Default ${formatDuration(defaultTimeout)}` : formatDuration(timeoutMs)],
    [t`Annotations`, trusted ? t`trusted` : t`not trusted`],
  ]
}

function DetailsTab({ server }: { readonly server: ServerSummary }) {
  const { definition, state } = server
  const defaultTimeout = useSettings((all) => all.settings.callTimeoutMs)
  const session = state.kind === 'ready' ? state.session : server.session
  return (
    <>
      {server.warnings.map((warning) => (
        <WarnNotice key={warning} title={<VisibleText text={warning} />} />
      ))}
      <SignInSection server={server} />
      <ActivitySection key={server.name} server={server} />
      <section className="sec">
        <div className="row">
          <h3 className="h3">{t`Settings`}</h3>
          <span className="grow" />
          <SmallLink variant="ghost" to={{ page: 'servers', name: '', tab: 'config' }}>
            {t`Open servers.json`}
          </SmallLink>
        </div>
        <Where definition={definition} />
        <FactList rows={configuredFacts(definition, defaultTimeout)} />
      </section>
      <BundleSection server={server} />
      <SecretsSection server={server} />
      {session ? <AgreedSection session={session} server={server} /> : null}
    </>
  )
}

/** Outcome of the latest handshake. */
function AgreedSection({ session, server: { state } }: { readonly session: Session; readonly server: ServerSummary }) {
  const { protocolVersion, era, transport, serverInfo, instructions } = session
  const itself = serverInfo && (
    <>
      <OwnIcon icons={serverInfo.icons} /> “<VisibleText text={serverInfo.title ?? serverInfo.name} />”{' '}
      <VisibleText className="dim" text={serverInfo.version} />
    </>
  )
  const told = instructions ? <VisibleText className="said-by-server" text={`“${instructions}”`} /> : undefined
  const rows: FactRow[] = [
    [t`Protocol`, era === 'legacy' ? `${protocolVersion} · ${t`older protocol`}` : protocolVersion, 'mono'],
    [t`Transport`, transport && transportLabels[transport]],
    [t`Its own name`, itself],
    [t`Process`, state.kind === 'ready' && state.pid],
    [t`Instructions`, told],
  ]
  return (
    <Section title={t`Connection`}>
      <FactList rows={rows} />
    </Section>
  )
}

const running = new Set(['starting', 'ready', 'waiting'])

/** Menu to start, stop, restart, edit and remove. How a start ends shows as the server's state, so a failure is not said twice. */
function ServerMenu({ server, onEdit }: { readonly server: ServerSummary; readonly onEdit: () => void }) {
  const { attempt, ask, go, toast } = useActions()
  const { name, definition, state } = server
  const remove = async (): Promise<void> => {
    const done = await ask('server.remove', { name })
    if (!done) return
    navigate({ page: 'servers' })
    toast(t`“${name}” removed.`, { action: { label: t`Undo`, run: () => go('config.save', { text: done.text }) } })
  }
  const lookForUpdate = async (): Promise<void> => {
    const done = await ask('server.offerUpdate', { name })
    if (done && !done.offered) toast(t`No newer version of “${name}” was found.`)
  }
  return (
    <Menu align="end" trigger={<IconButton label={t`More about ${name}`} icon="more" small />}>
      {running.has(state.kind) ? (
        <>
          <MenuItem onSelect={() => void attempt('server.restart', { name })}>{t`Restart`}</MenuItem>
          <MenuItem onSelect={() => go('server.stop', { name })}>{t`Stop`}</MenuItem>
          {definition.transport === 'stdio' && fetchedBy(definition.command, definition.args)?.exact ? (
            <MenuItem onSelect={() => void lookForUpdate()}>{t`Look for a newer version`}</MenuItem>
          ) : null}
        </>
      ) : (
        <MenuItem disabled={!definition.enabled || state.kind === 'stopping'} onSelect={() => void attempt('server.start', { name })}>
          {t`Start`}
        </MenuItem>
      )}
      <MenuSeparator />
      {definition.transport === 'builtin' ? null : <MenuItem onSelect={onEdit}>{t`Edit`}</MenuItem>}
      <MenuItem danger onSelect={() => void remove()}>
        {t`Remove`}
      </MenuItem>
    </Menu>
  )
}

const detailTabs = ['tried', 'tools', 'resources', 'prompts', 'permissions', 'log', 'messages', 'details'] as const
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
          {session?.era === 'legacy' ? <Badge>{t`older protocol`}</Badge> : null}
        </h2>
        <p className="faint">
          {headlineLabel(server, serverAddressOf(definition), now)} <AccountWord server={server} />
        </p>
      </div>
      {idle ? (
        <SmallButton icon="play" onClick={() => void attempt('server.start', { name })}>
          {state.kind === 'refused' ? t`Ask again` : t`Start`}
        </SmallButton>
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

/** State above the tabs: a failure and its fixes, or the step of a start. */
function StateBlock({ server, onEdit }: Omit<ServerDetailProps, 'tab'>) {
  const { state } = server
  switch (state.kind) {
    case 'failed':
      return <FailureNotice server={server} state={state} onEdit={onEdit} />
    case 'starting':
      if (state.diagnosis) return <DoubtNotice server={server} diagnosis={state.diagnosis} onEdit={onEdit} />
      return state.step === 'signing-in' ? null : <Starting server={server} />
    case 'ready':
    case 'waiting':
    case 'stopping':
    case 'refused':
    case 'stopped':
    case 'disabled':
      return null
    default:
      return assertNever(state)
  }
}

function Starting({ server }: { readonly server: ServerSummary }) {
  const now = useNow(1000)
  return (
    <Busy>
      {t`${startingLabel(server, now)}.`} {server.counts.tools > 0 ? t`Its tools are listed from last time.` : ''}
    </Busy>
  )
}

const permissionsLabel = (blocked = 0) => tx`Permissions ${blocked > 0 ? <Badge tone="warn">{tx`${blocked} blocked`}</Badge> : null}`
const detailsLabel = (unread: number) => tx`Details ${unread > 0 ? <Badge tone="warn">{tx`${unread} to read`}</Badge> : null}`
const recordingLabel = () => (
  <>
    {t`Messages`} <Badge>{t`recording`}</Badge>
  </>
)

export function ServerDetail({ server, tab, onEdit }: ServerDetailProps) {
  const { name, counts, state } = server
  const page = useCatalogue(name, server.catalogueRevision)
  const log = useServerLog(name)
  const failed = state.kind === 'failed' ? state : undefined
  const { view } = useStores()
  const remembered = useView((state) => state.serverTabs[name])
  const asked = tab ?? (isDetailTab(remembered) ? remembered : undefined)
  const wanted = asked === 'tried' && !failed ? undefined : asked
  const shown = wanted ?? (failed ? 'tried' : 'tools')
  const choose = (next: DetailTab): void => {
    view.setState(({ serverTabs }) => ({ serverTabs: { ...serverTabs, [name]: next } }))
    navigate({ page: 'servers', name, tab: next }, { replace: true })
  }
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
          label={t`About ${`“${name}”`}`}
          value={shown}
          onChange={choose}
          tabs={[
            ...(failed ? [{ value: 'tried', label: t`The last start` } as const] : []),
            { value: 'tools', label: count(t`Tools`, counts.tools) },
            { value: 'resources', label: count(t`Resources`, counts.resources) },
            { value: 'prompts', label: count(t`Prompts`, counts.prompts) },
            { value: 'permissions', label: permissionsLabel(server.blocked) },
            { value: 'log', label: t`Log` },
            { value: 'messages', label: server.inspecting ? recordingLabel() : t`Messages` },
            { value: 'details', label: detailsLabel(server.warnings.length) },
          ]}
        >
          {shown === 'tried' && failed ? <WhatWasTried key={failed.at} server={server} /> : null}
          {shown === 'tools' ? <ToolsTab server={server} page={page} /> : null}
          {shown === 'resources' || shown === 'prompts' ? <ResourcesPromptsTab key={shown} server={server} tab={shown} /> : null}
          {shown === 'permissions' ? <ServerPermissions server={server} onEdit={onEdit} /> : null}
          {shown === 'log' ? <LogTab server={server} log={log} /> : null}
          {shown === 'messages' ? <MessagesTab key={name} server={server} /> : null}
          {shown === 'details' ? <DetailsTab server={server} /> : null}
        </Tabs>
      </div>
      <ServerDock server={name} />
    </section>
  )
}
