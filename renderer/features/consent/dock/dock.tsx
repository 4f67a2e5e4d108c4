// All that waits for a page, in one place: of a chat above its composer, of a server or a tool that is run at the foot of its page, of a connection
// test in its dialog. One question at a time, the others by name. A chat's transcript keeps room for it (`transcript-view.tsx`): nothing moves.
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useStore } from 'zustand'
import type { ConversationActivity } from '#app/chat/conversation.ts'
import type { ConsentRequest } from '#app/consent/request.ts'
import { t } from '#app/i18n/translate.ts'
import { assertNever } from '#app/json.ts'
import { focusComposer, takeFocus } from '#renderer/navigation/focus.ts'
import { useChords } from '#renderer/navigation/shortcuts.ts'
import { endedElsewhere } from '#renderer/stores/consent-store.ts'
import { useActions, useConsent, useShallow, useStores, useTranscript, useView } from '#renderer/stores/store-hooks.tsx'
import { IconButton, SmallButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { Dot, ServerMark, Spinner } from '#renderer/ui/icon.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { ChordKeys } from '#renderer/ui/lib/key-chords.tsx'
import { listen } from '#renderer/ui/lib/listen.ts'
import { listNodes, tx } from '#renderer/ui/lib/translate-elements.ts'
import { useNow } from '#renderer/ui/lib/use-now.ts'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { DockCard } from '../consent-card.tsx'
import { InDock } from '../request/use-answer.ts'
import { AlikeCallsCard, StartsCard } from './group-cards.tsx'
import { type DockRequest, groupKeyOf, type Question, questionsOf } from './questions.ts'
import './dock.css'

const noNames: readonly string[] = []
/** More first starts than these begin as one line. */
const MOST_OPEN_STARTS = 8

/** Questions of a page: which is shown, which groups are read one by one, and whether all were put aside. */
function useQuestions(requests: readonly DockRequest[]) {
  const drafts = useStore(useStores().requestDrafts.store, (state) => state.byRequest)
  const [apart, setApart] = useState<ReadonlySet<string>>(new Set())
  const [chosen, setChosen] = useState<string | undefined>(undefined)
  /** Ids of what was put aside. What comes later opens the dock again, which takes no focus. */
  const [put, setPut] = useState<ReadonlySet<string>>(new Set())
  const [opened, setOpened] = useState(false)
  const questions = questionsOf(requests, drafts, apart)
  const fresh = questions.filter((one) => one.requests.some(({ id }) => !put.has(id)))
  const isChosen = (one: Question): boolean => one.requests.some(({ id }) => id === chosen)
  const shown = fresh.find(isChosen) ?? fresh[0] ?? questions.find(isChosen) ?? questions[0]
  const isLong = shown?.kind === 'starts' && shown.requests.length > MOST_OPEN_STARTS && !opened
  useEffect(() => {
    // What was chosen goes with the last of what waited.
    if (shown) return
    setChosen(undefined)
    setPut(new Set())
    setOpened(false)
    setApart(new Set())
  }, [shown])
  const endedElse = useConsent((state) => chosen !== undefined && endedElsewhere(state).some(({ request }) => request.id === chosen))
  const foldAll = (): void => setPut(new Set(requests.map(({ id }) => id)))
  // The one that is shown stays when another comes before it. One that ended elsewhere is followed by a line, not by another card.
  useLayoutEffect(() => {
    if (!shown || isChosen(shown)) return
    if (endedElse) foldAll()
    setChosen(shown.requests[0]?.id)
  })

  /** Joins what is read one by one to its group again; undefined: nothing else would be in it. */
  function together({ requests: [first] }: Question): (() => void) | undefined {
    const key = first && groupKeyOf(first, drafts)
    if (key === undefined || !apart.has(key) || requests.filter((one) => groupKeyOf(one, drafts) === key).length < 2) return undefined
    return () => setApart(new Set([...apart].filter((one) => one !== key)))
  }
  return {
    questions,
    shown,
    isFolded: isLong || fresh.length === 0,
    foldAll,
    together,
    open(id: string | undefined): void {
      setChosen(id)
      setPut(new Set())
      setOpened(true)
    },
    /** Reads the requests of a group one by one, from this one on. */
    split(group: string, id: string): void {
      setApart(new Set([...apart, group]))
      setChosen(id)
    },
  }
}

interface DockProps {
  readonly requests: readonly DockRequest[]
  /** A request stands beside the page at full size: the dock is one line. */
  readonly reviewing?: boolean
  /** Servers that a turn waits for, and how it goes on without them. */
  readonly awaited?: readonly string[]
  readonly onWithout?: () => void
  /** Moves focus to where it belongs once nothing is left, if what had it is gone. Default: the composer. */
  readonly home?: () => boolean
}

/** The questions of a page, one at a time, at its foot. Nothing while nothing waits. */
export function Dock({ requests, reviewing = false, awaited = noNames, onWithout, home = focusComposer }: DockProps) {
  const { questions, shown, isFolded, foldAll, together, open, split } = useQuestions(requests)
  const box = useRef<HTMLDivElement>(null)
  const aside = reviewing || isFolded
  const focus = useDockFocus(box, shown && !aside ? shown.key : undefined, home)
  const putAside = (): void => {
    foldAll()
    focus.giveBack()
  }
  const answerWithout = (): void => {
    onWithout?.()
    putAside()
  }
  const without = shown?.requests.some(({ kind, server }) => kind === 'launch' && awaited.includes(server)) ? answerWithout : undefined
  if (!shown) return null
  if (aside) {
    return (
      <div className="dock-line" ref={box}>
        <AsideLine
          shown={shown}
          count={questions.length}
          opens={requests.map(({ id }) => id)}
          onOpen={reviewing ? undefined : () => focus.enter(() => open(shown.requests[0]?.id))}
          onWithout={without}
        />
      </div>
    )
  }
  const join = together(shown)
  const nav = (
    <DockNav
      questions={questions}
      shown={shown}
      onShow={(id) => focus.enter(() => open(id))}
      onPutAside={putAside}
      onTogether={join && (() => focus.enter(join))}
    />
  )
  return (
    <div className="dock" ref={box}>
      <InDock value={{ nav, several: questions.length > 1, putAside, answerWithout: without }}>
        <QuestionView key={shown.key} question={shown} onWithout={without} onApart={(id) => focus.enter(() => split(shown.key, id))} />
      </InDock>
    </div>
  )
}

/** The requests that wait for this chat, and those of the servers that it waits for, wherever they were asked. */
function useRequestsHere(conversationId: string, awaited: readonly string[]): readonly DockRequest[] {
  const running = useTranscript(
    conversationId,
    useShallow(({ ids, messages }) => {
      const last = messages[ids.at(-1) ?? '']
      const parts = last?.role === 'assistant' ? last.parts : []
      return parts.flatMap((part) => (part.kind === 'tool-call' && part.call.state.kind === 'running' ? (part.call.server ?? []) : []))
    }),
  )
  const servers = [...awaited, ...(running ?? noNames)]
  const isHere = ({ conversationId: at, kind, server }: ConsentRequest): boolean =>
    at === conversationId || ((kind === 'sign-in' || (kind === 'launch' && awaited.includes(server))) && servers.includes(server))
  const requests = useConsent(useShallow((state) => state.requests.filter(isHere)))
  const apps = useView(useShallow((state) => state.mcpAppRequests.filter((one) => one.conversationId === conversationId)))
  return [...requests, ...apps]
}

interface ChatDockProps {
  readonly conversationId: string
  readonly activity: ConversationActivity
  /** A request stands beside the chat at full size. */
  readonly reviewing: boolean
}

export function ChatDock({ conversationId, activity, reviewing }: ChatDockProps) {
  const actions = useActions()
  const servers = ('servers' in activity ? activity.servers : undefined) ?? []
  const requests = useRequestsHere(
    conversationId,
    servers.filter(({ asked }) => asked).map(({ name }) => name),
  )
  const awaited = servers.map(({ name }) => name)
  const answerWithout = (): void => actions.answerWithout(conversationId)
  return (
    <>
      <Dock requests={requests} reviewing={reviewing} awaited={awaited} onWithout={answerWithout} />
      {requests.length === 0 && <StartingLine names={awaited} activity={activity} onWithout={answerWithout} />}
    </>
  )
}

function focusPane(): boolean {
  const find = (selector: string): HTMLElement | null => document.querySelector<HTMLElement>(selector)
  return takeFocus(find('.hand-run-line') ?? find('.split > .b button'))
}

/** Dock of a server outside of any chat, with its starts and sign-ins: at the foot of its page, and of a tool that is run. */
export function ServerDock({ server }: { readonly server: string }) {
  const isHere = ({ conversationId, kind, server: of }: ConsentRequest): boolean =>
    of === server && (conversationId === undefined || kind === 'launch' || kind === 'sign-in')
  const requests = useConsent(useShallow((state) => state.requests.filter(isHere)))
  return <Dock requests={requests} home={focusPane} />
}

interface QuestionViewProps {
  readonly question: Question
  readonly onWithout: (() => void) | undefined
  /** Reads its requests one by one, from this one on. */
  readonly onApart: (id: string) => void
  /** Told once all requests of a group were answered. */
  readonly onAnswered?: () => void
}

export function QuestionView({ question, onWithout, onApart, onAnswered }: QuestionViewProps) {
  switch (question.kind) {
    case 'one':
      return <DockCard request={question.requests[0]} />
    case 'calls':
      return (
        <AlikeCallsCard
          requests={question.requests}
          onView={onApart}
          onEach={() => onApart(question.requests[0]?.id ?? '')}
          onAnswered={onAnswered}
        />
      )
    case 'starts':
      return <StartsCard requests={question.requests} onView={onApart} onWithout={onWithout} onAnswered={onAnswered} />
    default:
      return assertNever(question)
  }
}

/** Names a question in a word or two, for its mark beside the one that is shown. */
function markOf({ requests }: Question): string {
  const [first] = requests
  const count = requests.length > 1 ? `${requests.length} × ` : ''
  switch (first?.kind) {
    case 'tool-call':
    case 'tool-changed':
      return count + first.tool
    case 'launch':
      return count + t`Start`
    case 'elicitation-form':
      return t`Form`
    case 'sign-in':
      return t`Sign in`
    case 'sampling':
    case 'sampling-result':
      return t`Model`
    case 'roots':
      return t`Folders`
    case 'mcp-app':
      return t`View`
    default:
      return t`Page`
  }
}

interface DockNavProps {
  readonly questions: readonly Question[]
  readonly shown: Question
  readonly onShow: (id: string | undefined) => void
  readonly onPutAside: () => void
  readonly onTogether: (() => void) | undefined
}

function DockNav({ questions, shown, onShow, onPutAside, onTogether }: DockNavProps) {
  const at = questions.indexOf(shown)
  const count = questions.length
  const go = (to: number) => (): void => onShow(questions[(to + count) % count]?.requests[0]?.id)
  return (
    <span className="dock-nav">
      {onTogether && <SmallGhostButton onClick={onTogether}>{t`Together`}</SmallGhostButton>}
      {count > 1 && (
        <>
          <span className="dock-marks">
            {questions.map((one, index) => (
              <button
                key={one.key}
                type="button"
                tabIndex={-1}
                aria-current={one === shown ? 'true' : undefined}
                {...(one === shown ? {} : { 'data-opens': one.requests.map(({ id }) => id).join(' ') })}
                className={cx(index > at + 2 && 'far')}
                onClick={go(index)}
              >
                <ServerMark name={one.requests[0]?.server ?? ''} />
                <VisibleText className="cut" text={markOf(one)} />
              </button>
            ))}
          </span>
          <IconButton label={t`Previous request`} icon="chevron-left" small onClick={go(at - 1)} />
          <span className="pager num">{t`${at + 1} of ${count}`}</span>
          <IconButton label={t`Next request`} icon="chevron-right" small onClick={go(at + 1)} />
        </>
      )}
      <IconButton label={t`Decide later`} icon="chevron-down" small onClick={onPutAside} />
    </span>
  )
}

interface AsideLineProps {
  readonly shown: Question
  readonly count: number
  readonly opens: readonly string[]
  /** Undefined: one of them stands beside the chat. */
  readonly onOpen: (() => void) | undefined
  readonly onWithout: (() => void) | undefined
}

function AsideLine({ shown, count, opens, onOpen, onWithout }: AsideLineProps) {
  const { nextRequest } = useChords()
  const starts = shown.kind === 'starts' && count === 1 ? shown.requests.length : 0
  return (
    <p className="waitbar">
      <Dot tone="you" />
      <span className="words">
        {starts > 0 ? t`${starts} servers wait for their first start` : t`${count} {request waits|requests wait}`}
      </span>
      <span className="grow" />
      {onWithout && <SmallGhostButton onClick={onWithout}>{starts > 0 ? t`Answer without them` : t`Answer without it`}</SmallGhostButton>}
      {onOpen && (
        <SmallGhostButton data-opens={opens.join(' ')} onClick={onOpen}>
          {tx`Review ${<ChordKeys chord={nextRequest} />}`}
        </SmallGhostButton>
      )}
    </p>
  )
}

const mostNamed = 3

function namesOf(names: readonly string[]): ReactNode[] {
  const shown = names.length > mostNamed + 1 ? names.slice(0, mostNamed) : names
  const more = names.length - shown.length
  return [...shown.map((name) => <VisibleText key={name} as="b" text={name} />), ...(more > 0 ? [t`${more} more`] : [])]
}

/** A start that takes less (in milliseconds) is not shown. */
const quickMs = 1000

interface StartingLineProps {
  readonly names: readonly string[]
  readonly activity: ConversationActivity
  readonly onWithout: () => void
}

/** Names the servers that start while the turn waits for them; nothing of them waits for the person. */
function StartingLine({ names, activity, onWithout }: StartingLineProps) {
  const now = useNow(quickMs, names.length > 0)
  if (names.length === 0 || (activity.kind === 'working' && now - activity.since < quickMs)) return null
  return (
    <div className="dock-line">
      <p className="waitbar" role="status">
        <Spinner />
        <span className="words">{tx`Waits for ${listNodes(namesOf(names))} to start.`}</span>
        <span className="grow" />
        <SmallButton onClick={onWithout}>{names.length > 1 ? t`Answer without them` : t`Answer without it`}</SmallButton>
      </p>
    </div>
  )
}

/**
 * Focus in the dock: it goes on to the next question, and back to where it was when nothing is left. `key`: of the question that is shown.
 * A question that comes takes no focus.
 */
function useDockFocus(box: { readonly current: HTMLElement | null }, key: string | undefined, home: () => boolean) {
  /** Where focus was before it came into the dock. */
  const before = useRef<HTMLElement | undefined>(undefined)
  const inside = useRef<boolean>(false)
  const giveBack = (): void => {
    inside.current = false
    if (!before.current?.isConnected || !takeFocus(before.current)) home()
  }
  useEffect(() => {
    const isIn = (target: EventTarget | null): boolean => target instanceof Element && target.closest('.dock, .dock-line') !== null
    const onFocusIn = ({ target, relatedTarget }: FocusEvent): void => {
      const now = isIn(target)
      if (now && !inside.current) before.current = relatedTarget instanceof HTMLElement && !isIn(relatedTarget) ? relatedTarget : undefined
      inside.current = now
    }
    const onPress = ({ target }: PointerEvent): void => {
      if (!isIn(target)) inside.current = false
    }
    return listen(document, { focusin: onFocusIn, pointerdown: onPress })
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks again for another question
  useLayoutEffect(() => {
    if (!inside.current || box.current?.contains(document.activeElement) || document.activeElement !== document.body) return
    const heading = box.current?.querySelector<HTMLElement>('h2')
    if (heading) heading.focus({ preventScroll: true })
    else giveBack()
  }, [key, box])
  return {
    giveBack,
    /** Changes what is shown, with focus on its heading. */
    enter(change: () => void): void {
      flushSync(change)
      box.current?.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true })
    },
  }
}
