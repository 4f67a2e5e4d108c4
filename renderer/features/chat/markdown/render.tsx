// Tokens to React elements, by a list of what we know. Whatever is not on it is shown as its text. Nothing here makes
// the browser fetch anything: images are named, not loaded, and links only open after the person read their target.
import { Fragment, type ReactNode } from 'react'
import { Icon } from '#renderer/ui/icon.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { CodeBlock } from '../code/code-block.tsx'
import { Diagram, isDiagram } from '../diagram/diagram.tsx'
import { OutwardLink } from './outward-link.tsx'
import type { Token } from './parser.ts'
import { type Node, toTree } from './tree.ts'

export const renderTokens = (tokens: readonly Token[]): ReactNode => renderAll(toTree(tokens))

const renderAll = (nodes: readonly Node[]): ReactNode =>
  // Positions are stable keys here: a block is parsed anew as a whole.
  nodes.map((node, index) => <Fragment key={String(index)}>{renderNode(node)}</Fragment>)

const attribute = (token: Token, name: string): string => String(token.attrGet(name) ?? '')

function renderNode(node: Node): ReactNode {
  const { token, children } = node
  switch (token.type) {
    case 'text':
      return <Revealed text={token.content} />
    case 'inline':
      return renderAll(children)
    case 'softbreak':
      return '\n'
    case 'hardbreak':
      return <br />
    case 'paragraph_open':
      return token.hidden ? renderAll(children) : <p>{renderAll(children)}</p>
    case 'heading_open':
      return renderHeading(token.tag, renderAll(children))
    case 'strong_open':
      return <strong>{renderAll(children)}</strong>
    case 'em_open':
      return <em>{renderAll(children)}</em>
    case 's_open':
      return <s>{renderAll(children)}</s>
    case 'code_inline':
      return (
        <code>
          <Revealed text={token.content} />
        </code>
      )
    case 'link_open':
      return <OutwardLink target={attribute(token, 'href')}>{renderAll(children)}</OutwardLink>
    case 'image':
      return <ImageName alt={token.content} target={attribute(token, 'src')} />
    case 'fence':
    case 'code_block':
      return <Fence code={token.content.replace(/\n$/, '')} language={token.info.trim().split(/\s+/)[0] ?? ''} growing={false} />
    case 'bullet_list_open':
      return <ul>{renderAll(children)}</ul>
    case 'ordered_list_open':
      return <ol start={Number(token.attrGet('start') ?? 1)}>{renderAll(children)}</ol>
    case 'list_item_open':
      return renderItem(node)
    case 'blockquote_open':
      return <blockquote>{renderAll(children)}</blockquote>
    case 'hr':
      return <hr />
    default:
      return renderTable(node) ?? <Revealed text={token.content} />
  }
}

/** `growing`: its end has not come yet. */
export function Fence({ code, language, growing }: { readonly code: string; readonly language: string; readonly growing: boolean }) {
  return isDiagram(language) && !growing ? <Diagram source={code} /> : <CodeBlock code={code} language={language} growing={growing} />
}

function renderTable({ token, children }: Node): ReactNode | undefined {
  switch (token.type) {
    case 'table_open':
      return (
        <div className="tbl-scroll">
          <table className="tbl">{renderAll(children)}</table>
        </div>
      )
    case 'thead_open':
      return <thead>{renderAll(children)}</thead>
    case 'tbody_open':
      return <tbody>{renderAll(children)}</tbody>
    case 'tr_open':
      return <tr>{renderAll(children)}</tr>
    case 'th_open':
      return <th className={alignment(token)}>{renderAll(children)}</th>
    case 'td_open':
      return <td className={alignment(token)}>{renderAll(children)}</td>
    default:
      return undefined
  }
}

/** markdown-it says it as a style attribute; we keep styles in the sheet. */
const alignment = (token: Token): string | undefined => {
  const style = attribute(token, 'style')
  return style.includes('right') ? 'r' : style.includes('center') ? 'c' : undefined
}

/** A chat's headings stand below the page's own: one level down, and three deep at most. */
function renderHeading(tag: string, children: ReactNode): ReactNode {
  const level = Number(tag.slice(1))
  if (level <= 1) return <h2 className="md-1">{children}</h2>
  if (level === 2) return <h3 className="md-2">{children}</h3>
  return <h4 className="md-3">{children}</h4>
}

function ImageName({ alt, target }: { readonly alt: string; readonly target: string }) {
  return (
    <span className="image-name">
      <Icon name="image" small />
      <span>
        <Revealed text={alt || 'image'} />
      </span>{' '}
      <span className="mono faint">
        <Revealed text={target} />
      </span>
    </span>
  )
}

const taskMark = /^\[([ xX])\]\s/

function renderItem({ children }: Node): ReactNode {
  const text = firstText(children)
  const task = text && taskMark.exec(text.token.content)
  if (!task) return <li>{renderAll(children)}</li>
  const done = task[1] !== ' '
  return (
    <li className="task">
      <span className={done ? 'tick done' : 'tick'} role="img" aria-label={done ? 'done' : 'to do'}>
        <Icon name="check" />
      </span>
      <span>{renderAll(withoutTaskMark(children, text))}</span>
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
