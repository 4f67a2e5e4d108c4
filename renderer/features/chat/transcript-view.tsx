// The scrolling part of a conversation: messages, requests that belong to no call, and what became of the last turn.

import { useRef } from 'react'
import type { Conversation } from '#app/chat/conversation.ts'
import type { ConsentRequest } from '#app/consent/request.ts'
import { longDay } from '#app/words/formats.ts'
import { t } from '#app/words/translate.ts'
import { EndedLine } from '#renderer/features/consent/ended-line.tsx'
import { endedElsewhere } from '#renderer/stores/consent.ts'
import { useConsent, useShallow, useStores, useTranscripts } from '#renderer/stores/react.tsx'
import type { TranscriptsState } from '#renderer/stores/transcripts.ts'
import { Button } from '#renderer/ui/button.tsx'
import { ErrorNotice } from '#renderer/ui/error-notice.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { Dot, Spinner } from '#renderer/ui/marks.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { MessageList } from './message-list.tsx'
import { MessageMenus } from './messages/message-menus.tsx'
import { QuoteSelection } from './messages/quote-selection.tsx'
import { RequestInChat } from './request-in-chat.tsx'
import { WithSummaries } from './summary-place.tsx'
import { TurnBar } from './turn-bar.tsx'
import { useFoundMessage } from './use-found-message.ts'
import { useEndAtOwnWords, useStickToEnd } from './use-stick-to-end.ts'

const noIds: readonly string[] = []
const idsOf = (state: TranscriptsState, id: string): readonly string[] => {
  const transcript = state.byConversation[id]
  return transcript?.kind === 'ready' ? transcript.ids : noIds
}

/** The last message of the person's. */
function lastWords(state: TranscriptsState, id: string): string | undefined {
  const transcript = state.byConversation[id]
  return transcript?.kind === 'ready' ? transcript.ids.findLast((one) => transcript.messages[one]?.role === 'user') : undefined
}

/** Requests of this conversation that no call in it shows. Until the chat is read, those of calls wait for their place in it. */
function useLooseRequests(conversationId: string) {
  const loading = useTranscripts((state) => (state.byConversation[conversationId]?.kind ?? 'loading') === 'loading')
  const shown = useTranscripts(
    useShallow((state) => {
      const transcript = state.byConversation[conversationId]
      if (transcript?.kind !== 'ready') return []
      return transcript.ids.flatMap((id) => {
        const message = transcript.messages[id]
        return message?.role === 'assistant' ? message.parts.flatMap((part) => (part.kind === 'tool-call' ? [part.call.id] : [])) : []
      })
    }),
  )
  const callOf = (request: ConsentRequest): string | undefined => request.view?.callId ?? request.callId
  const isLoose = (request: ConsentRequest): boolean => {
    const callId = callOf(request)
    return request.conversationId === conversationId && (callId === undefined || !(loading || shown.includes(callId)))
  }
  const requests = useConsent(useShallow((state) => state.requests.filter(isLoose)))
  // What a call asked goes with it, when that is deleted or stands on another branch.
  const ended = useConsent(
    useShallow((state) => endedElsewhere(state).filter(({ request }) => isLoose(request) && callOf(request) === undefined)),
  )
  return { requests, ended }
}

const programs = { assent: t`Assent`, claude: t`Claude`, chatgpt: 'ChatGPT' } as const

/** Above the first message of a chat that was not written here. */
function ImportedLine({ from: { source, at } }: { readonly from: NonNullable<Conversation['importedFrom']> }) {
  return <p className="help imported-line">{tx`Taken in from an export of ${programs[source]} on ${longDay(at)}.`}</p>
}

export function TranscriptView({ conversation }: { readonly conversation: Conversation }) {
  const { id } = conversation
  const { transcripts } = useStores()
  const box = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const kind = useTranscripts((state) => state.byConversation[id]?.kind ?? 'loading')
  const ids = useTranscripts((state) => idsOf(state, id))
  const error = useTranscripts((state) => {
    const transcript = state.byConversation[id]
    return transcript?.kind === 'failed' ? transcript.error : undefined
  })
  const loose = useLooseRequests(id)
  const waits = useConsent((state) => state.requests.some((request) => request.conversationId === id))
  const found = useFoundMessage(id, ids)
  const { atEnd, toEnd } = useStickToEnd(box, content, `${id} ${kind}`)
  const own = useTranscripts((state) => lastWords(state, id))
  useEndAtOwnWords(own, ids, toEnd)
  return (
    <div className="scroll-frame">
      <div className="scroll" ref={box}>
        <div className="col" ref={content}>
          {kind === 'loading' && (
            <p className="row faint slowly">
              <Spinner /> {t`Reading the chat.`}
            </p>
          )}
          {error && <ErrorNotice error={error} onRetry={() => transcripts.retry(id)} />}
          {kind === 'ready' && conversation.importedFrom && <ImportedLine from={conversation.importedFrom} />}
          <MessageMenus conversationId={id}>
            <WithSummaries conversationId={id} ids={ids} found={found}>
              {(shown) => <MessageList conversationId={id} ids={shown} box={box} found={found} />}
            </WithSummaries>
          </MessageMenus>
          {loose.requests.map((request) => (
            <RequestInChat key={request.id} request={request} />
          ))}
          {loose.ended.map((one) => (
            <EndedLine key={one.request.id} ended={one} />
          ))}
          {kind === 'ready' && <TurnBar conversation={conversation} />}
        </div>
      </div>
      <QuoteSelection conversationId={id} />
      {!atEnd && (
        <Button size="sm" className="to-end" onClick={toEnd}>
          {waits ? <Dot tone="you" /> : <Icon name="arrow-down" small />}
          {waits ? t`A request waits for you` : t`Jump to latest`}
        </Button>
      )}
    </div>
  )
}
