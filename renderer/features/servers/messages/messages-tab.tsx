// The inspector of one server: what goes over the wire, both ways, once the person has switched that on.

import { t } from '#app/words/translate.ts'
import { ServerName } from '#renderer/ui/pieces.tsx'
import { tx } from '#renderer/ui/translate.ts'
import './messages.css'
import { useMemo, useState } from 'react'
import type { ServerView } from '#app/server/view.ts'
import { useActions } from '#renderer/stores/react.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { type Choice, Segmented, Switch } from '#renderer/ui/choices.tsx'
import { ErrorNotice } from '#renderer/ui/error-notice.tsx'
import { Select } from '#renderer/ui/field.tsx'
import { SearchInput } from '#renderer/ui/search-input.tsx'
import { Loading } from '../load-state.tsx'
import { MessageActions } from './message-actions.tsx'
import { MessageDetail } from './message-detail.tsx'
import { MessageList } from './message-list.tsx'
import { everything, followersOf, type MessageFilter, methodsOf, relatedTo, type ShownKind, shownMessages } from './message-rows.ts'
import { useMessages } from './use-messages.ts'

const directions: readonly Choice<MessageFilter['direction']>[] = [
  { value: 'both', label: t`Both ways` },
  { value: 'sent', label: t`Sent` },
  { value: 'received', label: t`Received` },
]
const kinds: readonly { readonly value: ShownKind; readonly label: string }[] = [
  { value: 'messages', label: t`All messages` },
  { value: 'request', label: t`Requests` },
  { value: 'answer', label: t`Answers` },
  { value: 'error', label: t`Errors` },
  { value: 'notification', label: t`Notifications` },
  { value: 'other', label: t`What is no message` },
  { value: 'http', label: t`HTTP alone` },
  { value: 'all', label: t`Messages and HTTP` },
]
const isKind = (value: string): value is ShownKind => kinds.some((kind) => kind.value === value)

export function MessagesTab({ server }: { readonly server: ServerView }) {
  const { name, inspecting } = server
  const { page, loading, error, reload } = useMessages(name)
  const [filter, setFilter] = useState(everything)
  const [follow, setFollow] = useState(true)
  const [chosen, setChosen] = useState<number | undefined>(undefined)
  const { messages, first } = page
  const shown = useMemo(() => shownMessages(messages, filter), [messages, filter])
  const followers = useMemo(() => followersOf(messages), [messages])
  const methods = useMemo(() => methodsOf(messages), [messages])
  const message = chosen === undefined ? undefined : messages.find(({ seq }) => seq === chosen)
  const change = (part: Partial<MessageFilter>): void => setFilter((before) => ({ ...before, ...part }))
  const choose = (seq: number): void => {
    setFollow(false)
    setChosen(seq)
  }
  /** What it belongs to may be hidden by the filter. */
  const go = (seq: number): void => {
    if (!shown.some((one) => one.seq === seq)) setFilter({ ...everything, kind: 'all' })
    choose(seq)
  }

  if (error && messages.length === 0) return <ErrorNotice error={error} onRetry={reload} />
  if (messages.length === 0 && inspecting === undefined) return loading ? <Loading what={t`messages`} /> : <Off server={server} />
  const isHttp = server.definition.transport !== 'stdio' && server.definition.transport !== 'builtin'
  return (
    <div className="messages">
      <Recording server={server} />
      <div className="row wrap">
        <Segmented label={t`Which way`} value={filter.direction} onChange={(direction) => change({ direction })} choices={directions} />
        <Select
          className="fit"
          aria-label={t`What kind`}
          value={filter.kind}
          onChange={({ target }) => isKind(target.value) && change({ kind: target.value })}
        >
          {kinds
            .filter(({ value }) => isHttp || (value !== 'http' && value !== 'all'))
            .map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
        </Select>
        <Select
          className="fit"
          aria-label={t`Which method`}
          value={filter.method}
          onChange={({ target }) => change({ method: target.value })}
        >
          <option value="">{t`Every method`}</option>
          {methods.map((method) => (
            <option key={method}>{method}</option>
          ))}
        </Select>
      </div>
      <div className="row message-search">
        <SearchInput label={t`Find in the messages`} value={filter.text} onChange={(text) => change({ text })} />
        <Button variant="ghost" size="sm" icon={follow ? 'check' : 'arrow-down'} aria-pressed={follow} onClick={() => setFollow(!follow)}>
          {t`Follow`}
        </Button>
        <MessageActions name={name} all={messages} shown={shown} />
      </div>
      {first > 1 && messages.length > 0 ? <p className="help">{t`What came before these is not here any more.`}</p> : null}
      {shown.length === 0 ? (
        <p className="dim">{messages.length === 0 ? t`Nothing was said yet.` : t`No message is like that.`}</p>
      ) : (
        <MessageList
          label={t`Messages of “${name}”`}
          messages={shown}
          followers={followers}
          chosen={chosen}
          onChoose={choose}
          follow={follow}
          onFollow={setFollow}
        />
      )}
      {message ? <MessageDetail server={name} message={message} related={relatedTo(messages, followers, message)} onGo={go} /> : null}
    </div>
  )
}

const kept = t`They are kept in memory only, the last 2,000 at most, and known secrets are masked.`

function Off({ server }: { readonly server: ServerView }) {
  const { go } = useActions()
  const { name, state } = server
  const runs = state.kind === 'ready' || state.kind === 'starting'
  return (
    <div className="empty">
      <p className="strong">{t`Messages are not recorded.`}</p>
      <p>{tx`Switched on, everything that Assent and ${<ServerName name={name} />} say to each other shows here as it goes over the wire. ${kept}`}</p>
      <div className="row wrap">
        <Button onClick={() => go('server.inspect', { name, mode: 'on' })}>{t`Record messages`}</Button>
        {runs ? (
          <Button variant="ghost" onClick={() => go('server.inspect', { name, mode: 'next-start' })}>
            {t`Record from its next start`}
          </Button>
        ) : null}
      </div>
    </div>
  )
}

function Recording({ server }: { readonly server: ServerView }) {
  const { go, attempt } = useActions()
  const { name, inspecting, state } = server
  const restart = async (): Promise<void> => {
    await attempt('server.inspect', { name, mode: 'next-start' })
    go('server.restart', { name })
  }
  return (
    <div className="row wrap">
      <Switch
        checked={inspecting !== undefined}
        onChange={(on) => go('server.inspect', { name, ...(on ? { mode: 'on' as const } : {}) })}
        label={t`Record messages`}
        help={
          inspecting === 'next-start'
            ? t`From its next start on.`
            : inspecting === 'on'
              ? t`In memory only; known secrets are masked.`
              : t`Off.`
        }
      />
      <span className="grow" />
      {state.kind === 'ready' ? (
        <Button size="sm" variant="ghost" icon="refresh" onClick={() => void restart()}>
          {t`Restart and record its greeting`}
        </Button>
      ) : null}
    </div>
  )
}
