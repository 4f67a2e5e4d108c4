// A call that gives no word, away from its chat: which it is, and the same choice as on its row there.
import type { OverdueCall } from '#app/chat/overdue.ts'
import { CallOverdue } from '#renderer/features/chat/call-overdue.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { ServerMark } from '#renderer/ui/marks.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { useNow } from '#renderer/ui/use-now.ts'

export function OverdueEntry({ call }: { readonly call: OverdueCall }) {
  const { conversationId, callId, server, tool } = call
  const now = useNow(1000)
  return (
    <div className="overdue-entry" data-overdue={callId}>
      <p className="row">
        <Icon name="clock" small />
        <ServerMark name={server} />
        <span className="cut">{server}</span>
        <b className="cut">
          <Revealed text={tool} />
        </b>
      </p>
      <CallOverdue conversationId={conversationId} callId={callId} tool={tool} overdue={call} now={now} />
    </div>
  )
}
