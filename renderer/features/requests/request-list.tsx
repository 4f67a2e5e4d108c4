// The open requests and overdue calls, by the conversation that caused them; each group stands where its oldest entry stands. Calls of
// one conversation can be ticked and answered together, if they are shown whole, have nothing to warn of, and were read.

import { useMemo, useState } from 'react'
import { useStore } from 'zustand'
import type { Conversation } from '#app/chat/conversation.ts'
import type { OverdueCall } from '#app/chat/overdue-call.ts'
import { consentPieces, consentSentence } from '#app/consent/display/request-title.ts'
import type { ConsentAnswer, ConsentRequest, ToolCallRequest } from '#app/consent/request.ts'
import { crosses } from '#app/consent/taint/taint.ts'
import { dayWithYear, formatList } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject } from '#app/json.ts'
import { CallOverdue } from '#renderer/features/chat/calls/call-group.tsx'
import { EndedLine } from '#renderer/features/consent/request/ended-line.tsx'
import { timeLeftLabel } from '#renderer/features/consent/request/request-frame.tsx'
import { hrefOf } from '#renderer/router.ts'
import type { EndedRequest } from '#renderer/stores/consent-store.ts'
import type { RequestDraft } from '#renderer/stores/request-drafts.ts'
import { useActions, useConversations, useOverdueCalls, useStores } from '#renderer/stores/store-hooks.tsx'
import { SmallGhostButton, SmallLink } from '#renderer/ui/button.tsx'
import { Checkbox } from '#renderer/ui/field.tsx'
import { Badge, Icon, ServerMark } from '#renderer/ui/icon.tsx'
import { moveBetween } from '#renderer/ui/lib/arrow-keys.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { useNow } from '#renderer/ui/lib/use-now.ts'
import { anyHidden, Pieces, VisibleText } from '#renderer/ui/visible-text.tsx'

/** Characters of the arguments that a row shows. */
const wholeUpTo = 160

/** The arguments as one line of JSON. `whole`: nothing is left out, and nothing in them reads like another argument. */
export function briefArguments({ arguments: args }: Pick<ToolCallRequest, 'arguments'>) {
  const words = Object.entries(args).map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const text = words.join('  ')
  const plain = Object.values(args).every((value) => !isJsonObject(value) && !(typeof value === 'string' && /[\r\n\t]| {2}|: /.test(value)))
  return text.length <= wholeUpTo ? { text, whole: plain } : { text: `${text.slice(0, wholeUpTo)}…`, whole: false }
}

/** Whether a request may be ticked. `unread`: not before it was opened. `alone`: it has to be read and answered by itself. */
type Tick = { readonly kind: 'may' | 'unread' | 'alone' }

/** `read`: the person has had all of it in view. */
export function tickOf(request: ConsentRequest, read: boolean, draft: RequestDraft | undefined): Tick {
  if (request.kind !== 'tool-call') return { kind: 'alone' }
  const { why, previous, server } = request
  const warned = why.kind === 'tool-changed' || why.kind === 'unsure-rule' || request.privateFlow !== undefined || previous !== undefined
  const touched = draft?.edited !== undefined || draft?.text !== undefined
  if (warned || touched || crosses(request.flows, server) || anyHidden(request.arguments)) return { kind: 'alone' }
  return read || briefArguments(request).whole ? { kind: 'may' } : { kind: 'unread' }
}

/** Ticked requests by id, each with the text and definition that were shown then. */
type Ticked = Readonly<Record<string, string>>

export const shownAs = ({ argumentsText, fingerprint }: ToolCallRequest): string => `${fingerprint} ${argumentsText}`

/** Ticked requests of one conversation that still wait, unchanged since. */
export function chosenOf(requests: readonly ConsentRequest[], ticked: Ticked): ToolCallRequest[] {
  const chosen = requests.filter((one): one is ToolCallRequest => one.kind === 'tool-call' && ticked[one.id] === shownAs(one))
  return chosen.filter((one) => one.conversationId === chosen[0]?.conversationId)
}

/** "same tool, “move_file” of “files”", "3 tools of “files” and “web”". */
export function sharedLabel(chosen: readonly ToolCallRequest[]): string {
  const servers = formatList([...new Set(chosen.map(({ server }) => `“${server}”`))])
  const tools = new Set(chosen.map(({ server, tool }) => `${server} ${tool}`))
  return tools.size === 1 ? t`same tool, “${chosen[0]?.tool}” of ${servers}` : t`${tools.size} tools of ${servers}`
}

export type Batch = ReturnType<typeof useBatch>

/**
 * The ticked requests, and one answer for all of them, sent one by one in the order of the list. Requests that came or ended
 * meanwhile are not answered. `onDone`: called once all were sent.
 */
export function useBatch(requests: readonly ConsentRequest[], onDone: () => void) {
  const actions = useActions()
  const [ticked, setTicked] = useState<Ticked>({})
  const [busy, setBusy] = useState(false)
  const chosen = chosenOf(requests, ticked)

  async function send(each: readonly ToolCallRequest[], answerOf: (index: number) => ConsentAnswer): Promise<void> {
    setBusy(true)
    for (const [index, { id }] of each.entries()) await actions.answer(id, answerOf(index))
    setBusy(false)
    setTicked({})
    onDone()
  }

  return {
    chosen,
    busy,
    tick(some: readonly ToolCallRequest[], on: boolean): void {
      setTicked((before) => {
        const [first] = some
        const sameChat = chosen.every(({ conversationId }) => conversationId === first?.conversationId)
        const rest = Object.entries(sameChat ? before : {}).filter(([id]) => !some.some((one) => one.id === id))
        return Object.fromEntries([...rest, ...(on ? some.map((one) => [one.id, shownAs(one)]) : [])])
      })
    },
    clear: (): void => setTicked({}),
    allowOnce(): void {
      if (!busy) void send(chosen, () => ({ kind: 'allow', scope: 'once' }))
    },
    /** `stop`: the last denial ends the turn too. */
    deny(some: readonly ToolCallRequest[], word: string, stop: boolean): void {
      if (busy) return
      void send(some, (index) => ({ kind: 'deny', ...(word && { word }), ...(stop && index === some.length - 1 && { stop }) }))
    },
  }
}

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

interface RequestItemProps {
  readonly request: ConsentRequest
  readonly selected: boolean
  readonly now: number
  /** Undefined where no other call waits beside it. */
  readonly tick: { readonly may: Tick; readonly on: boolean; readonly set: (on: boolean) => void } | undefined
}

const tickHelp: Record<Tick['kind'], string> = {
  may: '',
  unread: t`Open it first: there is more of it than fits here.`,
  alone: t`It has to be read by itself.`,
}

function RequestItem({ request, selected, now, tick }: RequestItemProps) {
  const { id, server } = request
  const sentence = consentSentence(request)
  const helpId = `tick-${id}`
  return (
    <li className="request-item" data-listed={id}>
      {tick && request.kind === 'tool-call' && (
        <Checkbox
          checked={tick.on}
          disabled={tick.may.kind !== 'may'}
          describedBy={helpId}
          label={<VisibleText className="sr" text={t`Select: ${sentence}, ${briefArguments(request).text}`} />}
          onChange={tick.set}
        />
      )}
      <a className="item" href={hrefOf({ page: 'requests', id })} aria-current={selected ? 'true' : undefined}>
        <ServerMark name={server} />
        <span className="t">
          <Pieces pieces={consentPieces(request)} plain="" />
        </span>
        <span className="when num">{sinceLabel(request.createdAt, now)}</span>
        <span className="d">
          <Detail request={request} now={now} />
        </span>
      </a>
      {tick && (
        <span id={helpId} className={tick.may.kind === 'may' ? 'sr' : 'help'}>
          {tickHelp[tick.may.kind]}
        </span>
      )}
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
          {request.privateFlow && <Badge tone="warn">{t`private data`}</Badge>}
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
      conversationId === undefined
        ? t`Outside of a chat`
        : (conversations.find(({ id }) => id === conversationId)?.title ?? t`A chat that is gone`),
    /** Oldest first. */
    waiting,
  }))
}

interface RequestListProps {
  readonly requests: readonly ConsentRequest[]
  readonly ended: readonly EndedRequest[]
  readonly shown: string | undefined
  /** Ids of the requests that the person has had in view as a whole. */
  readonly read: ReadonlySet<string>
  readonly batch: Batch
}

export function RequestList({ requests, ended, shown, read, batch }: RequestListProps) {
  const conversations = useConversations((state) => state.list)
  const overdue = useOverdueCalls()
  const groups = useMemo(() => groupWaiting(requests, overdue, conversations), [requests, overdue, conversations])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys go between the links inside
    <div className="request-list" onKeyDown={(event) => moveBetween(event, 'a.item')}>
      {groups.map((group) => (
        <Group key={group.conversationId ?? ''} group={group} shown={shown} read={read} batch={batch} />
      ))}
      {ended.length > 0 && (
        <section aria-label={t`Ended without you here`}>
          <h2 className="grouphead">{t`Ended without you here`}</h2>
          {ended.map((one) => (
            <EndedLine key={one.request.id} ended={one} />
          ))}
        </section>
      )}
    </div>
  )
}

function Group({ group, shown, read, batch }: Omit<RequestListProps, 'requests' | 'ended'> & { readonly group: WaitingGroup }) {
  const { conversationId, title, waiting } = group
  const now = useNow(1000)
  const drafts = useStore(useStores().requestDrafts.store, (state) => state.byRequest)
  const calls = waiting.flatMap((one) => (one.kind === 'request' && one.request.kind === 'tool-call' ? [one.request] : []))
  const mayTick = (request: ConsentRequest): Tick => tickOf(request, read.has(request.id), drafts[request.id])
  const tickable = calls.filter((call) => mayTick(call).kind === 'may')
  const isOn = (call: ConsentRequest): boolean => batch.chosen.some(({ id }) => id === call.id)
  const several = calls.length > 1
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
            {t`Open the chat`}
          </SmallLink>
        )}
      </div>
      {several && (
        <div className="row wrap request-item all">
          {tickable.length > 1 && (
            <Checkbox
              checked={tickable.every(isOn)}
              label={tickable.length === calls.length ? t`Select all ${tickable.length} calls` : t`Select these ${tickable.length} calls`}
              onChange={(on) => batch.tick(tickable, on)}
            />
          )}
          <span className="grow" />
          <SmallGhostButton onClick={() => batch.deny(calls, '', false)}>{tx`Deny all ${calls.length} calls`}</SmallGhostButton>
        </div>
      )}
      <ul>
        {waiting.map((one) => {
          if (one.kind === 'overdue') {
            return (
              <li key={one.call.callId}>
                <OverdueEntry call={one.call} />
              </li>
            )
          }
          const { request } = one
          const tick = several &&
            request.kind === 'tool-call' && { may: mayTick(request), on: isOn(request), set: (on: boolean) => batch.tick([request], on) }
          return <RequestItem key={request.id} request={request} selected={request.id === shown} now={now} tick={tick || undefined} />
        })}
      </ul>
    </section>
  )
}
