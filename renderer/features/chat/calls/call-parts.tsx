// Parts of a call in the chat: its status icon, the choice about an overdue call, and the requests that belong to it.
import type { ConsentRequest } from '#app/consent/request.ts'
import { t } from '#app/i18n/translate.ts'
import { ConsentCard } from '#renderer/features/consent/consent-card.tsx'
import { useReviewedId } from '#renderer/features/consent/request/use-review.ts'
import { focusRequest } from '#renderer/navigation/focus.ts'
import { useActions } from '#renderer/stores/store-hooks.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Dot, Icon, ServerMark, Spinner } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { type CallStatusMark, type OverdueSince, overdueLabel } from './call-labels.ts'

export function CallStatusIcon({ mark }: { readonly mark: CallStatusMark }) {
  if (mark === 'ring') return <Spinner />
  return mark === 'you' || mark === 'off' ? <Dot tone={mark} /> : <Icon name={mark} />
}

interface CallOverdueProps {
  readonly conversationId: string
  readonly callId: string
  readonly tool: string
  readonly overdue: OverdueSince
  readonly now: number
}

/** An overdue call: the person can wait longer or cancel it; otherwise it is cancelled soon. */
export function CallOverdue({ conversationId, callId, tool, overdue, now }: CallOverdueProps) {
  const actions = useActions()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
    <div className="call-overdue" role="group" aria-label={t`“${tool}” is still running`}>
      <span className="num">{tx`Still running: ${overdueLabel(overdue, now)}`}</span>
      <span className="row">
        <Button size="sm" onClick={() => actions.waitForCall(conversationId, callId)}>
          {t`Wait longer`}
        </Button>
        <Button size="sm" variant="ghost" danger onClick={() => actions.cancelCall(conversationId, callId)}>
          {t`Cancel`}
        </Button>
      </span>
    </div>
  )
}

/** A request in its chat: its card, or one row while its sheet is open. */
export function RequestInChat({ request }: { readonly request: ConsentRequest }) {
  const reviewed = useReviewedId()
  return request.id === reviewed ? <ReviewedRow request={request} /> : <ConsentCard request={request} />
}

function ReviewedRow({ request }: { readonly request: ConsentRequest }) {
  const { id, server } = request
  return (
    <div className="calls">
      <button type="button" className="call you brief" onClick={() => focusRequest(id)}>
        <CallStatusIcon mark="you" />
        <span className="who">
          <ServerMark name={server} />
          <span>{server}</span>
          <b>{request.kind === 'tool-call' ? <VisibleText text={request.tool} /> : t`asks you for an answer`}</b>
        </span>
        <span className="meta">{t`waits for you`}</span>
        <Icon name="chevron-right" small />
      </button>
    </div>
  )
}
