// One tool call at length, beside its chat: who asks and why, every argument in the form that reads best, what the server
// says of the tool, and below, never over the arguments, the ways to answer. Closing it decides nothing.
import { type RefObject, useEffect, useRef, useState } from 'react'
import { consentSentence } from '#app/consent/sentence.ts'
import { requestHeadingId } from '#renderer/shell/focus.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { Keys } from '#renderer/ui/keys.tsx'
import { ServerMark } from '#renderer/ui/marks.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { AllowButton, DenyButton } from './answer-buttons.tsx'
import { LongText } from './argument-list.tsx'
import { ArgumentSections } from './argument-sections.tsx'
import { DenyWord } from './deny-word.tsx'
import { ChangedTool, ChangedWords, EditedByYou, HiddenCharacter, OpenEditor } from './edit-parts.tsx'
import { FlowMarks } from './flow-marks.tsx'
import { FlowNotes } from './flow-notes.tsx'
import { LookAlikeName } from './look-alike-name.tsx'
import { allowChord, denyChord, editChord, useRequestKeys } from './request-keys.ts'
import { neighboursOf } from './review-order.ts'
import { ScopeChoice, scopeLabel } from './scope-choice.tsx'
import { Claims, ToolWords } from './tool-words.tsx'
import type { Review } from './use-review.ts'
import { type ToolDecision, useToolDecision } from './use-tool-decision.ts'
import { Why } from './why.tsx'
import { useWhyWords } from './why-words.ts'

/** To be keyed by the request: another one starts with nothing chosen, and with the pause before Allow. */
export function ReviewSheet({ review }: { readonly review: Review }) {
  const { request, close, follower } = review
  const footer = useRef<HTMLElement>(null)
  const [word, setWord] = useState(false)
  const why = useWhyWords(request)
  const decision = useToolDecision(request, { place: footer, look: String(word), follower })
  const heading = useRef<HTMLHeadingElement>(null)
  const focusHeading = (): void => heading.current?.focus()
  const onKeyDown = useRequestKeys({
    onAllow: decision.allow,
    onAllowHere: decision.allowHere,
    onDeny: () => decision.deny(),
    onEdit: decision.edit,
    onEscape: close,
    onEscapeWriting: focusHeading,
  })
  useEffect(() => heading.current?.focus(), [])
  return (
    <section className="b sheet" data-request={request.id} aria-labelledby={requestHeadingId(request.id)} onKeyDown={onKeyDown}>
      <div className="in">
        <Headline review={review} heading={heading} />
        <LookAlikeName server={request.server} />
        <Why>
          {why}
          <Claims request={request} />
        </Why>
        <ChangedTool request={request} decision={decision} />
        {decision.changed && <ChangedWords request={request} />}
        <HiddenCharacter decision={decision} />
        {decision.text === undefined ? (
          <FlowMarks request={request} shown={decision.shown}>
            <ArgumentSections value={decision.shown} action={<EditButton decision={decision} />} />
          </FlowMarks>
        ) : (
          <OpenEditor request={request} decision={decision} rows={28} />
        )}
        <FlowNotes request={request} />
        <EditedByYou decision={decision} />
        {(!decision.changed || request.previous) && <ToolWords {...request} />}
        <Sent text={decision.edited ? JSON.stringify(decision.shown) : request.argumentsText} />
      </div>
      <footer className="foot ask-foot" ref={footer}>
        {word ? (
          <DenyWord onDeny={decision.deny} onCancel={() => setWord(false)} />
        ) : (
          <>
            {!decision.onceOnly && (
              <ScopeChoice request={request} value={decision.scope} offer={decision.offer} onChange={decision.setScope} inline />
            )}
            <AllowButton
              arming={decision.arming}
              plain={decision.hidden || decision.changed}
              blocked={decision.blocked}
              chord={allowChord}
              large
              onPress={decision.allow}
            >
              {scopeLabel(decision.scope.choice)}
              {decision.edited && ', as edited'}
            </AllowButton>
            <DenyButton chord={denyChord} large onPress={() => decision.deny()} />
            <span className="grow" />
            {decision.onceOnly && <span className="help wide-only">Always asked: one server would learn what another said</span>}
            <Button variant="ghost" size="lg" onClick={() => setWord(true)}>
              Deny with a word…
            </Button>
          </>
        )}
      </footer>
    </section>
  )
}

interface HeadlineProps {
  readonly review: Review
  readonly heading: RefObject<HTMLHeadingElement | null>
}

function Headline({ review: { request, waiting, show, close }, heading }: HeadlineProps) {
  const near = neighboursOf(waiting, request.id)
  return (
    <div className="headline">
      <ServerMark name={request.server} large />
      <div className="grow">
        <h2 id={requestHeadingId(request.id)} ref={heading} tabIndex={-1}>
          <Revealed text={consentSentence(request)} />
        </h2>
        <p className="faint">
          <span className="mono">
            <Revealed text={request.tool} />
          </span>
          {near && ` · ${waiting.indexOf(request.id) + 1} of ${waiting.length} waiting`}
        </p>
      </div>
      <span className="row sheet-nav">
        {near && (
          <>
            <IconButton label="Previous request" icon="chevron-left" small onClick={() => show(near.previous)} />
            <IconButton label="Next request" icon="chevron-right" small onClick={() => show(near.next)} />
          </>
        )}
        <IconButton label="Close, decide later" icon="close" small onClick={close} />
      </span>
    </div>
  )
}

function EditButton({ decision }: { readonly decision: ToolDecision }) {
  return (
    <Button variant="ghost" size="sm" icon="edit" onClick={decision.edit}>
      Edit <Keys chord={editChord} />
    </Button>
  )
}

/** The very text of an approval, for whoever wants to see it to the letter. */
function Sent({ text }: { readonly text: string }) {
  return (
    <details className="sent">
      <summary className="help">The JSON that is sent</summary>
      <LongText text={text} label="the arguments as they are sent" />
    </details>
  )
}
