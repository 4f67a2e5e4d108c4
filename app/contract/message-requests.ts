import { z } from 'zod'
import { id, request } from './request-schema.ts'

const inConversation = { conversationId: id, messageId: id }
const texts = z.array(z.string())
const text = z
  .string()
  .max(2_000_000)
  .refine((value) => value.trim() !== '', 'empty')

/** Branches of a conversation: other questions, other answers, and which of them is shown. */
export const messageRequests = {
  /** Sends an edited message as a new branch. @throws {HostError} `chat.busy` during an answer */
  'message.edit': request({ ...inConversation, text }),
  /** Regenerates an answer as a new branch. `model` becomes the conversation's. */
  'message.regenerate': request({ ...inConversation, model: z.string().optional() }),
  /** Begins a second answer beside the latest one, which may still be written. @throws {HostError} `chat.busy` while there is another */
  'message.compare': request({ ...inConversation, model: z.string() }),
  'message.show': request(inConversation),
  /** Deletes a question with its answer, or a whole answer. `ids`: for `message.restore`. */
  'message.delete': request(inConversation, { ids: texts }),
  'message.restore': request({ conversationId: id, ids: z.array(id).min(1).max(100_000) }),
  'message.fork': request(inConversation, { conversationId: id }),
}
