// The result of a tool call. Bytes come from the host's store by their hash; structured content is a table or a tree. A resource
// link (MCP, "Resource links") is only named: a click shows its target, and only then is it read through its server or opened.

import { useState } from 'react'
import { canonicalToolJson } from '#app/canonical-json.ts'
import type { ResultBlock, ToolResult } from '#app/chat/content.ts'
import { t } from '#app/i18n/translate.ts'
import type { Json } from '#app/json.ts'
import { orElse } from '#app/or-else.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Icon, Spinner } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { useHostAnswer } from '#renderer/ui/lib/use-host-answer.ts'
import { ErrorNotice } from '#renderer/ui/notice.tsx'
import { addressParts, LongBox, ServerName, VisibleText, WebAddress } from '#renderer/ui/visible-text.tsx'
import { AddressButtons } from '../markdown/external-link.tsx'
import { BlobView, blockNotes, pictureOf, SaveBlob } from './blob-view.tsx'
import { ContentView, ResourceText, StructuredView } from './content-view.tsx'

type Link = Extract<ResultBlock, { type: 'resource-link' }>

function ResourceLink({ link, server }: { readonly link: Link; readonly server: string | undefined }) {
  const [open, setOpen] = useState(false)
  return (
    <p>
      <button type="button" className="link" title={link.uri} onClick={() => setOpen(true)}>
        <Icon name="file" small /> <VisibleText text={link.title ?? link.name} />
      </button>{' '}
      <VisibleText className="mono faint" text={link.uri} />
      {open && <LinkDialog link={link} server={server} onClose={() => setOpen(false)} />}
    </p>
  )
}

function LinkDialog({ link, server, onClose }: { readonly link: Link; readonly server: string | undefined; readonly onClose: () => void }) {
  /** Id of the latest reading; undefined: not read yet. */
  const [fetch, setFetch] = useState<string | undefined>(undefined)
  const read = useHostAnswer('library.read', server !== undefined && fetch !== undefined ? { fetch, server, uri: link.uri } : undefined)
  const address = addressParts(link.uri)
  const readLink = (): void => setFetch(crypto.randomUUID())
  const footer = (
    <>
      {server !== undefined && (
        <Button size="lg" disabled={read.loading} onClick={readLink}>
          {tx`Read it through ${<ServerName name={server} />}`}
        </Button>
      )}
      <AddressButtons url={link.uri} isWeb={address !== undefined} onClose={onClose} />
    </>
  )
  return (
    <Dialog onClose={onClose} title={<VisibleText text={link.title ?? link.name} />} footer={footer} width={760}>
      {address ? <WebAddress url={link.uri} /> : <VisibleText as="p" className="mono url" text={link.uri} />}
      {link.description !== undefined && (
        <p>
          “<VisibleText text={link.description} />”
        </p>
      )}
      {fetch === undefined && <p className="dim">{t`Linked in a tool’s result, not fetched.`}</p>}
      {read.loading && (
        <p className="row faint">
          <Spinner /> {t`Loading…`}
        </p>
      )}
      {!read.loading && read.error && <ErrorNotice error={read.error} onRetry={readLink} />}
      {!read.loading &&
        !read.error &&
        read.value &&
        (read.value.contents.length === 0 ? (
          <p className="help">{t`It is empty.`}</p>
        ) : (
          read.value.contents.map((content, index) => (
            <ContentView key={`${String(index)} ${content.uri}`} content={content} name={link.name} />
          ))
        ))}
    </Dialog>
  )
}

/** Whether the block repeats the structured content, as servers do for older clients (MCP, "Structured Content"). */
function repeats(block: ResultBlock, structured: Json | undefined): boolean {
  if (block.type !== 'text' || structured === undefined || block.whole) return false
  return orElse(() => canonicalToolJson(JSON.parse(block.text) as Json) === canonicalToolJson(structured), false)
}

export function ResultView({ result, server }: { readonly result: ToolResult; readonly server?: string | undefined }) {
  const { structuredContent } = result
  const blocks = result.content.filter((block) => !repeats(block, structuredContent))
  const empty = result.content.length === 0 && structuredContent === undefined
  return (
    <div className="stack tight">
      {empty && <p className="help">{t`It is empty.`}</p>}
      {blocks.map((block, index) => (
        <BlockView key={String(index)} block={block} server={server} />
      ))}
      {structuredContent !== undefined && <StructuredView value={structuredContent} />}
      {result.more && (
        <div className="sec">
          <span className="label">{t`Attachments`}</span>
          <LongBox text={JSON.stringify(result.more, null, 2)} label={t`Attachments`} />
        </div>
      )}
    </div>
  )
}

interface BlockProps {
  readonly block: ResultBlock
  readonly server: string | undefined
}

function BlockView({ block, server }: BlockProps) {
  const notes = block.type === 'unknown' ? [] : blockNotes(block)
  return (
    <>
      <Content block={block} server={server} />
      {notes.length > 0 && <VisibleText as="p" className="help" text={notes.join(' · ')} />}
    </>
  )
}

function Content({ block, server }: BlockProps) {
  switch (block.type) {
    case 'text':
      return (
        <>
          <LongBox text={block.text} label={t`result`} />
          {block.whole && (
            <p className="help">
              {t`The beginning.`} <SaveBlob blob={block.whole} name="result" what={t`A copy`} />
            </p>
          )}
        </>
      )
    case 'image':
      return <BlobView blob={block.blob} name="image" what={t`Image`} />
    case 'audio':
      return <BlobView blob={block.blob} name="sound" what={t`Audio`} />
    case 'resource':
      return (
        <>
          <VisibleText as="p" className="help mono" text={block.uri} />
          {block.text !== undefined && <ResourceText text={block.text} mimeType={block.mimeType ?? ''} uri={block.uri} />}
          {block.blob && <BlobView blob={block.blob} name={block.uri} what={t`File`} />}
        </>
      )
    case 'resource-link':
      return <ResourceLink link={block} server={server} />
    case 'unknown': {
      const blob = pictureOf(block)
      if (blob) return <BlobView blob={blob} name="image" what={t`Image`} />
      return <LongBox text={JSON.stringify(block.value, null, 2)} label={t`Result`} />
    }
  }
}
