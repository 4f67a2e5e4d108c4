// The frame of a request at length beside its chat: the server, the way to the other requests, and below the content, never over it, the
// answers. Focus begins on the heading. Closing the sheet decides nothing.
import { type ReactNode, type Ref, useEffect, useRef } from 'react'
import { consentPieces } from '#app/consent/display/request-title.ts'
import { t } from '#app/i18n/translate.ts'
import { requestHeadingId } from '#renderer/navigation/focus.ts'
import { IconButton } from '#renderer/ui/button.tsx'
import { ServerMark } from '#renderer/ui/icon.tsx'
import { useKeptFocus } from '#renderer/ui/lib/use-kept-focus.ts'
import { Pieces } from '#renderer/ui/visible-text.tsx'
import { LookAlikeName, TimeLeft } from './request-frame.tsx'
import { type RequestActions, useRequestKeys } from './request-keys.ts'
import { AnswerButtons } from './unseen-notice.tsx'
import { neighboursOf, type Review } from './use-review.ts'
import { useSeen } from './use-seen.ts'

interface SheetFrameProps extends Omit<RequestActions, 'onEscape' | 'onEscapeWriting' | 'onReview'> {
  readonly review: Review
  /** Line below the heading. */
  readonly detail?: ReactNode
  readonly children: ReactNode
  readonly footer: ReactNode
  readonly footerRef: Ref<HTMLElement>
}

export function SheetFrame({ review, detail, children, footer, footerRef, ...actions }: SheetFrameProps) {
  const { request, waiting, show, close } = review
  const heading = useRef<HTMLHeadingElement>(null)
  const frame = useRef<HTMLElement>(null)
  const content = useRef<HTMLDivElement>(null)
  useKeptFocus(frame)
  const seen = useSeen(content)
  const onKeyDown = useRequestKeys({ ...actions, onEscape: close, onEscapeWriting: () => heading.current?.focus() })
  useEffect(() => heading.current?.focus(), [])
  const near = neighboursOf(waiting, request.id)
  return (
    <section className="b sheet" ref={frame} data-request={request.id} aria-labelledby={requestHeadingId(request.id)} onKeyDown={onKeyDown}>
      <div className="in" ref={content}>
        <div className="headline">
          <ServerMark name={request.server} large />
          <div className="grow">
            <h2 id={requestHeadingId(request.id)} ref={heading} tabIndex={-1}>
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
            <IconButton label={t`Close, decide later`} icon="close" small onClick={close} />
          </span>
        </div>
        <LookAlikeName server={request.server} />
        {children}
        <TimeLeft request={request} />
      </div>
      <AnswerButtons seen={seen} requestId={request.id}>
        <footer className="foot ask-foot" ref={footerRef}>
          {footer}
        </footer>
      </AnswerButtons>
    </section>
  )
}
