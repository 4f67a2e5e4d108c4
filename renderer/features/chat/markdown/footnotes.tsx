// Footnotes of one message, and the tree of its tokens. A number in the text leads to its note below, and back, by buttons: an
// address with `#` is a route of the app.
import { memo, type ReactNode, useMemo } from 'react'
import { t } from '#app/i18n/translate.ts'
import { takeFocus } from '#renderer/navigation/focus.ts'
import { useInTurn } from '#renderer/ui/lib/in-turn.ts'
import type { Block } from './block-pieces.ts'
import type { MarkdownFacts } from './document-facts.ts'
import { inlineNoteOf, parseMarkdown, type Token } from './parser.ts'
import { weakMemo } from './weak-memo.ts'

export interface MarkdownNode {
  readonly token: Token
  readonly children: readonly MarkdownNode[]
}

export function sizeOfTokens(tokens: readonly Token[]): { readonly levels: number; readonly count: number } {
  let level = 0
  let levels = 0
  let count = tokens.length
  for (const { nesting, children } of tokens) {
    level += nesting
    const inner = children ? sizeOfTokens(children) : { levels: 0, count: 0 }
    count += inner.count
    levels = Math.max(levels, level + inner.levels)
  }
  return { levels, count }
}

export function toTree(tokens: readonly Token[]): readonly MarkdownNode[] {
  const root: MarkdownNode[] = []
  const open: MarkdownNode[][] = [root]
  for (const token of tokens) {
    const siblings = open.at(-1) ?? root
    if (token.nesting === -1) {
      if (open.length > 1) open.pop()
      continue
    }
    const children: MarkdownNode[] = []
    siblings.push({ token, children })
    if (token.nesting === 1) open.push(children)
    else if (token.children) children.push(...toTree(token.children))
  }
  return root
}

const goTo = (id: string): boolean => takeFocus(document.getElementById(id), 'nearest')

/** `prefix`: the message's own, so that messages on one page do not share ids. */
export function FootnoteMark({ number, prefix }: { readonly number: number; readonly prefix: string }) {
  return (
    <sup className="note-mark">
      <button
        type="button"
        id={`${prefix}-mark-${number}`}
        className="link"
        aria-label={t`Footnote ${number}`}
        onClick={() => goTo(`${prefix}-note-${number}`)}
      >
        {number}
      </button>
    </sup>
  )
}

interface FootnotesProps {
  readonly facts: MarkdownFacts
  readonly prefix: string
  readonly render: (nodes: readonly MarkdownNode[]) => ReactNode
}

/** Nodes of the notes that a block defines, by label; parsed once, however many notes it has. */
const notesOf = weakMemo((labels: readonly string[]) =>
  weakMemo((block: Block): ReadonlyMap<string, readonly MarkdownNode[]> => {
    const notes = new Map<string, readonly MarkdownNode[]>()
    for (const { token, children } of toTree(parseMarkdown(block.text, labels))) {
      const label = token.type === 'footnote_reference_open' ? String(token.meta?.label) : undefined
      if (label !== undefined && !notes.has(label)) notes.set(label, children)
    }
    return notes
  }),
)

function nodesOfNote(label: string, { labels, definitions }: MarkdownFacts): readonly MarkdownNode[] {
  const inline = inlineNoteOf(label)
  if (inline !== undefined) return toTree(parseMarkdown(inline))
  return definitions.map((block) => notesOf(labels)(block).get(label)).find((nodes) => nodes !== undefined) ?? []
}

/** Notes that are drawn in one task. */
const notesAtOnce = 4

export const Footnotes = memo(function Footnotes({ facts, prefix, render }: FootnotesProps) {
  const { labels } = facts
  const drawn = useInTurn(labels.length, (done) => done + notesAtOnce)
  if (labels.length === 0) return null
  return (
    <section className="footnotes" aria-label={t`Footnotes`}>
      <ol>
        {labels.slice(0, drawn).map((label, index) => (
          <Note key={label} label={label} number={index + 1} facts={facts} prefix={prefix} render={render} />
        ))}
      </ol>
    </section>
  )
})

type NoteProps = FootnotesProps & { readonly label: string; readonly number: number }

const Note = memo(function Note({ label, number, facts, prefix, render }: NoteProps) {
  const nodes = useMemo(() => nodesOfNote(label, facts), [label, facts])
  return (
    <li id={`${prefix}-note-${number}`} tabIndex={-1} dir="auto">
      {render(nodes)}
      <button type="button" className="link" aria-label={t`Back`} onClick={() => goTo(`${prefix}-mark-${number}`)}>
        ↩
      </button>
    </li>
  )
})
