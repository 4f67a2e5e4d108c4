// Formulas, and their TeX in copied selections, since the text of MathML is a row of letters. TeX is shown as code until
// the chunk is there, and where it cannot be rendered.
import { memo, type ReactNode, useMemo, useSyncExternalStore } from 'react'
import { orElse } from '#app/or-else.ts'
import { hasHidden } from '#app/text/hidden-characters.ts'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { VisibleText } from '#renderer/ui/visible-text.tsx'

type TexTree = (tex: string, display: boolean) => ReactNode

let texTree: TexTree | undefined
const listeners = new Set<() => void>()

/** Loads the chunk; a failed load is repeated for a later formula. */
async function load(): Promise<void> {
  const module = await import('./tex-tree.ts')
  texTree = module.texTree
  for (const each of [...listeners]) each()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // Without the chunk the TeX stays code.
  if (!texTree) load().catch(() => undefined)
  return () => listeners.delete(listener)
}

interface FormulaProps {
  readonly tex: string
  readonly display: boolean
  readonly written: string
}

export const Formula = memo(function Formula({ tex, display, written }: FormulaProps) {
  const make = useSyncExternalStore(subscribe, () => texTree)
  // TeX that is broken or too long, or has hidden characters, stays code.
  const made = useMemo(() => (make && !hasHidden(tex) ? orElse(() => make(tex, display), undefined) : undefined), [make, tex, display])
  return (
    <span className={cx('math', display && 'shown')} data-tex={written} title={made ? tex : undefined} dir="ltr">
      {made ?? <VisibleText as="code" text={written} />}
    </span>
  )
})

const breaks = /^(?:P|DIV|LI|UL|OL|H[1-6]|TR|TABLE|PRE|FIGURE|BLOCKQUOTE|SECTION|BR|HR)$/

function textOf(node: Node, out: string[]): void {
  if (node.nodeType === Node.TEXT_NODE) out.push(node.textContent ?? '')
  else if (node instanceof HTMLElement && node.dataset['tex'] !== undefined) out.push(node.dataset['tex'])
  else {
    const block = node instanceof Element && breaks.test(node.tagName)
    if (node instanceof Element && /^T[DH]$/.test(node.tagName) && node.previousElementSibling) out.push('\t')
    for (const child of node.childNodes) textOf(child, out)
    if (block && !out.at(-1)?.endsWith('\n')) out.push('\n')
  }
}

/** Text of the selection with TeX in place of formulas; undefined: no formula in it, the browser copies. */
export function selectedTex(selection: Selection | null): string | undefined {
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined
  const range = selection.getRangeAt(0)
  const around = range.commonAncestorContainer
  const within = (around instanceof Element ? around : around.parentElement)?.closest<HTMLElement>('[data-tex]')
  if (within) return within.dataset['tex']
  const fragment = range.cloneContents()
  if (!fragment.querySelector('[data-tex]')) return undefined
  const out: string[] = []
  textOf(fragment, out)
  return out.join('').trim()
}
