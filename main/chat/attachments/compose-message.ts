// What the composer sends, as a message. The person's texts of a prompt become words of the message; where the server wrote
// assistant turns too, all turns are kept in their order.
import { type Attachment, attachmentLimits, type SentPrompt, type UsedPrompt } from '#app/chat/attachments/attachment.ts'
import type { RequestInput } from '#app/contract/requests.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { formatBytes } from '#app/text/format-text.ts'
import type { BlobStore } from '#main/store/store-api.ts'

/** @throws {HostError} `attachment.unknown` for bytes that are not in the store, `attachment.too-large` when all are too many together */
export function composeMessage({ text, attachments = [], prompt }: RequestInput<'chat.send'>, blobs: BlobStore) {
  const all = [...(prompt?.messages.flatMap((message) => message.attachments ?? []) ?? []), ...attachments]
  checkLimits(all)
  for (const { name, blob } of all) {
    const kept = blobs.get(blob.sha256)
    if (kept?.bytes.byteLength !== blob.bytes || kept.mimeType !== blob.mimeType)
      throw new HostError('attachment.unknown', t`“${name}” is no longer kept. Attach it again.`, { data: { name } })
  }
  const promptTexts = prompt?.messages.flatMap((message) => (message.role === 'user' ? [message.text] : [])) ?? []
  return {
    text: [...promptTexts, text].filter((one) => one.trim() !== '').join('\n\n'),
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

function checkLimits(attachments: readonly Attachment[]): void {
  const { count, totalBytes } = attachmentLimits
  const code = 'attachment.too-large'
  if (attachments.length > count) throw new HostError(code, t`A message takes ${count} attachments.`, { data: { count } })
  const bytes = attachments.reduce((sum, { blob }) => sum + blob.bytes, 0)
  if (bytes > totalBytes) {
    const message = t`The attachments have ${formatBytes(bytes)} together; a message takes ${formatBytes(totalBytes)}.`
    throw new HostError(code, message, { data: { bytes, limit: totalBytes } })
  }
}
