// The frame of every request: the only bordered thing in a conversation. Its keys work while focus is inside it.
// Its heading takes focus (Command J), so Tab goes on through arguments, scopes and buttons in that order.
import { type ReactNode, type RefObject, useId, useRef } from 'react'
import type { ConsentRequest } from '#app/consent/request.ts'
import { consentPieces } from '#app/consent/sentence.ts'
import { requestHeadingId } from '#renderer/shell/focus.ts'
import { ServerMark } from '#renderer/ui/marks.tsx'
import { Pieces } from '#renderer/ui/pieces.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { LookAlikeName } from './look-alike-name.tsx'
import { type RequestActions, useRequestKeys } from './request-keys.ts'
import { TimeLeft } from './time-left.tsx'
import { Answers } from './unseen.tsx'
import { useKeptFocus } from './use-kept-focus.ts'
import { useScrolls } from './use-scrolls.ts'
import { useSeen } from './use-seen.ts'

interface AskFrameProps extends RequestActions {
  readonly request: ConsentRequest
  readonly card: RefObject<HTMLElement | null>
  /** Beside the heading, e.g. the tool's own name. */
  readonly beside?: ReactNode
  /** At the right end of the head. */
  readonly headActions?: ReactNode
  readonly children: ReactNode
  readonly footer: ReactNode
}

export function AskFrame(props: AskFrameProps) {
  const { request, card, beside, headActions, children, footer } = props
  const bodyId = useId()
  const body = useRef<HTMLDivElement>(null)
  const head = useRef<HTMLElement>(null)
  const scrolls = useScrolls(body)
  const seen = useSeen(head, body)
  useKeptFocus(card)
  const headingId = requestHeadingId(request.id)
  const onKeyDown = useRequestKeys(props)
  return (
    <section
      className="ask"
      ref={card}
      data-request={request.id}
      aria-labelledby={headingId}
      aria-describedby={bodyId}
      onKeyDown={onKeyDown}
    >
      <header ref={head}>
        <ServerMark name={request.server} />
        <h2 id={headingId} tabIndex={-1}>
          <Pieces pieces={consentPieces(request)} plain="" />
        </h2>
        {beside}
        <span className="grow" />
        {headActions}
      </header>
      <div className="body" id={bodyId} ref={body} tabIndex={scrolls ? 0 : undefined}>
        <LookAlikeName server={request.server} />
        {request.view && (
          <p className="dim">{tx`Not the model: what ${<Revealed text={request.view.tool} />} shows in the chat asks for this.`}</p>
        )}
        {children}
        <TimeLeft request={request} />
      </div>
      <Answers seen={seen} requestId={request.id}>
        <footer>{footer}</footer>
      </Answers>
    </section>
  )
}
