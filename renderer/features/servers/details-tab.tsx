// The tab with everything that is known of one server: its configuration, state, folders, bundle, secrets, limits and session.

import { useCallback, useEffect, useState } from 'react'
import { pathOfFileUri } from '#app/consent/rules/file-path.ts'
import type { SamplingDay as Day, SamplingBudget } from '#app/consent/rules/sampling-budget.ts'
import { t } from '#app/i18n/translate.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import type { Session } from '#app/server/server-state.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { formatDuration } from '#app/text/format-text.ts'
import { BundleSection } from '#renderer/features/bundles/bundle-section.tsx'
import { SamplingBudgetLine } from '#renderer/features/consent/sampling/sampling-parts.tsx'
import { FolderList, useFolders } from '#renderer/features/folders/folder-list.tsx'
import { useActions, useConsent, useSettings } from '#renderer/stores/store-hooks.tsx'
import { SmallButton, SmallLink } from '#renderer/ui/button.tsx'
import { RadioList } from '#renderer/ui/field.tsx'
import { useOs } from '#renderer/ui/lib/key-chords.tsx'
import { listNodes, tx } from '#renderer/ui/lib/translate-elements.ts'
import { WarnNotice } from '#renderer/ui/notice.tsx'
import { NumberSetting } from '#renderer/ui/number-setting.tsx'
import { OwnIcon } from '#renderer/ui/server-icon.tsx'
import { Section } from '#renderer/ui/text/section.tsx'
import { ServerName, VisibleText } from '#renderer/ui/visible-text.tsx'
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

const everyMs = 2000

export function SamplingSection({ name }: { readonly name: string }) {
  const { ask, attempt } = useActions()
  const [day, setDay] = useState<Day>()
  const look = useCallback(async (): Promise<void> => {
    const outcome = await attempt('server.sampling', { name })
    if (outcome.ok) setDay(outcome.value)
  }, [attempt, name])
  useEffect(() => {
    void look()
    const timer = setInterval(() => {
      // A page that nobody sees looks at nothing.
      if (!document.hidden) void look()
    }, everyMs)
    return () => clearInterval(timer)
  }, [look])
  if (!day) return null
  const save = async (change: Partial<SamplingBudget>): Promise<void> => {
    await ask('server.setSamplingBudget', { name, budget: { ...day.budget, ...change } })
    await look()
  }
  return (
    <section className="sec" aria-labelledby={`sampling-of-${name}`}>
      <h3 id={`sampling-of-${name}`}>{t`Answers of your model`}</h3>
      <dl className="kv">
        <SamplingBudgetLine server={name} day={day} />
      </dl>
      <NumberSetting
        label={t`Tokens a day`}
        help={t`Prompts and answers that it asks for, together. No rule goes beyond it.`}
        unit={t`tokens`}
        value={day.budget.tokensPerDay}
        min={1}
        max={1_000_000_000}
        onSave={(tokensPerDay) => void save({ tokensPerDay })}
      />
      <RadioList
        label={t`Beyond that`}
        value={day.budget.over}
        choices={[
          { value: 'ask', label: t`Ask me, and say that it goes beyond` },
          { value: 'refuse', label: t`Refuse until tomorrow` },
        ]}
        onChange={(over) => void save({ over })}
      />
    </section>
  )
}

function ServerRoots({ name }: { readonly name: string }) {
  const { ask } = useActions()
  const os = useOs()
  // An answer in another window may have agreed to some.
  const waiting = useConsent((state) => state.requests.filter((one) => one.kind === 'roots' && one.server === name).length)
  const folders = useFolders({ kind: 'server', name }, waiting)
  const always = folders.told.filter(({ conversationId }) => conversationId === undefined).flatMap(({ uris }) => uris)
  const chats = folders.told.length - (always.length > 0 ? 1 : 0)
  const askAgain = async (): Promise<void> => {
    if (await ask('folder.askAgain', { server: name })) await folders.refresh()
  }
  const paths = <VisibleText className="mono wrap-any" text={always.map((uri) => pathOfFileUri(uri, os)).join(', ')} />
  return (
    <section className="sec">
      <h3 className="h3">{t`Folders`}</h3>
      <p className="lede">{tx`When ${<ServerName name={name} />} asks which folders you work in, it is told of these once you agree, and not of those in Settings.`}</p>
      <FolderList folders={folders} title={t`Folders for “${name}”`} none={t`None of its own: those in Settings count.`} />
      {folders.told.length > 0 && (
        <div className="row wrap">
          <p className="dim grow">
            {tx`Told without asking: ${listNodes([
              ...(always.length > 0 ? [paths] : []),
              ...(chats === 0 ? [] : [chats === 1 ? t`what you agreed to in 1 chat` : t`what you agreed to in ${chats} chats`]),
            ])}.`}
          </p>
          <SmallButton onClick={() => void askAgain()}>{t`Ask again`}</SmallButton>
        </div>
      )}
    </section>
  )
}
