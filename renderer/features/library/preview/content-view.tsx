// One content of a resource, in the form that reads best, and as it is. Nothing in it is fetched, followed or run: Markdown goes
// through the chat's own renderer, which draws no picture from elsewhere and opens no link by itself.
import { numberWords } from '#app/words/formats.ts'
import { t } from '#app/words/translate.ts'
import { tx } from '#renderer/ui/translate.ts'
import '../library.css'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { Json } from '#app/json.ts'
import type { ShownContent } from '#app/server/shelf.ts'
import { formatBytes } from '#app/text.ts'
import { CodeBlock } from '#renderer/features/chat/code/code-block.tsx'
import { Markdown } from '#renderer/features/chat/markdown/markdown.tsx'
import { BlobView, SaveBlob } from '#renderer/features/chat/results/blob-view.tsx'
import { DataTable } from '#renderer/features/chat/results/data-table.tsx'
import { StructuredView } from '#renderer/features/chat/results/structured-view.tsx'
import { LongText } from '#renderer/features/consent/argument-list.tsx'
import { Segmented } from '#renderer/ui/choices.tsx'
import { Spinner } from '#renderer/ui/marks.tsx'
import { HexView } from './hex-view.tsx'
import { type PreviewKind, previewKind } from './preview-kind.ts'
import { readTable } from './read-table.ts'

const PdfView = lazy(() => import('./pdf-view.tsx').then(({ PdfView: view }) => ({ default: view })))

/** Characters that are drawn as they are; the rest is in the file that is saved. */
const mostDrawn = 200_000

interface ContentViewProps {
  readonly content: ShownContent
  /** For a file of it. */
  readonly name: string
}

export function ContentView({ content, name }: ContentViewProps) {
  const [raw, setRaw] = useState(false)
  const { text, blob, cut } = content
  const kind = useMemo(() => previewKind(content), [content])
  const shaped = useMemo(() => (text === undefined ? undefined : <ShapedText text={text} kind={kind} />), [text, kind])
  if (kind.kind === 'empty') return <p className="help">{t`It is empty.`}</p>
  const canChoose = kind.kind === 'markdown' || kind.kind === 'table' || kind.kind === 'json'
  return (
    <div className="content-view">
      <div className="row wrap">
        {canChoose && (
          <Segmented
            label={t`How to show it`}
            value={raw ? 'raw' : 'shaped'}
            onChange={(next) => setRaw(next === 'raw')}
            choices={[
              { value: 'shaped', label: shapedLabel[kind.kind] },
              { value: 'raw', label: t`As it is` },
            ]}
          />
        )}
        <span className="grow" />
        {kind.kind !== 'image' && kind.kind !== 'audio' && <SaveBlob blob={blob} name={name} what={t`A copy`} />}
      </div>
      {text === undefined ? <BytesView content={content} kind={kind} name={name} /> : raw ? <PlainText text={text} /> : shaped}
      {cut && <p className="help">{tx`This is the beginning of ${formatBytes(blob.bytes)}. A saved copy has all of it.`}</p>}
    </div>
  )
}

const shapedLabel = { markdown: t`Formatted`, table: t`Table`, json: t`Tree` } as const

function BytesView({ content: { blob, mimeType }, kind, name }: ContentViewProps & { readonly kind: PreviewKind }) {
  if (kind.kind === 'image' || kind.kind === 'audio') return <BlobView blob={blob} name={name} what={t`Resource`} />
  if (kind.kind === 'pdf')
    return (
      <Suspense fallback={<Spinner label={t`Opening the PDF`} />}>
        <PdfView blob={blob} />
      </Suspense>
    )
  return (
    <>
      {mimeType?.startsWith('image/') && (
        <p className="help">{tx`The server calls it ${mimeType}; its bytes are no picture that is drawn here.`}</p>
      )}
      <HexView blob={blob} />
    </>
  )
}

function ShapedText({ text, kind }: { readonly text: string; readonly kind: PreviewKind }) {
  switch (kind.kind) {
    case 'markdown':
      return <Markdown text={text} />
    case 'table':
      return <TableText text={text} separator={kind.separator} />
    case 'json':
      return <JsonText text={text} />
    case 'code':
      return <CodeBlock code={text} language={kind.language} />
    default:
      return <PlainText text={text} />
  }
}

function PlainText({ text }: { readonly text: string }) {
  return (
    <>
      <LongText text={text.slice(0, mostDrawn)} label={t`Text`} />
      {text.length > mostDrawn && <p className="help">{tx`The first ${numberWords(mostDrawn)} characters. A saved copy has all of it.`}</p>}
    </>
  )
}

function TableText({ text, separator }: { readonly text: string; readonly separator: ',' | '\t' }) {
  const read = readTable(text, separator)
  if (!read) return <PlainText text={text} />
  const { table, rows } = read
  return (
    <>
      <DataTable table={table} numbered />
      {rows > table.rows.length && (
        <p className="help">{tx`${numberWords(table.rows.length)} of ${numberWords(rows)} rows. A saved copy has all of them.`}</p>
      )}
    </>
  )
}

function JsonText({ text }: { readonly text: string }) {
  const value = parsed(text)
  return value === undefined ? <CodeBlock code={text} language="json" /> : <StructuredView value={value} />
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    // Shown as it is, with its mistake.
    return undefined
  }
}
