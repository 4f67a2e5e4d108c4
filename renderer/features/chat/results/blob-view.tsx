// Stored bytes of a result: looked at, listened to, saved. They come from the host's own store by their hash.
import { useState } from 'react'
import type { BlobRef } from '#app/chat/content.ts'
import { formatBytes } from '#app/text.ts'
import { t } from '#app/words/translate.ts'
import { useActions, useConnection, useStores } from '#renderer/stores/react.tsx'
import { showToast } from '#renderer/stores/view.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { tx } from '#renderer/ui/translate.ts'

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
