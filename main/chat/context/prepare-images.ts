// Before a request, scales the images in it that are larger than models take, and notes the outcome in their messages, so that the same
// messages give the same history after a restart.
import type { BlobRef } from '#app/blob.ts'
import type { Attachment } from '#app/chat/attachments/attachment.ts'
import type { ModelImage, ResultBlock } from '#app/chat/content.ts'
import { cutOf } from '#app/chat/context-summary.ts'
import type { AssistantMessage, Message, ToolCall, UserMessage } from '#app/chat/message.ts'
import { type ChatContext, putMessages } from '../chat-context.ts'
import type { GatheredContext } from './build-context.ts'
import type { Scaler } from './image-scaler.ts'
import { imageOf } from './measure-tokens.ts'

/** Resolves to whether anything was waited for: the gathered context is then out of date. */
export async function prepareImages(
  deps: Pick<ChatContext, 'store' | 'emit'>,
  scaler: Scaler,
  { messages, reader, conversation }: GatheredContext,
  turnId: string,
): Promise<boolean> {
  if (!reader.images) return false
  const read = messages.slice(cutOf(messages)?.index ?? 0)
  const blobs = new Map(read.flatMap(openImages).map((blob) => [blob.sha256, blob]))
  if (blobs.size === 0) return false
  const found = new Map<string, ModelImage>()
  const look = async (blob: BlobRef): Promise<void> => {
    const image = await scaler.forModel(blob, turnId)
    if (image) found.set(blob.sha256, image)
  }
  await Promise.all([...blobs.values()].map(look))
  // While a page was asked the messages may have changed in other ways.
  const changed =
    found.size === 0 ? [] : deps.store.conversations.messages(conversation.id).flatMap((message) => withImages(message, found))
  putMessages(deps, changed)
  return true
}

/** Images without a final outcome in their message. */
function openImages(message: Message): BlobRef[] {
  const isOpen = (image: ModelImage | undefined): boolean => !image || (image.kind === 'left-out' && image.why === 'no-window')
  if (message.role === 'user')
    return (message.attachments ?? []).flatMap((one) => (one.kind === 'image' && isOpen(one.forModel) ? [one.blob] : []))
  if (message.role === 'summary') return []
  return message.parts.flatMap((part) =>
    part.kind === 'tool-call' && part.call.state.kind === 'done' && !part.call.leftOut
      ? part.call.state.result.content.flatMap((block) => {
          const blob = imageOf(block)
          return blob && isOpen(forModelOf(block)) ? [blob] : []
        })
      : [],
  )
}

const forModelOf = (block: ResultBlock): ModelImage | undefined =>
  block.type === 'image' || block.type === 'resource' ? block.forModel : undefined

function withImages(message: Message, found: ReadonlyMap<string, ModelImage>): (UserMessage | AssistantMessage)[] {
  let changed = false
  const noted = <One extends Attachment | ResultBlock>(one: One, blob: BlobRef | undefined, before: ModelImage | undefined): One => {
    const image = blob && found.get(blob.sha256)
    if (!image || JSON.stringify(image) === JSON.stringify(before)) return one
    changed = true
    return { ...one, forModel: image }
  }
  if (message.role === 'user') {
    const attachments = message.attachments?.map((one) => noted(one, one.kind === 'image' ? one.blob : undefined, one.forModel))
    return changed && attachments ? [{ ...message, attachments }] : []
  }
  if (message.role === 'summary') return []
  const inCall = (call: ToolCall): ToolCall => {
    const { state } = call
    if (state.kind !== 'done') return call
    const content = state.result.content.map((block) => noted(block, imageOf(block), forModelOf(block)))
    return { ...call, state: { ...state, result: { ...state.result, content } } }
  }
  const parts = message.parts.map((part) => (part.kind === 'tool-call' ? { ...part, call: inCall(part.call) } : part))
  return changed ? [{ ...message, parts }] : []
}
