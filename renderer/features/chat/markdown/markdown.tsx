// Markdown that may still be growing: split into blocks, each parsed and rendered once it is there. Only the last
// blocks render again while text streams in.
import { type ClipboardEvent, memo, useCallback, useId, useMemo, useRef } from 'react'
import { selectedTex } from '../math/copy-formulas.ts'
import { type Block, growBlocks, readFence } from './blocks.ts'
import { type Facts, factsOf, noFacts, usesFacts } from './facts.ts'
import { Footnotes } from './footnotes.tsx'
import { parseMarkdown } from './parser.ts'
import { Fence, renderAll, renderTokens } from './render.tsx'
import { growRuns, type Run } from './runs.ts'
import type { Node } from './tree.ts'

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
  return renderTokens(parseMarkdown(block.text, facts.labels), { prefix, facts })
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
  const { runs, facts } = useGrown(text)
  const prefix = useId()
  const renderNotes = useCallback((nodes: readonly Node[]) => renderAll(nodes, { prefix, facts }), [prefix, facts])
  return (
    <div className={streaming ? 'prose streaming' : 'prose'} onCopy={copyWithTex}>
      {runs.map((run) => (
        <RunView
          key={run[0]?.start ?? 0}
          run={run}
          prefix={prefix}
          facts={usesFacts(run) ? facts : noFacts}
          streaming={streaming && run === runs.at(-1)}
        />
      ))}
      <Footnotes facts={facts} prefix={prefix} render={renderNotes} />
    </div>
  )
}
