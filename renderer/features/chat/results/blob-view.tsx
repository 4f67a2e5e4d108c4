// Stored bytes of a result: looked at, listened to, saved. They come from the host's own store by their hash. What a server
// says of a part of a result beside the part itself (MCP, "Annotations" and "Resource links"), in words. Only hints: icons and
// addresses among them are never fetched.

import { useState } from 'react'
import type { BlobRef } from '#app/blob.ts'
import type { ModelImage, ResultBlock } from '#app/chat/content.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json } from '#app/json.ts'
import { formatBytes } from '#app/text/format-text.ts'
import { useActions, useConnection, useStores } from '#renderer/stores/store-hooks.tsx'
import { showToast } from '#renderer/stores/view-state.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'

export function blockNotes(block: Exclude<ResultBlock, { type: 'unknown' }>): string[] {
  const annotations = isJsonObject(block.more?.['annotations']) ? block.more['annotations'] : {}
  const { audience, priority, lastModified } = annotations
  const link = block.type === 'resource-link' ? [block.description, block.mimeType, sizeWords(block.more?.['size'])] : []
  const image = block.type === 'image' || block.type === 'resource' ? modelImageLabel(block.forModel) : undefined
  return [image, ...link, audienceWords(audience), priorityWords(priority), changedWords(lastModified)].filter((note) => note !== undefined)
}

const sizeWords = (size: Json | undefined): string | undefined => (typeof size === 'number' && size >= 0 ? formatBytes(size) : undefined)

function audienceWords(audience: Json | undefined): string | undefined {
  const whom: readonly Json[] = Array.isArray(audience) ? audience : []
  const [you, model] = [whom.includes('user'), whom.includes('assistant')]
  if (you && model) return t`meant for you and the model`
  if (you) return t`meant for you`
  return model ? t`meant for the model` : undefined
}

/** Only the ends of the scale say something by themselves. */
function priorityWords(priority: Json | undefined): string | undefined {
  if (priority === 1) return t`needed, says the server`
  return priority === 0 ? t`not needed, says the server` : undefined
}

const changedWords = (lastModified: Json | undefined): string | undefined =>
  typeof lastModified === 'string' ? t`last changed ${lastModified}` : undefined

/** What a model reads in place of an image that is larger than models take. */
export function modelImageLabel(image: ModelImage | undefined): string | undefined {
  if (!image) return undefined
  if (image.kind === 'scaled') return t`made smaller for the model, ${formatBytes(image.blob.bytes)}`
  return image.why === 'no-window'
    ? t`not shown to the model: too large, and no window was open to make it smaller`
    : t`not shown to the model: too large, and it could not be made smaller`
}

const blobUrl = (blob: BlobRef): string => `/blob/${blob.sha256}`

/** Formats that a browser draws without running anything; SVG is not among them. */
const drawable = /^image\/(?:png|jpeg|gif|webp|avif|bmp)$/
const playable = /^audio\//
/** Larger ones are drawn only when the person says so: a small file can hold a picture of gigabytes. */
const largestDrawn = 10_000_000

interface BlobProps {
  readonly blob: BlobRef
  /** What a server calls it; no more than a suggestion for a file's name. */
  readonly name: string
  readonly what: string
}

export function BlobView(props: BlobProps) {
  const { mimeType } = props.blob
  if (drawable.test(mimeType)) return <Picture {...props} />
  if (playable.test(mimeType))
    return (
      <div className="row wrap">
        {/* biome-ignore lint/a11y/useMediaCaption: a tool's sound comes without a transcript */}
        <audio controls preload="none" src={blobUrl(props.blob)} aria-label={`${props.what}, ${mimeType}`} />
        <SaveBlob {...props} />
      </div>
    )
  return <SaveBlob {...props} />
}

function Picture({ blob, name, what }: BlobProps) {
  const [open, setOpen] = useState(false)
  const [wanted, setWanted] = useState(blob.bytes <= largestDrawn)
  const described = `${what}, ${blob.mimeType}, ${formatBytes(blob.bytes)}`
  if (!wanted)
    return (
      <p className="row wrap">
        <Button size="sm" onClick={() => setWanted(true)}>
          {tx`Show the image, ${formatBytes(blob.bytes)}`}
        </Button>
        <SaveBlob blob={blob} name={name} what={what} />
      </p>
    )
  return (
    <>
      <button type="button" className="picture" aria-label={t`${described}. Show it larger`} onClick={() => setOpen(true)}>
        <img className="result-image" src={blobUrl(blob)} alt={described} loading="lazy" decoding="async" />
      </button>
      {open && (
        <Dialog
          open
          onClose={() => setOpen(false)}
          title={described}
          width={1200}
          footer={<SaveBlob blob={blob} name={name} what={what} />}
        >
          <img className="picture-whole" src={blobUrl(blob)} alt={described} />
        </Dialog>
      )}
    </>
  )
}

/** A window of ours downloads nothing: there the host writes the file. */
export function SaveBlob({ blob, name, what }: BlobProps) {
  const { ask } = useActions()
  const { view } = useStores()
  const shell = useConnection((state) => state.about?.shell.kind)
  const words = t`Save ${what.toLowerCase()}, ${blob.mimeType}, ${formatBytes(blob.bytes)}`
  if (shell !== 'electron')
    return (
      <a className="link" href={blobUrl(blob)} download={name}>
        {words}
      </a>
    )
  const save = async (): Promise<void> => {
    const saved = await ask('blob.save', { sha256: blob.sha256, name: name.slice(0, 1000) })
    if (saved?.path) showToast(view, t`Saved as ${saved.path}`)
  }
  return (
    <button type="button" className="link" onClick={() => void save()}>
      {words}
    </button>
  )
}
