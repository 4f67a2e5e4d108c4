// Markdown that may still be growing: split into blocks, each parsed and rendered once it is there. Only the last
// blocks render again while text streams in.
import { memo, useMemo, useRef } from 'react'
import { type Block, growBlocks, readFence } from './blocks.ts'
import { parseMarkdown } from './parser.ts'
import { Fence, renderTokens } from './render.tsx'
import { growRuns, type Run } from './runs.ts'

const BlockView = memo(function BlockView({ block, streaming }: { readonly block: Block; readonly streaming: boolean }) {
  if (block.kind === 'fence') {
    const { code, language, closed } = readFence(block.text)
    return <Fence code={code} language={language} growing={streaming && !closed} />
  }
  return renderTokens(parseMarkdown(block.text))
})

/** `streaming`: its last block may still grow. */
const RunView = memo(function RunView({ run, streaming }: { readonly run: Run; readonly streaming: boolean }) {
  return (
    <div className="prose-run">
      {run.map((block) => (
        <BlockView key={block.start} block={block} streaming={streaming && block === run.at(-1)} />
      ))}
    </div>
  )
})

interface Grown {
  readonly text: string
  readonly blocks: readonly Block[]
  readonly runs: readonly Run[]
}

/** What did not change since the last text stays the same object. */
function useRuns(text: string): readonly Run[] {
  const last = useRef<Grown>({ text: '', blocks: [], runs: [] })
  return useMemo(() => {
    const grew = text.startsWith(last.current.text)
    const blocks = growBlocks(grew ? last.current.blocks : [], text)
    const runs = growRuns(last.current.runs, blocks)
    last.current = { text, blocks, runs }
    return runs
  }, [text])
}

export function Markdown({ text, streaming = false }: { readonly text: string; readonly streaming?: boolean }) {
  const runs = useRuns(text)
  return (
    <div className={streaming ? 'prose streaming' : 'prose'}>
      {runs.map((run) => (
        <RunView key={run[0]?.start ?? 0} run={run} streaming={streaming && run === runs.at(-1)} />
      ))}
    </div>
  )
}
