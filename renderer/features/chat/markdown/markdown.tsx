// Markdown that may still be growing: split into blocks, each parsed and rendered once it is there. Only the last
// blocks render again while text streams in.
import { type ClipboardEvent, memo, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react'
import { t } from '#app/words/translate.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { selectedTex } from '../math/copy-formulas.ts'
import { type Block, growBlocks, readFence } from './blocks.ts'
import { type Facts, factsOf, noFacts, usesFacts } from './facts.ts'
import { Footnotes } from './footnotes.tsx'
import { parseMarkdown } from './parser.ts'
import { beginningOf, cellsOf, mostLevels, mostTokens } from './pieces.ts'
import { Fence, renderAll, renderTokens } from './render.tsx'
import { growRuns, type Run, runsWithin } from './runs.ts'
import { type Node, sizeOfTokens } from './tree.ts'

interface PlaceProps {
  readonly prefix: string
  /** `noFacts` where nothing of it is used, so that it is not rendered again when they change. */
  readonly facts: Facts
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
    const { levels, count } = sizeOfTokens(tokens)
    if (levels <= mostLevels && count <= mostTokens) return renderTokens(tokens, { prefix, facts })
  }
  return (
    <p>
      <Revealed text={block.text} />
    </p>
  )
})

const RunView = memo(function RunView({ run, streaming, facts, prefix }: PlaceProps & { readonly run: Run }) {
  return (
    <div className="prose-run">
      {run.map((block) => (
        <BlockView key={block.start} block={block} prefix={prefix} facts={facts} streaming={streaming && block === run.at(-1)} />
      ))}
    </div>
  )
})

interface Grown {
  readonly text: string
  readonly blocks: readonly Block[]
  readonly runs: readonly Run[]
  readonly facts: Facts
}

/** What is drawn in one task, and in all before the person asks for more; in about as many nodes. */
const weightAtOnce = 700
const weightUnasked = 24_000

/**
 * How many of the runs are drawn now. The next ones follow in a task of their own, as far as nobody has to ask for them; what
 * streams in is no more than that, and drawn at once.
 */
function useDrawn(runs: readonly Run[], asked: number): { readonly drawn: number; readonly isAll: boolean } {
  const [done, setDone] = useState(0)
  const most = useMemo(() => runsWithin(runs, 0, asked * weightUnasked), [runs, asked])
  const drawn = Math.min(most, runsWithin(runs, Math.min(done, runs.length), weightAtOnce))
  useEffect(() => {
    if (drawn === done) return
    // A task of its own: what the person does comes between.
    const timer = setTimeout(() => setDone(drawn))
    return () => clearTimeout(timer)
  }, [drawn, done])
  return { drawn, isAll: drawn < most || most === runs.length }
}

const nothing: Grown = { text: '', blocks: [], runs: [], facts: noFacts }

/** What did not change since the last text stays the same object. */
function useGrown(text: string): Grown {
  const last = useRef(nothing)
  return useMemo(() => {
    const grew = text.startsWith(last.current.text)
    const blocks = growBlocks(grew ? last.current.blocks : [], text)
    const runs = growRuns(last.current.runs, blocks)
    last.current = { text, blocks, runs, facts: factsOf(runs, last.current.facts) }
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
  const beginning = beginningOf(text, asked)
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
          facts={usesFacts(run) ? facts : noFacts}
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
