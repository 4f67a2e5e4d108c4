// Everything that waits for the person: a list by chat, and beside it one request; narrow windows show one of the two.
import './requests.css'
import { useEffect, useMemo, useRef } from 'react'
import { useStore } from 'zustand'
import type { Conversation } from '#app/chat/conversation.ts'
import type { OverdueCall } from '#app/chat/overdue-call.ts'
import { consentPieces } from '#app/consent/display/request-title.ts'
import type { ConsentRequest } from '#app/consent/request.ts'
import { dayWithYear } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { CallOverdue } from '#renderer/features/chat/calls/call-group.tsx'
import { QuestionView } from '#renderer/features/consent/dock/dock.tsx'
import { briefArguments, type Question, questionsOf } from '#renderer/features/consent/dock/questions.ts'
import { EndedLine } from '#renderer/features/consent/request/ended-line.tsx'
import { timeLeftLabel } from '#renderer/features/consent/request/request-frame.tsx'
import { focusRequestSoon, focusSoon } from '#renderer/navigation/focus.ts'
import { hrefOf, navigate, type Route } from '#renderer/router.ts'
import { type EndedRequest, endedElsewhere } from '#renderer/stores/consent-store.ts'
import { useConsent, useConversations, useOverdueCalls, useShallow, useStores } from '#renderer/stores/store-hooks.tsx'
import { SmallLink } from '#renderer/ui/button.tsx'
import { Badge, Count, Icon, ServerMark } from '#renderer/ui/icon.tsx'
import { moveBetween } from '#renderer/ui/lib/arrow-keys.ts'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { useNow } from '#renderer/ui/lib/use-now.ts'
import { Page } from '#renderer/ui/page.tsx'
import { Pieces, ServerName, VisibleText } from '#renderer/ui/visible-text.tsx'

// The open requests and overdue calls, by the conversation that caused them; each group stands where its oldest entry stands. Above them
// stand the questions that answer several at once.

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Waiting time: "now", "4 min", "30 h", "5 days", from 30 days on the date. Both arguments in ms since 1970. */
export function sinceLabel(at: number, now: number): string {
  const ms = now - at
  if (ms < minute) return t`now`
  if (ms < hour) return t`${Math.floor(ms / minute)} min`
  if (ms < 2 * day) return `${Math.floor(ms / hour)} h`
  return ms < 30 * day ? t`${Math.floor(ms / day)} days` : dayWithYear(at)
}

interface ItemProps {
  readonly selected: boolean
  readonly now: number
}

interface RequestItemProps extends ItemProps {
  readonly request: ConsentRequest
  /** Whether it stands below the line of its group, which names server and tool. */
  readonly grouped: boolean
}

const RequestItem = ({ request, selected, now, grouped }: RequestItemProps) => (
  <li className="request-item" data-listed={request.id}>
    <a className="item" href={hrefOf({ page: 'requests', id: request.id })} aria-current={selected ? 'true' : undefined}>
      {grouped ? <span /> : <ServerMark name={request.server} />}
      <span className={grouped ? 'sr' : 't'}>
        <Pieces pieces={consentPieces(request)} plain="" />
      </span>
      <span className="when num">{sinceLabel(request.createdAt, now)}</span>
      <span className="d">
        <Detail request={request} now={now} />
      </span>
    </a>
  </li>
)

/** Address of a question for several requests, on the page of requests. */
const togetherId = ({ requests: [first] }: Question): string => `with-${first?.id ?? ''}`

/** Leads to one question for all requests of a group. */
function TogetherItem({ question, selected }: Pick<ItemProps, 'selected'> & { readonly question: Question }) {
  const { kind, requests } = question
  const [first] = requests
  return (
    <li className="request-item">
      <a className="item" href={hrefOf({ page: 'requests', id: togetherId(question) })} aria-current={selected ? 'true' : undefined}>
        {kind === 'starts' ? <Icon name="servers" /> : <ServerMark name={first?.server ?? ''} />}
        <span className="t">
          {kind === 'starts'
            ? t`Start ${requests.length} servers?`
            : tx`${<ServerName name={first?.server ?? ''} />} ${requests.length} × ${<VisibleText className="mono tool-name" text={first?.kind === 'tool-call' ? first.tool : ''} />}`}
        </span>
        <span className="d">{t`Answer together`}</span>
      </a>
    </li>
  )
}

function Detail({ request, now }: { readonly request: ConsentRequest; readonly now: number }) {
  const { kind, expiresAt } = request
  const text = kind === 'tool-call' ? briefArguments(request).text : ''
  return (
    <>
      {kind === 'tool-call' && (
        <>
          {request.why.kind === 'tool-changed' && <Badge tone="warn">{t`changed`}</Badge>}
          {request.privateFlow && <Badge tone="warn">{t`Private data`}</Badge>}
          <span className="mono brief-arguments">{text === '' ? t`no arguments` : <VisibleText text={text} />}</span>
        </>
      )}
      {kind === 'launch' && <span className="mono cut">{request.target.transport === 'stdio' ? request.target.command : ''}</span>}
      {expiresAt !== undefined && <Badge tone="warn">{tx`waits ${timeLeftLabel(expiresAt - now)} more`}</Badge>}
    </>
  )
}

/** An overdue call away from its chat, with the same choice as on its row there. */
function OverdueEntry({ call }: { readonly call: OverdueCall }) {
  const { conversationId, callId, server, tool } = call
  const now = useNow(1000)
  return (
    <div className="overdue-entry" data-overdue={callId}>
      <p className="row">
        <Icon name="clock" small />
        <ServerMark name={server} />
        <span className="cut">{server}</span>
        <VisibleText as="b" className="cut" text={tool} />
      </p>
      <CallOverdue conversationId={conversationId} callId={callId} tool={tool} overdue={call} now={now} />
    </div>
  )
}

type WaitingEntry =
  | { readonly kind: 'request'; readonly since: number; readonly request: ConsentRequest }
  | { readonly kind: 'overdue'; readonly since: number; readonly call: OverdueCall }

const conversationOf = (one: WaitingEntry): string | undefined =>
  one.kind === 'request' ? one.request.conversationId : one.call.conversationId

export type WaitingGroup = ReturnType<typeof groupWaiting>[number]

export function groupWaiting(requests: readonly ConsentRequest[], overdue: readonly OverdueCall[], conversations: readonly Conversation[]) {
  const all: WaitingEntry[] = [
    ...requests.map((request) => ({ kind: 'request', since: request.createdAt, request }) as const),
    ...overdue.map((call) => ({ kind: 'overdue', since: call.since, call }) as const),
  ]
  const groups = Map.groupBy(
    all.sort((a, b) => a.since - b.since),
    conversationOf,
  )
  return [...groups].map(([conversationId, waiting]) => ({
    /** Undefined: asked outside of any chat, e.g. by the start of a server. */
    conversationId,
    title:
      conversationId === undefined ? t`Outside a chat` : (conversations.find(({ id }) => id === conversationId)?.title ?? t`Deleted chat`),
    /** Oldest first. */
    waiting,
  }))
}

interface RequestListProps {
  readonly requests: readonly ConsentRequest[]
  readonly ended: readonly EndedRequest[]
  readonly shown: Question | undefined
}

function RequestList({ requests, ended, shown }: RequestListProps) {
  const conversations = useConversations((state) => state.list)
  const overdue = useOverdueCalls()
  const groups = useMemo(() => groupWaiting(requests, overdue, conversations), [requests, overdue, conversations])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys go between the links inside
    <div className="request-list" onKeyDown={(event) => moveBetween(event, 'a.item')}>
      {groups.map((group) => (
        <Group key={group.conversationId ?? ''} group={group} shown={shown} />
      ))}
      {ended.length > 0 && (
        <section aria-label={t`Ended elsewhere`}>
          <h2 className="grouphead">{t`Ended elsewhere`}</h2>
          {ended.map((one) => (
            <EndedLine key={one.request.id} ended={one} />
          ))}
        </section>
      )}
    </div>
  )
}

function Group({ group, shown }: { readonly group: WaitingGroup } & Pick<RequestListProps, 'shown'>) {
  const { conversationId, title, waiting } = group
  const now = useNow(1000)
  const drafts = useStore(useStores().requestDrafts.store, (state) => state.byRequest)
  const requests = waiting.flatMap((one) => (one.kind === 'request' ? [one.request] : []))
  const together = questionsOf(requests, drafts).filter(({ kind }) => kind !== 'one')
  const grouped = new Set(together.flatMap(({ kind, requests: members }) => (kind === 'calls' ? members.map(({ id }) => id) : [])))
  return (
    <section aria-label={title}>
      <div className="row requests-head">
        <h2 className="grouphead">
          <span className="cut">{title}</span>
        </h2>
        {waiting.length > 1 ? <Badge>{tx`${waiting.length} waiting`}</Badge> : null}
        <span className="grow" />
        {conversationId !== undefined && (
          <SmallLink variant="ghost" to={{ page: 'chat', id: conversationId }}>
            {t`Open chat`}
          </SmallLink>
        )}
      </div>
      <ul>
        {together.map((question) => (
          <TogetherItem key={question.key} question={question} selected={question.key === shown?.key} />
        ))}
        {waiting.map((one) =>
          one.kind === 'overdue' ? (
            <li key={one.call.callId}>
              <OverdueEntry call={one.call} />
            </li>
          ) : (
            <RequestItem
              key={one.request.id}
              request={one.request}
              selected={shown?.key === one.request.id}
              now={now}
              grouped={grouped.has(one.request.id)}
            />
          ),
        )}
      </ul>
    </section>
  )
}

const toList = (): void => navigate({ page: 'requests' })

function focusList(): boolean {
  const first = document.querySelector<HTMLElement>('.request-list a.item, .requests-empty')
  first?.focus()
  return first !== null && document.activeElement === first
}

/**
 * The question to show: the one in the address, by itself or for all of its group, else the first that waits (wide windows show it beside
 * the list). What was shown and ended elsewhere leaves its line: another card would come under the pointer.
 */
function useShown(id: string | undefined, requests: readonly ConsentRequest[], ended: readonly EndedRequest[]) {
  const drafts = useStore(useStores().requestDrafts.store, (state) => state.byRequest)
  const last = useRef<{ readonly id: string; readonly together: boolean } | undefined>(undefined)
  const asked = id === undefined ? last.current : { id: id.replace(/^with-/, ''), together: id.startsWith('with-') }
  const sorted = requests.toSorted((a, b) => a.createdAt - b.createdAt)
  const gone = ended.find((one) => one.request.id === asked?.id)
  const request = requests.find((one) => one.id === asked?.id) ?? (gone ? undefined : sorted[0])
  const together = request?.id === asked?.id ? asked?.together === true : true
  const near = sorted.filter((one) => one.conversationId === request?.conversationId)
  const question =
    request && questionsOf(together ? near : [request], drafts).find((one) => one.requests.some((each) => each.id === request.id))
  const shownId = request?.id ?? gone?.request.id
  useEffect(() => {
    last.current = shownId === undefined ? undefined : { id: shownId, together }
  })
  return { question, gone: question ? undefined : gone }
}

export function RequestsPage({ route }: { readonly route: Extract<Route, { page: 'requests' }> }) {
  const requests = useConsent((state) => state.requests)
  const ended = useConsent(useShallow(endedElsewhere))
  const waiting = requests.length + useOverdueCalls().length
  const shown = useShown(route.id, requests, ended)
  useEffect(() => {
    if (route.id !== undefined) focusRequestSoon(route.id.replace(/^with-/, ''))
  }, [route])
  const empty = waiting === 0 && ended.length === 0
  return (
    <Page
      title={t`Requests`}
      beside={waiting > 0 ? <Count value={waiting} label={t`waiting`} /> : null}
      onBack={route.id === undefined ? undefined : toList}
    >
      {empty ? (
        <div className="page">
          <div className="in">
            <div className="empty requests-empty" tabIndex={-1}>
              <p className="strong">{t`No requests`}</p>
            </div>
          </div>
        </div>
      ) : (
        <div className={cx('split', 'requests', route.id === undefined && 'showlist')}>
          <div className="a">
            <RequestList requests={requests} ended={ended} shown={shown.question} />
          </div>
          <div className="b">
            <div className="in">
              {shown.question && (
                <QuestionView
                  key={shown.question.key}
                  question={shown.question}
                  onWithout={undefined}
                  onApart={(id) => navigate({ page: 'requests', id })}
                  onAnswered={() => focusSoon(focusList)}
                />
              )}
              {shown.gone && <EndedLine ended={shown.gone} />}
            </div>
          </div>
        </div>
      )}
    </Page>
  )
}
