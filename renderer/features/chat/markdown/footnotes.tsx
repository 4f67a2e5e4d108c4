// Footnotes of one message, and the tree of its tokens. A number in the text leads to its note below, and back, by buttons: an
// address with `#` is a route of the app.
import { memo, type ReactNode } from 'react'
import { t } from '#app/i18n/translate.ts'
import { takeFocus } from '#renderer/navigation/focus.ts'
import type { MarkdownFacts } from './document-facts.ts'
import { inlineNoteOf, parseMarkdown, type Token } from './parser.ts'

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

const inlineNodes = (label: string): readonly MarkdownNode[] => toTree(parseMarkdown(inlineNoteOf(label) ?? ''))

export const Footnotes = memo(function Footnotes({ facts, prefix, render }: FootnotesProps) {
  const { labels, definitions } = facts
  if (labels.length === 0) return null
  const notes = new Map<string, readonly MarkdownNode[]>()
  const numbered = new Set(labels)
  for (const block of definitions) {
    // Further notes have no number.
    if (notes.size >= labels.length) break
    for (const { token, children } of toTree(parseMarkdown(block.text, labels))) {
      const label = token.type === 'footnote_reference_open' ? String(token.meta?.label) : undefined
      if (label !== undefined && numbered.has(label) && !notes.has(label)) notes.set(label, children)
    }
  }
  return (
    <section className="footnotes" aria-label={t`Footnotes`}>
      <ol>
        {labels.map((label, index) => (
          <li key={label} id={`${prefix}-note-${index + 1}`} tabIndex={-1} dir="auto">
            {render(notes.get(label) ?? inlineNodes(label))}
            <button
              type="button"
              className="link"
              aria-label={t`Back to footnote ${index + 1} in the text`}
              onClick={() => goTo(`${prefix}-mark-${index + 1}`)}
            >
              ↩
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
})
