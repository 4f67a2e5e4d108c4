// The page of the servers: a list grouped by what needs the person, and one server in detail; on narrow windows two screens.

import { useEffect, useMemo, useRef, useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import { commandLine } from '#app/server/command-line.ts'
import type { EditField } from '#app/server/doctor.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { formatCount } from '#app/text/format-text.ts'
import { ChooseBundle } from '#renderer/features/bundles/choose-bundle.tsx'
import { SandboxWord } from '#renderer/features/sandbox/sandbox-word.tsx'
import { hrefOf, navigate, type Route } from '#renderer/router.ts'
import { useServers } from '#renderer/stores/store-hooks.tsx'
import { Button, GhostButton, LinkButton } from '#renderer/ui/button.tsx'
import { SearchInput } from '#renderer/ui/field.tsx'
import { Badge, Dot, ServerMark, Spinner } from '#renderer/ui/icon.tsx'
import { moveBetween } from '#renderer/ui/lib/arrow-keys.ts'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { useNow } from '#renderer/ui/lib/use-now.ts'
import { Empty, ErrorNotice, WarnNotice } from '#renderer/ui/notice.tsx'
import { Page } from '#renderer/ui/page.tsx'
import { addressHost, ServerName } from '#renderer/ui/visible-text.tsx'
import { AddServerDialog } from './add/add-server-dialog.tsx'
import { AccountWord } from './auth/auth-section.tsx'
import { ConfigEditor } from './config/config-editor.tsx'
import { ImportDialog } from './import/import-dialog.tsx'
import { ImportSuggestion } from './import/import-suggestion.tsx'
import { isDetailTab, ServerDetail } from './server-detail.tsx'
import { failureSummary, serverAddressOf } from './status/failure-notice.tsx'
import {
  countsTime,
  groupServers,
  groupTitle,
  idleLabel,
  serverToolsLabel,
  startingLabel,
  stateWord,
  totalTokens,
} from './status/state-labels.ts'
import './servers.css'
import './edit/server-dialogs.css'
import { flushSync } from 'react-dom'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { useSecretKeeper } from '#renderer/ui/lib/secret-storage-label.ts'
import { useSubmit } from '#renderer/ui/lib/use-host-answer.ts'
import { formToSave, type Setup } from './candidate-list.ts'
import { sameForm, toForm } from './edit/server-form.ts'
import { ServerSetup, TestButton, useSetup } from './edit/server-setup.tsx'
import { useLeaveGuard } from './edit/unsaved-guard.tsx'

interface EditServerDialogProps {
  readonly server: ServerSummary
  readonly focus?: EditField | undefined
  readonly onClose: () => void
}

function EditServerDialog({ server, focus, onClose }: EditServerDialogProps) {
  const { busy, error, submit } = useSubmit()
  const keeper = useSecretKeeper()
  const servers = useServers((state) => state.list)
  const [first] = useState<Setup>(() => ({ form: toForm(server.name, server.definition), values: {} }))
  const [setup, setSetup] = useState(first)
  const [done, setDone] = useState(false)
  const taken = useMemo(() => servers.map(({ name }) => name).filter((name) => name !== server.name), [servers, server.name])
  const control = useSetup({
    setup,
    onChange: (change) => setSetup((before) => ({ ...before, ...change })),
    taken,
    previousName: server.name,
  })
  const changed = !sameForm(first.form, setup.form) || Object.values(setup.values).some((value) => value !== '')
  const { leave, question } = useLeaveGuard(changed && !done)

  const save = async (): Promise<void> => {
    if (!control.check()) return
    const { name } = setup.form
    const outcome = await submit('server.save', {
      ...formToSave(setup, keeper === 'keyring'),
      ...(name === server.name ? {} : { previousName: server.name }),
      ...control.connectionTest.earlier(),
    })
    if (!outcome.ok) return
    // There is nothing left to lose: leaving asks nothing.
    flushSync(() => setDone(true))
    onClose()
    navigate({ page: 'servers', name })
  }

  return (
    <Dialog
      onClose={() => leave(onClose)}
      width={640}
      mark={<ServerMark name={server.name} large />}
      title={t`Edit ${`“${server.name}”`}`}
      footer={
        <>
          <span className="help grow wide-only">{t`A changed command asks before it runs.`}</span>
          <GhostButton onClick={onClose}>{changed ? t`Discard` : t`Cancel`}</GhostButton>
          <TestButton control={control} />
          <Button variant="primary" aria-disabled={busy || !changed} onClick={() => !busy && changed && void save()}>
            {t`Save`}
          </Button>
        </>
      }
    >
      {question}
      <div ref={control.body} className="stack">
        {error ? <ErrorNotice error={error} /> : null}
        <ServerSetup control={control} focus={focus} kept={server.inputs} />
      </div>
    </Dialog>
  )
}

/** The second line: what is wrong, what it is at, or what it offers; at its end, whether it runs in a sandbox. */
function SecondLine({ server, now }: { readonly server: ServerSummary; readonly now: number }) {
  return (
    <span className="d row server-second">
      <SecondLineWords server={server} now={now} />
      <AccountWord server={server} />
      <span className="grow" />
      <SandboxWord server={server} />
    </span>
  )
}

function SecondLineWords({ server, now }: { readonly server: ServerSummary; readonly now: number }) {
  const { state, definition, signIn } = server
  if (signIn?.kind === 'waiting') return <span className="cut">{tx`Sign-in at ${addressHost(signIn.issuer)}`}</span>
  if (state.kind === 'failed' && !state.offline) {
    const { short } = failureSummary(state)
    const address = state.error.code === 'server.sign-in-needed' ? serverAddressOf(definition) : undefined
    return <span className="cut">{address ?? short}</span>
  }
  if (state.kind === 'waiting') return <span className="cut">{t`waits for you`}</span>
  if (state.kind === 'starting') return <span className="cut">{startingLabel(server, now)}</span>
  if (state.kind !== 'ready' && state.kind !== 'stopping') return <span className="cut">{idleLabel(server)}</span>
  return (
    <span className="row server-facts">
      <span className="num">
        {serverToolsLabel(server)} · {formatCount(server.tokens)}
        <span className="unit"> {t`tokens`}</span>
      </span>
      {server.warnings.length > 0 ? <Badge tone="warn">{t`Notice`}</Badge> : null}
    </span>
  )
}

function ServerRow({ server, selected, href }: { readonly server: ServerSummary; readonly selected: boolean; readonly href: string }) {
  const now = useNow(1000, countsTime(server))
  const { dot, word } = stateWord(server, now)
  const row = useRef<HTMLAnchorElement | null>(null)
  // Also where a change of its state moves it to another group.
  useEffect(() => {
    if (selected) row.current?.scrollIntoView({ block: 'nearest' })
  }, [selected])
  return (
    <a ref={row} className="item" href={href} aria-current={selected ? 'page' : undefined} data-server={server.name}>
      <ServerMark name={server.name} />
      <span className="t">
        <span className="cut">{server.name}</span>
      </span>
      <span className="state">
        {dot === 'ring' ? <Spinner /> : <Dot tone={dot} />}
        <span className="when num">{word}</span>
      </span>
      <SecondLine server={server} now={now} />
    </a>
  )
}

interface Editing {
  readonly name: string
  readonly field: EditField | undefined
}
type ServersRoute = Extract<Route, { page: 'servers' }>

const addHref = hrefOf({ page: 'servers', name: '', tab: 'add' })
const configHref = hrefOf({ page: 'servers', name: '', tab: 'config' })
const registryHref = hrefOf({ page: 'registry' })
const takeoverHref = hrefOf({ page: 'servers', name: '', tab: 'takeover' })
const toList = (): void => navigate({ page: 'servers' })

/** Number of servers that are seen at a glance. */
const easilySeen = 7

/** Servers whose name, command or address has all words of the text. */
export function findServers(servers: readonly ServerSummary[], text: string): readonly ServerSummary[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return servers
  return servers.filter(({ name, definition }) => {
    const searched = `${name} ${commandLine(definition)}`.toLowerCase()
    return words.every((word) => searched.includes(word))
  })
}

export function ServersPage({ route }: { readonly route: ServersRoute }) {
  const servers = useServers((state) => state.list)
  const [editing, setEditing] = useState<Editing | undefined>(undefined)
  const [filter, setFilter] = useState('')
  const found = useMemo(() => findServers(servers, filter), [servers, filter])
  if (!route.name && route.tab === 'config')
    return (
      <Page
        title={t`servers.json`}
        onBack={toList}
        actions={
          <LinkButton variant="ghost" className="wide-only" href={hrefOf({ page: 'servers' })}>
            {t`Back to the servers`}
          </LinkButton>
        }
      >
        <ConfigEditor />
      </Page>
    )

  const named = servers.find((server) => server.name === route.name)
  // Without one in the address, wide windows show the first of the list beside it.
  const shown = route.name ? named : groupServers(servers)[0]?.servers[0]
  const edited = servers.find((server) => server.name === editing?.name)
  const tokens = totalTokens(servers)
  const add = (
    <LinkButton href={addHref} icon="plus">
      {t`Add server`}
    </LinkButton>
  )
  return (
    <Page
      title={t`Servers`}
      onBack={route.name ? toList : undefined}
      actions={
        <>
          {tokens > 0 ? (
            <span className="faint help num wide-only">{tx`${formatCount(tokens)} tokens of tools in every message`}</span>
          ) : null}
          <ChooseBundle variant="ghost" className="wide-only">
            {t`Install a bundle`}
          </ChooseBundle>
          {add}
        </>
      }
    >
      {servers.length === 0 ? (
        <NoServers />
      ) : (
        <div className={cx('split', !route.name && 'showlist')}>
          <div className="a serverlist">
            {servers.length > easilySeen ? <SearchInput label={t`Find a server`} value={filter} onChange={setFilter} /> : null}
            <NoEngineNotice servers={servers} />
            <nav aria-label={t`Servers`} onKeyDown={(event) => moveBetween(event, '.item')}>
              {groupServers(found).map(({ group, servers: members }) => (
                <section key={group} aria-label={groupTitle[group]}>
                  <h2 className="grouphead">{groupTitle[group]}</h2>
                  {members.map((server) => (
                    <ServerRow
                      key={server.name}
                      server={server}
                      selected={server.name === shown?.name}
                      href={hrefOf({ page: 'servers', name: server.name })}
                    />
                  ))}
                </section>
              ))}
            </nav>
            {found.length === 0 ? <p className="help">{t`Nothing found.`}</p> : null}
            <a className="textlink" href={registryHref}>
              {t`Look in the registry`}
            </a>
            <a className="textlink" href={configHref}>
              {t`Edit servers.json`}
            </a>
          </div>
          {shown ? (
            <ServerDetail
              key={shown.name}
              server={shown}
              tab={isDetailTab(route.tab) ? route.tab : undefined}
              onEdit={(field) => setEditing({ name: shown.name, field })}
            />
          ) : (
            <Gone name={route.name ?? ''} />
          )}
        </div>
      )}
      {!route.name && route.tab === 'add' ? <AddServerDialog onClose={toList} /> : null}
      {!route.name && route.tab === 'takeover' ? <ImportDialog onClose={toList} /> : null}
      {edited ? <EditServerDialog key={edited.name} server={edited} focus={editing?.field} onClose={() => setEditing(undefined)} /> : null}
    </Page>
  )
}

/** Says once for all servers that this computer has no sandbox, where the person can change that. */
function NoEngineNotice({ servers }: { readonly servers: readonly ServerSummary[] }) {
  const found = servers.find(({ sandbox }) => sandbox?.kind === 'missing' && sandbox.reason !== 'not-supported')?.sandbox
  if (found?.kind !== 'missing') return null
  return <WarnNotice title={t`Local servers run without a sandbox.`}>{found.remedy}</WarnNotice>
}

function NoServers() {
  return (
    <div className="page">
      <div className="in">
        <Empty icon="servers" title={t`No servers`}>
          <p className="row wrap">
            <LinkButton href={registryHref}>{t`Look in the registry`}</LinkButton>
            <ChooseBundle className="narrow-only">{t`Install a bundle`}</ChooseBundle>
          </p>
          <ImportSuggestion
            lead={t`Or import from`}
            otherwise={<LinkButton href={takeoverHref}>{t`Import from another app`}</LinkButton>}
          />
          <a className="textlink" href={configHref}>
            {t`Edit servers.json`}
          </a>
        </Empty>
      </div>
    </div>
  )
}

function Gone({ name }: { readonly name: string }) {
  return (
    <section className="b" aria-label={name}>
      <div className="in">
        <Empty icon="servers" title={tx`There is no server named “${<ServerName name={name} />}”.`}>
          <Button onClick={toList}>{t`Show all`}</Button>
        </Empty>
      </div>
    </section>
  )
}
