// The frame of every request: the only bordered thing in a conversation. Its keys work while focus is inside it.
// Its heading takes focus (Command J), so Tab goes on through arguments, scopes and buttons in that order.
import { type KeyboardEvent, type ReactNode, type RefObject, useId } from 'react'
import type { ConsentRequest } from '#app/consent/request.ts'
import { consentSentence } from '#app/consent/sentence.ts'
import { requestHeadingId } from '#renderer/shell/focus.ts'
import { type Chord, matchesChord, useOs } from '#renderer/ui/keys.tsx'
import { ServerMark } from '#renderer/ui/marks.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'

export const allowChord: Chord = { key: 'Enter', mod: true }
export const allowHereChord: Chord = { key: 'Enter', mod: true, shift: true }
export const denyChord: Chord = { key: 'Backspace', mod: true }

interface AskFrameProps {
  readonly request: ConsentRequest
  readonly card: RefObject<HTMLElement | null>
  /** Beside the heading, e.g. the tool's own name. */
  readonly beside?: ReactNode
  /** At the right end of the head. */
  readonly headActions?: ReactNode
  readonly children: ReactNode
  readonly footer: ReactNode
  readonly onAllow?: () => void
  readonly onAllowHere?: (() => void) | undefined
  readonly onDeny?: () => void
  readonly onEdit?: (() => void) | undefined
  readonly onReview?: (() => void) | undefined
}

const isWriting = (target: EventTarget): boolean =>
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement ||
  (target instanceof HTMLInputElement && !['checkbox', 'radio', 'button'].includes(target.type))

export function AskFrame(props: AskFrameProps) {
  const { request, card, beside, headActions, children, footer } = props
  const os = useOs()
  const bodyId = useId()
  const headingId = requestHeadingId(request.id)

  const onKeyDown = (event: KeyboardEvent): void => {
    const writing = isWriting(event.target)
    const act = actionFor(event, writing)
    if (!act) return
    event.preventDefault()
    event.stopPropagation()
    if (!event.repeat) act()
  }

  function actionFor(event: KeyboardEvent, writing: boolean): (() => void) | undefined {
    if (matchesChord(event, allowChord, os)) return props.onAllow
    if (matchesChord(event, allowHereChord, os)) return props.onAllowHere
    if (writing) return undefined
    if (matchesChord(event, denyChord, os)) return props.onDeny
    if (matchesChord(event, { key: 'e' }, os)) return props.onEdit
    if (matchesChord(event, { key: 'r' }, os)) return props.onReview
    return undefined
  }

  return (
    <section
      className="ask"
      ref={card}
      data-request={request.id}
      aria-labelledby={headingId}
      aria-describedby={bodyId}
      onKeyDown={onKeyDown}
    >
      <header>
        <ServerMark name={request.server} />
        <h2 id={headingId} tabIndex={-1}>
          <Revealed text={consentSentence(request)} />
        </h2>
        {beside}
        <span className="grow" />
        {headActions}
      </header>
      <div className="body" id={bodyId}>
        {children}
      </div>
      <footer>{footer}</footer>
    </section>
  )
}
