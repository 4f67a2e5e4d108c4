// Where the last turn stands when it is neither done nor at work, with the button to go on.
import type { Conversation } from '#app/chat/conversation.ts'
import { t } from '#app/words/translate.ts'
import { useActions, useTranscripts } from '#renderer/stores/react.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { ErrorNotice } from '#renderer/ui/error-notice.tsx'
import { Notice } from '#renderer/ui/notice.tsx'

type Pause = Extract<Conversation['activity'], { kind: 'paused' }>['reason']

const look = t`Look at what it did. Nothing more runs until you say so.`
const pauses: Readonly<Record<Pause, { readonly title: string; readonly words: string }>> = {
  'step-limit': { title: t`It paused after many steps.`, words: look },
  'token-limit': { title: t`It paused after many tokens.`, words: look },
  'cost-limit': { title: t`It paused at your limit of cost.`, words: look },
  unread: { title: t`You stopped it.`, words: t`What you wrote while it worked has not been read yet.` },
}

export function TurnBar({ conversation }: { readonly conversation: Conversation }) {
  const actions = useActions()
  const saidByMessage = useTranscripts((state) => {
    const transcript = state.byConversation[conversation.id]
    const last = transcript?.kind === 'ready' ? transcript.messages[transcript.ids.at(-1) ?? ''] : undefined
    return last?.role === 'assistant' && last.error !== undefined
  })
  const goOn = (
    <Button size="sm" onClick={() => actions.resume(conversation.id)}>
      {t`Go on`}
    </Button>
  )
  const { activity } = conversation
  switch (activity.kind) {
    case 'paused':
      return (
        <Notice icon="clock" title={pauses[activity.reason].title} action={goOn}>
          {pauses[activity.reason].words}
        </Notice>
      )
    case 'interrupted':
      return (
        <Notice tone="warn" icon="clock" title={t`The turn was cut off.`} action={goOn}>
          {t`What was done is kept. A call whose outcome is unknown is not repeated.`}
        </Notice>
      )
    case 'failed':
      return saidByMessage ? null : <ErrorNotice error={activity.error} onRetry={() => actions.resume(conversation.id)} />
    case 'idle':
    case 'working':
    case 'waiting':
      return null
  }
}
