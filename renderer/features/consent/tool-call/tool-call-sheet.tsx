// One tool call at length, beside its chat: why it is asked, every argument in the form that reads best, and what the server says of
// the tool.
import { type ReactNode, useRef, useState } from 'react'
import type { ToolCallRequest } from '#app/consent/request.ts'
import { t } from '#app/i18n/translate.ts'
import { type JsonObject, pointerTo } from '#app/json.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { ChordKeys } from '#renderer/ui/lib/key-chords.tsx'
import { diffLines } from '#renderer/ui/lib/text-diff.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { AllowButton, DenyButton } from '../request/answer-buttons.tsx'
import { useWhyLabel, WhyAsked } from '../request/request-frame.tsx'
import { editChord } from '../request/request-keys.ts'
import { SheetFrame } from '../request/review-sheet-frame.tsx'
import { ScopeChoice, scopeLabel } from '../request/scope-choice.tsx'
import type { Review } from '../request/use-review.ts'
import { type ArgumentBlock, argumentBlocks, type TextChange } from './argument-blocks.ts'
import { ArgumentList, LongText, PathText } from './argument-list.tsx'
import { DiffView } from './diff-view.tsx'
import { ChangedText, ChangedTool, DenyForLong, EditedByYou, HiddenCharacter, OpenEditor } from './edit-parts.tsx'
import { jsonWithSpans, TaintMarks, useSpansAt } from './taint-marks.tsx'
import { TaintNotes } from './taint-notes.tsx'
import { Claims, ToolDescription } from './tool-description.tsx'
import { useToolDecision } from './use-tool-decision.ts'

/** The first section with room for it carries the button that edits all arguments. */
function ArgumentSections({ value, action }: { readonly value: JsonObject; readonly action: ReactNode }) {
  const blocks = argumentBlocks(value)
  const big = blocks.findIndex((block) => block.kind !== 'short' && block.kind !== 'path')
  const bearer = big < 0 ? 0 : big
  if (blocks.length === 0) {
    return (
      <div className="row">
        <p className="help">{t`No arguments.`}</p>
        <span className="grow" />
        {action}
      </div>
    )
  }
  return blocks.map((block, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: their order is that of the call, which never changes.
    <Section key={index} block={block} action={index === bearer ? action : undefined} />
  ))
}

function Section({ block, action }: { readonly block: ArgumentBlock; readonly action: ReactNode }) {
  if (block.kind === 'short') {
    return (
      <div className="with-action">
        <ArgumentList value={block.values} />
        {action}
      </div>
    )
  }
  return (
    <div className="sec">
      <div className="row">
        <VisibleText className="label" text={block.name} />
        {block.kind === 'changes' && <span className="faint num">{countWords(block.changes)}</span>}
        <span className="grow" />
        {action}
      </div>
      <Body block={block} />
    </div>
  )
}

function Body({ block }: { readonly block: Exclude<ArgumentBlock, { kind: 'short' }> }) {
  const spansAt = useSpansAt()
  const at = pointerTo(block.name)
  switch (block.kind) {
    case 'path':
      return (
        <div className="input mono value">
          <Icon name="file" small />
          <PathText text={block.text} spans={spansAt(at)} />
        </div>
      )
    case 'long':
      return <LongText text={block.text} spans={spansAt(at)} label={block.name} />
    case 'json':
      return <LongText {...jsonWithSpans(block.value, at, spansAt)} label={block.name} />
    case 'changes':
      return block.changes.map((change, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: changes of one call have no other identity.
        <div key={index} className="sec">
          <DiffView
            before={change.before}
            after={change.after}
            spans={{ before: spansAt(change.at.before), after: spansAt(change.at.after) }}
            label={t`${block.name}, change ${index + 1} of ${block.changes.length}`}
          />
          {Object.keys(change.rest).length > 0 && <ArgumentList value={change.rest} at={change.at.within} />}
        </div>
      ))
  }
}

/** "2 lines out, 3 in", over all changes. */
function countWords(changes: readonly TextChange[]): string {
  const lines = changes.flatMap(({ before, after }) => diffLines(before, after))
  const count = (kind: 'in' | 'out'): number => lines.filter((line) => line.kind === kind).length
  const [out, into] = [count('out'), count('in')]
  return out === 1 ? t`1 line out, ${into} in` : t`${out} lines out, ${into} in`
}

export function ToolCallSheet({ request, review }: { readonly request: ToolCallRequest; readonly review: Review }) {
  const footer = useRef<HTMLElement>(null)
  const [word, setWord] = useState(false)
  const why = useWhyLabel(request)
  const decision = useToolDecision(request, { place: footer, look: String(word), follower: review.follower })
  const editButton = (
    <Button variant="ghost" size="sm" icon="edit" data-focus-back="" onClick={decision.edit}>
      {tx`Edit ${<ChordKeys chord={editChord} />}`}
    </Button>
  )
  return (
    <SheetFrame
      review={review}
      detail={<VisibleText className="mono" text={request.tool} />}
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
              large
              onPress={decision.allow}
            >
              {scopeLabel(decision.scope.choice, decision.edited)}
            </AllowButton>
            <DenyButton large onPress={() => decision.deny()} />
            <span className="grow" />
            {decision.onceOnly && <span className="help wide-only">{t`Always asked: one server would learn what another said`}</span>}
            <Button variant="ghost" size="lg" onClick={() => setWord(true)}>
              {t`Deny with a word or a rule…`}
            </Button>
          </>
        )
      }
    >
      <WhyAsked>
        {why}
        <Claims request={request} />
      </WhyAsked>
      <ChangedTool request={request} decision={decision} />
      {decision.changed && <ChangedText request={request} />}
      <HiddenCharacter decision={decision} />
      {decision.text === undefined ? (
        <TaintMarks request={request} shown={decision.shown}>
          <ArgumentSections value={decision.shown} action={editButton} />
        </TaintMarks>
      ) : (
        <OpenEditor request={request} decision={decision} rows={28} />
      )}
      <TaintNotes request={request} />
      <EditedByYou decision={decision} />
      {(!decision.changed || request.previous) && <ToolDescription {...request} />}
      <Sent text={decision.edited ? JSON.stringify(decision.shown) : request.argumentsText} />
    </SheetFrame>
  )
}

/** The arguments as their exact JSON text. */
const Sent = ({ text }: { readonly text: string }) => (
  <details className="sent">
    <summary className="help">{t`The JSON that is sent`}</summary>
    <LongText text={text} label={t`the arguments as they are sent`} />
  </details>
)
