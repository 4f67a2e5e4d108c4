// Attaching in one composer: what is on its way, what came of it, and what could not be attached.
import { useCallback, useRef, useState } from 'react'
import { type Attachment, attachmentLimits } from '#app/chat/attachment.ts'
import { describeError } from '#app/describe-error.ts'
import { toErrorValue } from '#app/errors.ts'
import { formatBytes } from '#app/text.ts'
import { t } from '#app/words/translate.ts'
import { useStores } from '#renderer/stores/react.tsx'
import { announce, showToast } from '#renderer/stores/view.ts'
import { uploadFile, uploadText } from './upload.ts'

export interface OnItsWay {
  readonly id: string
  readonly draftId: string
  readonly name: string
  readonly cancel: (() => void) | undefined
}

export interface Attaching {
  readonly pending: readonly OnItsWay[]
  readonly addFiles: (files: readonly File[]) => void
  /** Pasted text; `inline` puts it into the message instead. */
  readonly addText: (text: string, inline: () => void) => void
  /** False: it is not attached, which is said. */
  readonly addResource: (server: string, uri: string, name: string) => Promise<boolean>
  readonly remove: (id: string) => void
}

export function useAttaching(draftId: string): Attaching {
  const { link, draftExtras, view } = useStores()
  const [pending, setPending] = useState<readonly OnItsWay[]>([])
  const count = useRef(0)

  const take = useCallback(
    async (name: string, work: () => Promise<readonly Attachment[]>, cancel?: () => void): Promise<readonly Attachment[]> => {
      count.current += 1
      const id = String(count.current)
      setPending((before) => [...before, { id, draftId, name, cancel }])
      try {
        const added = await work()
        const before = draftExtras.read(draftId).attachments
        const problem = tooMany([...before, ...added])
        if (problem) {
          showToast(view, problem, { tone: 'bad' })
          return []
        }
        draftExtras.change(draftId, (extras) => ({ ...extras, attachments: [...extras.attachments, ...added] }))
        announce(view, t`${name} is attached.`)
        return added
      } catch (error) {
        const value = toErrorValue(error)
        const { message, remedy } = describeError(value)
        if (value.code !== 'cancelled') showToast(view, [message, remedy].filter(Boolean).join(' '), { tone: 'bad' })
        return []
      } finally {
        setPending((before) => before.filter((one) => one.id !== id))
      }
    },
    [draftId, draftExtras, view],
  )

  const remove = useCallback(
    (id: string): void =>
      draftExtras.change(draftId, (extras) => ({ ...extras, attachments: extras.attachments.filter((one) => one.id !== id) })),
    [draftId, draftExtras],
  )

  const addFiles = useCallback(
    (files: readonly File[]): void => {
      void (async () => {
        // One after the other: each may be large.
        for (const file of files) await take(file.name, async () => [await uploadFile(link, file)])
      })()
    },
    [link, take],
  )

  const addText = useCallback(
    (text: string, inline: () => void): void => {
      void take(t`Pasted text.txt`, async () => [await uploadText(link, t`Pasted text.txt`, text)]).then(([attachment]) => {
        if (!attachment) return inline()
        const action = {
          label: t`Put it into the message`,
          run: () => {
            remove(attachment.id)
            inline()
          },
        }
        showToast(view, t`The long text you pasted is attached.`, { action })
      })
    },
    [link, take, remove, view],
  )

  const addResource = useCallback(
    async (server: string, uri: string, name: string): Promise<boolean> => {
      const fetch = crypto.randomUUID()
      const cancel = (): void => void link.request('offer.cancel', { fetch }).catch(() => undefined)
      const added = await take(name, async () => (await link.request('offer.attach', { fetch, server, uri })).attachments, cancel)
      return added.length > 0
    },
    [link, take],
  )

  return { pending: pending.filter((one) => one.draftId === draftId), addFiles, addText, addResource, remove }
}

function tooMany(attachments: readonly Attachment[]): string | undefined {
  const { count, totalBytes } = attachmentLimits
  if (attachments.length > count) return t`A message takes ${count} attachments.`
  const bytes = attachments.reduce((sum, { blob }) => sum + blob.bytes, 0)
  if (bytes <= totalBytes) return undefined
  return t`The attachments would have ${formatBytes(bytes)} together; a message takes ${formatBytes(totalBytes)}.`
}
