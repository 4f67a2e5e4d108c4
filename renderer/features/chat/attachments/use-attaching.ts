// Attaching in one composer, and the upload: files are checked here before anything is sent, sent in parts, checked by the host again.
// Images are prepared for models: upright, scaled to the limit, without metadata; the host also has images of tool results scaled here.
import { useEffect, useRef, useState } from 'react'
import {
  type Attachment,
  attachmentLimits,
  type ImageChange,
  kindOfBytes,
  largestAttachment,
  largestOf,
  takenKinds,
} from '#app/chat/attachments/attachment.ts'
import { hasMetadata, imageLimits } from '#app/chat/attachments/image-header.ts'
import type { HostConnection } from '#app/contract/host-connection.ts'
import { HostError, toErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { defined } from '#app/or-else.ts'
import { formatBytes } from '#app/text/format-text.ts'
import { useStores } from '#renderer/stores/store-hooks.tsx'
import { base64Of } from '#renderer/ui/lib/base64.ts'

interface PendingAttachment {
  readonly id: string
  readonly draftId: string
  readonly name: string
  readonly cancel: () => void
}

export type Attaching = ReturnType<typeof useAttaching>

export function useAttaching(draftId: string) {
  const { hostConnection, draftExtras, actions } = useStores()
  const [pending, setPending] = useState<readonly PendingAttachment[]>([])
  const [missed, setMissed] = useState(0)
  const count = useRef(0)

  /** Shows a pending attachment; the returned function does the work and ends that. */
  const begin = (name: string, work: (signal: AbortSignal) => Promise<readonly Attachment[]>): (() => Promise<readonly Attachment[]>) => {
    count.current += 1
    const id = String(count.current)
    const abort = new AbortController()
    setPending((before) => [...before, { id, draftId, name, cancel: () => abort.abort() }])
    const attach = async (): Promise<readonly Attachment[]> => {
      abort.signal.throwIfAborted()
      const added = await work(abort.signal)
      abort.signal.throwIfAborted()
      refuseTooMany([...draftExtras.read(draftId).attachments, ...added])
      draftExtras.change(draftId, (extras) => ({ ...extras, attachments: [...extras.attachments, ...added] }))
      actions.announce(t`${name} is attached.`)
      return added
    }
    return () =>
      attach()
        .catch((error: unknown) => {
          if (!abort.signal.aborted) actions.sayFailure(toErrorValue(error))
          setMissed((before) => before + 1)
          return []
        })
        .finally(() => setPending((before) => before.filter((one) => one.id !== id)))
  }

  const remove = (id: string): void =>
    draftExtras.change(draftId, (extras) => ({ ...extras, attachments: extras.attachments.filter((one) => one.id !== id) }))

  const addFiles = async (files: readonly File[]): Promise<void> => {
    const works = files.map((file) => begin(file.name, async (signal) => [await uploadFile(hostConnection, file, signal)]))
    // One after the other, since each may be large.
    for (const work of works) await work()
  }

  /** Attaches pasted text; `inline` puts it into the message instead. */
  const addText = async (text: string, inline: () => void): Promise<void> => {
    const name = t`Pasted text.txt`
    const [attachment] = await begin(name, async (signal) => [await uploadText(hostConnection, name, text, signal)])()
    if (!attachment) return inline()
    const run = (): void => {
      remove(attachment.id)
      inline()
    }
    actions.toast(t`${name} is attached.`, { action: { label: t`Insert`, run } })
  }

  /** Attaches a resource, or the skill whose text was shown; false (with a toast): it failed. */
  const addResource = async (server: string, uri: string, name: string, skill?: string): Promise<boolean> => {
    const added = await begin(name, async (signal) => {
      const fetch = crypto.randomUUID()
      signal.addEventListener('abort', () => void hostConnection.request('mention.cancel', { fetch }).catch(() => undefined))
      return (await hostConnection.request('mention.attach', { fetch, server, uri, ...defined({ skill }) })).attachments
    })()
    return added.length > 0
  }

  return { pending: pending.filter((one) => one.draftId === draftId), missed, addFiles, addText, addResource, remove }
}

/** @throws {HostError} `attachment.too-many`, `attachment.too-large` when the message cannot take them all. */
function refuseTooMany(attachments: readonly Attachment[]): void {
  const { count, totalBytes } = attachmentLimits
  if (attachments.length > count) throw new HostError('attachment.too-many', t`A message takes ${count} attachments.`)
  const bytes = attachments.reduce((sum, { blob }) => sum + blob.bytes, 0)
  if (bytes <= totalBytes) return
  const message = t`The attachments have ${formatBytes(bytes)} together; a message takes ${formatBytes(totalBytes)}.`
  throw new HostError('attachment.too-large', message)
}

/** Prepares an image for models; one that needs no change stays as it is. Undefined: the browser cannot decode it. */
async function prepareImage(bytes: Uint8Array<ArrayBuffer>, mimeType: string) {
  const bitmap = await createImageBitmap(new Blob([bytes], { type: mimeType }), { imageOrientation: 'from-image' }).catch(() => undefined)
  if (!bitmap) return undefined
  try {
    const scale = Math.min(1, imageLimits.edge / Math.max(bitmap.width, bitmap.height))
    const metadata = hasMetadata(bytes, mimeType)
    if (scale === 1 && !metadata && bytes.byteLength <= attachmentLimits.imageBytes) return { bytes, changed: [] }
    const drawn = await draw(bitmap, scale, mimeType)
    return {
      bytes: new Uint8Array(await drawn.arrayBuffer()),
      changed: [
        ...(scale < 1 ? (['scaled'] as const) : []),
        ...(metadata ? (['metadata-removed'] as const) : []),
        ...(mimeType === 'image/gif' ? (['first-frame'] as const) : []),
      ],
    }
  } finally {
    bitmap.close()
  }
}

/** Draws an image: a photo as JPEG, anything else as PNG while that is small enough. */
async function draw(bitmap: ImageBitmap, scale: number, mimeType: string): Promise<Blob> {
  const canvas = new OffscreenCanvas(Math.max(1, Math.round(bitmap.width * scale)), Math.max(1, Math.round(bitmap.height * scale)))
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  const formats = [...(mimeType === 'image/jpeg' ? [] : [{ type: 'image/png' }]), { type: 'image/jpeg', quality: 0.9 }]
  for (const format of formats) {
    const blob = await canvas.convertToBlob(format)
    if (blob.size <= attachmentLimits.imageBytes) return blob
  }
  return canvas.convertToBlob({ type: 'image/jpeg', quality: 0.7 })
}

/** Bytes of a part; a multiple of three, so that the base64 of a part needs no padding. */
const partBytes = 999_999

const refuse = (name: string, why: string): HostError => new HostError('attachment.unsupported', why, { data: { name } })

/**
 * Uploads a file.
 * @throws {HostError} `attachment.*` when it cannot be attached, `link.closed` when the connection is lost; else the signal's reason.
 */
async function uploadFile(connection: HostConnection, file: File, signal: AbortSignal): Promise<Attachment> {
  const { name } = file
  if (file.size === 0) throw refuse(name, t`“${name}” is empty.`)
  if (file.size > largestAttachment) throw tooLarge(name, file.size, largestAttachment)
  const read = await file.arrayBuffer().catch(() => undefined)
  // Fails for folders too.
  if (!read) throw refuse(name, t`“${name}” could not be read.`)
  const bytes = new Uint8Array(read)
  const found = kindOfBytes(bytes)
  if (!found) throw refuse(name, t`No model reads the format of “${name}”. ${takenKinds()}`)
  if (found.kind !== 'image') {
    if (bytes.byteLength > largestOf[found.kind]) throw tooLarge(name, bytes.byteLength, largestOf[found.kind])
    return sendBytes(connection, name, bytes, signal)
  }
  const prepared = await prepareImage(bytes, found.mimeType)
  if (!prepared) throw refuse(name, t`“${name}” is not an image that can be read.`)
  return sendBytes(connection, name, prepared.bytes, signal, prepared.changed)
}

const uploadText = (connection: HostConnection, name: string, text: string, signal: AbortSignal): Promise<Attachment> =>
  sendBytes(connection, name, new TextEncoder().encode(text), signal)

const tooLarge = (name: string, bytes: number, limit: number): HostError =>
  new HostError('attachment.too-large', t`“${name}” has ${formatBytes(bytes)}; the most is ${formatBytes(limit)}.`, {
    data: { name, bytes, limit },
  })

async function sendBytes(
  connection: HostConnection,
  name: string,
  bytes: Uint8Array,
  signal: AbortSignal,
  changed: readonly ImageChange[] = [],
): Promise<Attachment> {
  const upload = await sendParts(connection, bytes, signal)
  const { attachment } = await connection.request('attachment.add', { upload, name, ...(changed.length > 0 && { changed: [...changed] }) })
  return attachment
}

/** Sends bytes and resolves to the id of the upload. The host forgets parts of an aborted upload by itself. */
async function sendParts(connection: HostConnection, bytes: Uint8Array, signal?: AbortSignal): Promise<string> {
  const upload = crypto.randomUUID()
  for (let at = 0; at < bytes.byteLength; at += partBytes) {
    signal?.throwIfAborted()
    await connection.request('attachment.part', { upload, at, data: base64Of(bytes.subarray(at, at + partBytes)) })
  }
  return upload
}

export function useImageScaling(): void {
  const { hostConnection } = useStores()
  useEffect(
    () =>
      hostConnection.onEvent(({ name, payload }) => {
        // After a failure the host asks other pages, or goes on without.
        if (name === 'image.wanted') void scaleFor(hostConnection, payload.sha256, payload.mimeType).catch(() => undefined)
      }),
    [hostConnection],
  )
}

async function scaleFor(connection: HostConnection, sha256: string, mimeType: string): Promise<void> {
  const answer = await fetch(`/blob/${sha256}`)
  const prepared = answer.ok ? await prepareImage(new Uint8Array(await answer.arrayBuffer()), mimeType) : undefined
  await connection.request('attachment.scaled', { sha256, ...(prepared && { upload: await sendParts(connection, prepared.bytes) }) })
}
