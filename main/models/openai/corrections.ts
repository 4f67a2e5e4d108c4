// A refusal that names what was wrong is answered by one corrected request. It is our own fields that are looked for in it, never the
// endpoint's wording, but where the wording alone tells two refusals of one field apart.
import type OpenAI from 'openai'
import { APIError } from 'openai'
import { isTooLong } from '../too-long.ts'
import { readErrorBody } from './error-body.ts'
import { optional, type Want } from './vendors.ts'

export const isRefusal = (error: unknown): error is APIError => error instanceof APIError && (error.status === 400 || error.status === 422)

type Sent = OpenAI.Chat.ChatCompletionCreateParamsStreaming

/** What a refusal asks for beyond what it was given; undefined: something else was refused, or nothing that can be corrected. */
export function wantedBy(error: unknown, sent: Sent, given: ReadonlySet<Want>): Want | undefined {
  if (!isRefusal(error)) return undefined
  const { status } = error
  const { words, message } = readErrorBody(error.error)
  if (isTooLong({ status, words, message })) return undefined
  const text = `${JSON.stringify(error.error ?? '')} ${error.message}`
  const names = (field: string): boolean => new RegExp(`\\b${field}\\b`).test(text)
  if (/invalid_request_message_order|role 'user' after role 'tool'/.test(text) && userAfterTool(sent)) return 'assistant-after-tools'
  if (names('reasoning_content') && sent.messages.some(isBare)) return 'reasoning-everywhere'
  const field = optional.find((name) => name === error.param && name in sent) ?? optional.find((name) => name in sent && names(name))
  if (sent.tools && names('reasoning_effort')) {
    if (given.has('no-effort-with-tools')) return undefined
    // Some take tools only where they are told not to think, also when nothing was said: by default they think.
    const offersNone = /\btools?\b/.test(text) && /['"`]none\b/.test(text)
    if (field === undefined || (field === 'reasoning_effort' && offersNone)) return 'no-effort-with-tools'
  }
  return field && `without ${field}`
}

const userAfterTool = ({ messages }: Sent): boolean =>
  messages.some(({ role }, index) => role === 'user' && messages[index - 1]?.role === 'tool')
const isBare = (message: Sent['messages'][number]): boolean => message.role === 'assistant' && !('reasoning_content' in message)
