// Shows one content of a resource, formatted and raw. Nothing in it is fetched, followed or run: Markdown goes through the chat's
// own renderer. Bytes are classified by `blob.mimeType`, which the host detected; texts by the server's MIME type and the URI.
import { lazy, Suspense, useMemo, useRef, useState } from 'react'
import type { BlobRef } from '#app/blob.ts'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json, type JsonObject, ownMember } from '#app/json.ts'
import { parseJson } from '#app/or-else.ts'
import type { ShownContent } from '#app/server/library-listing.ts'
import { formatBytes } from '#app/text/format-text.ts'
import { Markdown } from '#renderer/features/chat/markdown/markdown.tsx'
import { LongText } from '#renderer/features/consent/tool-call/argument-list.tsx'
import { CopyButton, IconButton } from '#renderer/ui/button.tsx'
import { Segmented } from '#renderer/ui/field.tsx'
import { Spinner } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { LongBox, VisibleText } from '#renderer/ui/visible-text.tsx'
import { CodeBlock } from '../code/code-block.tsx'
import { BlobView, SaveBlob, useBytes } from './blob-view.tsx'
import { DataTable } from './data-table.tsx'
import { asTable, readTable } from './read-table.ts'
import { ValueTree } from './value-tree.tsx'
import './preview.css'
import { useScaledRows } from '#renderer/ui/lib/use-visible-rows.ts'

/** Structured content: lists of flat objects as tables, all else as a tree; a button shows the JSON. */
export function StructuredView({ value }: { readonly value: Json }) {
  const [raw, setRaw] = useState(false)
  const json = (): string => JSON.stringify(value, null, 2)
  const isScalar = typeof value !== 'object' || value === null
  return (
    <div className="structured">
      {!isScalar && (
        <span className="code-tools">
          <IconButton label={t`Show as JSON`} icon="text" small aria-pressed={raw} onClick={() => setRaw(!raw)} />
          <CopyButton text={json} label={t`Copy as JSON`} />
        </span>
      )}
      {raw || isScalar ? <CodeBlock code={json()} language="json" /> : <Formatted value={value} />}
    </div>
  )
}

function Formatted({ value }: { readonly value: Json }) {
  const table = asTable(value)
  if (table) return <DataTable table={table} />
  if (isJsonObject(value) && Object.values(value).some((item) => asTable(item))) return <Members value={value} />
  return <ValueTree value={value} label={t`Result`} />
}

/** Shows members that are tables under their names, and all others as one tree. */
function Members({ value }: { readonly value: JsonObject }) {
  const entries = Object.entries(value).map(([name, item]) => ({ name, item, table: asTable(item) }))
  const others = Object.fromEntries(entries.flatMap(({ name, item, table }) => (table ? [] : [[name, item]])))
  return (
    <>
      {Object.keys(others).length > 0 && <ValueTree value={others} label={t`Result`} />}
      {entries.map(
        ({ name, table }) =>
          table && (
            <div key={name} className="sec">
              <VisibleText className="label mono" text={name} />
              <DataTable table={table} />
            </div>
          ),
      )}
    </>
  )
}

const byType: Readonly<Record<string, string>> = {
  'application/json': 'json',
  'application/xml': 'xml',
  'application/yaml': 'yaml',
  'application/x-yaml': 'yaml',
  'application/javascript': 'js',
  'application/sql': 'sql',
  'application/x-sh': 'sh',
  'application/graphql': 'graphql',
}

const essenceOf = (mimeType: string): string => (mimeType.split(';')[0] ?? '').trim().toLowerCase()
const extensionOf = (uri: string): string => /\.([a-z0-9+#]{1,10})$/i.exec(uri.split(/[?#]/)[0] ?? '')?.[1]?.toLowerCase() ?? ''
const isPlain = (type: string): boolean => type === '' || type === 'text/plain'

/** Language of a MIME type, or of the URI's extension where the type is plain text; '' for neither. */
export function languageOf(mimeType: string, uri: string): string {
  const type = essenceOf(mimeType)
  if (isPlain(type)) return extensionOf(uri)
  const suffix = /\+(json|xml|yaml)$/.exec(type)?.[1]
  return ownMember(byType, type) ?? suffix ?? /^text\/(?:x-)?([a-z0-9+#-]+)$/.exec(type)?.[1] ?? ''
}

export function ResourceText({ text, mimeType, uri }: { readonly text: string; readonly mimeType: string; readonly uri: string }) {
  const language = languageOf(mimeType, uri)
  return language === '' || language === 'txt' ? (
    <LongBox text={text} label={t`Resource`} />
  ) : (
    <div className="bounded-code">
      <CodeBlock code={text} language={language} />
    </div>
  )
}

type PreviewKind =
  | { readonly kind: 'empty' | 'text' | 'markdown' | 'json' | 'image' | 'audio' | 'pdf' | 'bytes' }
  | { readonly kind: 'table'; readonly separator: ',' | '\t' }
  | { readonly kind: 'code'; readonly language: string }

/** Limit of characters that are formatted or coloured; more would block the page. */
const mostFormatted = 400_000

export function previewKind({ text, blob, mimeType = '', uri }: ShownContent): PreviewKind {
  if (blob.bytes === 0) return { kind: 'empty' }
  if (text === undefined) return { kind: bytesKind(blob.mimeType) }
  if (text.length > mostFormatted) return { kind: 'text' }
  const type = essenceOf(mimeType)
  const extension = isPlain(type) ? extensionOf(uri) : ''
  if (type === 'text/markdown' || type === 'text/x-markdown' || extension === 'md' || extension === 'markdown') return { kind: 'markdown' }
  if (type === 'text/csv' || extension === 'csv') return { kind: 'table', separator: ',' }
  if (type === 'text/tab-separated-values' || extension === 'tsv') return { kind: 'table', separator: '\t' }
  const language = languageOf(mimeType, uri)
  if (language === 'json') return { kind: 'json' }
  return language === '' || language === 'txt' ? { kind: 'text' } : { kind: 'code', language }
}

function bytesKind(type: string): 'image' | 'audio' | 'pdf' | 'bytes' {
  if (type.startsWith('image/')) return 'image'
  if (type.startsWith('audio/')) return 'audio'
  return type === 'application/pdf' ? 'pdf' : 'bytes'
}

const bytesPerRow = 16

export const hexText = (value: number): string => value.toString(16).padStart(8, '0')

/** Formats one row of a hex dump: its offset, its bytes, and its ASCII letters with dots for all else. */
export function hexRow(bytes: Uint8Array, row: number) {
  const start = row * bytesPerRow
  const part = [...bytes.subarray(start, start + bytesPerRow)]
  const pairs = part.map((byte) => byte.toString(16).padStart(2, '0'))
  const half = bytesPerRow / 2
  return {
    at: hexText(start),
    hex: [pairs.slice(0, half).join(' '), pairs.slice(half).join(' ')].filter(Boolean).join('  '),
    letters: part.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·')).join(''),
  }
}

const rowHeight = 20
/** Limit of shown bytes; browsers cannot scroll through more rows. */
const mostBytes = 16_000_000

/** Hex dump of bytes that the page cannot draw. Only rows in sight are in the page. */
function HexView({ blob }: { readonly blob: BlobRef }) {
  const state = useBytes(blob)
  if (state.kind === 'loading') return <Spinner label={t`Loading…`} />
  if (state.kind === 'gone') return <p className="help">{t`No longer kept. Read it again.`}</p>
  return <HexRows bytes={state.bytes.subarray(0, mostBytes)} whole={state.bytes.length} />
}

function HexRows({ bytes, whole }: { readonly bytes: Uint8Array; readonly whole: number }) {
  const box = useRef<HTMLDivElement>(null)
  const virtualizer = useScaledRows({
    count: Math.ceil(bytes.length / bytesPerRow),
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 10,
    initialRect: { width: 600, height: 420 },
  })
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be in reach of the keyboard */}
      <section ref={box} className="hex" tabIndex={0} aria-label={t`Bytes`}>
        <div style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const { at, hex, letters } = hexRow(bytes, index)
            return (
              <div key={index} className="hex-row" style={{ transform: `translateY(${start}px)` }}>
                <span className="faint">{at}</span>
                <span className="hex-bytes">{hex}</span>
                <span>{letters}</span>
              </div>
            )
          })}
        </div>
      </section>
      {whole > bytes.length && <p className="help">{tx`The beginning of ${formatBytes(whole)}. Save it to see all.`}</p>}
    </>
  )
}

const PdfView = lazy(() => import('./pdf-view.tsx').then(({ PdfView: view }) => ({ default: view })))

/** Limit of characters that are drawn raw; a saved copy has the rest. */
const mostDrawn = 200_000

interface ContentViewProps {
  readonly content: ShownContent
  readonly name: string
}

export function ContentView({ content, name }: ContentViewProps) {
  const [raw, setRaw] = useState(false)
  const { text, blob, cut } = content
  const kind = useMemo(() => previewKind(content), [content])
  const formatted = useMemo(() => (text === undefined ? undefined : <FormattedText text={text} kind={kind} />), [text, kind])
  if (kind.kind === 'empty') return <p className="help">{t`It is empty.`}</p>
  const canChoose = kind.kind === 'markdown' || kind.kind === 'table' || kind.kind === 'json'
  return (
    <div className="content-view">
      <div className="row wrap">
        {canChoose && (
          <Segmented
            label={t`View`}
            value={raw ? 'raw' : 'formatted'}
            onChange={(next) => setRaw(next === 'raw')}
            choices={[
              { value: 'formatted', label: formattedLabel[kind.kind] },
              { value: 'raw', label: t`Text` },
            ]}
          />
        )}
        <span className="grow" />
        {kind.kind !== 'image' && kind.kind !== 'audio' && <SaveBlob blob={blob} name={name} what={t`A copy`} />}
      </div>
      {text === undefined ? <BytesView content={content} kind={kind} name={name} /> : raw ? <PlainText text={text} /> : formatted}
      {cut && <p className="help">{tx`The beginning of ${formatBytes(blob.bytes)}. Save it to see all.`}</p>}
    </div>
  )
}

const formattedLabel = { markdown: t`Formatted`, table: t`Table`, json: t`Tree` } as const

function BytesView({ content: { blob, mimeType }, kind, name }: ContentViewProps & { readonly kind: PreviewKind }) {
  if (kind.kind === 'image' || kind.kind === 'audio') return <BlobView blob={blob} name={name} what={t`Resource`} />
  if (kind.kind === 'pdf')
    return (
      <Suspense fallback={<Spinner label={t`Loading…`} />}>
        <PdfView blob={blob} />
      </Suspense>
    )
  return (
    <>
      {mimeType?.startsWith('image/') && <p className="help">{tx`Not an image that can be shown: ${mimeType}.`}</p>}
      <HexView blob={blob} />
    </>
  )
}

function FormattedText({ text, kind }: { readonly text: string; readonly kind: PreviewKind }) {
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
      {text.length > mostDrawn && <p className="help">{t`The beginning.`}</p>}
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
      {rows > table.rows.length && <p className="help">{t`${formatNumber(table.rows.length)} of ${formatNumber(rows)}`}</p>}
    </>
  )
}

function JsonText({ text }: { readonly text: string }) {
  const value = parseJson(text) as Json | undefined
  return value === undefined ? <CodeBlock code={text} language="json" /> : <StructuredView value={value} />
}
