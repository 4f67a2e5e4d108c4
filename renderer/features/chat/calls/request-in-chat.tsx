// A request in its chat: its card, or one row while its sheet is open.
import type { ConsentRequest } from '#app/consent/request.ts'
import { t } from '#app/i18n/translate.ts'
import { ConsentCard } from '#renderer/features/consent/consent-card.tsx'
import { useReviewedId } from '#renderer/features/consent/request/use-review.ts'
import { focusRequest } from '#renderer/navigation/focus.ts'
import { ServerMark } from '#renderer/ui/badges.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { CallStatusIcon } from './call-status-icon.tsx'

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
