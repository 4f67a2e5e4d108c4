// What a tool gave back. Text is text; bytes come from the host's own store by their hash; links of resources are named
// and not followed before the person says so. Structured content is a table or a tree.
import { canonicalJson } from '#app/canonical-json.ts'
import type { ResultBlock, ToolResult } from '#app/chat/content.ts'
import type { Json } from '#app/json.ts'
import { t } from '#app/words/translate.ts'
import { LongBox } from '#renderer/ui/long-text.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { BlobView, SaveBlob } from './blob-view.tsx'
import { blockNotes } from './block-notes.ts'
import { ResourceLink } from './resource-link.tsx'
import { ResourceText } from './resource-text.tsx'
import { StructuredView } from './structured-view.tsx'

/** The text that a server sends for readers that know no structured content (MCP, "Structured Content"). */
export function repeats(block: ResultBlock, structured: Json | undefined): boolean {
  if (block.type !== 'text' || structured === undefined || block.whole) return false
  try {
    return canonicalJson(JSON.parse(block.text) as Json) === canonicalJson(structured)
  } catch {
    return false // it is no JSON, so it says something else
  }
}

/** `server`: the one whose tool it was. */
export function ResultView({ result, server }: { readonly result: ToolResult; readonly server?: string | undefined }) {
  const { structuredContent } = result
  const blocks = result.content.filter((block) => !repeats(block, structuredContent))
  const empty = result.content.length === 0 && structuredContent === undefined
  return (
    <div className="stack tight">
      {empty && <p className="help">{t`It gave back nothing.`}</p>}
      {blocks.map((block, index) => (
        <BlockView key={String(index)} block={block} server={server} />
      ))}
      {structuredContent !== undefined && <StructuredView value={structuredContent} />}
      {blocks.length < result.content.length && <p className="help">{t`It gave back the same as text, for the model.`}</p>}
      {result.more && (
        <div className="sec">
          <span className="label">{t`What came with it`}</span>
          <LongBox text={JSON.stringify(result.more, null, 2)} label={t`what came with the result`} />
        </div>
      )}
    </div>
  )
}

interface BlockProps<Block> {
  readonly block: Block
  readonly server: string | undefined
}

function BlockView({ block, server }: BlockProps<ResultBlock>) {
  const notes = block.type === 'unknown' ? [] : blockNotes(block)
  return (
    <>
      <Content block={block} server={server} />
      {notes.length > 0 && (
        <p className="help">
          <Revealed text={notes.join(' · ')} />
        </p>
      )}
    </>
  )
}

function Content({ block, server }: BlockProps<ResultBlock>) {
  switch (block.type) {
    case 'text':
      return (
        <>
          <LongBox text={block.text} label={t`result`} />
          {block.whole && (
            <p className="help">
              {t`This is the beginning.`} <SaveBlob blob={block.whole} name="result" what={t`The whole`} />
            </p>
          )}
        </>
      )
    case 'image':
      return <BlobView blob={block.blob} name="image" what={t`Image`} />
    case 'audio':
      return <BlobView blob={block.blob} name="sound" what={t`Sound`} />
    case 'resource':
      return (
        <>
          <p className="help mono">
            <Revealed text={block.uri} />
          </p>
          {block.text !== undefined && <ResourceText text={block.text} mimeType={block.mimeType ?? ''} uri={block.uri} />}
          {block.blob && <BlobView blob={block.blob} name={block.uri} what={t`File`} />}
        </>
      )
    case 'resource-link':
      return <ResourceLink link={block} server={server} />
    case 'unknown':
      return <LongBox text={JSON.stringify(block.value, null, 2)} label={t`content of a kind that Assent does not know`} />
  }
}
