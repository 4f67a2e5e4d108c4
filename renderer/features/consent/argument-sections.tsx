// The arguments of a tool call at length, each in the form that reads best. The first that has room for it carries the
// button to edit them all.
import type { ReactNode } from 'react'
import { pointerTo } from '#app/consent/match.ts'
import type { JsonObject } from '#app/json.ts'
import { t } from '#app/words/translate.ts'
import { Icon } from '#renderer/ui/icon.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { type ArgumentBlock, argumentBlocks, type TextChange } from './argument-blocks.ts'
import { ArgumentList, LongText, PathText } from './argument-list.tsx'
import { DiffView } from './diff-view.tsx'
import { useSpansAt } from './flow-marks.tsx'
import { jsonWithSpans } from './flow-spans.ts'
import { diffLines } from './text-diff.ts'

export function ArgumentSections({ value, action }: { readonly value: JsonObject; readonly action: ReactNode }) {
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
          <Revealed text={block.name} />
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
