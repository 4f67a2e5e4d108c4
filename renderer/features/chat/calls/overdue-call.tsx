// An overdue call: the person can wait longer or cancel it; otherwise it is cancelled soon.
import { t } from '#app/i18n/translate.ts'
import { useActions } from '#renderer/stores/store-hooks.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { type OverdueSince, overdueLabel } from './call-labels.ts'

interface CallOverdueProps {
  readonly conversationId: string
  readonly callId: string
  readonly tool: string
  readonly overdue: OverdueSince
  readonly now: number
}

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
