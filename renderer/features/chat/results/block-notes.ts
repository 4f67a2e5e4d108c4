// What a server says of a part of a result beside the part itself (MCP, "Annotations" and "Resource links"), in words.
// Only hints: icons and addresses among them are never fetched.
import type { ModelImage, ResultBlock } from '#app/chat/content.ts'
import { isJsonObject, type Json } from '#app/json.ts'
import { formatBytes } from '#app/text.ts'
import { t } from '#app/words/translate.ts'

export function blockNotes(block: Exclude<ResultBlock, { type: 'unknown' }>): string[] {
  const annotations = isJsonObject(block.more?.['annotations']) ? block.more['annotations'] : {}
  const { audience, priority, lastModified } = annotations
  const link = block.type === 'resource-link' ? [block.description, block.mimeType, sizeWords(block.more?.['size'])] : []
  const image = block.type === 'image' || block.type === 'resource' ? modelImageWords(block.forModel) : undefined
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
export function modelImageWords(image: ModelImage | undefined): string | undefined {
  if (!image) return undefined
  if (image.kind === 'scaled') return t`made smaller for the model, ${formatBytes(image.blob.bytes)}`
  return image.why === 'no-window'
    ? t`not shown to the model: too large, and no window was open to make it smaller`
    : t`not shown to the model: too large, and it could not be made smaller`
}
