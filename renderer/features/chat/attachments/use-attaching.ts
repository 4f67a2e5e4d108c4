// Attaching in one composer: pending attachments, their results, and the number that failed.
import { useRef, useState } from 'react'
import { type Attachment, attachmentLimits } from '#app/chat/attachments/attachment.ts'
import { HostError, toErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { formatBytes } from '#app/text/format-text.ts'
import { useStores } from '#renderer/stores/store-hooks.tsx'
import { announce, showToast } from '#renderer/stores/view-state.ts'
import { uploadFile, uploadText } from './upload-file.ts'

interface PendingAttachment {
  readonly id: string
  readonly draftId: string
  readonly name: string
  readonly cancel: () => void
}

export type Attaching = ReturnType<typeof useAttaching>

export function useAttaching(draftId: string) {
  const { hostConnection, draftExtras, view, actions } = useStores()
  const [pending, setPending] = useState<readonly PendingAttachment[]>([])
  /** Number of attachments that failed or were cancelled. */
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
      announce(view, t`${name} is attached.`)
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
    showToast(view, t`The long text you pasted is attached.`, { action: { label: t`Put it into the message`, run } })
  }

  /** Attaches a resource; false (with a toast): it failed. */
  const addResource = async (server: string, uri: string, name: string): Promise<boolean> => {
    const added = await begin(name, async (signal) => {
      const fetch = crypto.randomUUID()
      signal.addEventListener('abort', () => void hostConnection.request('mention.cancel', { fetch }).catch(() => undefined))
      return (await hostConnection.request('mention.attach', { fetch, server, uri })).attachments
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
  const message = t`The attachments would have ${formatBytes(bytes)} together; a message takes ${formatBytes(totalBytes)}.`
  throw new HostError('attachment.too-large', message)
}
