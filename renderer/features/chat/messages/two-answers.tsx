// Two answers to the latest question, beside each other: each with its model, what it took, a way to stop it, and one to keep it.
import { type ReactNode, useMemo } from 'react'
import type { Conversation } from '#app/chat/conversation.ts'
import type { AssistantMessage } from '#app/chat/message.ts'
import { messagesMarkdown } from '#app/chat/to-markdown.ts'
import { t } from '#app/i18n/translate.ts'
import { formatDuration } from '#app/text/format-text.ts'
import { isBusy } from '#renderer/stores/conversations-store.ts'
import { useActions, useModels, useShallow, useStores, useTranscript } from '#renderer/stores/store-hooks.tsx'
import { CopyButton, SmallButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { Spinner } from '#renderer/ui/icon.tsx'
import { MessageView } from '../message-list.tsx'
import { messageActions, usageOfAnswer } from './message-menus.tsx'
import { usageLabel } from './user-message.tsx'

interface Bar {
  readonly activity: Conversation['activity']
  readonly last: string | undefined
  readonly beside: boolean
}

interface TwoAnswersProps {
  readonly conversation: Conversation
  /** Messages of the shown answer. */
  readonly ids: readonly string[]
  /** State of an answer that stopped. */
  readonly children: (bar: Bar) => ReactNode
}

export function TwoAnswers({ conversation, ids, children }: TwoAnswersProps) {
  const { id, activity, beside, model } = conversation
  const begun = beside?.begun ?? 0
  const seconds = useTranscript(
    id,
    useShallow((transcript) => transcript.beside.filter((one) => (transcript.messages[one]?.createdAt ?? 0) >= begun)),
  )
  const first = useTranscript(id, ({ messages }) => {
    const message = messages[ids.find((one) => messages[one]?.role === 'assistant') ?? '']
    return message?.role === 'assistant' ? message.model : undefined
  })
  if (!beside) return null
  const second = seconds ?? []
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
    <div className="two-answers" role="group" aria-label={t`Two answers`}>
      <OneAnswer conversationId={id} ids={ids} model={first ?? model} activity={activity} which="shown">
        {children({ activity, last: ids.at(-1), beside: false })}
      </OneAnswer>
      <OneAnswer conversationId={id} ids={second} model={beside.model} activity={beside.activity} which="beside">
        {children({ activity: beside.activity, last: second.at(-1), beside: true })}
      </OneAnswer>
    </div>
  )
}

interface OneAnswerProps extends Pick<Conversation, 'model' | 'activity'> {
  readonly conversationId: string
  readonly ids: readonly string[]
  readonly which: 'shown' | 'beside'
  readonly children: ReactNode
}

function OneAnswer({ conversationId, ids, model, activity, which, children }: OneAnswerProps) {
  const stores = useStores()
  const { stop } = useActions()
  const name = useModels((state) => state.models.find(({ id }) => id === model)?.name) ?? model
  const running = isBusy(activity)
  const messages = useTranscript(
    conversationId,
    useShallow((transcript) =>
      ids.flatMap((id): AssistantMessage[] => {
        const message = transcript.messages[id]
        return message?.role === 'assistant' ? [message] : []
      }),
    ),
  )
  const took = useMemo(() => figures(messages ?? []), [messages])
  const [first] = ids
  const label = (words: string): string => `${words}: ${name}`
  return (
    <section className="one-answer" aria-label={name}>
      <header className="row">
        <b className="cut">{name}</b>
        <span className="grow" />
        {running ? (
          <SmallGhostButton icon="stop" aria-label={label(t`Stop`)} onClick={() => stop(conversationId, which)}>
            {t`Stop`}
          </SmallGhostButton>
        ) : (
          <CopyButton label={label(t`Copy answer`)} text={() => messagesMarkdown(messages ?? [], { calls: false })} />
        )}
      </header>
      {ids.map((id) => (
        <MessageView key={id} conversationId={conversationId} messageId={id} practice={false} last={id === ids.at(-1)} compared={which} />
      ))}
      {running && ids.length === 0 && <Spinner label={t`The model is at work`} />}
      {children}
      <footer className="row wrap">
        <span className="help num grow">{took}</span>
        {first !== undefined && !running && (
          <SmallButton aria-label={label(t`Keep this one`)} onClick={() => void messageActions(stores, conversationId).keep(first)}>
            {t`Keep this one`}
          </SmallButton>
        )}
      </footer>
    </section>
  )
}

/** Tokens, cost and time of an answer, as far as they are known. Time is the model's own, without calls and the person's answers. */
function figures(messages: readonly AssistantMessage[]): string {
  const ms = messages.reduce((sum, { durationMs = 0 }) => sum + durationMs, 0)
  return [usageLabel(usageOfAnswer(messages)), ms > 0 ? formatDuration(ms) : undefined].filter((one) => one !== undefined).join(' · ')
}
