// Everything that waits for the person, oldest first, each in its own card: nothing is answered in a batch here, since
// each card shows what it would send. A call that gives no word is no request of a server: it is a line, without a card.
import { useEffect, useMemo } from 'react'
import { ConsentCard } from '#renderer/features/consent/consent-card.tsx'
import { hrefOf, type Route } from '#renderer/router.ts'
import { focusRequestSoon } from '#renderer/shell/focus.ts'
import { useConsent, useConversations, useOverdueCalls } from '#renderer/stores/react.tsx'
import { LinkButton } from '#renderer/ui/button.tsx'
import { Badge, Count } from '#renderer/ui/marks.tsx'
import { Page } from '#renderer/ui/page.tsx'
import './requests.css'
import { groupWaiting, type WaitingGroup } from './group-requests.ts'
import { OverdueEntry } from './overdue-entry.tsx'

export function RequestsPage({ route }: { readonly route: Extract<Route, { page: 'requests' }> }) {
  const requests = useConsent((state) => state.requests)
  const conversations = useConversations((state) => state.list)
  const overdue = useOverdueCalls()
  const groups = useMemo(() => groupWaiting(requests, overdue, conversations), [requests, overdue, conversations])
  const waiting = requests.length + overdue.length
  useEffect(() => {
    if (route.id !== undefined) focusRequestSoon(route.id)
  }, [route.id])
  return (
    <Page title="Requests" beside={waiting > 0 ? <Count value={waiting} label="waiting" /> : null}>
      <div className="page">
        <div className="in requests">
          {groups.length === 0 ? (
            <div className="empty">
              <p className="strong">Nothing waits for you.</p>
              <p>Requests appear here and in their chat.</p>
            </div>
          ) : (
            groups.map((group) => <Group key={group.conversationId ?? ''} group={group} />)
          )}
        </div>
      </div>
    </Page>
  )
}

function Group({ group }: { readonly group: WaitingGroup }) {
  const { conversationId, title, waiting } = group
  return (
    <section className="sec" aria-label={title}>
      <div className="row requests-head">
        <h2 className="h3 cut">{title}</h2>
        {waiting.length > 1 ? <Badge>{waiting.length} waiting</Badge> : null}
        <span className="grow" />
        {conversationId === undefined ? null : (
          <LinkButton size="sm" variant="ghost" href={hrefOf({ page: 'chat', id: conversationId })}>
            Open the chat
          </LinkButton>
        )}
      </div>
      {waiting.map((one) =>
        one.kind === 'request' ? (
          <ConsentCard key={one.request.id} request={one.request} />
        ) : (
          <OverdueEntry key={one.call.callId} call={one.call} />
        ),
      )}
    </section>
  )
}
