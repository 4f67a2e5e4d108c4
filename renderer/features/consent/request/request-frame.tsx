// The frames of a request: in the dock of its chat and on the Requests page, and of its sheet beside the chat. A frame is no live region,
// which would talk over everything else. Tab goes from the heading through arguments and scopes to the buttons. Its keys work while the
// focus is inside it, wherever it is shown, and nowhere else.
import { type KeyboardEvent, type ReactNode, type Ref, type RefObject, useContext, useEffect, useId, useMemo, useRef } from 'react'
import { consentPieces, whySentence } from '#app/consent/display/request-title.ts'
import type { ConsentRequest } from '#app/consent/request.ts'
import { ruleLabel } from '#app/consent/rules/rule-labels.ts'
import { t } from '#app/i18n/translate.ts'
import type { Chord } from '#app/shortcuts.ts'
import { lookAlikes } from '#app/text/look-alike.ts'
import { requestHeadingId } from '#renderer/navigation/focus.ts'
import { useChords } from '#renderer/navigation/shortcuts.ts'
import { useConsent, useModels, useServers } from '#renderer/stores/store-hooks.tsx'
import { IconButton } from '#renderer/ui/button.tsx'
import { Icon, ServerMark } from '#renderer/ui/icon.tsx'
import { isTyping } from '#renderer/ui/lib/is-typing.ts'
import { ChordKeys, matchesChord, useOs } from '#renderer/ui/lib/key-chords.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { useKeptFocus } from '#renderer/ui/lib/use-kept-focus.ts'
import { useNow } from '#renderer/ui/lib/use-now.ts'
import { WarnNotice } from '#renderer/ui/notice.tsx'
import { Fact } from '#renderer/ui/text/section.tsx'
import { Pieces, ServerName, VisibleText } from '#renderer/ui/visible-text.tsx'
import { AnswerButtons } from './answer-buttons.tsx'
import { InDock } from './use-answer.ts'
import { neighboursOf, type Review } from './use-review.ts'
import { useScrolls, useSeen } from './use-seen.ts'

type Action = (() => void) | undefined

interface RequestActions {
  readonly onAllow?: Action
  /** Words of the row of keys in place of “Allow” and “Deny”: those of the buttons. */
  readonly allowKey?: string | undefined
  readonly denyKey?: string | undefined
  readonly onAllowHere?: Action
  readonly onDeny?: Action
  readonly onEdit?: Action
  readonly onReview?: Action
  /** Escape outside of text fields; default: puts the dock aside, or leads to the composer. */
  readonly onEscape?: Action
  /** Escape in a text field. */
  readonly onEscapeWriting?: Action
}

const isWriting = (target: EventTarget): boolean =>
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement ||
  (target instanceof HTMLInputElement && !['checkbox', 'radio', 'button'].includes(target.type))

/** One row that never wraps: what does not fit is left out. The buttons say the same to a screen reader. */
function KeyRow({ onAllow, allowKey = t`Allow`, onDeny, denyKey = t`Deny`, onEdit, onReview }: RequestActions) {
  const dock = useContext(InDock)
  const chords = useChords()
  const keys: readonly (readonly [Chord | null, string, unknown])[] = [
    [chords.allow, allowKey, onAllow],
    [chords.deny, denyKey, onDeny],
    [chords.review, t`Full size`, onReview],
    [chords.edit, t`Edit`, onEdit],
    [chords.nextRequest, t`Next`, dock?.several],
    [chords.toComposer, t`Decide later`, dock],
  ]
  return (
    <p className="keys" aria-hidden="true">
      {keys.map(
        ([chord, words, works]) =>
          Boolean(chord && works) && (
            <span key={words}>
              <ChordKeys chord={chord} /> {words}
            </span>
          ),
      )}
    </p>
  )
}

function useRequestKeys(actions: RequestActions): (event: KeyboardEvent) => void {
  const os = useOs()
  const chords = useChords()
  const dock = useContext(InDock)

  function actionFor(event: KeyboardEvent, writing: boolean): Action {
    if (matchesChord(event.nativeEvent, chords.allow, os)) return actions.onAllow
    if (matchesChord(event.nativeEvent, chords.allowHere, os)) return actions.onAllowHere
    // Input methods close their list with Escape.
    if (event.key === 'Escape' && !isTyping(event)) return writing ? actions.onEscapeWriting : (actions.onEscape ?? dock?.putAside)
    if (writing) return undefined
    if (matchesChord(event.nativeEvent, chords.deny, os)) return actions.onDeny
    if (matchesChord(event.nativeEvent, chords.edit, os)) return actions.onEdit
    return matchesChord(event.nativeEvent, chords.review, os) ? actions.onReview : undefined
  }

  return (event) => {
    const act = actionFor(event, isWriting(event.target))
    if (!act) return
    event.preventDefault()
    event.stopPropagation()
    if (!event.repeat) act()
  }
}

/** Why a request is asked, with the rule that says so. */
export function useWhyLabel({ why }: ConsentRequest): string {
  const ruleId = 'ruleId' in why ? why.ruleId : undefined
  const rule = useConsent((state) => state.rules.find(({ id }) => id === ruleId))
  return rule ? t`${whySentence(why)} The rule: ${ruleLabel(rule)}.` : whySentence(why)
}

export const WhyAsked = ({ children }: { readonly children: ReactNode }) => (
  <p className="why">
    <Icon name="info" small />
    <span>{children}</span>
  </p>
)

/** Model for whose answer something is asked, where two answers stand beside each other. */
export function AskedFor({ request: { answerOf } }: { readonly request: ConsentRequest }) {
  const name = useModels((state) => state.models.find(({ id }) => id === answerOf)?.name)
  return answerOf === undefined ? null : <p className="dim">{tx`For the answer of ${<b>{name ?? answerOf}</b>}`}</p>
}

/** Agent in whose call something is asked: what the system told of it, and what is only said. The title of a call names it. */
export function AskingAgent({ request: { kind, agent } }: { readonly request: ConsentRequest }) {
  if (!agent) return null
  const { name, program, folder, verified, claimed } = agent
  const source = verified ? t`Verified by the system` : t`Only claimed`
  return (
    <>
      {kind === 'tool-call' ? null : <p className="dim">{tx`For a call of ${<ServerName name={name} />}`}</p>}
      <details>
        <summary className="help">{t`Details`}</summary>
        <dl className="kv">
          {program !== undefined && (
            <Fact label={t`Program`}>
              <VisibleText className="mono wrap-any" text={program} /> <span className="help">{source}</span>
            </Fact>
          )}
          {folder !== undefined && (
            <Fact label={t`Folder`}>
              <VisibleText className="mono wrap-any" text={folder} /> <span className="help">{source}</span>
            </Fact>
          )}
          {claimed !== undefined && (
            <Fact label={t`Name`}>
              <VisibleText text={claimed} /> <span className="help">{t`Only claimed`}</span>
            </Fact>
          )}
        </dl>
      </details>
    </>
  )
}

/** Warns of a server whose name can be taken for another's. */
export function LookAlikeName({ server }: { readonly server: string }) {
  const servers = useServers((state) => state.list)
  const others = useMemo(() => lookAlikes(new Set([server, ...servers.map(({ name }) => name)])).get(server), [server, servers])
  if (!others) return null
  const quoted = (name: string): string => `“${name}”`
  return (
    <WarnNotice title={<VisibleText text={t`${quoted(server)} looks like ${others.map(quoted).join(', ')}.`} />}>
      {t`Read it letter by letter.`}
    </WarnNotice>
  )
}

/** "4 min", "40 s": rounded up. */
export const timeLeftLabel = (ms: number): string =>
  ms > 60_000 ? t`${Math.ceil(ms / 60_000)} min` : `${Math.max(1, Math.ceil(ms / 1000))} s`

function TimeLeft({ request: { server, expiresAt } }: { readonly request: Pick<ConsentRequest, 'server' | 'expiresAt'> }) {
  const now = useNow(1000, expiresAt !== undefined)
  if (expiresAt === undefined) return null
  return (
    <p
      data-ticks=""
      className="help num"
    >{tx`${<ServerName name={server} />} waits ${timeLeftLabel(expiresAt - now)} more. After that it goes on without your answer.`}</p>
  )
}

interface AskFrameProps extends RequestActions {
  /** Ids of the requests that it answers. */
  readonly ids: readonly string[]
  readonly card: RefObject<HTMLElement | null>
  readonly mark: ReactNode
  readonly title: ReactNode
  /** Node after the heading, e.g. the tool's name. */
  readonly beside?: ReactNode
  readonly headActions?: ReactNode
  readonly children: ReactNode
  readonly footer: ReactNode
}

/** The frame of a question: in the dock of its chat, or on the Requests page. */
export function AskFrame(props: AskFrameProps) {
  const { ids, card, mark, title, beside, headActions, children, footer } = props
  const bodyId = useId()
  const headingId = requestHeadingId(ids[0] ?? '')
  const body = useRef<HTMLDivElement>(null)
  const head = useRef<HTMLElement>(null)
  const scrolls = useScrolls(body)
  const seen = useSeen(head, body)
  const dock = useContext(InDock)
  useKeptFocus(card)
  return (
    <section
      className="ask"
      ref={card}
      data-request={ids.join(' ')}
      aria-labelledby={headingId}
      aria-describedby={bodyId}
      onKeyDown={useRequestKeys(props)}
    >
      <header ref={head}>
        {mark}
        <h2 id={headingId} tabIndex={-1}>
          {title}
        </h2>
        {beside}
        <span className="grow" />
        {headActions}
        {dock?.nav}
      </header>
      <div className="body" id={bodyId} ref={body} tabIndex={scrolls ? 0 : undefined}>
        {children}
      </div>
      <AnswerButtons seen={seen}>
        <footer>
          <div className="answers">{footer}</div>
          <KeyRow {...props} />
        </footer>
      </AnswerButtons>
    </section>
  )
}

type ConsentRequestFrameProps = Omit<AskFrameProps, 'ids' | 'mark' | 'title'> & { readonly request: ConsentRequest }

export const ConsentRequestFrame = ({ request, children, ...frame }: ConsentRequestFrameProps) => (
  <AskFrame
    {...frame}
    ids={[request.id]}
    mark={<ServerMark name={request.server} />}
    title={<Pieces pieces={consentPieces(request)} plain="" />}
  >
    <LookAlikeName server={request.server} />
    <AskedFor request={request} />
    <AskingAgent request={request} />
    {request.view && <p className="dim">{tx`Asked by the view of ${<VisibleText text={request.view.tool} />}, not by the model.`}</p>}
    {children}
    <TimeLeft request={request} />
  </AskFrame>
)

/** `detail`: line below the heading. */
interface SheetFrameProps extends Omit<RequestActions, 'onEscape' | 'onEscapeWriting' | 'onReview'> {
  readonly review: Review
  readonly detail?: ReactNode
  readonly children: ReactNode
  readonly footer: ReactNode
  readonly footerRef: Ref<HTMLElement>
}

/** A request at length. Focus begins on the heading; closing it decides nothing. The answers stand below the content, never over it. */
export function SheetFrame({ review, detail, children, footer, footerRef, ...actions }: SheetFrameProps) {
  const { request, waiting, show, close } = review
  const heading = useRef<HTMLHeadingElement>(null)
  const frame = useRef<HTMLElement>(null)
  const content = useRef<HTMLDivElement>(null)
  useKeptFocus(frame)
  const seen = useSeen(content)
  const onKeyDown = useRequestKeys({ ...actions, onEscape: close, onEscapeWriting: () => heading.current?.focus() })
  useEffect(() => heading.current?.focus(), [])
  const headingId = requestHeadingId(request.id)
  const near = neighboursOf(waiting, request.id)
  return (
    <section className="b sheet" ref={frame} data-request={request.id} aria-labelledby={headingId} onKeyDown={onKeyDown}>
      <div className="in" ref={content}>
        <div className="headline">
          <ServerMark name={request.server} large />
          <div className="grow">
            <h2 id={headingId} ref={heading} tabIndex={-1}>
              <Pieces pieces={consentPieces(request)} plain="" />
            </h2>
            <p className="faint">
              {detail}
              {near && t`${detail ? ' · ' : ''}${waiting.indexOf(request.id) + 1} of ${waiting.length} waiting`}
            </p>
          </div>
          <span className="row sheet-nav">
            {near && (
              <>
                <IconButton label={t`Previous request`} icon="chevron-left" small onClick={() => show(near.previous)} />
                <IconButton label={t`Next request`} icon="chevron-right" small onClick={() => show(near.next)} />
              </>
            )}
            <IconButton label={t`Decide later`} icon="close" small onClick={close} />
          </span>
        </div>
        <LookAlikeName server={request.server} />
        <AskedFor request={request} />
        {children}
        <TimeLeft request={request} />
      </div>
      <AnswerButtons seen={seen}>
        <footer className="foot ask-foot" ref={footerRef}>
          {footer}
          <KeyRow {...actions} />
        </footer>
      </AnswerButtons>
    </section>
  )
}
