// The tab with everything that is known of one server: its configuration, state, folders, bundle, secrets, limits and session.

import { t } from '#app/i18n/translate.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import type { Session } from '#app/server/server-state.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { formatDuration } from '#app/text/format-text.ts'
import { BundleSection } from '#renderer/features/bundles/bundle-section.tsx'
import { useSettings } from '#renderer/stores/store-hooks.tsx'
import { SmallLink } from '#renderer/ui/button.tsx'
import { WarnNotice } from '#renderer/ui/notice.tsx'
import { OwnIcon } from '#renderer/ui/server-icon.tsx'
import { Section } from '#renderer/ui/text/section.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { SignInSection } from './auth/auth-section.tsx'
import { oauthSummary, toOAuthForm } from './edit/oauth-form.ts'
import { SecretsSection } from './secrets/secrets-section.tsx'
import { ActivitySection } from './status/activity-section.tsx'
import { FactList, type FactRow } from './status/fact-list.tsx'

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

function Where({ definition }: { readonly definition: ServerDefinition }) {
  switch (definition.transport) {
    case 'builtin':
      return <p className="dim">{t`It comes with Assent and runs from there.`}</p>
    case 'stdio':
      return (
        <div className="cmdline">
          <div>
            <span>{t`program`}</span>
            <VisibleText as="b" text={definition.command} />
          </div>
          {definition.args.map((arg, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an argument is known by its place.
            <div key={index}>
              <span>{index + 1}</span>
              <div>{arg === '' ? <span className="faint">{t`(empty)`}</span> : <VisibleText text={arg} />}</div>
            </div>
          ))}
        </div>
      )
    default:
      return <VisibleText as="div" className="cmdline" text={definition.url} />
  }
}

const transportLabels: Record<ServerDefinition['transport'], string> = {
  stdio: t`program on this computer`,
  'streamable-http': t`Streamable HTTP`,
  sse: t`HTTP with SSE (legacy)`,
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
        {name} <span className="faint">= {value === '' ? t`(empty)` : <VisibleText text={value} />}</span>
      </div>
    ))
  return [
    [t`Transport`, transportLabels[definition.transport]],
    [t`Folder`, program?.cwd, 'mono'],
    [t`Environment`, values(program?.env), 'mono'],
    [t`Headers`, values(remote?.headers), 'mono'],
    [t`Sign-in`, remote?.oauth && oauthSummary(toOAuthForm(remote.oauth))],
    [t`Starts`, start === 'launch' ? t`with Assent` : t`when a chat needs it`],
    [t`Its start may take`, startTimeoutMs !== undefined && t`${formatDuration(startTimeoutMs)} without an answer`],
    [
      t`Stopped`,
      idleMinutes === undefined ? t`by you, or with Assent` : t`when nobody needed it for ${formatDuration(idleMinutes * 60_000)}`,
    ],
    [
      t`A call may take`,
      timeoutMs === undefined
        ? t`${formatDuration(defaultTimeout)} without progress, as in the settings`
        : t`${formatDuration(timeoutMs)} without progress`,
    ],
    [t`Annotations`, trusted ? t`trusted: they count as facts in rules` : t`claims: no rule counts them`],
  ]
}

export function DetailsTab({ server }: { readonly server: ServerSummary }) {
  const { definition, state } = server
  const defaultTimeout = useSettings((all) => all.settings.callTimeoutMs)
  const session = state.kind === 'ready' ? state.session : server.session
  return (
    <>
      {server.warnings.map((warning) => (
        <WarnNotice key={warning} title={<VisibleText text={warning} />} />
      ))}
      <SignInSection server={server} />
      <ActivitySection server={server} />
      <section className="sec">
        <div className="row">
          <h3 className="h3">{t`As configured`}</h3>
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
  const revision = (
    <>
      <VisibleText className="mono" text={protocolVersion} /> <span className="dim">{`${era}, ${foundBy[session.foundBy]}`}</span>
    </>
  )
  const itself = serverInfo && (
    <>
      <OwnIcon icons={serverInfo.icons} /> “<VisibleText text={serverInfo.title ?? serverInfo.name} />”{' '}
      <VisibleText className="dim" text={serverInfo.version} />
    </>
  )
  const told = instructions ? <VisibleText className="said-by-server" text={`“${instructions}”`} /> : undefined
  const rows: FactRow[] = [
    [t`Revision`, revision],
    [t`Spoken over`, transport && spokenOver[transport]],
    [t`Calls itself`, itself],
    [t`Process`, state.kind === 'ready' && state.pid],
    [t`Tells the model`, told],
  ]
  return (
    <Section title={state.kind === 'ready' ? t`As agreed` : t`As agreed the last time`}>
      <FactList rows={rows} />
    </Section>
  )
}
