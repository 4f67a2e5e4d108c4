// One tool call at length, beside its chat: why it is asked, every argument in the form that reads best, and what the server
// says of the tool.
import { useRef, useState } from 'react'
import type { ToolCallRequest } from '#app/consent/request.ts'
import { t } from '#app/words/translate.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Keys } from '#renderer/ui/keys.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { AllowButton, DenyButton } from './answer-buttons.tsx'
import { LongText } from './argument-list.tsx'
import { ArgumentSections } from './argument-sections.tsx'
import { DenyForLong } from './deny-for-long.tsx'
import { ChangedTool, ChangedWords, EditedByYou, HiddenCharacter, OpenEditor } from './edit-parts.tsx'
import { FlowMarks } from './flow-marks.tsx'
import { FlowNotes } from './flow-notes.tsx'
import { allowChord, denyChord, editChord } from './request-keys.ts'
import { ScopeChoice, scopeLabel } from './scope-choice.tsx'
import { SheetFrame } from './sheet-frame.tsx'
import { Claims, ToolWords } from './tool-words.tsx'
import type { Review } from './use-review.ts'
import { type ToolDecision, useToolDecision } from './use-tool-decision.ts'
import { Why } from './why.tsx'
import { useWhyWords } from './why-words.ts'

interface ToolCallSheetProps {
  readonly request: ToolCallRequest
  readonly review: Review
}

export function ToolCallSheet({ request, review }: ToolCallSheetProps) {
  const footer = useRef<HTMLElement>(null)
  const [word, setWord] = useState(false)
  const why = useWhyWords(request)
  const decision = useToolDecision(request, { place: footer, look: String(word), follower: review.follower })
  return (
    <SheetFrame
      review={review}
      detail={
        <span className="mono">
          <Revealed text={request.tool} />
        </span>
      }
      onAllow={decision.allow}
      onAllowHere={decision.allowHere}
      onDeny={() => decision.deny()}
      onEdit={decision.edit}
      footerRef={footer}
      footer={
        word ? (
          <DenyForLong request={request} decision={decision} onCancel={() => setWord(false)} inline />
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
              {scopeLabel(decision.scope.choice, decision.edited)}
            </AllowButton>
            <DenyButton chord={denyChord} large onPress={() => decision.deny()} />
            <span className="grow" />
            {decision.onceOnly && <span className="help wide-only">{t`Always asked: one server would learn what another said`}</span>}
            <Button variant="ghost" size="lg" onClick={() => setWord(true)}>
              {t`Deny with a word or a rule…`}
            </Button>
          </>
        )
      }
    >
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
    </SheetFrame>
  )
}

function EditButton({ decision }: { readonly decision: ToolDecision }) {
  return (
    <Button variant="ghost" size="sm" icon="edit" data-focus-back="" onClick={decision.edit}>
      {tx`Edit ${<Keys chord={editChord} />}`}
    </Button>
  )
}

/** The very text of an approval, for whoever wants to see it to the letter. */
function Sent({ text }: { readonly text: string }) {
  return (
    <details className="sent">
      <summary className="help">{t`The JSON that is sent`}</summary>
      <LongText text={text} label={t`the arguments as they are sent`} />
    </details>
  )
}
