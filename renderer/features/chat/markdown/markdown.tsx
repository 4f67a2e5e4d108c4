// Renders Markdown that may still be streaming: split into blocks, of which only the last ones render again. Known tokens become
// React elements, unknown ones their text. Nothing here makes the browser fetch anything: images are named, not loaded, and links
// open only after the person has read their target.

import {
  type ClipboardEvent,
  createContext,
  Fragment,
  memo,
  type ReactNode,
  use,
  useCallback,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'
import { t } from '#app/i18n/translate.ts'
import { SmallButton } from '#renderer/ui/button.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { useInTurn, useLatestInTurn } from '#renderer/ui/lib/in-turn.ts'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { CodeBlock } from '../code/code-block.tsx'
import { Diagram, isDiagram } from '../diagram/diagram.tsx'
import { Formula, selectedTex } from '../math/formula.tsx'
import {
  type Block,
  type BlockRun,
  cellsOf,
  growBlocks,
  growRuns,
  leadingLines,
  longestUnasked,
  mostLevels,
  mostTokens,
  type ReadFence,
  readFence,
  runsWithin,
} from './block-pieces.ts'
import { type MarkdownFacts, markdownFactsOf, needsMarkdownFacts, noMarkdownFacts } from './document-facts.ts'
import { ExternalLink } from './external-link.tsx'
import { FootnoteMark, Footnotes, type MarkdownNode, sizeOfTokens, toTree } from './footnotes.tsx'
import { inlineNoteOf, parseMarkdown, type Token } from './parser.ts'
import { weakMemo } from './weak-memo.ts'

interface RenderContext {
  readonly prefix: string
  readonly facts: MarkdownFacts
}

const renderAll = (nodes: readonly MarkdownNode[], context: RenderContext): ReactNode =>
  // Indexes are stable keys: a block is always parsed as a whole.
  nodes.map((node, index) => <Fragment key={String(index)}>{renderNode(node, context)}</Fragment>)

const attribute = (token: Token, name: string): string => String(token.attrGet(name) ?? '')

const plainTags: Readonly<Record<string, 'strong' | 'em' | 's' | 'thead' | 'tbody' | 'tr'>> = {
  strong_open: 'strong',
  em_open: 'em',
  s_open: 's',
  thead_open: 'thead',
  tbody_open: 'tbody',
  tr_open: 'tr',
}

function renderNode(node: MarkdownNode, context: RenderContext): ReactNode {
  const { token } = node
  if (token.type === 'list_item_open') return renderItem(node, context)
  const children = renderAll(node.children, context)
  const PlainTag = plainTags[token.type]
  if (PlainTag) return <PlainTag>{children}</PlainTag>
  switch (token.type) {
    case 'inline':
      return children
    case 'softbreak':
      return '\n'
    case 'hardbreak':
      return <br />
    case 'paragraph_open':
      return token.hidden ? children : <p>{children}</p>
    case 'heading_open':
      return renderHeading(token.tag, context.facts.topHeading, children)
    case 'code_inline':
      return <VisibleText as="code" text={token.content} />
    case 'link_open':
      return <ExternalLink target={attribute(token, 'href')}>{children}</ExternalLink>
    case 'image':
      return (
        <span className="image-name">
          <Icon name="image" small />
          <VisibleText as="span" text={token.content || t`image`} /> <VisibleText className="mono faint" text={attribute(token, 'src')} />
        </span>
      )
    case 'fence':
    case 'code_block':
      return <Fence code={token.content.replace(/\n$/, '')} language={token.info.trim().split(/\s+/)[0] ?? ''} growing={false} />
    case 'bullet_list_open':
      return <ul dir="auto">{children}</ul>
    case 'ordered_list_open':
      return (
        <ol dir="auto" start={Number(token.attrGet('start') ?? 1)}>
          {children}
        </ol>
      )
    case 'blockquote_open':
      return <blockquote dir="auto">{children}</blockquote>
    case 'hr':
      return <hr />
    case 'table_open':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, which the keyboard must reach
        <div className="tbl-scroll" tabIndex={0}>
          <table className="tbl" dir="auto">
            {children}
          </table>
        </div>
      )
    case 'th_open':
      return <th className={alignment(token)}>{children}</th>
    case 'td_open':
      return <td className={alignment(token)}>{children}</td>
    case 'math_inline':
    case 'math_block':
      return <Formula tex={token.content} display={token.meta?.display === true} written={token.markup} />
    case 'footnote_ref':
      return renderFootnoteMark(String(token.meta?.label), context)
    case 'footnote_reference_open':
      // A numbered note stands below the message.
      return context.facts.unnumbered.has(String(token.meta?.label)) ? (
        <>
          <VisibleText text={`[^${String(token.meta?.label)}]:`} /> {children}
        </>
      ) : null
    default:
      return <VisibleText text={token.content} />
  }
}

interface FenceProps {
  readonly code: string
  readonly language: string
  readonly growing: boolean
  readonly children?: ReactNode
}

function Fence({ code, language, growing, children }: FenceProps) {
  return isDiagram(language) && !growing ? (
    <Diagram source={code}>{children}</Diagram>
  ) : (
    <CodeBlock code={code} language={language} growing={growing}>
      {children}
    </CodeBlock>
  )
}

export interface TopFence extends ReadFence {
  /** Place in the Markdown, in UTF-16 units. */
  readonly start: number
  readonly growing: boolean
}

/** Draws fences of the top level: in place of the code (`instead`), or with more tools in its bar. Must be the same object for as long as it can. */
export const FenceDrawer = createContext<
  ((fence: TopFence) => { readonly instead?: ReactNode; readonly tools?: ReactNode } | undefined) | undefined
>(undefined)

function TopFenceView({ block, streaming }: { readonly block: Block; readonly streaming: boolean }) {
  const fence = readFence(block.text)
  const growing = streaming && !fence.closed
  const drawn = use(FenceDrawer)?.({ ...fence, start: block.start, growing })
  return (
    drawn?.instead ?? (
      <Fence code={fence.code} language={fence.language} growing={growing}>
        {drawn?.tools}
      </Fence>
    )
  )
}

/** Class of a cell's alignment, which markdown-it gives as a style attribute. */
const alignment = (token: Token): string | undefined => {
  const style = attribute(token, 'style')
  return style.includes('right') ? 'r' : style.includes('center') ? 'c' : undefined
}

/** Headings of a message are below the page's own: the largest is an h2, the smallest an h4. */
function renderHeading(tag: string, top: number, children: ReactNode): ReactNode {
  const size = Number(tag.slice(1))
  const Tag = (['h2', 'h3', 'h4'] as const)[Math.min(2, Math.max(0, size - top))] ?? 'h4'
  return (
    <Tag className={`md-${Math.min(3, size)}`} dir="auto">
      {children}
    </Tag>
  )
}

const numbersOf = weakMemo((labels: readonly string[]) => new Map(labels.map((label, index) => [label, index + 1])))

function renderFootnoteMark(label: string, { facts, prefix }: RenderContext): ReactNode {
  const number = numbersOf(facts.labels).get(label)
  if (number !== undefined) return <FootnoteMark number={number} prefix={prefix} />
  return <VisibleText text={inlineNoteOf(label) === undefined ? `[^${label}]` : label} />
}

const taskMark = /^\[([ xX])\]\s/

function renderItem({ children }: MarkdownNode, context: RenderContext): ReactNode {
  const text = firstText(children)
  const task = text && taskMark.exec(text.token.content)
  if (!task) return <li>{renderAll(children, context)}</li>
  const done = task[1] !== ' '
  return (
    <li className="task">
      <span className={done ? 'tick done' : 'tick'} role="img" aria-label={done ? t`done` : t`to do`}>
        <Icon name="check" />
      </span>
      <span>{renderAll(withoutTaskMark(children, text), context)}</span>
    </li>
  )
}

function firstText(nodes: readonly MarkdownNode[]): MarkdownNode | undefined {
  const [first] = nodes
  if (!first || first.token.type === 'text') return first
  return first.token.type === 'paragraph_open' || first.token.type === 'inline' ? firstText(first.children) : undefined
}

const withoutTaskMark = (nodes: readonly MarkdownNode[], text: MarkdownNode): readonly MarkdownNode[] =>
  nodes.map((node, index) => {
    if (index > 0) return node
    if (node !== text) return { ...node, children: withoutTaskMark(node.children, text) }
    const token = Object.assign(Object.create(Object.getPrototypeOf(node.token)) as Token, node.token)
    token.content = token.content.replace(taskMark, '')
    return { ...node, token }
  })

/** `facts` are `noMarkdownFacts` for blocks that use none, so that they do not render again. */
type BlockProps = RenderContext & {
  readonly streaming: boolean
}

const BlockView = memo(function BlockView({ block, streaming, facts, prefix }: BlockProps & { readonly block: Block }) {
  if (block.kind === 'fence') return <TopFenceView block={block} streaming={streaming} />
  if (cellsOf(block.text) <= mostTokens / 3) {
    const tokens = parseMarkdown(block.text, facts.labels)
    if (block.text.length <= alwaysDrawn || isDrawable(tokens)) return renderAll(toTree(tokens), { prefix, facts })
  }
  return <VisibleText as="p" text={block.text} />
})

const RunView = memo(function RunView({ run, streaming, facts: latest, prefix }: BlockProps & { readonly run: BlockRun }) {
  // A footnote or heading that comes late changes many runs.
  const facts = useLatestInTurn(latest)
  return (
    <div className="prose-run">
      {run.map((block) => (
        <BlockView key={block.start} block={block} prefix={prefix} facts={facts} streaming={streaming && block === run.at(-1)} />
      ))}
    </div>
  )
})

/** Length of a block in UTF-16 units up to which no shape is too large. */
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

/** Limits of what is read (UTF-16 units) and drawn (weight, about as many nodes) in one task; of the first one less, which opens a page. */
const readAtOnce = (done: number): number => (done === 0 ? 4000 : 20_000)
const weightAtOnce = (done: number): number => (done === 0 ? 250 : 700)
/** Weight of all that is drawn before the person asks for more. */
const weightUnasked = 24_000

const nothing: Grown = { text: '', blocks: [], runs: [], facts: noMarkdownFacts }

/** Keeps blocks and runs that did not change since the last text as the same objects. */
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
  const wanted = useMemo(() => leadingLines(text, longestUnasked * asked), [text, asked])
  const read = useInTurn(wanted.length, (done) => done + readAtOnce(done))
  const { runs, facts } = useGrown(useMemo(() => leadingLines(wanted, read), [wanted, read]))
  const most = useMemo(() => runsWithin(runs, 0, asked * weightUnasked), [runs, asked])
  const drawn = useInTurn(most, (done) => runsWithin(runs, done, weightAtOnce(done)))
  const isMore = drawn === most && (most < runs.length || (read === wanted.length && wanted.length < text.length))
  const prefix = useId()
  const renderNotes = useCallback((nodes: readonly MarkdownNode[]) => renderAll(nodes, { prefix, facts }), [prefix, facts])
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
      {isMore && (
        <p>
          <SmallButton onClick={() => setAsked(asked + 1)}>{t`Show more of this long text`}</SmallButton>
        </p>
      )}
      <Footnotes facts={facts} prefix={prefix} render={renderNotes} />
    </div>
  )
}
