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
