import type { ReactNode } from 'react'
import type { ServerDefinition } from '#app/server/definition.ts'
import type { Session } from '#app/server/state.ts'
import type { ServerView } from '#app/server/view.ts'
import { formatDuration } from '#app/text.ts'
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
  discover: 'it answered to server/discover',
  initialize: 'agreed on in the handshake',
  remembered: 'remembered from the last start',
}

const spokenOver: Record<NonNullable<Session['transport']>, string> = {
  stdio: 'its standard input and output',
  'streamable-http': 'Streamable HTTP',
  sse: 'HTTP with SSE, the oldest transport',
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
        <span>program</span>
        <b>
          <Revealed text={command} />
        </b>
      </div>
      {args.map((arg, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an argument is known by its place.
        <div key={index}>
          <span>{index + 1}</span>
          <div>{arg === '' ? <span className="faint">(empty)</span> : <Revealed text={arg} />}</div>
        </div>
      ))}
    </div>
  )
}

function Values({ values }: { readonly values: Readonly<Record<string, string>> }) {
  return Object.entries(values).map(([name, value]) => (
    <div key={name}>
      {name} <span className="faint">= {value === '' ? '(empty)' : <Revealed text={value} />}</span>
    </div>
  ))
}

function Where({ definition }: { readonly definition: ServerDefinition }) {
  switch (definition.transport) {
    case 'builtin':
      return <p className="dim">It comes with Assent and runs from there.</p>
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
    stdio: 'program on this computer',
    'streamable-http': 'Streamable HTTP',
    sse: 'HTTP with SSE (legacy)',
    builtin: 'built in',
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
          <h3 className="h3">As configured</h3>
          <span className="grow" />
          <LinkButton variant="ghost" size="sm" href={hrefOf({ page: 'servers', name: '', tab: 'config' })}>
            Open servers.json
          </LinkButton>
        </div>
        <Where definition={definition} />
        <dl className="kv">
          <Row label="Transport">{transport}</Row>
          {definition.transport === 'stdio' && definition.cwd !== undefined ? (
            <Row label="Folder" mono>
              {definition.cwd}
            </Row>
          ) : null}
          {definition.transport === 'stdio' && Object.keys(definition.env).length > 0 ? (
            <Row label="Environment" mono>
              <Values values={definition.env} />
            </Row>
          ) : null}
          {'headers' in definition && Object.keys(definition.headers).length > 0 ? (
            <Row label="Headers" mono>
              <Values values={definition.headers} />
            </Row>
          ) : null}
          {'oauth' in definition && definition.oauth ? <Row label="Sign-in">{oauthSummary(toOAuthForm(definition.oauth))}</Row> : null}
          <Row label="Starts">{definition.start === 'launch' ? 'with Assent' : 'when a chat needs it'}</Row>
          <Row label="Stopped">
            {definition.idleMinutes === undefined
              ? 'by you, or with Assent'
              : `when nobody needed it for ${formatDuration(definition.idleMinutes * 60_000)}`}
          </Row>
          <Row label="A call may take">
            {definition.timeoutMs === undefined
              ? `${formatDuration(defaultTimeout)} without progress, as in the settings`
              : `${formatDuration(definition.timeoutMs)} without progress`}
          </Row>
          <Row label="Annotations">{definition.trusted ? 'trusted: they count as facts in rules' : 'claims: no rule counts them'}</Row>
        </dl>
      </section>
      <ServerFolders name={server.name} />
      <BundleSection server={server} />
      <SecretsSection server={server} />
      <SamplingSection key={server.name} name={server.name} />
      {session ? (
        <section className="sec">
          <h3>{state.kind === 'ready' ? 'As agreed' : 'As agreed the last time'}</h3>
          <dl className="kv">
            <Row label="Revision">
              <span className="mono">
                <Revealed text={session.protocolVersion} />
              </span>{' '}
              <span className="dim">
                {session.era}, {foundBy[session.foundBy]}
              </span>
            </Row>
            {session.transport === undefined ? null : <Row label="Spoken over">{spokenOver[session.transport]}</Row>}
            {session.serverInfo ? (
              <Row label="Calls itself">
                <OwnIcon icons={session.serverInfo.icons} /> “<Revealed text={session.serverInfo.title ?? session.serverInfo.name} />”{' '}
                <span className="dim">
                  <Revealed text={session.serverInfo.version} />
                </span>
              </Row>
            ) : null}
            {state.kind === 'ready' && state.pid !== undefined ? <Row label="Process">{state.pid}</Row> : null}
            {session.instructions ? (
              <Row label="Tells the model">
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
