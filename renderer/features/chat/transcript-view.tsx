// The scrolling part of a conversation: messages, the state of a turn that stopped, and the message that the address names.

import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Conversation } from '#app/chat/conversation.ts'
import { longDay } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { EndedLine } from '#renderer/features/consent/request/ended-line.tsx'
import { focusCall, focusSoon } from '#renderer/navigation/focus.ts'
import { useRoute } from '#renderer/router.ts'
import { endedElsewhere } from '#renderer/stores/consent-store.ts'
import { isBusy } from '#renderer/stores/conversations-store.ts'
import {
  useActions,
  useConsent,
  useShallow,
  useStores,
  useTranscript,
  useTranscriptError,
  useTranscripts,
  useView,
} from '#renderer/stores/store-hooks.tsx'
import { SmallButton } from '#renderer/ui/button.tsx'
import { Dot, Icon, Spinner } from '#renderer/ui/icon.tsx'
import { listen } from '#renderer/ui/lib/listen.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { ErrorNotice, Notice, WarnNotice } from '#renderer/ui/notice.tsx'
import { WithSummaries } from './context/summary-view.tsx'
import { FindBar } from './find/find-bar.tsx'
import { MessageList } from './message-list.tsx'
import { type AnswerSelection, MessageMenus, messageActions, selectionInAnswer } from './messages/message-menus.tsx'
import { TwoAnswers } from './messages/two-answers.tsx'

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

const pauses: Readonly<Record<Pause, string>> = {
  'step-limit': t`Paused: step limit`,
  'token-limit': t`Paused: token limit`,
  'cost-limit': t`Paused: cost limit`,
  unread: t`Your queued message was not read yet.`,
}

interface TurnBarProps extends Pick<Conversation, 'id' | 'activity'> {
  /** Last message of the answer. */
  readonly last: string | undefined
  readonly beside?: boolean
}

/** State of a turn that stopped, and the way on. */
export function TurnBar({ id, activity, last, beside }: TurnBarProps) {
  const actions = useActions()
  const saidByMessage = useTranscript(id, ({ messages }) => {
    const message = messages[last ?? '']
    return message?.role === 'assistant' && message.error !== undefined
  })
  const goOn = <SmallButton onClick={() => actions.resume(id, beside)}>{t`Go on`}</SmallButton>
  switch (activity.kind) {
    case 'paused':
      return <Notice icon="clock" title={pauses[activity.reason]} action={goOn} />
    case 'interrupted':
      return (
        <WarnNotice icon="clock" title={t`The turn was cut off.`} action={goOn}>
          {t`Finished work is kept. Nothing is repeated.`}
        </WarnNotice>
      )
    case 'failed':
      return saidByMessage ? null : <ErrorNotice error={activity.error} onRetry={() => actions.resume(id, beside)} />
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
const isCall = ({ kind }: { readonly kind: string }): boolean => kind === 'tool-call'

/** Returns what ended elsewhere and belonged to no call: what of a call ended stands at the call. */
const useEndedHere = (conversationId: string) =>
  useConsent(
    useShallow((state) =>
      endedElsewhere(state).filter(
        ({ request: { conversationId: at, view, callId } }) => at === conversationId && (view?.callId ?? callId) === undefined,
      ),
    ),
  )

const programs = { assent: 'Assent', claude: 'Claude', chatgpt: 'ChatGPT' } as const

export function TranscriptView({ conversation }: { readonly conversation: Conversation }) {
  const { id } = conversation
  const { transcripts } = useStores()
  const box = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const kind = useTranscripts((state) => state.byConversation[id]?.kind ?? 'loading')
  const ids = useTranscript(id, (transcript) => transcript.ids) ?? noIds
  const error = useTranscriptError(id)
  const ended = useEndedHere(id)
  const waits = useConsent((state) => state.requests.some((request) => request.conversationId === id))
  const found = useFoundMessage(id, ids)
  const sought = useView(({ find }) => (find?.conversationId === id ? find.messageId : undefined))
  const rows = useTranscript(id, (transcript) =>
    Object.values(transcript.messages).reduce((sum, one) => sum + (one.role === 'assistant' ? one.parts.filter(isCall).length : 0), 0),
  )
  const { atEnd, toEnd } = useStickToEnd({
    box,
    content,
    key: `${id} ${kind}`,
    busy: waits || isBusy(conversation.activity) || isBusy(conversation.beside?.activity),
    rows: rows ?? 0,
  })
  const own = useTranscript(id, (transcript) => transcript.ids.findLast((one) => transcript.messages[one]?.role === 'user'))
  useEndAtOwnMessage(own, ids, toEnd)
  return (
    <div className="scroll-frame">
      <div className="scroll" ref={box}>
        <div className="col with-dock-room" ref={content}>
          {kind === 'loading' && (
            <p className="row faint slowly">
              <Spinner /> {t`Loading…`}
            </p>
          )}
          {error && <ErrorNotice error={error} onRetry={() => transcripts.retry(id)} />}
          {kind === 'ready' && conversation.importedFrom && (
            <p className="help imported-line">{tx`Imported from ${programs[conversation.importedFrom.source]} on ${longDay(conversation.importedFrom.at)}.`}</p>
          )}
          <MessageMenus conversationId={id}>
            <WithSummaries conversationId={id} ids={ids} found={sought ?? found}>
              {(shown) => {
                const to = conversation.beside ? shown.indexOf(conversation.beside.after) + 1 : 0
                if (to === 0) return <MessageList conversationId={id} ids={shown} box={box} found={found} sought={sought} />
                return (
                  <>
                    <MessageList conversationId={id} ids={shown.slice(0, to)} box={box} found={found} sought={sought} />
                    <TwoAnswers conversation={conversation} ids={shown.slice(to)}>
                      {(bar) => <TurnBar id={id} {...bar} />}
                    </TwoAnswers>
                  </>
                )
              }}
            </WithSummaries>
          </MessageMenus>
          {ended.map((one) => (
            <EndedLine key={one.request.id} ended={one} />
          ))}
          {kind === 'ready' && !conversation.beside && <TurnBar id={id} activity={conversation.activity} last={ids.at(-1)} />}
        </div>
      </div>
      <FindBar conversationId={id} ids={ids} box={box} />
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
/** Room for the dock below the last line of a turn that runs, in pixels, and the most of the pane that it takes. */
const roomPx = 400
const mostOfPane = 0.62
const settlingMs = 300

interface StickOptions {
  readonly box: RefObject<HTMLElement | null>
  readonly content: RefObject<HTMLElement | null>
  /** Another one begins at the end again. */
  readonly key: string
  /** A turn runs, or something waits in the dock. */
  readonly busy: boolean
  /** Another one keeps the whole room for the dock again: a row that may ask was added. */
  readonly rows: number
}

/**
 * Keeps the end in view. Below it room is kept for the dock, from the beginning of a turn and anew with each call: opening, growing and
 * answering the dock moves nothing. What the model writes meanwhile fills the room first, and moves nothing either.
 */
function useStickToEnd({ box, content, key, busy, rows }: StickOptions) {
  const [atEnd, setAtEnd] = useState(true)
  /** Height of the content at which all of the room is free, in pixels; undefined: there is none. */
  const base = useRef<number | undefined>(undefined)
  const shownKey = useRef(key)
  /** Time until which a row that was added is still being measured, and takes nothing of the room. */
  const settles = useRef(0)

  const toEnd = useCallback(() => {
    const element = box.current
    if (element) element.scrollTop = element.scrollHeight
    setAtEnd(true)
  }, [box])

  const keepRoom = useCallback(() => {
    const [element, inner] = [box.current, content.current]
    if (!element || !inner) return
    if (base.current !== undefined && performance.now() < settles.current) base.current = heightOf(inner)
    const dock = element.closest('.chatpane')?.querySelector<HTMLElement>('.dock, .dock-line')?.offsetHeight ?? 0
    element.parentElement?.style.setProperty('--dock-height', `${dock}px`)
    const room = base.current === undefined ? 0 : Math.min(roomPx, element.clientHeight * mostOfPane) - (heightOf(inner) - base.current)
    inner.style.setProperty('--dock-room', `${Math.max(0, room, dock)}px`)
  }, [box, content])

  // biome-ignore lint/correctness/useExhaustiveDependencies: each call has the whole room again
  useLayoutEffect(() => {
    const inner = content.current
    if (shownKey.current !== key) base.current = undefined
    shownKey.current = key
    if (busy && inner) {
      base.current = heightOf(inner)
      settles.current = performance.now() + settlingMs
    }
    keepRoom()
  }, [busy, rows, key, content, keepRoom])

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
      keepRoom()
      if (stick) element.scrollTop = element.scrollHeight
      else onScroll()
    }
    // What the person opens stays under the pointer.
    const onClick = ({ target }: MouseEvent): void => {
      if (target instanceof Element && target.closest('[aria-expanded], summary, [data-stays]')) stick = false
    }
    const observer = new ResizeObserver(follow)
    observer.observe(inner)
    observer.observe(element)
    const docks = new ResizeObserver(keepRoom)
    if (base.current !== undefined && performance.now() < settles.current) base.current = heightOf(inner)
    const dock = element.closest('.chatpane')?.querySelector('.compose')
    const changes = new MutationObserver(() => {
      docks.disconnect()
      for (const one of dock?.querySelectorAll('.dock, .dock-line') ?? []) docks.observe(one)
      keepRoom()
    })
    if (dock) changes.observe(dock, { childList: true })
    const ignoreScroll = listen(element, { scroll: onScroll }, { passive: true })
    const ignoreClick = listen(inner, { click: onClick }, { capture: true })
    keepRoom()
    toEnd()
    return () => {
      observer.disconnect()
      docks.disconnect()
      changes.disconnect()
      ignoreClick()
      ignoreScroll()
    }
  }, [box, content, key, toEnd, keepRoom])

  return { atEnd, toEnd }
}

/** Height of the content without the room below it. */
const heightOf = (inner: HTMLElement): number => inner.scrollHeight - Number.parseFloat(getComputedStyle(inner).paddingBottom || '0')

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
