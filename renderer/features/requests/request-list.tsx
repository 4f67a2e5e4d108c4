// The list of what waits, by the chat that caused it. Calls of one chat can be ticked, to be answered together; what
// ended elsewhere leaves a line.
import { useMemo } from 'react'
import { useStore } from 'zustand'
import type { ConsentRequest, ToolCallRequest } from '#app/consent/request.ts'
import { t } from '#app/words/translate.ts'
import { EndedLine } from '#renderer/features/consent/ended-line.tsx'
import { hrefOf } from '#renderer/router.ts'
import type { EndedRequest } from '#renderer/stores/consent.ts'
import { useConversations, useOverdueCalls, useStores } from '#renderer/stores/react.tsx'
import { moveBetween } from '#renderer/ui/arrow-keys.ts'
import { Button, LinkButton } from '#renderer/ui/button.tsx'
import { Checkbox } from '#renderer/ui/choices.tsx'
import { Badge } from '#renderer/ui/marks.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { useNow } from '#renderer/ui/use-now.ts'
import { type Tick, tickOf } from './batch.ts'
import { groupWaiting, type WaitingGroup } from './group-requests.ts'
import { OverdueEntry } from './overdue-entry.tsx'
import { RequestItem } from './request-item.tsx'
import type { Batch } from './use-batch.ts'

interface RequestListProps {
  readonly requests: readonly ConsentRequest[]
  readonly ended: readonly EndedRequest[]
  readonly shown: string | undefined
  /** Ids of those that were shown at length. */
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
        {conversationId === undefined ? null : (
          <LinkButton size="sm" variant="ghost" href={hrefOf({ page: 'chat', id: conversationId })}>
            {t`Open the chat`}
          </LinkButton>
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
          <Button size="sm" variant="ghost" onClick={() => batch.deny(calls, '', false)}>
            {tx`Deny all ${calls.length} calls`}
          </Button>
        </div>
      )}
      <ul>
        {waiting.map((one) =>
          one.kind === 'request' ? (
            <RequestItem
              key={one.request.id}
              request={one.request}
              selected={one.request.id === shown}
              now={now}
              tick={
                several && one.request.kind === 'tool-call'
                  ? { may: mayTick(one.request), on: isOn(one.request), set: setter(batch, one.request) }
                  : undefined
              }
            />
          ) : (
            <li key={one.call.callId}>
              <OverdueEntry call={one.call} />
            </li>
          ),
        )}
      </ul>
    </section>
  )
}

const setter =
  (batch: Batch, request: ToolCallRequest) =>
  (on: boolean): void =>
    batch.tick([request], on)
