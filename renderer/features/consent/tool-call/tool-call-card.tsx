// The card of a tool call: what would be sent, why it is asked, the ways to answer. Its sheet beside the chat shows every argument in the
// form that reads best, and what the server says of the tool.
import { type ReactNode, useRef, useState } from 'react'
import type { ToolCallRequest } from '#app/consent/request.ts'
import { t } from '#app/i18n/translate.ts'
import { type JsonObject, pointerTo } from '#app/json.ts'
import { nextRequestChord } from '#renderer/navigation/shortcuts.ts'
import { navigate } from '#renderer/router.ts'
import { useConsent } from '#renderer/stores/store-hooks.tsx'
import { Button, IconButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { Badge, Icon } from '#renderer/ui/icon.tsx'
import { ChordKeys } from '#renderer/ui/lib/key-chords.tsx'
import { diffLines } from '#renderer/ui/lib/text-diff.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { VisibleText, VisibleValue } from '#renderer/ui/visible-text.tsx'
import { AllowButton, DenyButton, UnfoldButton } from '../request/answer-buttons.tsx'
import { ConsentRequestFrame, SheetFrame, useWhyLabel, WhyAsked } from '../request/request-frame.tsx'
import { editChord, reviewChord } from '../request/request-keys.ts'
import { ScopeChoice, scopeLabel } from '../request/scope-choice.tsx'
import type { Review } from '../request/use-review.ts'
import { type ArgumentBlock, argumentBlocks, type TextChange } from './argument-blocks.ts'
import { ArgumentList, LongText, PathText } from './argument-list.tsx'
import { DiffView } from './diff-view.tsx'
import { ArgumentEditor, ChangedText, ChangedTool, DenyForLong, EditedByYou, HiddenCharacter } from './edit-parts.tsx'
import { FlowSentence, jsonWithSpans, TaintMarks, TaintNotes, useSpansAt } from './taint-marks.tsx'
import { Claims, ToolDescription } from './tool-description.tsx'
import { useToolDecision } from './use-tool-decision.ts'

export function ToolCallCard({ request }: { readonly request: ToolCallRequest }) {
  const card = useRef<HTMLElement>(null)
  const [open, setOpen] = useState<'nothing' | 'scopes' | 'word'>('nothing')
  const more = useConsent((state) => state.requests.some((one) => one.id !== request.id))
  const decision = useToolDecision(request, { place: card, look: open })
  const { arming, blocked, scope } = decision
  const plain = decision.hidden || decision.changed
  const editing = decision.text !== undefined
  const toggle = (what: typeof open): void => setOpen(open === what ? 'nothing' : what)
  const { id, conversationId } = request
  const why = useWhyLabel(request)
  const review = conversationId === undefined ? undefined : () => navigate({ page: 'chat', id: conversationId, review: id })

  const footer = (
    <>
      {open === 'scopes' && <ScopeChoice request={request} value={scope} offer={decision.offer} onChange={decision.setScope} />}
      {open === 'word' && <DenyForLong request={request} decision={decision} onCancel={() => setOpen('nothing')} />}
      {open !== 'word' && (
        <>
          <span className={decision.onceOnly ? '' : 'joined'}>
            <AllowButton
              arming={arming}
              plain={plain}
              blocked={blocked}
              className={decision.onceOnly ? '' : 'join'}
              onPress={() => decision.allow()}
            >
              {scopeLabel(scope.choice)}
            </AllowButton>
            {!decision.onceOnly && <UnfoldButton plain={plain} open={open === 'scopes'} onPress={() => toggle('scopes')} />}
          </span>
          <DenyButton onPress={() => decision.deny()} />
          <Button variant="ghost" className={open === 'scopes' ? undefined : 'wide-only'} onClick={() => toggle('word')}>
            {t`Deny with a word or a rule…`}
          </Button>
          <span className="grow" />
          {more && <span className="help next-hint">{tx`${<ChordKeys chord={nextRequestChord} />} next request`}</span>}
        </>
      )}
    </>
  )

  return (
    <ConsentRequestFrame
      request={request}
      card={card}
      beside={
        <Badge mono className="wide-only">
          <VisibleText text={request.tool} />
        </Badge>
      }
      headActions={
        <>
          {!editing && <IconButton label={t`Edit the arguments (E)`} icon="edit" small data-focus-back="" onClick={decision.edit} />}
          {review && <SmallGhostButton onClick={review}>{tx`Review ${<ChordKeys chord={reviewChord} />}`}</SmallGhostButton>}
        </>
      }
      footer={footer}
      onAllow={decision.allow}
      onAllowHere={decision.allowHere}
      onDeny={() => decision.deny()}
      onEdit={decision.edit}
      onReview={review}
    >
      <ChangedTool request={request} decision={decision} />
      {editing ? (
        <ArgumentEditor decision={decision} schema={request.inputSchema} rows={14} />
      ) : (
        <TaintMarks request={request} shown={decision.shown}>
          <ArgumentList value={decision.shown} />
        </TaintMarks>
      )}
      <FlowSentence request={request} />
      <TaintNotes request={request} />
      <EditedByYou decision={decision} />
      <HiddenCharacter decision={decision} />
      {decision.changed && <ChangedText request={request} />}
      {/* The frame already says that a view asks. */}
      {request.why.kind !== 'view-asks' && request.why.kind !== 'flow' && <WhyAsked>{why}</WhyAsked>}
    </ConsentRequestFrame>
  )
}

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
        <span className="label">
          <VisibleValue text={block.name} />
        </span>
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
    <SmallGhostButton icon="edit" data-focus-back="" onClick={decision.edit}>
      {tx`Edit ${<ChordKeys chord={editChord} />}`}
    </SmallGhostButton>
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
            {decision.onceOnly && <span className="help wide-only">{t`Always asked: Assent’s own data may be meant`}</span>}
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
        <ArgumentEditor decision={decision} schema={request.inputSchema} rows={28} />
      )}
      <FlowSentence request={request} />
      <TaintNotes request={request} />
      <EditedByYou decision={decision} />
      {(!decision.changed || request.previous) && <ToolDescription {...request} />}
      <details className="sent">
        <summary className="help">{t`The JSON that is sent`}</summary>
        <LongText
          text={decision.edited ? JSON.stringify(decision.shown) : request.argumentsText}
          label={t`the arguments as they are sent`}
        />
      </details>
    </SheetFrame>
  )
}
