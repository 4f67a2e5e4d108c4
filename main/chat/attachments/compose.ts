// What the composer sends becomes a message: its attachments are those whose bytes are here, a prompt's texts are the
// person's words where the server gives them to the person, and kept in their order where it does not.
import { type Attachment, attachmentLimits } from '#app/chat/attachment.ts'
import type { UserMessage } from '#app/chat/message.ts'
import type { SentPrompt, UsedPrompt } from '#app/chat/prompt.ts'
import { HostError } from '#app/errors.ts'
import { formatBytes } from '#app/text.ts'
import { t } from '#app/words/translate.ts'
import type { BlobStore } from '#main/store/types.ts'

export interface Composed {
  readonly text: string
  readonly attachments?: readonly Attachment[] | undefined
  readonly prompt?: UsedPrompt | undefined
}

/** Throws `attachment.unknown` for bytes that are not here, `attachment.too-large` when they are too many together. */
export function composeMessage(
  { text, attachments = [], prompt }: Composed,
  blobs: BlobStore,
): Pick<UserMessage, 'text' | 'attachments' | 'prompt'> {
  const all = [...(prompt?.messages.flatMap((message) => message.attachments ?? []) ?? []), ...attachments]
  refuseTooMany(all)
  for (const { name, blob } of all) {
    const kept = blobs.get(blob.sha256)
    if (kept?.bytes.byteLength !== blob.bytes || kept.mimeType !== blob.mimeType)
      throw new HostError('attachment.unknown', t`The bytes of “${name}” are not here any more. Attach it again.`, { data: { name } })
  }
  const said = prompt?.messages.flatMap((message) => (message.role === 'user' && message.text.trim() !== '' ? [message.text] : [])) ?? []
  return {
    text: [...said, ...(text.trim() === '' ? [] : [text])].join('\n\n'),
    ...(all.length > 0 ? { attachments: all } : {}),
    ...(prompt ? { prompt: sentPrompt(prompt, text, attachments) } : {}),
  }
}

function sentPrompt({ server, name, arguments: given, messages }: UsedPrompt, words: string, own: readonly Attachment[]): SentPrompt {
  const origin = { server, name, arguments: given }
  if (!messages.some(({ role }) => role === 'assistant')) return origin
  const turns = messages.map(({ role, text, attachments = [] }) => ({ role, text, attachments: attachments.map(({ id }) => id) }))
  if (words.trim() === '' && own.length === 0) return { ...origin, turns }
  return { ...origin, turns: [...turns, { role: 'user', text: words, attachments: own.map(({ id }) => id) }] }
}

function refuseTooMany(attachments: readonly Attachment[]): void {
  const { count, totalBytes } = attachmentLimits
  if (attachments.length > count)
    throw new HostError('attachment.too-large', t`A message takes ${count} attachments; these are ${attachments.length}.`, {
      data: { count },
    })
  const bytes = attachments.reduce((sum, { blob }) => sum + blob.bytes, 0)
  if (bytes > totalBytes)
    throw new HostError(
      'attachment.too-large',
      t`The attachments have ${formatBytes(bytes)} together; a message takes ${formatBytes(totalBytes)}.`,
      { data: { bytes, limit: totalBytes } },
    )
}
