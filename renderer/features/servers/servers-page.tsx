// The room of the servers: a list grouped by what they want of the person, and one of them in detail. On narrow
// windows these are two screens.

import { useState } from 'react'
import { t } from '#app/words/translate.ts'
import { ChooseBundle } from '#renderer/features/bundles/choose-bundle.tsx'
import { TakeoverDialog } from '#renderer/features/import/takeover-dialog.tsx'
import { TakeoverLine } from '#renderer/features/import/takeover-line.tsx'
import { hrefOf, navigate, type Route } from '#renderer/router.ts'
import { useServers } from '#renderer/stores/react.tsx'
import { Button, LinkButton } from '#renderer/ui/button.tsx'
import { cx } from '#renderer/ui/class-names.ts'
import { Page } from '#renderer/ui/page.tsx'
import { ServerName } from '#renderer/ui/pieces.tsx'
import { tx } from '#renderer/ui/translate.ts'
import './servers.css'
import './server-dialogs.css'
import type { EditField } from '#app/server/doctor.ts'
import { AddServerDialog } from './add-server-dialog.tsx'
import { ConfigEditor } from './config-editor.tsx'
import { EditServerDialog } from './edit-server-dialog.tsx'
import { isDetailTab, ServerDetail } from './server-detail.tsx'
import { ServerList } from './server-list.tsx'
import { formatTokens, groupServers, totalTokens } from './state-words.ts'

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

export function ServersPage({ route }: { readonly route: ServersRoute }) {
  const servers = useServers((state) => state.list)
  const [editing, setEditing] = useState<Editing | undefined>(undefined)
  if (!route.name && route.tab === 'config') return <ConfigPage />

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
            <span className="faint help num wide-only">{tx`${formatTokens(tokens)} tokens of tools in every message`}</span>
          ) : null}
          <ChooseBundle variant="ghost" className="wide-only">
            {t`Install a bundle…`}
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
            <ServerList servers={servers} selected={shown?.name} hrefOf={(name) => hrefOf({ page: 'servers', name })} />
            <a className="textlink" href={registryHref}>
              {t`Look for servers in the registry`}
            </a>
            <a className="textlink" href={configHref}>
              {t`Edit servers.json as text`}
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
      {!route.name && route.tab === 'takeover' ? <TakeoverDialog onClose={toList} /> : null}
      {edited ? <EditServerDialog key={edited.name} server={edited} focus={editing?.field} onClose={() => setEditing(undefined)} /> : null}
    </Page>
  )
}

function NoServers() {
  return (
    <div className="page">
      <div className="in">
        <div className="empty">
          <p className="strong">{t`No servers yet.`}</p>
          <p>
            {t`A server gives the model tools: files, a calendar, a database. Paste what its README says, and see the exact command before it runs.`}
          </p>
          <p className="row wrap">
            <LinkButton href={addHref} icon="plus">
              {t`Add server`}
            </LinkButton>
            <LinkButton href={registryHref} variant="ghost">
              {t`Look in the registry`}
            </LinkButton>
            <ChooseBundle>{t`Install a bundle…`}</ChooseBundle>
            <LinkButton href={takeoverHref} variant="ghost">
              {t`Take over from another app`}
            </LinkButton>
            <LinkButton href={configHref} variant="ghost">
              {t`Edit servers.json as text`}
            </LinkButton>
          </p>
          <TakeoverLine lead={t`Found here:`} />
        </div>
      </div>
    </div>
  )
}

function Gone({ name }: { readonly name: string }) {
  return (
    <section className="b" aria-label={name}>
      <div className="in">
        <div className="empty">
          <p className="strong">{tx`There is no server named ${<ServerName name={name} />}.`}</p>
          <p>{t`It may have been removed or renamed.`}</p>
          <Button onClick={toList}>{t`Show all servers`}</Button>
        </div>
      </div>
    </section>
  )
}

function ConfigPage() {
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
}
