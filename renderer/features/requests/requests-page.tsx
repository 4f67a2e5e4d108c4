// Everything that waits for the person, oldest first, each in its own card: nothing is answered in a batch here, since
// each card shows what it would send.
import { useEffect, useMemo } from 'react'
import { ConsentCard } from '#renderer/features/consent/consent-card.tsx'
import { hrefOf, type Route } from '#renderer/router.ts'
import { focusRequestSoon } from '#renderer/shell/focus.ts'
import { useConsent, useConversations } from '#renderer/stores/react.tsx'
import { LinkButton } from '#renderer/ui/button.tsx'
import { Badge, Count } from '#renderer/ui/marks.tsx'
import { Page } from '#renderer/ui/page.tsx'
import './requests.css'
import { groupRequests, type RequestGroup } from './group-requests.ts'

export function RequestsPage({ route }: { readonly route: Extract<Route, { page: 'requests' }> }) {
  const requests = useConsent((state) => state.requests)
  const conversations = useConversations((state) => state.list)
  const groups = useMemo(() => groupRequests(requests, conversations), [requests, conversations])
  useEffect(() => {
    if (route.id !== undefined) focusRequestSoon(route.id)
  }, [route.id])
  return (
    <Page title="Requests" beside={requests.length > 0 ? <Count value={requests.length} label="waiting" /> : null}>
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

function Group({ group }: { readonly group: RequestGroup }) {
  const { conversationId, title, requests } = group
  return (
    <section className="sec" aria-label={title}>
      <div className="row requests-head">
        <h2 className="h3 cut">{title}</h2>
        {requests.length > 1 ? <Badge>{requests.length} waiting</Badge> : null}
        <span className="grow" />
        {conversationId === undefined ? null : (
          <LinkButton size="sm" variant="ghost" href={hrefOf({ page: 'chat', id: conversationId })}>
            Open the chat
          </LinkButton>
        )}
      </div>
      {requests.map((request) => (
        <ConsentCard key={request.id} request={request} />
      ))}
    </section>
  )
}
