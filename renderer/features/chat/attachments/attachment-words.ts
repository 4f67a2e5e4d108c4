import type { Attachment, ImageChange } from '#app/chat/attachment.ts'
import type { ModelInfo } from '#app/chat/models.ts'
import { formatBytes } from '#app/text.ts'
import { numberWords } from '#app/words/formats.ts'
import { t } from '#app/words/translate.ts'
import { modelImageWords } from '../results/block-notes.ts'

const changeWords: Readonly<Record<ImageChange, string>> = {
  scaled: t`made smaller for the model`,
  'metadata-removed': t`place and camera data removed`,
  'first-frame': t`first frame only`,
}

/** Size, and what else there is to know, on one line. */
export function attachmentFacts({ blob, pages, changed = [], from, forModel, leftOut }: Attachment): string {
  const count = pages === undefined ? [] : [pages === 1 ? t`1 page` : t`${pages} pages`]
  const facts = [from?.server, ...count, formatBytes(blob.bytes), ...changed.map((one) => changeWords[one]), modelImageWords(forModel)]
  return [...facts, leftOut && t`left out of the context`].filter(Boolean).join(' · ')
}

/** What the person should know before they send it to that model. */
export function modelWarnings(attachments: readonly Attachment[], model: ModelInfo | undefined): string[] {
  if (!model) return []
  const has = (kind: Attachment['kind']): boolean => attachments.some((one) => one.kind === kind)
  const tokens = attachments.reduce((sum, { length = 0 }) => sum + Math.ceil(length / 4), 0)
  const { name, contextTokens } = model
  return [
    ...(has('image') && (model.images === false || !model.ai) ? [t`${name} takes no images: it is only told that they are there.`] : []),
    ...(has('pdf') && (model.documents === false || !model.ai) ? [t`${name} takes no PDFs: it is only told that they are there.`] : []),
    ...(contextTokens !== undefined && tokens > contextTokens
      ? [t`The texts have about ${numberWords(tokens)} tokens; ${name} reads ${numberWords(contextTokens)}.`]
      : []),
  ]
}
