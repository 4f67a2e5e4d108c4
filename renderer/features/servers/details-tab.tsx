import type { ReactNode } from 'react'
import type { ServerDefinition } from '#app/server/definition.ts'
import type { Session } from '#app/server/state.ts'
import type { ServerView } from '#app/server/view.ts'
import { formatDuration } from '#app/text.ts'
import { t } from '#app/words/translate.ts'
import { BundleSection } from '#renderer/features/bundles/bundle-section.tsx'
import { hrefOf } from '#renderer/router.ts'
import { useSettings } from '#renderer/stores/react.tsx'
import { LinkButton } from '#renderer/ui/button.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { OwnIcon } from '#renderer/ui/own-icon.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { ActivitySection } from './activity-section.tsx'
import { oauthSummary, toOAuthForm } from './oauth-form.ts'
import { SamplingSection } from './sampling-section.tsx'
import { SecretsSection } from './secrets-section.tsx'
import { ServerFolders } from './server-folders.tsx'
import { SignInSection } from './sign-in-section.tsx'

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
          <Revealed text={command} />
        </b>
      </div>
      {args.map((arg, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an argument is known by its place.
        <div key={index}>
          <span>{index + 1}</span>
          <div>{arg === '' ? <span className="faint">{t`(empty)`}</span> : <Revealed text={arg} />}</div>
        </div>
      ))}
    </div>
  )
}

function Values({ values }: { readonly values: Readonly<Record<string, string>> }) {
  return Object.entries(values).map(([name, value]) => (
    <div key={name}>
      {name} <span className="faint">= {value === '' ? t`(empty)` : <Revealed text={value} />}</span>
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
          <Revealed text={definition.url} />
        </div>
      )
  }
}

export function DetailsTab({ server }: { readonly server: ServerView }) {
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
        <Notice key={warning} tone="warn" title={<Revealed text={warning} />} />
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
      <ServerFolders name={server.name} />
      <BundleSection server={server} />
      <SecretsSection server={server} />
      <SamplingSection key={server.name} name={server.name} />
      {session ? (
        <section className="sec">
          <h3>{state.kind === 'ready' ? t`As agreed` : t`As agreed the last time`}</h3>
          <dl className="kv">
            <Row label={t`Revision`}>
              <span className="mono">
                <Revealed text={session.protocolVersion} />
              </span>{' '}
              <span className="dim">
                {session.era}, {foundBy[session.foundBy]}
              </span>
            </Row>
            {session.transport === undefined ? null : <Row label={t`Spoken over`}>{spokenOver[session.transport]}</Row>}
            {session.serverInfo ? (
              <Row label={t`Calls itself`}>
                <OwnIcon icons={session.serverInfo.icons} /> “<Revealed text={session.serverInfo.title ?? session.serverInfo.name} />”{' '}
                <span className="dim">
                  <Revealed text={session.serverInfo.version} />
                </span>
              </Row>
            ) : null}
            {state.kind === 'ready' && state.pid !== undefined ? <Row label={t`Process`}>{state.pid}</Row> : null}
            {session.instructions ? (
              <Row label={t`Tells the model`}>
                <span className="said-by-server">
                  “<Revealed text={session.instructions} />”
                </span>
              </Row>
            ) : null}
          </dl>
        </section>
      ) : null}
    </>
  )
}
