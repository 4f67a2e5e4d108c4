// Stored bytes of a result: shown, played, saved. They come from the host's store by their hash. Annotations (MCP, "Annotations" and
// "Resource links") are hints in words: icons and addresses among them are never fetched.

import { useEffect, useMemo, useState } from 'react'
import type { BlobRef } from '#app/blob.ts'
import type { ModelImage, ResultBlock } from '#app/chat/content.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject } from '#app/json.ts'
import { formatBytes } from '#app/text/format-text.ts'
import { useActions, useConnection } from '#renderer/stores/store-hooks.tsx'
import { SmallButton } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'

/** Notes of a result's block, from its annotations and the fields of a resource link. */
export function blockNotes(block: Exclude<ResultBlock, { type: 'unknown' }>): string[] {
  const annotations = isJsonObject(block.more?.['annotations']) ? block.more['annotations'] : {}
  const { priority, lastModified } = annotations
  const size = block.more?.['size']
  const sizeLabel = typeof size === 'number' && size >= 0 ? formatBytes(size) : undefined
  return [
    block.type === 'image' || block.type === 'resource' ? modelImageLabel(block.forModel) : undefined,
    ...(block.type === 'resource-link' ? [block.description, block.mimeType, sizeLabel] : []),
    // Only the ends of the scale mean something by themselves.
    priority === 1 ? t`required` : priority === 0 ? t`optional` : undefined,
    typeof lastModified === 'string' ? t`changed ${lastModified}` : undefined,
  ].filter((note) => note !== undefined)
}

export function modelImageLabel(image: ModelImage | undefined): string | undefined {
  if (!image) return undefined
  if (image.kind === 'scaled') return `${t`made smaller for the model`}, ${formatBytes(image.blob.bytes)}`
  return t`not shown to the model: too large`
}

const blobUrl = (blob: BlobRef): string => `/blob/${blob.sha256}`

/** Formats that a browser draws without running code. An SVG is drawn where it is plain (`isPlainSvg`). */
const drawable = /^image\/(?:png|jpeg|gif|webp|avif|bmp)$/
const playable = /^audio\//
/** Limit of bytes that are drawn without a press: a small file can decode to gigabytes. */
const largestDrawn = 10_000_000

interface BlobProps {
  readonly blob: BlobRef
  readonly name: string
  readonly what: string
}

export function BlobView(props: BlobProps) {
  const { mimeType } = props.blob
  if (drawable.test(mimeType)) return <Picture {...props} url={blobUrl(props.blob)} />
  if (mimeType === svgType && props.blob.bytes <= largestSvg) return <SvgPicture {...props} />
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

const svgType = 'image/svg+xml'
/** Limit of bytes of an SVG that is drawn. */
const largestSvg = 200_000
/** Parts that cost more to draw than they take to write, hold other documents, or style and move what is drawn. */
const costly =
  /<!(?:DOCTYPE|ENTITY)|<\/?(?:[\w.-]+:)?(?:use|filter|mask|pattern|marker|clipPath|foreignObject|image|script|style|animate\w*|set)\b/i

/** Whether an SVG is drawn in time that grows with its length alone. */
export const isPlainSvg = (text: string): boolean => text.length <= largestSvg && !costly.test(text)

/** Bytes of a picture in a result. The host keeps an SVG without a type, since its address must serve none: it is drawn from its bytes. */
export function pictureOf(block: ResultBlock): BlobProps['blob'] | undefined {
  if (block.type === 'image') return block.blob
  if (block.type !== 'unknown' || block.value['type'] !== 'image' || block.value['mimeType'] !== svgType) return undefined
  const { sha256, bytes } = isJsonObject(block.value['kept']) ? block.value['kept'] : {}
  return typeof sha256 === 'string' && typeof bytes === 'number' ? { sha256, bytes, mimeType: svgType } : undefined
}

/** An SVG as an image: a browser runs and fetches nothing of it there. Its address is no document that a tab could open. */
function SvgPicture(props: BlobProps) {
  const state = useBytes(props.blob)
  const url = useMemo(() => {
    const text = state.kind === 'here' ? new TextDecoder().decode(state.bytes) : undefined
    return text !== undefined && isPlainSvg(text) ? `data:${svgType};charset=utf-8,${encodeURIComponent(text.toWellFormed())}` : undefined
  }, [state])
  return url === undefined ? <SaveBlob {...props} /> : <Picture {...props} url={url} />
}

function Picture({ blob, name, what, url }: BlobProps & { readonly url: string }) {
  const [open, setOpen] = useState(false)
  const [wanted, setWanted] = useState(blob.bytes <= largestDrawn)
  const [broken, setBroken] = useState(false)
  const save = <SaveBlob blob={blob} name={name} what={what} />
  const described = `${what}, ${blob.mimeType}, ${formatBytes(blob.bytes)}`
  if (broken) return save
  if (!wanted)
    return (
      <p className="row wrap">
        <SmallButton onClick={() => setWanted(true)}>{tx`Show the image, ${formatBytes(blob.bytes)}`}</SmallButton>
        {save}
      </p>
    )
  return (
    <>
      <button type="button" className="picture" aria-label={`${described}. ${t`Open full size`}`} onClick={() => setOpen(true)}>
        <img className="result-image" src={url} alt={described} loading="lazy" decoding="async" onError={() => setBroken(true)} />
      </button>
      {open && (
        <Dialog onClose={() => setOpen(false)} title={described} width={1200} footer={save}>
          <img className="picture-whole" src={url} alt={described} />
        </Dialog>
      )}
    </>
  )
}

/** Saves bytes: as a download in a browser; in Electron, whose window downloads nothing, by the host. */
export function SaveBlob({ blob, name, what }: BlobProps) {
  const { ask, toast } = useActions()
  const shell = useConnection((state) => state.about?.shell.kind)
  const label = t`Save ${what.toLowerCase()}, ${blob.mimeType}, ${formatBytes(blob.bytes)}`
  if (shell !== 'electron')
    return (
      <a className="link" href={blobUrl(blob)} download={name}>
        {label}
      </a>
    )
  const save = async (): Promise<void> => {
    const saved = await ask('blob.save', { sha256: blob.sha256, name: name.slice(0, 1000) })
    if (saved?.path) toast(t`Saved as ${saved.path}`)
  }
  return (
    <button type="button" className="link" onClick={() => void save()}>
      {label}
    </button>
  )
}

type Bytes = { readonly kind: 'loading' } | { readonly kind: 'gone' } | { readonly kind: 'here'; readonly bytes: Uint8Array }

/** Reads a blob from the host's store. `gone`: no longer stored. */
export function useBytes({ sha256 }: BlobRef): Bytes {
  const [state, setState] = useState<Bytes>({ kind: 'loading' })
  useEffect(() => {
    const control = new AbortController()
    setState({ kind: 'loading' })
    const read = async (): Promise<Bytes> => {
      const answer = await fetch(`/blob/${sha256}`, { signal: control.signal })
      return answer.ok ? { kind: 'here', bytes: new Uint8Array(await answer.arrayBuffer()) } : { kind: 'gone' }
    }
    read().then(setState, () => {
      if (!control.signal.aborted) setState({ kind: 'gone' })
    })
    return () => control.abort()
  }, [sha256])
  return state
}
