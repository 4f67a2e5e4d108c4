// Tokens to React elements, by a list of what we know. Whatever is not on it is shown as its text. Nothing here makes
// the browser fetch anything: images are named, not loaded, and links only open after the person read their target.
import { Fragment, type ReactNode } from 'react'
import { t } from '#app/words/translate.ts'
import { Icon } from '#renderer/ui/icon.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { CodeBlock } from '../code/code-block.tsx'
import { Diagram, isDiagram } from '../diagram/diagram.tsx'
import { Formula } from '../math/formula.tsx'
import type { Facts } from './facts.ts'
import { FootnoteMark } from './footnotes.tsx'
import { OutwardLink } from './outward-link.tsx'
import { inlineNoteOf, type Token } from './parser.ts'
import { type Node, toTree } from './tree.ts'

/** Where in the page a block stands: what it has to know of its message. */
export interface Place {
  /** Begins the ids of the message's footnotes. */
  readonly prefix: string
  readonly facts: Facts
}

export const renderTokens = (tokens: readonly Token[], place: Place): ReactNode => renderAll(toTree(tokens), place)

export const renderAll = (nodes: readonly Node[], place: Place): ReactNode =>
  // Positions are stable keys here: a block is parsed anew as a whole.
  nodes.map((node, index) => <Fragment key={String(index)}>{renderNode(node, place)}</Fragment>)

const attribute = (token: Token, name: string): string => String(token.attrGet(name) ?? '')

function renderNode(node: Node, place: Place): ReactNode {
  const { token, children } = node
  switch (token.type) {
    case 'text':
      return <Revealed text={token.content} />
    case 'inline':
      return renderAll(children, place)
    case 'softbreak':
      return '\n'
    case 'hardbreak':
      return <br />
    case 'paragraph_open':
      return token.hidden ? renderAll(children, place) : <p>{renderAll(children, place)}</p>
    case 'heading_open':
      return renderHeading(token.tag, place.facts.topHeading, renderAll(children, place))
    case 'strong_open':
      return <strong>{renderAll(children, place)}</strong>
    case 'em_open':
      return <em>{renderAll(children, place)}</em>
    case 's_open':
      return <s>{renderAll(children, place)}</s>
    case 'code_inline':
      return (
        <code>
          <Revealed text={token.content} />
        </code>
      )
    case 'link_open':
      return <OutwardLink target={attribute(token, 'href')}>{renderAll(children, place)}</OutwardLink>
    case 'image':
      return <ImageName alt={token.content} target={attribute(token, 'src')} />
    case 'fence':
    case 'code_block':
      return <Fence code={token.content.replace(/\n$/, '')} language={token.info.trim().split(/\s+/)[0] ?? ''} growing={false} />
    case 'bullet_list_open':
      return <ul dir="auto">{renderAll(children, place)}</ul>
    case 'ordered_list_open':
      return (
        <ol dir="auto" start={Number(token.attrGet('start') ?? 1)}>
          {renderAll(children, place)}
        </ol>
      )
    case 'list_item_open':
      return renderItem(node, place)
    case 'blockquote_open':
      return <blockquote dir="auto">{renderAll(children, place)}</blockquote>
    case 'hr':
      return <hr />
    case 'math_inline':
    case 'math_block':
      return <Formula tex={token.content} display={token.meta?.display === true} written={token.markup} />
    case 'footnote_ref':
      return renderFootnoteMark(String(token.meta?.label), place)
    case 'footnote_reference_open':
      // Stands below the message, with the others.
      return place.facts.unnumbered.has(String(token.meta?.label)) ? (
        <>
          <Revealed text={`[^${String(token.meta?.label)}]:`} /> {renderAll(children, place)}
        </>
      ) : null
    default:
      return renderTable(node, place) ?? <Revealed text={token.content} />
  }
}

/** `growing`: its end has not come yet. */
export function Fence({ code, language, growing }: { readonly code: string; readonly language: string; readonly growing: boolean }) {
  return isDiagram(language) && !growing ? <Diagram source={code} /> : <CodeBlock code={code} language={language} growing={growing} />
}

/** One that is wider than its place is scrolled by the keys, too. */
const reachable = { tabIndex: 0 } as const

function renderTable({ token, children }: Node, place: Place): ReactNode | undefined {
  switch (token.type) {
    case 'table_open':
      return (
        <div className="tbl-scroll" {...reachable}>
          <table className="tbl" dir="auto">
            {renderAll(children, place)}
          </table>
        </div>
      )
    case 'thead_open':
      return <thead>{renderAll(children, place)}</thead>
    case 'tbody_open':
      return <tbody>{renderAll(children, place)}</tbody>
    case 'tr_open':
      return <tr>{renderAll(children, place)}</tr>
    case 'th_open':
      return <th className={alignment(token)}>{renderAll(children, place)}</th>
    case 'td_open':
      return <td className={alignment(token)}>{renderAll(children, place)}</td>
    default:
      return undefined
  }
}

/** markdown-it says it as a style attribute; we keep styles in the sheet. */
const alignment = (token: Token): string | undefined => {
  const style = attribute(token, 'style')
  return style.includes('right') ? 'r' : style.includes('center') ? 'c' : undefined
}

/** A chat's headings stand below the page's own: the largest of a message one level down, and three deep at most. */
function renderHeading(tag: string, top: number, children: ReactNode): ReactNode {
  const size = Number(tag.slice(1))
  const Tag = (['h2', 'h3', 'h4'] as const)[Math.min(2, Math.max(0, size - top))] ?? 'h4'
  return (
    <Tag className={`md-${Math.min(3, size)}`} dir="auto">
      {children}
    </Tag>
  )
}

const numbers = new WeakMap<readonly string[], ReadonlyMap<string, number>>()
/** From 1; 0: it has none. */
function numberOf(labels: readonly string[], label: string): number {
  const known = numbers.get(labels) ?? new Map(labels.map((one, index) => [one, index + 1]))
  numbers.set(labels, known)
  return known.get(label) ?? 0
}

function renderFootnoteMark(label: string, { facts, prefix }: Place): ReactNode {
  const number = numberOf(facts.labels, label)
  return number > 0 ? (
    <FootnoteMark number={number} prefix={prefix} />
  ) : (
    <Revealed text={inlineNoteOf(label) === undefined ? `[^${label}]` : label} />
  )
}

function ImageName({ alt, target }: { readonly alt: string; readonly target: string }) {
  return (
    <span className="image-name">
      <Icon name="image" small />
      <span>
        <Revealed text={alt || t`image`} />
      </span>{' '}
      <span className="mono faint">
        <Revealed text={target} />
      </span>
    </span>
  )
}

const taskMark = /^\[([ xX])\]\s/

function renderItem({ children }: Node, place: Place): ReactNode {
  const text = firstText(children)
  const task = text && taskMark.exec(text.token.content)
  if (!task) return <li>{renderAll(children, place)}</li>
  const done = task[1] !== ' '
  return (
    <li className="task">
      <span className={done ? 'tick done' : 'tick'} role="img" aria-label={done ? t`done` : t`to do`}>
        <Icon name="check" />
      </span>
      <span>{renderAll(withoutTaskMark(children, text), place)}</span>
    </li>
  )
}

function firstText(nodes: readonly Node[]): Node | undefined {
  const [first] = nodes
  if (!first || first.token.type === 'text') return first
  return first.token.type === 'paragraph_open' || first.token.type === 'inline' ? firstText(first.children) : undefined
}

const withoutTaskMark = (nodes: readonly Node[], text: Node): readonly Node[] =>
  nodes.map((node, index) => {
    if (index > 0) return node
    if (node !== text) return { ...node, children: withoutTaskMark(node.children, text) }
    const token = Object.assign(Object.create(Object.getPrototypeOf(node.token)) as Token, node.token)
    token.content = token.content.replace(taskMark, '')
    return { ...node, token }
  })
