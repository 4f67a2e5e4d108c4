// Markdown that may still be growing: split into blocks, each parsed and rendered once it is there. Only the last
// block renders again while text streams in.
import { memo, useMemo, useRef } from 'react'
import { type Block, growBlocks, readFence } from './blocks.ts'
import { CodeBlock } from './code-block.tsx'
import { parseMarkdown } from './parser.ts'
import { renderTokens } from './render.tsx'

const BlockView = memo(function BlockView({ block }: { readonly block: Block }) {
  if (block.kind === 'fence') {
    const { code, language } = readFence(block.text)
    return <CodeBlock code={code} language={language} />
  }
  return renderTokens(parseMarkdown(block.text))
})

/** Blocks of the text, those that did not change as the same objects as before. */
function useBlocks(text: string): readonly Block[] {
  const last = useRef<{ text: string; blocks: readonly Block[] }>({ text: '', blocks: [] })
  return useMemo(() => {
    const before = text.startsWith(last.current.text) ? last.current.blocks : []
    const blocks = growBlocks(before, text)
    last.current = { text, blocks }
    return blocks
  }, [text])
}

export function Markdown({ text, streaming }: { readonly text: string; readonly streaming?: boolean }) {
  const blocks = useBlocks(text)
  return (
    <div className={streaming ? 'prose streaming' : 'prose'}>
      {blocks.map((block) => (
        <BlockView key={block.start} block={block} />
      ))}
    </div>
  )
}
