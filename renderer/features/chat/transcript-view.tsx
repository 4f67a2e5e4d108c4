// The scrolling part of a conversation: messages, requests that belong to no call, the state of a turn that stopped, and the
// message that the address names.

import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import type { Conversation } from '#app/chat/conversation.ts'
import type { ConsentRequest } from '#app/consent/request.ts'
import { longDay } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { EndedLine } from '#renderer/features/consent/request/ended-line.tsx'
import { focusCall, focusSoon } from '#renderer/navigation/focus.ts'
import { useRoute } from '#renderer/router.ts'
import { endedElsewhere } from '#renderer/stores/consent-store.ts'
import {
  useActions,
  useConsent,
  useShallow,
  useStores,
  useTranscript,
  useTranscriptError,
  useTranscripts,
} from '#renderer/stores/store-hooks.tsx'
import { readyTranscriptIn } from '#renderer/stores/transcripts.ts'
import { SmallButton } from '#renderer/ui/button.tsx'
import { Dot, Icon, Spinner } from '#renderer/ui/icon.tsx'
import { listen } from '#renderer/ui/lib/listen.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { ErrorNotice, Notice, WarnNotice } from '#renderer/ui/notice.tsx'
import { RequestInChat } from './calls/call-group.tsx'
import { WithSummaries } from './context/summary-view.tsx'
import { MessageList } from './message-list.tsx'
import { type AnswerSelection, MessageMenus, messageActions, selectionInAnswer } from './messages/message-menus.tsx'

/** Button beside text that is selected in an answer; the answer's menu has the same for the keyboard. */
function QuoteSelection({ conversationId }: { readonly conversationId: string }) {
  const stores = useStores()
  const [selected, setSelected] = useState<AnswerSelection>()
  useEffect(() => {
    let pressed = false
    let frame = 0
    // Hidden while the pointer selects: a button that follows the pointer would be in its way.
    const update = (): void => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => setSelected(pressed ? undefined : selectionInAnswer()))
    }
    const onPointer = ({ type }: PointerEvent): void => {
      pressed = type === 'pointerdown'
      if (!pressed) update()
    }
    const ignore = listen(document, { selectionchange: update, pointerdown: onPointer, pointerup: onPointer })
    const ignoreScroll = listen(document, { scroll: update }, { capture: true, passive: true })
    return () => {
      cancelAnimationFrame(frame)
      ignore()
      ignoreScroll()
    }
  }, [])
  if (!selected) return null
  const quote = (): void => {
    messageActions(stores, conversationId).quote(selected.text)
    document.getSelection()?.removeAllRanges()
  }
  return (
    <div className="quote-selection" style={{ left: selected.rect.right, top: selected.rect.bottom }}>
      {/* A press must not end the selection. */}
      <SmallButton onPointerDown={(event) => event.preventDefault()} onMouseDown={(event) => event.preventDefault()} onClick={quote}>
        {t`Quote`}
      </SmallButton>
    </div>
  )
}

type Pause = Extract<Conversation['activity'], { kind: 'paused' }>['reason']

const nothingRuns = t`Look at what it did. Nothing more runs until you say so.`
const pauses: Readonly<Record<Pause, { readonly title: string; readonly text: string }>> = {
  'step-limit': { title: t`It paused after many steps.`, text: nothingRuns },
  'token-limit': { title: t`It paused after many tokens.`, text: nothingRuns },
  'cost-limit': { title: t`It paused at your limit of cost.`, text: nothingRuns },
  unread: { title: t`You stopped it.`, text: t`What you wrote while it worked has not been read yet.` },
}

function TurnBar({ conversation }: { readonly conversation: Conversation }) {
  const actions = useActions()
  const saidByMessage = useTranscript(conversation.id, ({ ids, messages }) => {
    const last = messages[ids.at(-1) ?? '']
    return last?.role === 'assistant' && last.error !== undefined
  })
  const goOn = <SmallButton onClick={() => actions.resume(conversation.id)}>{t`Go on`}</SmallButton>
  const { activity } = conversation
  switch (activity.kind) {
    case 'paused':
      return (
        <Notice icon="clock" title={pauses[activity.reason].title} action={goOn}>
          {pauses[activity.reason].text}
        </Notice>
      )
    case 'interrupted':
      return (
        <WarnNotice icon="clock" title={t`The turn was cut off.`} action={goOn}>
          {t`What was done is kept. A call whose outcome is unknown is not repeated.`}
        </WarnNotice>
      )
    case 'failed':
      return saidByMessage ? null : <ErrorNotice error={activity.error} onRetry={() => actions.resume(conversation.id)} />
    default:
      return null
  }
}

/**
 * Returns the message that the address names, once it is among `ids` (empty while the transcript is read). One that is missing is
 * earlier in the chat, which is then fetched, or on another branch, which the host is requested to show.
 */
function useFoundMessage(conversationId: string, ids: readonly string[]): string | undefined {
  const route = useRoute()
  const actions = useActions()
  const { transcripts } = useStores()
  const requested = useRef<string | undefined>(undefined)
  const at = route.page === 'chat' && route.id === conversationId ? route.at : undefined
  const call = route.page === 'chat' ? route.call : undefined
  const there = at !== undefined && ids.includes(at)
  const earlier = useTranscript(conversationId, (transcript) => transcript.earlier > 0)
  const missing = at !== undefined && ids.length > 0 && !there
  const elsewhere = missing && !earlier
  useEffect(() => {
    if (missing && earlier) transcripts.wantWhole(conversationId)
  }, [missing, earlier, transcripts, conversationId])
  useEffect(() => {
    if (!elsewhere || requested.current === at) return
    requested.current = at
    actions.go('message.show', { conversationId, messageId: at })
  }, [elsewhere, at, conversationId, actions])
  useEffect(() => {
    if (there && call !== undefined) focusSoon(() => focusCall(call))
  }, [there, call])
  return there ? at : undefined
}

const noIds: readonly string[] = []

/** Returns open and ended requests of the conversation that no call in it shows. Until the chat is read, those of calls wait for it. */
function useLooseRequests(conversationId: string) {
  const loading = useTranscripts((state) => (state.byConversation[conversationId]?.kind ?? 'loading') === 'loading')
  const shown = useTranscripts(
    useShallow((state) => {
      const { ids = noIds, messages = {} } = readyTranscriptIn(state, conversationId) ?? {}
      return ids.flatMap((id) => {
        const message = messages[id]
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
  // An ended request of a call disappears with the call, when that is deleted or on another branch.
  const ended = useConsent(
    useShallow((state) => endedElsewhere(state).filter(({ request }) => isLoose(request) && callOf(request) === undefined)),
  )
  return { requests, ended }
}

const programs = { assent: t`Assent`, claude: t`Claude`, chatgpt: 'ChatGPT' } as const

export function TranscriptView({ conversation }: { readonly conversation: Conversation }) {
  const { id } = conversation
  const { transcripts } = useStores()
  const box = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const kind = useTranscripts((state) => state.byConversation[id]?.kind ?? 'loading')
  const ids = useTranscript(id, (transcript) => transcript.ids) ?? noIds
  const error = useTranscriptError(id)
  const loose = useLooseRequests(id)
  const waits = useConsent((state) => state.requests.some((request) => request.conversationId === id))
  const found = useFoundMessage(id, ids)
  const { atEnd, toEnd } = useStickToEnd(box, content, `${id} ${kind}`)
  const own = useTranscript(id, (transcript) => transcript.ids.findLast((one) => transcript.messages[one]?.role === 'user'))
  useEndAtOwnMessage(own, ids, toEnd)
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
          {kind === 'ready' && conversation.importedFrom && (
            <p className="help imported-line">{tx`Taken in from an export of ${programs[conversation.importedFrom.source]} on ${longDay(conversation.importedFrom.at)}.`}</p>
          )}
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
        <SmallButton className="to-end" onClick={toEnd}>
          {waits ? <Dot tone="you" /> : <Icon name="arrow-down" small />}
          {waits ? t`A request waits for you` : t`Jump to latest`}
        </SmallButton>
      )}
    </div>
  )
}

/** Pixels from the end that still count as the end. */
const nearEnd = 48

/** `key`: another one begins at the end again. */
function useStickToEnd(box: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>, key: string) {
  const [atEnd, setAtEnd] = useState(true)

  const toEnd = useCallback(() => {
    const element = box.current
    if (element) element.scrollTop = element.scrollHeight
    setAtEnd(true)
  }, [box])

  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation begins at its end
  useEffect(() => {
    const element = box.current
    const inner = content.current
    if (!element || !inner) return
    let stick = true
    let lastTop = 0
    const onScroll = (): void => {
      const near = element.scrollHeight - element.scrollTop - element.clientHeight <= nearEnd
      // Growing content moves the end away too: only scrolling up lets go.
      if (near) stick = true
      else if (element.scrollTop < lastTop - 1) stick = false
      lastTop = element.scrollTop
      setAtEnd(near || stick)
    }
    const follow = (): void => {
      if (stick) element.scrollTop = element.scrollHeight
      else onScroll()
    }
    // What the person opens stays under the pointer, except cards, which rest on the composer.
    const onClick = ({ target }: MouseEvent): void => {
      if (target instanceof Element && target.closest('[aria-expanded], summary, [data-stays]') && !target.closest('.ask')) stick = false
    }
    const observer = new ResizeObserver(follow)
    observer.observe(inner)
    observer.observe(element)
    const ignoreScroll = listen(element, { scroll: onScroll }, { passive: true })
    const ignoreClick = listen(inner, { click: onClick }, { capture: true })
    toEnd()
    return () => {
      observer.disconnect()
      ignoreClick()
      ignoreScroll()
    }
  }, [box, content, key, toEnd])

  return { atEnd, toEnd }
}

/**
 * Scrolls to the end when the person adds a message. `own`: their last message on the shown path `ids`. A message of another
 * branch, in the place of the one before, is no addition.
 */
function useEndAtOwnMessage(own: string | undefined, ids: readonly string[], toEnd: () => void): void {
  const before = useRef<string | undefined>(undefined)
  useEffect(() => {
    if (own === undefined || own === before.current) return
    if (before.current !== undefined && ids.includes(before.current)) toEnd()
    before.current = own
  }, [own, ids, toEnd])
}
