// The card of a tool call: what would be sent, why it is asked, the ways to answer. Its sheet beside the chat shows every argument in the
// form that reads best, and what the server says of the tool.
import { type ReactNode, useContext, useMemo, useRef, useState } from 'react'
import type { ToolCallRequest } from '#app/consent/request.ts'
import { t } from '#app/i18n/translate.ts'
import { type JsonObject, pointerNames, pointerTo } from '#app/json.ts'
import { navigate } from '#renderer/router.ts'
import { Button, GhostButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { VisibleText, VisibleValue } from '#renderer/ui/visible-text.tsx'
import { AllowButton, DenyButton, UnfoldButton } from '../request/answer-buttons.tsx'
import { ConsentRequestFrame, SheetFrame, useWhyLabel, WhyAsked } from '../request/request-frame.tsx'
import { ScopeChoice, scopeLabel } from '../request/scope-choice.tsx'
import { InDock } from '../request/use-answer.ts'
import type { Review } from '../request/use-review.ts'
import { type ArgumentBlock, argumentBlocks, cardBlocks, type TextChange } from './argument-blocks.ts'
import { ArgumentList, LongText, PathText } from './argument-list.tsx'
import { changedLines, DiffView, LineCounts } from './diff-view.tsx'
import { ArgumentEditor, ChangedText, ChangedTool, DenyForLong, EditedByYou, HiddenCharacter } from './edit-parts.tsx'
import { FlowSentence, jsonWithSpans, TaintMarks, TaintNotes, useSpansAt } from './taint-marks.tsx'
import { Claims, claimSentence, ToolDescription } from './tool-description.tsx'
import { useToolDecision } from './use-tool-decision.ts'

export function ToolCallCard({ request }: { readonly request: ToolCallRequest }) {
  const card = useRef<HTMLElement>(null)
  const [open, setOpen] = useState<'nothing' | 'scopes' | 'word'>('nothing')
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
          <span className="grow" />
          <GhostButton onClick={() => toggle('word')}>{t`Deny with a reason…`}</GhostButton>
        </>
      )}
    </>
  )

  return (
    <ConsentRequestFrame
      request={request}
      card={card}
      headActions={editing && review && <SmallGhostButton onClick={review}>{t`Open full size`}</SmallGhostButton>}
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
          <CardArguments
            value={decision.shown}
            opens={review !== undefined}
            action={(cut) => (
              <span className="row card-actions">
                <SmallGhostButton icon="edit" data-focus-back="" onClick={decision.edit}>{t`Edit`}</SmallGhostButton>
                {review && <SmallGhostButton data-cut={cut || undefined} onClick={review}>{t`Open full size`}</SmallGhostButton>}
              </span>
            )}
          />
        </TaintMarks>
      )}
      <FlowSentence request={request} />
      <TaintNotes request={request} />
      <EditedByYou decision={decision} />
      <HiddenCharacter decision={decision} />
      {decision.changed && <ChangedText request={request} />}
      {/* The frame already says that a view asks. */}
      {request.why.kind !== 'view-asks' && request.why.kind !== 'flow' && request.why.kind !== 'no-rule' && <WhyAsked>{why}</WhyAsked>}
    </ConsentRequestFrame>
  )
}

/** Lines of all changes that the dock shows; the others are read at full size. */
const MOST_LINES = 8

interface CardArgumentsProps {
  readonly value: JsonObject
  /** Whether what is left out can be opened at full size. */
  readonly opens: boolean
  /** `cut`: number of lines that are left out. */
  readonly action: (cut: number) => ReactNode
}

type Range = readonly [from: number, to: number]

/** The lines of each change that are shown when `most` are, from the first changed one on, and how many that leaves out. */
function shownLines(
  changes: readonly TextChange[],
  most: number,
): { readonly ranges: ReadonlyMap<TextChange, Range>; readonly cut: number } {
  const ranges = new Map<TextChange, Range>()
  let [left, cut] = [most, 0]
  for (const change of changes) {
    const lines = changedLines(change.before, change.after)
    const first = lines.findIndex(({ kind }) => kind !== 'same')
    const from = lines.length <= left ? 0 : Math.max(0, Math.min(first - 1, lines.length - left))
    const to = Math.min(lines.length, from + left)
    ranges.set(change, [from, to])
    left -= to - from
    cut += lines.length - (to - from)
  }
  return { ranges, cut }
}

/** The arguments on a card: names with values, and changes of text as such. */
function CardArguments({ value, opens, action }: CardArgumentsProps) {
  const cuts = useContext(InDock) !== undefined && opens
  const { blocks, ranges, cut } = useMemo(() => {
    const blocks = cardBlocks(value)
    const changes = blocks.flatMap((block) => (block.kind === 'changes' ? block.changes : []))
    return { blocks, ...shownLines(changes, cuts ? MOST_LINES : Number.POSITIVE_INFINITY) }
  }, [value, cuts])
  if (blocks.length === 0) return <NoArguments action={action(0)} />
  return (
    <>
      {blocks.map((block, index) =>
        block.kind === 'short' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: their order is that of the call, which never changes.
          <div key={index} className="with-action">
            <ArgumentList value={block.values} />
            {index === 0 && action(cut)}
          </div>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <div key={index} className="sec">
            <div className="row">
              <span className="label mono">
                <VisibleValue text={block.name} />
              </span>
              <ChangeFacts changes={block.changes} />
              <span className="grow" />
              {index === 0 && action(cut)}
            </div>
            <Changes block={block} ranges={ranges} />
          </div>
        ),
      )}
    </>
  )
}

/** Lines in and out, and the names of both texts where they are not those of the block. */
function ChangeFacts({ changes }: { readonly changes: readonly TextChange[] }) {
  const names = new Set(
    changes.flatMap(({ at }) => (at.within === '' ? [] : [pointerNames(at.before), pointerNames(at.after)])).map((one) => one.at(-1)),
  )
  return (
    <>
      <LineCounts changes={changes} />
      <VisibleText className="faint mono" text={[...names].join(' → ')} />
    </>
  )
}

const NoArguments = ({ action }: { readonly action: ReactNode }) => (
  <div className="row">
    <p className="help">{t`no arguments`}</p>
    <span className="grow" />
    {action}
  </div>
)

/** The first section with room for it carries the button that edits all arguments. */
function ArgumentSections({ value, action }: { readonly value: JsonObject; readonly action: ReactNode }) {
  const blocks = argumentBlocks(value)
  const big = blocks.findIndex((block) => block.kind !== 'short' && block.kind !== 'path')
  const bearer = big < 0 ? 0 : big
  if (blocks.length === 0) return <NoArguments action={action} />
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
        {block.kind === 'changes' && <ChangeFacts changes={block.changes} />}
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
      return <Changes block={block} />
  }
}

interface ChangesProps {
  readonly block: Extract<ArgumentBlock, { kind: 'changes' }>
  /** Lines of each change that are drawn. Default: all. */
  readonly ranges?: ReadonlyMap<TextChange, Range>
}

function Changes({ block, ranges }: ChangesProps) {
  const spansAt = useSpansAt()
  return block.changes.map((change, index) => {
    const range = ranges?.get(change)
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: changes of one call have no other identity.
      <div key={index} className="sec">
        {(range === undefined || range[1] > range[0]) && (
          <DiffView
            before={change.before}
            after={change.after}
            spans={{ before: spansAt(change.at.before), after: spansAt(change.at.after) }}
            label={t`${block.name}, change ${index + 1} of ${block.changes.length}`}
            {...(range && { range })}
          />
        )}
        {Object.keys(change.rest).length > 0 && <ArgumentList value={change.rest} at={change.at.within} />}
      </div>
    )
  })
}

export function ToolCallSheet({ request, review }: { readonly request: ToolCallRequest; readonly review: Review }) {
  const footer = useRef<HTMLElement>(null)
  const [word, setWord] = useState(false)
  const why = useWhyLabel(request)
  const hasReason = request.why.kind !== 'no-rule'
  const decision = useToolDecision(request, { place: footer, look: String(word), follower: review.follower })
  const editButton = (
    <SmallGhostButton icon="edit" data-focus-back="" onClick={decision.edit}>
      {t`Edit`}
    </SmallGhostButton>
  )
  return (
    <SheetFrame
      review={review}
      onAllow={decision.allow}
      onAllowHere={decision.allowHere}
      onDeny={() => decision.deny()}
      onEdit={decision.edit}
      footerRef={footer}
      footer={
        word ? (
          <DenyForLong request={request} decision={decision} onCancel={() => setWord(false)} />
        ) : (
          <>
            {!decision.onceOnly && (
              <ScopeChoice request={request} value={decision.scope} offer={decision.offer} onChange={decision.setScope} />
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
            {decision.onceOnly && <span className="help wide-only">{t`Always asked: this may change Assent’s own data`}</span>}
            <Button variant="ghost" size="lg" onClick={() => setWord(true)}>
              {t`Deny with a reason…`}
            </Button>
          </>
        )
      }
    >
      {(hasReason || claimSentence(request) !== undefined) && (
        <WhyAsked>
          {hasReason && why}
          <Claims request={request} />
        </WhyAsked>
      )}
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
