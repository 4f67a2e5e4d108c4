// The message inspector of one server: what goes over the wire, both ways, once the person has switched recording on. The host
// only says that there are more messages; the page fetches them while it is open, as fast as it can draw. Messages that the
// host dropped meanwhile are a gap, and are shown as one.

import { useEffect, useMemo, useState } from 'react'
import type { ErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { messageLines, type WireMessage } from '#app/server/wire-message.ts'
import { useActions, useStores } from '#renderer/stores/store-hooks.tsx'
import { Button, GhostButton, IconButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { type Choice, ChoiceSelect, SearchInput, Segmented, type SelectOption, Switch } from '#renderer/ui/field.tsx'
import { Menu, MenuItem, MenuSeparator } from '#renderer/ui/menu.tsx'
import { Empty, ErrorNotice, Loading } from '#renderer/ui/notice.tsx'
import { FollowButton, useTextExport } from '../log/follow-and-export.tsx'
import { MessageDetail, WireMessageList } from './message-detail.tsx'
import {
  addMessages,
  everything,
  followersOf,
  type MessageFilter,
  type MessageKindFilter,
  type MessagePage,
  methodsOf,
  noMessages,
  relatedTo,
  shownMessages,
} from './message-rows.ts'
import './messages.css'

interface MessageActionsProps {
  readonly name: string
  readonly all: readonly WireMessage[]
  readonly shown: readonly WireMessage[]
}

function MessageActions({ name, all, shown }: MessageActionsProps) {
  const { go } = useActions()
  const { copyWith, save } = useTextExport()
  return (
    <Menu align="end" trigger={<IconButton label={t`Copy, save or clear`} icon="more" small />}>
      <MenuItem onSelect={() => copyWith(messageLines(shown), t`Copied`)} disabled={shown.length === 0}>
        {shown.length === all.length ? t`Copy all` : t`Copy shown`}
      </MenuItem>
      <MenuItem
        onSelect={() => void save(`${name} messages.jsonl`, () => messageLines(all), 'server.saveMessages', name)}
        disabled={all.length === 0}
      >
        {t`Save as a file`}
      </MenuItem>
      <MenuSeparator />
      <MenuItem onSelect={() => go('server.clearMessages', { name })} disabled={all.length === 0}>
        {t`Clear`}
      </MenuItem>
    </Menu>
  )
}

/** Milliseconds between two requests, so that there is time to draw. */
const pauseMs = 100

interface Messages {
  readonly page: MessagePage
  readonly loading: boolean
  readonly error: ErrorValue | undefined
}
const before: Messages = { page: noMessages, loading: true, error: undefined }

function useMessages(name: string) {
  const { attempt } = useActions()
  const { hostConnection } = useStores()
  const [state, setState] = useState(before)
  const [again, setAgain] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a press on "Try again" is a reason to fetch.
  useEffect(() => {
    let gone = false
    let after = 0
    let asking = false
    let more = false
    let timer: ReturnType<typeof setTimeout> | undefined

    async function pull(): Promise<void> {
      asking = true
      more = false
      const outcome = await attempt('server.messages', { name, after })
      asking = false
      if (gone) return
      if (!outcome.ok) return setState((now) => ({ ...now, loading: false, error: outcome.error }))
      const { messages, first, last } = outcome.value
      after = messages.at(-1)?.seq ?? after
      setState(({ page }) => ({ page: addMessages(page, { messages, first }), loading: false, error: undefined }))
      if (after < last || more) later()
    }
    function later(): void {
      timer ??= setTimeout(() => {
        timer = undefined
        void pull()
      }, pauseMs)
    }
    function news(): void {
      if (asking) more = true
      else if (timer === undefined) void pull()
    }

    setState(before)
    const offEvent = hostConnection.onEvent((event) => {
      if (event.name === 'server.messaged' && event.payload.name === name) news()
    })
    // The first look; and another run of the host counts from one again.
    const offStatus = hostConnection.onStatus((status) => {
      if (status !== 'open') return
      after = 0
      setState(before)
      news()
    })
    return () => {
      gone = true
      clearTimeout(timer)
      offEvent()
      offStatus()
    }
  }, [attempt, hostConnection, name, again])
  return { ...state, reload: () => setAgain((count) => count + 1) }
}

const directions: readonly Choice<MessageFilter['direction']>[] = [
  { value: 'both', label: t`All` },
  { value: 'sent', label: t`Sent` },
  { value: 'received', label: t`Received` },
]
const kinds: readonly SelectOption<MessageKindFilter>[] = [
  { value: 'messages', label: t`Everything` },
  { value: 'request', label: t`Requests` },
  { value: 'answer', label: t`Answers` },
  { value: 'error', label: t`Errors` },
  { value: 'notification', label: t`Notifications` },
  { value: 'other', label: t`Other` },
  { value: 'http', label: 'HTTP' },
  { value: 'all', label: t`Everything` },
]

export function MessagesTab({ server }: { readonly server: ServerSummary }) {
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
  /** Chooses a message, and drops a filter that hides it. */
  const go = (seq: number): void => {
    if (!shown.some((one) => one.seq === seq)) setFilter({ ...everything, kind: 'all' })
    choose(seq)
  }

  if (error && messages.length === 0) return <ErrorNotice error={error} onRetry={reload} />
  if (messages.length === 0 && inspecting === undefined) return loading ? <Loading /> : <Off server={server} />
  const isHttp = server.definition.transport !== 'stdio' && server.definition.transport !== 'builtin'
  return (
    <div className="messages">
      <Recording server={server} />
      <div className="row wrap filters">
        <Segmented label={t`Direction`} value={filter.direction} onChange={(direction) => change({ direction })} choices={directions} />
        <ChoiceSelect
          className="fit"
          aria-label={t`Kind`}
          value={filter.kind}
          options={kinds.filter(({ value }) => isHttp || (value !== 'http' && value !== 'all'))}
          onChoose={(kind) => change({ kind })}
        />
        <ChoiceSelect
          className="fit"
          aria-label={t`Method`}
          value={filter.method}
          options={[{ value: '', label: t`All` }, ...methods.map((method) => ({ value: method, label: method }))]}
          onChoose={(method) => change({ method })}
        />
      </div>
      <div className="row message-search">
        <SearchInput label={t`Search`} value={filter.text} onChange={(text) => change({ text })} />
        <FollowButton follow={follow} onFollow={setFollow} />
        <MessageActions name={name} all={messages} shown={shown} />
      </div>
      {first > 1 && messages.length > 0 ? <p className="help">{t`Older messages are not kept.`}</p> : null}
      {shown.length === 0 ? (
        <p className="dim">{messages.length === 0 ? t`No messages yet` : t`Nothing found.`}</p>
      ) : (
        <WireMessageList
          label={t`Messages`}
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

const kept = t`In memory only; known secrets are masked.`

function Off({ server }: { readonly server: ServerSummary }) {
  const { go } = useActions()
  const { name, state } = server
  const runs = state.kind === 'ready' || state.kind === 'starting'
  return (
    <Empty icon="text" title={t`Messages are not recorded.`}>
      <p>{kept}</p>
      <div className="row wrap">
        <Button onClick={() => go('server.inspect', { name, mode: 'on' })}>{t`Record messages`}</Button>
        {runs ? (
          <GhostButton onClick={() => go('server.inspect', { name, mode: 'next-start' })}>{t`From its next start`}</GhostButton>
        ) : null}
      </div>
    </Empty>
  )
}

function Recording({ server }: { readonly server: ServerSummary }) {
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
          inspecting === 'next-start' ? t`From its next start` : inspecting === 'on' ? t`In memory only; known secrets are masked.` : t`Off`
        }
      />
      <span className="grow" />
      {state.kind === 'ready' ? (
        <SmallGhostButton icon="refresh" onClick={() => void restart()}>
          {t`Restart`}
        </SmallGhostButton>
      ) : null}
    </div>
  )
}
