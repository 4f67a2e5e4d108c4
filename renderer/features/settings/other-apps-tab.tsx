// Other agents that use Assent's servers: apps on this computer, each with what would change in its file, and the agents that may connect.

import { useState } from 'react'
import type { HostEvent } from '#app/contract/events.ts'
import type { LinkedApp } from '#app/contract/gate-requests.ts'
import type { GateClientDraft, GateClientSummary, GateHttp } from '#app/gate.ts'
import { formatWhen } from '#app/i18n/format-dates.ts'
import { formatList } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { type HostId, hostNames } from '#app/server/import/app-names.ts'
import { defaultSettings } from '#app/settings.ts'
import { useActions, useServers, useSettings, useShallow } from '#renderer/stores/store-hooks.tsx'
import { Button, CopyButton, IconButton, SmallButton, SmallGhostButton, SmallLink } from '#renderer/ui/button.tsx'
import { CancelButton, Dialog } from '#renderer/ui/dialog.tsx'
import { Checkbox, SelectField, SubmitForm, Switch, TextField } from '#renderer/ui/field.tsx'
import { Badge, Dot } from '#renderer/ui/icon.tsx'
import { useEventCount, useHostAnswer, useSubmit } from '#renderer/ui/lib/use-host-answer.ts'
import { useNow } from '#renderer/ui/lib/use-now.ts'
import { ErrorNotice, Loading } from '#renderer/ui/notice.tsx'
import { NumberSetting } from '#renderer/ui/number-setting.tsx'
import { Section } from '#renderer/ui/text/section.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { LinkDialog, type LinkTo } from './link-dialog.tsx'

const gateEvents: ReadonlySet<HostEvent['name']> = new Set(['gate.changed'])

export function OtherAppsTab() {
  const changes = useEventCount(gateEvents)
  const [open, setOpen] = useState<{ readonly app: LinkedApp; readonly to: LinkTo } | undefined>(undefined)
  const { value, error, reload } = useHostAnswer('appLink.list', {}, changes)
  return (
    <>
      <Section level={2} title={t`Use from other apps`}>
        <p className="lede">{t`Agents in other apps use Assent’s servers. You are asked here.`}</p>
        {error ? <ErrorNotice error={error} onRetry={reload} /> : null}
        {value === undefined && !error ? <Loading /> : null}
        {value?.apps.length === 0 ? <p className="help">{t`Nothing found.`}</p> : null}
        <div className="lines app-links">
          {value?.apps.map((app) => (
            <AppRow key={app.id} app={app} onOpen={(to) => setOpen({ app, to })} />
          ))}
        </div>
      </Section>
      <Agents turn={changes} />
      {open && (
        <LinkDialog
          {...open}
          onClose={() => {
            setOpen(undefined)
            reload()
          }}
        />
      )}
    </>
  )
}

const stateLooks = {
  absent: { words: t`Not connected`, tone: 'grey' },
  connected: { words: t`Connected`, tone: 'ink' },
  changed: { words: t`Changed`, tone: 'warn' },
  refused: { words: t`Cannot connect`, tone: 'warn' },
} as const

function AppRow({ app, onOpen }: { readonly app: LinkedApp; readonly onOpen: (to: LinkTo) => void }) {
  const name = hostNames()[app.host]
  return (
    <div className="saved-row">
      <span className="words grow">
        <b>{name}</b>
        <VisibleText className="help mono cut" text={app.path} />
        {app.problem === undefined ? null : <span className="help">{app.problem}</span>}
      </span>
      <Badge tone={stateLooks[app.state].tone}>{stateLooks[app.state].words}</Badge>
      {app.state === 'connected' ? (
        <IconButton small icon="refresh" label={t`New token for ${name}`} onClick={() => onOpen('renew')} />
      ) : null}
      {app.state === 'absent' || app.state === 'changed' ? (
        <SmallButton aria-label={t`Connect ${name}`} onClick={() => onOpen('connect')}>{t`Connect`}</SmallButton>
      ) : null}
      {app.state === 'connected' || app.state === 'changed' ? (
        <SmallGhostButton aria-label={t`Disconnect ${name}`} onClick={() => onOpen('disconnect')}>
          {t`Disconnect`}
        </SmallGhostButton>
      ) : null}
    </div>
  )
}

/** Agents that may connect: who is there, what each is offered, and a token for one that is set up by hand. */
function Agents({ turn }: { readonly turn: number }) {
  const { value, error, reload } = useHostAnswer('gate.list', {}, turn)
  const [editing, setEditing] = useState<GateClientSummary | 'new' | undefined>(undefined)
  const { ask, toast } = useActions()
  const remove = async ({ id, name }: GateClientSummary): Promise<void> => {
    if (await ask('gate.remove', { id })) toast(t`Deleted: ${name}`)
  }
  return (
    <Section level={2} title={t`Agents`}>
      {error ? <ErrorNotice error={error} onRetry={reload} /> : null}
      <div className="lines">
        {value?.clients.map((client) => (
          <AgentRow key={client.id} client={client} onEdit={() => setEditing(client)} onRemove={() => void remove(client)} />
        ))}
      </div>
      <p>
        <SmallButton onClick={() => setEditing('new')}>{t`Add an agent`}</SmallButton>
      </p>
      <OverHttp {...value?.http} />
      {editing && (
        <AgentDialog client={editing === 'new' ? undefined : editing} url={value?.http.url} onClose={() => setEditing(undefined)} />
      )}
    </Section>
  )
}

/** Switch and port of Streamable HTTP, with its address or why there is none. */
function OverHttp({ url, problem }: GateHttp) {
  const { gateHttp, gatePort } = useSettings((state) => state.settings)
  const { set } = useActions()
  return (
    <div className="lines settings-lines">
      <Switch label={t`Streamable HTTP`} help={url} checked={gateHttp} onChange={(on) => set({ gateHttp: on })} />
      {gateHttp ? (
        <NumberSetting
          label={t`Port`}
          help={problem}
          unit=""
          isName
          value={gatePort}
          min={1024}
          max={65_535}
          usual={defaultSettings.gatePort}
          onSave={(port) => set({ gatePort: port })}
        />
      ) : null}
    </div>
  )
}

interface AgentRowProps {
  readonly client: GateClientSummary
  readonly onEdit: () => void
  readonly onRemove: () => void
}

function AgentRow({ client, onEdit, onRemove }: AgentRowProps) {
  const now = useNow(60_000)
  const { name, servers, connections, lastSeen } = client
  const places = connections.map(({ program, folder }) => folder ?? program ?? t`Connected`)
  const offered = servers === 'all' ? t`All servers` : servers.length === 0 ? t`No servers` : formatList(servers)
  return (
    <div className="saved-row">
      <Dot tone={connections.length > 0 ? 'ok' : 'off'} label={connections.length > 0 ? t`Connected` : t`Not connected`} />
      <span className="words grow">
        <VisibleText as="b" text={name} />
        <VisibleText className="help cut" text={offered} />
        {places.length > 0 ? <VisibleText className="help mono cut" text={formatList([...new Set(places)])} /> : null}
      </span>
      {connections.length === 0 ? (
        <span className="help nowrap">
          {t`last seen`} {lastSeen === undefined ? t`never` : formatWhen(lastSeen, now)}
        </span>
      ) : null}
      <SmallLink variant="ghost" to={{ page: 'activity', agent: client.id }}>{t`Activity`}</SmallLink>
      <IconButton small icon="edit" label={t`Edit ${name}`} onClick={onEdit} />
      <IconButton small icon="trash" label={t`Delete ${name}`} onClick={onRemove} />
    </div>
  )
}

interface AgentDialogProps {
  /** Undefined: a new one, set up by hand. */
  readonly client: GateClientSummary | undefined
  readonly url: string | undefined
  readonly onClose: () => void
}

function AgentDialog({ client, url, onClose }: AgentDialogProps) {
  const all = useServers(useShallow((state) => state.list.map(({ name }) => name)))
  const [name, setName] = useState(client?.name ?? '')
  const [servers, setServers] = useState(client?.servers ?? ('all' as const))
  const [token, setToken] = useState<string | undefined>(undefined)
  const { busy, error, submit } = useSubmit()
  const known = [...new Set([...all, ...(servers === 'all' ? [] : servers)])]
  const save = async (): Promise<void> => {
    const { app, projects, sampling, roots } = client ?? {}
    const draft: GateClientDraft = JSON.parse(JSON.stringify({ name, app, servers, projects, sampling, roots }))
    if (client) {
      if ((await submit('gate.change', { id: client.id, draft })).ok) onClose()
      return
    }
    const made = await submit('gate.add', { draft })
    if (made.ok) setToken(made.value.token)
  }
  const renew = async (id: string): Promise<void> => {
    const made = await submit('gate.renewToken', { id })
    if (made.ok) setToken(made.value.token)
  }
  return (
    <Dialog
      onClose={onClose}
      title={client ? <VisibleText text={client.name} /> : t`Add an agent`}
      footer={
        token === undefined ? (
          <>
            <span className="grow" />
            <CancelButton onClick={onClose} />
            <Button type="submit" form="agent" variant="primary" aria-disabled={busy || name.trim() === ''}>
              {client ? t`Save` : t`Add`}
            </Button>
          </>
        ) : (
          <CancelButton onClick={onClose} />
        )
      }
    >
      {error ? <ErrorNotice error={error} /> : null}
      {token === undefined ? (
        <SubmitForm id="agent" className="stack" onSubmit={() => (name.trim() === '' || busy ? undefined : save())}>
          <TextField label={t`Name`} maxLength={60} value={name} onText={setName} />
          <Switch label={t`All servers`} checked={servers === 'all'} onChange={(on) => setServers(on ? 'all' : all)} />
          {servers === 'all'
            ? null
            : known.map((one) => (
                <Checkbox
                  key={one}
                  label={<VisibleText text={one} />}
                  checked={servers.includes(one)}
                  onChange={(on) => setServers(on ? [...servers, one] : servers.filter((other) => other !== one))}
                />
              ))}
          {client && client.app === undefined ? (
            <p>
              <SmallButton onClick={() => void renew(client.id)}>{t`New token for ${name}`}</SmallButton>
            </p>
          ) : null}
        </SubmitForm>
      ) : (
        <Snippets url={url} token={token} />
      )}
    </Dialog>
  )
}

/** Files of apps that are set up by hand, and an entry over HTTP where that is on. The token is told this once. */
function Snippets({ url, token }: Pick<AgentDialogProps, 'url'> & { readonly token: string }) {
  const [host, setHost] = useState<HostId>('cursor')
  const { value, error, reload } = useHostAnswer('appLink.snippets', { token })
  const snippets = value?.snippets ?? []
  const stdio = snippets.filter((one) => one.host === host).map(({ text }) => text)
  const entry = { type: 'http', url, headers: { Authorization: `Bearer ${token}` } }
  const http = url === undefined ? [] : [JSON.stringify({ mcpServers: { assent: entry } }, null, 2)]
  const names = hostNames()
  return (
    <div className="stack">
      <p>{t`Copy it now: the token is not shown again.`}</p>
      {error ? <ErrorNotice error={error} onRetry={reload} /> : null}
      <SelectField
        label={t`Program`}
        value={host}
        options={snippets.map((one) => ({ value: one.host, label: names[one.host] }))}
        onChoose={setHost}
      />
      {[...stdio, ...http].map((text) => (
        <div key={text} className="code bare">
          <VisibleText as="pre" className="wrapit" text={text} />
          <CopyButton label={t`Copy`} text={text} />
        </div>
      ))}
    </div>
  )
}
