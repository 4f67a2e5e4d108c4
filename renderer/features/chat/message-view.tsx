// One message. It takes only its own message from the store, so that text streaming into one renders no other.
import { Fragment, memo, useMemo } from 'react'
import type { AssistantMessage, AssistantPart, Message } from '#app/chat/message.ts'
import { t } from '#app/words/translate.ts'
import { useActions, useTranscripts } from '#renderer/stores/react.tsx'
import { ErrorNotice } from '#renderer/ui/error-notice.tsx'
import { LongRevealed } from '#renderer/ui/long-text.tsx'
import { Badge, Spinner } from '#renderer/ui/marks.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { CallGroup } from './call-group.tsx'
import { CitedSources } from './cited-sources.tsx'
import { Markdown } from './markdown/markdown.tsx'
import { AnswerFoot } from './messages/message-foot.tsx'
import { Question } from './messages/question.tsx'
import { groupParts } from './part-groups.ts'
import { SummaryView } from './summary-view.tsx'
import { WorkingLine } from './working-line.tsx'

interface MessageViewProps {
  readonly conversationId: string
  readonly messageId: string
  /** It is the first answer of the practice model: said above it. */
  readonly practice: boolean
  readonly last: boolean
}

export const MessageView = memo(function MessageView({ conversationId, messageId, practice, last }: MessageViewProps) {
  const message = useTranscripts((state): Message | undefined => {
    const transcript = state.byConversation[conversationId]
    return transcript?.kind === 'ready' ? transcript.messages[messageId] : undefined
  })
  if (!message) return null
  if (message.role === 'user') {
    return <Question message={message} last={last} />
  }
  if (message.role === 'summary') return <SummaryView message={message} />
  return <Answer message={message} practice={practice} last={last} />
})

interface AnswerProps extends Pick<MessageViewProps, 'practice' | 'last'> {
  readonly message: AssistantMessage
}

function Answer({ message, practice, last }: AnswerProps) {
  const actions = useActions()
  const groups = useMemo(() => groupParts(message.parts), [message.parts])
  const streaming = message.state === 'streaming'
  const lastIndex = message.parts.length - 1
  return (
    <article className="answer" aria-label={t`Answer`}>
      {practice && <p className="row help">{tx`Practice model ${<Badge>{t`no AI`}</Badge>} It matches words to tools.`}</p>}
      {groups.map((group) => {
        if (group.kind === 'calls') {
          return <CallGroup key={group.index} conversationId={message.conversationId} calls={group.calls} />
        }
        const part = message.parts[group.index] as Extract<AssistantPart, { kind: 'text' | 'thinking' }>
        const growing = streaming && group.index === lastIndex
        return group.kind === 'text' ? (
          <Fragment key={group.index}>
            <Markdown text={part.text} streaming={growing} />
            {part.kind === 'text' && part.citations && <CitedSources citations={part.citations} />}
          </Fragment>
        ) : (
          <Thinking
            key={group.index}
            text={part.text}
            redacted={part.kind === 'thinking' && (part.redacted ?? part.details) !== undefined}
            growing={growing}
          />
        )
      })}
      {streaming && groups.length === 0 && <WorkingLine conversationId={message.conversationId} />}
      {message.error && <ErrorNotice error={message.error} onRetry={last ? () => actions.resume(message.conversationId) : undefined} />}
      {message.cut === 'max-tokens' && (
        <p className="help warntext">{t`It ends here because it reached the limit of its length. Ask it to go on for the rest.`}</p>
      )}
      {message.state === 'stopped' && <p className="help">{t`You stopped it here.`}</p>}
      {message.state === 'interrupted' && <p className="help warntext">{t`It was cut off here.`}</p>}
      {!streaming && <AnswerFoot conversationId={message.conversationId} messageId={message.id} last={last} />}
    </article>
  )
}

function Thinking({ text, redacted, growing }: { readonly text: string; readonly redacted: boolean; readonly growing: boolean }) {
  if (text.trim() === '') return redacted ? <p className="help">{t`The provider keeps some of its thinking hidden.`}</p> : null
  return (
    <details className="thinking">
      <summary>
        {growing ? t`Thinking` : t`Thought`}
        {growing && <Spinner />}
      </summary>
      <p className="thinking-text">
        <LongRevealed text={text} />
      </p>
    </details>
  )
}
