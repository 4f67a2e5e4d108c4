// Copies a selection with the TeX of its formulas: the text of MathML is a row of letters.

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
