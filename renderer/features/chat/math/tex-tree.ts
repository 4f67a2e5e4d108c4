// Renders TeX as MathML in React elements; a chunk of its own, fetched with the first formula. Elements, attributes and styles of
// Temml's tree that are not listed are left out. Colours are too: they would not be legible on every surface.
import { createElement, Fragment, type ReactNode } from 'react'
import temml from 'temml'

interface TreeNode {
  readonly type?: string
  readonly text?: string
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly style?: Readonly<Record<string, unknown>>
  readonly classes?: readonly string[]
  readonly children?: readonly TreeNode[]
}

const namesIn = (list: string): ReadonlySet<string> => new Set(list.split(' '))

const elements = namesIn(
  'math mrow mi mn mo ms mtext mspace mfrac msqrt mroot msup msub msubsup mover munder munderover mmultiscripts mprescripts mtable mtr mtd mpadded mphantom mstyle menclose merror none',
)
const attributes = namesIn(
  'display displaystyle scriptlevel mathvariant form fence separator stretchy symmetric movablelimits largeop accent accentunder minsize maxsize lspace rspace linethickness width height depth voffset notation columnalign rowspacing columnspacing columnlines rowlines frame rowspan columnspan',
)
const styles = namesIn(
  'padding paddingLeft paddingRight paddingTop paddingBottom border borderTop borderBottom borderLeft borderRight width textAlign mathDepth',
)
const plainValue = /^[\w .%+-]{1,60}$/

const mostNodes = 3000
const deepest = 80

/**
 * Renders a formula.
 * @throws {Error} when the TeX is broken, expands without end, or makes too many nodes.
 */
export function texTree(tex: string, display: boolean): ReactNode {
  const root = temml.__renderToMathMLTree(tex, {
    displayMode: display,
    throwOnError: true,
    trust: false,
    strict: false,
    annotate: false,
    maxExpand: 200,
    maxSize: [20, 50],
    macros: {},
  }) as TreeNode
  let count = 0

  const build = (node: TreeNode, depth: number): ReactNode => {
    count += 1
    if (count > mostNodes || depth > deepest) throw new RangeError('too much for one formula')
    if (node.text !== undefined) return node.text
    const children = (node.children ?? []).map((child, index) => createElement(Fragment, { key: index }, build(child, depth + 1)))
    if (node.type === undefined) return children
    if (!elements.has(node.type)) return null
    return createElement(node.type, propsOf(node), ...(children.length > 0 ? [children] : []))
  }
  return build(root, 0)
}

function propsOf(node: TreeNode): Record<string, unknown> {
  const props: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(node.attributes ?? {}))
    if (attributes.has(name) && plainValue.test(String(value))) props[name] = String(value)
  const classes = (node.classes ?? []).filter((name) => /^tml-[a-z-]+$/.test(name))
  if (classes.length > 0) props['className'] = classes.join(' ')
  const style = Object.fromEntries(
    Object.entries(node.style ?? {}).filter(([name, value]) => styles.has(name) && plainValue.test(String(value))),
  )
  if (Object.keys(style).length > 0) props['style'] = style
  return props
}
