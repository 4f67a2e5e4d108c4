// Footnotes of one message: a number in the text leads to its note below, and back. Buttons, not links: an address with
// `#` is a place of the app.
import { memo, type ReactNode } from 'react'
import { t } from '#app/words/translate.ts'
import type { Facts } from './facts.ts'
import { inlineNoteOf, parseMarkdown } from './parser.ts'
import { type Node, toTree } from './tree.ts'

const goTo = (id: string): void => {
  const element = document.getElementById(id)
  element?.scrollIntoView({ block: 'nearest' })
  element?.focus({ preventScroll: true })
}

/** `prefix`: of the message, so that two of them on one page do not share ids. */
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
  readonly facts: Facts
  readonly prefix: string
  readonly render: (nodes: readonly Node[]) => ReactNode
}

const inlineNodes = (label: string): readonly Node[] => toTree(parseMarkdown(inlineNoteOf(label) ?? ''))

export const Footnotes = memo(function Footnotes({ facts, prefix, render }: FootnotesProps) {
  const { labels, definitions } = facts
  if (labels.length === 0) return null
  const notes = new Map<string, readonly Node[]>()
  const numbered = new Set(labels)
  for (const block of definitions) {
    // The rest are of marks without a number.
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
