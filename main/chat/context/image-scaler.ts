// Scales images of servers that are larger than models take. A page draws them, since it decodes untrusted bytes in a sandbox. Where
// none answers, or none can draw the image, the model does not get it, and both the model and the person read why.
import type { BlobRef } from '#app/blob.ts'
import { type Attachment, kindOfBytes } from '#app/chat/attachments/attachment.ts'
import { canBeDrawn, type ImageVerdict, imageSize, judgeImage } from '#app/chat/attachments/image-header.ts'
import type { ModelImage, ResultBlock } from '#app/chat/content.ts'
import { cutOf } from '#app/chat/context-summary.ts'
import type { AssistantMessage, AssistantPart, Message, ToolCall, UserMessage } from '#app/chat/message.ts'
import { type ChatContext, putMessages } from '../chat-context.ts'
import { callsIn, mapCalls } from '../message-calls.ts'
import type { GatheredContext } from './build-context.ts'
import { imageOf } from './measure-tokens.ts'

export type Scaler = ReturnType<typeof createScaler>

/** More than an open page needs to fetch and draw the largest image. */
const ANSWER_MS = 15_000

export function createScaler({ store, emit, clock, attended = true }: Pick<ChatContext, 'store' | 'emit' | 'clock' | 'attended'>) {
  const { blobs } = store
  const verdicts = new Map<string, ImageVerdict>()
  const known = new Map<string, Promise<ModelImage>>()
  const unanswered = new Map<string, string>()
  const waiting = new Map<string, (answer: ModelImage) => void>()

  function verdictOf({ sha256, bytes, mimeType }: BlobRef): ImageVerdict {
    const before = verdicts.get(sha256)
    if (before) return before
    const stored = blobs.get(sha256)
    const verdict = stored ? judgeImage(bytes, imageSize(stored.bytes, mimeType)) : 'fits'
    verdicts.set(sha256, verdict)
    return verdict
  }

  function ask({ sha256, mimeType }: BlobRef): Promise<ModelImage> {
    const stored = blobs.get(sha256)
    if (!stored || !canBeDrawn(imageSize(stored.bytes, mimeType))) return Promise.resolve({ kind: 'left-out', why: 'undrawable' })
    if (!attended) return Promise.resolve({ kind: 'left-out', why: 'no-window' })
    const { promise, resolve } = Promise.withResolvers<ModelImage>()
    const undo = clock.after(ANSWER_MS, () => answer({ kind: 'left-out', why: 'no-window' }))
    const answer = (found: ModelImage): void => {
      undo()
      waiting.delete(sha256)
      resolve(found)
    }
    waiting.set(sha256, answer)
    emit('image.wanted', { sha256, mimeType })
    return promise
  }

  return {
    /** Resolves to the image that the model gets; `undefined`: as it is. After no answer, no page is asked again in that turn. */
    async forModel(blob: BlobRef, turnId: string): Promise<ModelImage | undefined> {
      const verdict = verdictOf(blob)
      if (verdict === 'fits') return undefined
      const { sha256 } = blob
      if (unanswered.get(sha256) !== turnId && unanswered.delete(sha256)) known.delete(sha256)
      const asked = known.get(sha256) ?? ask(blob)
      known.set(sha256, asked)
      const found = await asked
      if (found.kind === 'scaled' || found.why === 'undrawable') return found
      unanswered.set(sha256, turnId)
      return verdict === 'large' ? undefined : found
    },
    /** Takes a page's answer; `undefined`: it could not draw the image. The first answer counts. */
    drawn(sha256: string, bytes: Uint8Array = new Uint8Array()): void {
      const found = kindOfBytes(bytes)
      const fits = found?.kind === 'image' && judgeImage(bytes.byteLength, imageSize(bytes, found.mimeType)) === 'fits'
      const answer = waiting.get(sha256)
      if (fits) answer?.({ kind: 'scaled', blob: blobs.put(bytes, found.mimeType) })
      else answer?.({ kind: 'left-out', why: 'undrawable' })
    },
    dispose(): void {
      for (const answer of waiting.values()) answer({ kind: 'left-out', why: 'no-window' })
    },
  }
}

/**
 * Scales the images of a request and notes the outcome in their messages, so that these give the same history after a restart. Resolves
 * to whether anything was waited for: the gathered context is then out of date.
 */
export async function prepareImages(
  chat: Pick<ChatContext, 'store' | 'emit'>,
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
    found.size === 0 ? [] : chat.store.conversations.messages(conversation.id).flatMap((message) => withImages(message, found))
  putMessages(chat, changed)
  return true
}

/** Images without a final outcome in their message. */
function openImages(message: Message): BlobRef[] {
  const isOpen = (image: ModelImage | undefined): boolean => !image || (image.kind === 'left-out' && image.why === 'no-window')
  if (message.role === 'user')
    return (message.attachments ?? []).flatMap((one) => (one.kind === 'image' && isOpen(one.forModel) ? [one.blob] : []))
  const results = callsIn(message).flatMap(({ state, leftOut }) => (state.kind === 'done' && !leftOut ? state.result.content : []))
  const made = message.role === 'assistant' ? message.parts : []
  return [
    ...made.flatMap((part) => (part.kind === 'image' && isOpen(part.forModel) ? [part.blob] : [])),
    ...results.flatMap((block) => (isOpen(forModelOf(block)) ? (imageOf(block) ?? []) : [])),
  ]
}

const forModelOf = (block: ResultBlock): ModelImage | undefined =>
  block.type === 'image' || block.type === 'resource' ? block.forModel : undefined

function withImages(message: Message, found: ReadonlyMap<string, ModelImage>): (UserMessage | AssistantMessage)[] {
  let changed = false
  const noted = <One extends Attachment | ResultBlock | AssistantPart>(
    one: One,
    blob: BlobRef | undefined,
    before: ModelImage | undefined,
  ): One => {
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
  const parts = mapCalls(message.parts, inCall).map((part) => (part.kind === 'image' ? noted(part, part.blob, part.forModel) : part))
  return changed ? [{ ...message, parts }] : []
}
