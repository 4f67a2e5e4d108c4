// What a tool gave back. Text is text; images come from the host's own store by their hash; links of resources are
// named and never followed. Structured content is a table where it is one, else JSON.
import type { BlobRef, ResultBlock, ToolResult } from '#app/chat/content.ts'
import { formatBytes } from '#app/text.ts'
import { LongText } from '#renderer/features/consent/argument-list.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { blockNotes } from './block-notes.ts'
import { StructuredView } from './structured-view.tsx'

const blobUrl = (blob: BlobRef): string => `/blob/${blob.sha256}`

/** Formats that a browser draws without running anything; SVG is not among them. */
const drawable = /^image\/(?:png|jpeg|gif|webp|avif|bmp)$/

export function ResultView({ result }: { readonly result: ToolResult }) {
  const empty = result.content.length === 0 && result.structuredContent === undefined
  return (
    <div className="stack tight">
      {empty && <p className="help">It gave back nothing.</p>}
      {result.content.map((block, index) => (
        <BlockView key={String(index)} block={block} />
      ))}
      {result.structuredContent !== undefined && <StructuredView value={result.structuredContent} />}
      {result.more && (
        <div className="sec">
          <span className="label">What came with it</span>
          <LongText text={JSON.stringify(result.more, null, 2)} label="what came with the result" />
        </div>
      )}
    </div>
  )
}

function BlockView({ block }: { readonly block: ResultBlock }) {
  const notes = block.type === 'unknown' ? [] : blockNotes(block)
  return (
    <>
      <Content block={block} />
      {notes.length > 0 && (
        <p className="help">
          <Revealed text={notes.join(' · ')} />
        </p>
      )}
    </>
  )
}

function Content({ block }: { readonly block: ResultBlock }) {
  switch (block.type) {
    case 'text':
      return (
        <>
          <LongText text={block.text} label="result" />
          {block.whole && (
            <p className="help">
              This is the beginning. <Download blob={block.whole} label="The whole" />
            </p>
          )}
        </>
      )
    case 'image':
      return drawable.test(block.blob.mimeType) ? (
        <img className="result-image" src={blobUrl(block.blob)} alt={`Result, ${block.blob.mimeType}, ${formatBytes(block.blob.bytes)}`} />
      ) : (
        <Download blob={block.blob} label="Image" />
      )
    case 'audio':
      // biome-ignore lint/a11y/useMediaCaption: a tool's sound comes without a transcript
      return <audio controls preload="none" src={blobUrl(block.blob)} />
    case 'resource':
      return (
        <>
          <p className="help mono">
            <Revealed text={block.uri} />
          </p>
          {block.text !== undefined && <LongText text={block.text} label="resource" />}
          {block.blob && <Download blob={block.blob} label="File" />}
        </>
      )
    case 'resource-link':
      return (
        <p>
          <Revealed text={block.title ?? block.name} />{' '}
          <span className="mono faint">
            <Revealed text={block.uri} />
          </span>
        </p>
      )
    case 'unknown':
      return <LongText text={JSON.stringify(block.value, null, 2)} label="content of a kind that Assent does not know" />
  }
}

function Download({ blob, label }: { readonly blob: BlobRef; readonly label: string }) {
  return (
    <a className="link" href={blobUrl(blob)} download>
      {label}, {blob.mimeType}, {formatBytes(blob.bytes)}
    </a>
  )
}
