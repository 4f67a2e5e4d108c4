// The tab with everything that is known of one server: its configuration, state, folders, bundle, secrets, limits and session.

import { t } from '#app/i18n/translate.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import type { Session } from '#app/server/server-state.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { formatDuration } from '#app/text/format-text.ts'
import { BundleSection } from '#renderer/features/bundles/bundle-section.tsx'
import { hrefOf } from '#renderer/router.ts'
import { useSettings } from '#renderer/stores/store-hooks.tsx'
import { LinkButton } from '#renderer/ui/button.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { OwnIcon } from '#renderer/ui/server-icon.tsx'
import { Fact } from '#renderer/ui/text/fact.tsx'
import { UntrustedText } from '#renderer/ui/text/untrusted-text.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { SignInSection } from './auth/auth-section.tsx'
import { oauthSummary, toOAuthForm } from './edit/oauth-form.ts'
import { SamplingSection } from './edit/sampling-section.tsx'
import { ServerRoots } from './edit/server-roots.tsx'
import { SecretsSection } from './secrets/secrets-section.tsx'
import { ActivitySection } from './status/activity-section.tsx'

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

/** Command and arguments, one a line: nothing is joined, so nothing can be misread. */
function CommandLines({ command, args }: { readonly command: string; readonly args: readonly string[] }) {
  return (
    <div className="cmdline">
      <div>
        <span>{t`program`}</span>
        <UntrustedText as="b" text={command} />
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
      return <UntrustedText as="div" className="cmdline" text={definition.url} />
  }
}

export function DetailsTab({ server }: { readonly server: ServerSummary }) {
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
          <Fact label={t`Transport`}>{transport}</Fact>
          {definition.transport === 'stdio' && definition.cwd !== undefined ? (
            <Fact label={t`Folder`} className="mono">
              {definition.cwd}
            </Fact>
          ) : null}
          {definition.transport === 'stdio' && Object.keys(definition.env).length > 0 ? (
            <Fact label={t`Environment`} className="mono">
              <Values values={definition.env} />
            </Fact>
          ) : null}
          {'headers' in definition && Object.keys(definition.headers).length > 0 ? (
            <Fact label={t`Headers`} className="mono">
              <Values values={definition.headers} />
            </Fact>
          ) : null}
          {'oauth' in definition && definition.oauth ? <Fact label={t`Sign-in`}>{oauthSummary(toOAuthForm(definition.oauth))}</Fact> : null}
          <Fact label={t`Starts`}>{definition.start === 'launch' ? t`with Assent` : t`when a chat needs it`}</Fact>
          {definition.startTimeoutMs === undefined ? null : (
            <Fact label={t`Its start may take`}>{t`${formatDuration(definition.startTimeoutMs)} without an answer`}</Fact>
          )}
          <Fact label={t`Stopped`}>
            {definition.idleMinutes === undefined
              ? t`by you, or with Assent`
              : t`when nobody needed it for ${formatDuration(definition.idleMinutes * 60_000)}`}
          </Fact>
          <Fact label={t`A call may take`}>
            {definition.timeoutMs === undefined
              ? t`${formatDuration(defaultTimeout)} without progress, as in the settings`
              : t`${formatDuration(definition.timeoutMs)} without progress`}
          </Fact>
          <Fact label={t`Annotations`}>
            {definition.trusted ? t`trusted: they count as facts in rules` : t`claims: no rule counts them`}
          </Fact>
        </dl>
      </section>
      <ServerRoots name={server.name} />
      <BundleSection server={server} />
      <SecretsSection server={server} />
      <SamplingSection key={server.name} name={server.name} />
      {session ? <AgreedSection session={session} server={server} /> : null}
    </>
  )
}

/** Outcome of the latest handshake. */
function AgreedSection({ session, server: { state } }: { readonly session: Session; readonly server: ServerSummary }) {
  return (
    <section className="sec">
      <h3>{state.kind === 'ready' ? t`As agreed` : t`As agreed the last time`}</h3>
      <dl className="kv">
        <Fact label={t`Revision`}>
          <UntrustedText className="mono" text={session.protocolVersion} />{' '}
          <span className="dim">
            {session.era}, {foundBy[session.foundBy]}
          </span>
        </Fact>
        {session.transport === undefined ? null : <Fact label={t`Spoken over`}>{spokenOver[session.transport]}</Fact>}
        {session.serverInfo ? (
          <Fact label={t`Calls itself`}>
            <OwnIcon icons={session.serverInfo.icons} /> “<VisibleText text={session.serverInfo.title ?? session.serverInfo.name} />”{' '}
            <UntrustedText className="dim" text={session.serverInfo.version} />
          </Fact>
        ) : null}
        {state.kind === 'ready' && state.pid !== undefined ? <Fact label={t`Process`}>{state.pid}</Fact> : null}
        {session.instructions ? (
          <Fact label={t`Tells the model`}>
            <span className="said-by-server">
              “<VisibleText text={session.instructions} />”
            </span>
          </Fact>
        ) : null}
      </dl>
    </section>
  )
}
