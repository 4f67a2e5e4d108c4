// Markdown that may still be growing: split into blocks, each parsed and rendered once it is there. Only the last blocks render
// again while text streams in. Tokens to React elements, by a list of what we know. Whatever is not on it is shown as its text.
// Nothing here makes the browser fetch anything: images are named, not loaded, and links only open after the person read their
// target.
import { type ClipboardEvent, Fragment, memo, type ReactNode, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { CodeBlock } from '../code/code-block.tsx'
import { Diagram, isDiagram } from '../diagram/diagram.tsx'
import { selectedTex } from '../math/copy-formulas.ts'
import { Formula } from '../math/formula.tsx'
import {
  type Block,
  type BlockRun,
  cellsOf,
  growBlocks,
  growRuns,
  leadingLines,
  mostLevels,
  mostTokens,
  readFence,
  runsWithin,
} from './block-pieces.ts'
import { type MarkdownFacts, markdownFactsOf, needsMarkdownFacts, noMarkdownFacts } from './document-facts.ts'
import { ExternalLink } from './external-link.tsx'
import { FootnoteMark, Footnotes, type Node, sizeOfTokens, toTree } from './footnotes.tsx'
import { inlineNoteOf, parseMarkdown, type Token } from './parser.ts'

/** Where in the page a block stands: what it has to know of its message. */
interface RenderPosition {
  /** Begins the ids of the message's footnotes. */
  readonly prefix: string
  readonly facts: MarkdownFacts
}

const renderTokens = (tokens: readonly Token[], place: RenderPosition): ReactNode => renderAll(toTree(tokens), place)

const renderAll = (nodes: readonly Node[], place: RenderPosition): ReactNode =>
  // Positions are stable keys here: a block is parsed anew as a whole.
  nodes.map((node, index) => <Fragment key={String(index)}>{renderNode(node, place)}</Fragment>)

const attribute = (token: Token, name: string): string => String(token.attrGet(name) ?? '')

function renderNode(node: Node, place: RenderPosition): ReactNode {
  const { token, children } = node
  switch (token.type) {
    case 'text':
      return <VisibleText text={token.content} />
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
          <VisibleText text={token.content} />
        </code>
      )
    case 'link_open':
      return <ExternalLink target={attribute(token, 'href')}>{renderAll(children, place)}</ExternalLink>
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
          <VisibleText text={`[^${String(token.meta?.label)}]:`} /> {renderAll(children, place)}
        </>
      ) : null
    default:
      return renderTable(node, place) ?? <VisibleText text={token.content} />
  }
}

/** `growing`: its end has not come yet. */
function Fence({ code, language, growing }: { readonly code: string; readonly language: string; readonly growing: boolean }) {
  return isDiagram(language) && !growing ? <Diagram source={code} /> : <CodeBlock code={code} language={language} growing={growing} />
}

/** One that is wider than its place is scrolled by the keys, too. */
const reachable = { tabIndex: 0 } as const

function renderTable({ token, children }: Node, place: RenderPosition): ReactNode | undefined {
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

function renderFootnoteMark(label: string, { facts, prefix }: RenderPosition): ReactNode {
  const number = numberOf(facts.labels, label)
  return number > 0 ? (
    <FootnoteMark number={number} prefix={prefix} />
  ) : (
    <VisibleText text={inlineNoteOf(label) === undefined ? `[^${label}]` : label} />
  )
}

function ImageName({ alt, target }: { readonly alt: string; readonly target: string }) {
  return (
    <span className="image-name">
      <Icon name="image" small />
      <span>
        <VisibleText text={alt || t`image`} />
      </span>{' '}
      <span className="mono faint">
        <VisibleText text={target} />
      </span>
    </span>
  )
}

const taskMark = /^\[([ xX])\]\s/

function renderItem({ children }: Node, place: RenderPosition): ReactNode {
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

interface PlaceProps {
  readonly prefix: string
  /** `noMarkdownFacts` where nothing of it is used, so that it is not rendered again when they change. */
  readonly facts: MarkdownFacts
  /** What is last may still grow. */
  readonly streaming: boolean
}

const BlockView = memo(function BlockView({ block, streaming, facts, prefix }: PlaceProps & { readonly block: Block }) {
  if (block.kind === 'fence') {
    const { code, language, closed } = readFence(block.text)
    return <Fence code={code} language={language} growing={streaming && !closed} />
  }
  if (cellsOf(block.text) <= mostTokens / 3) {
    const tokens = parseMarkdown(block.text, facts.labels)
    if (block.text.length <= alwaysDrawn || isDrawable(tokens)) return renderTokens(tokens, { prefix, facts })
  }
  return (
    <p>
      <VisibleText text={block.text} />
    </p>
  )
})

const RunView = memo(function RunView({ run, streaming, facts, prefix }: PlaceProps & { readonly run: BlockRun }) {
  return (
    <div className="prose-run">
      {run.map((block) => (
        <BlockView key={block.start} block={block} prefix={prefix} facts={facts} streaming={streaming && block === run.at(-1)} />
      ))}
    </div>
  )
})

/** UTF-16 units of a block that no shape makes too large. */
const alwaysDrawn = 1000

function isDrawable(tokens: Parameters<typeof sizeOfTokens>[0]): boolean {
  const { levels, count } = sizeOfTokens(tokens)
  return levels <= mostLevels && count <= mostTokens
}

interface Grown {
  readonly text: string
  readonly blocks: readonly Block[]
  readonly runs: readonly BlockRun[]
  readonly facts: MarkdownFacts
}

/** What is drawn in one task, and in all before the person asks for more; in about as many nodes. */
const weightAtOnce = 700
const weightUnasked = 24_000

/**
 * How many of the runs are drawn now. The next ones follow in a task of their own, as far as nobody has to ask for them; what
 * streams in is no more than that, and drawn at once.
 */
function useDrawn(runs: readonly BlockRun[], asked: number): { readonly drawn: number; readonly isAll: boolean } {
  const [done, setDone] = useState(0)
  const most = useMemo(() => runsWithin(runs, 0, asked * weightUnasked), [runs, asked])
  const drawn = Math.min(most, runsWithin(runs, Math.min(done, runs.length), weightAtOnce))
  useEffect(() => {
    if (drawn === done || drawn === most) return
    // A task of its own: what the person does comes between.
    const timer = setTimeout(() => setDone(drawn))
    return () => clearTimeout(timer)
  }, [drawn, done, most])
  return { drawn, isAll: drawn < most || most === runs.length }
}

const nothing: Grown = { text: '', blocks: [], runs: [], facts: noMarkdownFacts }

/** What did not change since the last text stays the same object. */
function useGrown(text: string): Grown {
  const last = useRef(nothing)
  return useMemo(() => {
    const grew = text.startsWith(last.current.text)
    const blocks = growBlocks(grew ? last.current.blocks : [], text)
    const runs = growRuns(last.current.runs, blocks)
    last.current = { text, blocks, runs, facts: markdownFactsOf(runs, last.current.facts) }
    return last.current
  }, [text])
}

function copyWithTex(event: ClipboardEvent): void {
  const text = selectedTex(getSelection())
  if (text === undefined) return
  event.clipboardData.setData('text/plain', text)
  event.preventDefault()
}

export function Markdown({ text, streaming = false }: { readonly text: string; readonly streaming?: boolean }) {
  const [asked, setAsked] = useState(1)
  const beginning = leadingLines(text, asked)
  const { runs, facts } = useGrown(beginning)
  const { drawn, isAll } = useDrawn(runs, asked)
  const prefix = useId()
  const renderNotes = useCallback((nodes: readonly Node[]) => renderAll(nodes, { prefix, facts }), [prefix, facts])
  return (
    <div className={streaming ? 'prose streaming' : 'prose'} onCopy={copyWithTex}>
      {runs.slice(0, drawn).map((run) => (
        <RunView
          key={run[0]?.start ?? 0}
          run={run}
          prefix={prefix}
          facts={needsMarkdownFacts(run) ? facts : noMarkdownFacts}
          streaming={streaming && run === runs.at(-1)}
        />
      ))}
      {!(isAll && beginning.length === text.length) && (
        <p>
          <Button size="sm" onClick={() => setAsked(asked + 1)}>
            {t`Show more of this long text`}
          </Button>
        </p>
      )}
      <Footnotes facts={facts} prefix={prefix} render={renderNotes} />
    </div>
  )
}
