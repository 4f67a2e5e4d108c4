// Reads the JSON that answers one posted request, so that whatever it holds, the request ends: a batch (2025-03-26) is
// taken apart, what is no message is counted and left out, and an answer that never comes is one that says so.
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/client'
import { HostError } from '#app/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { t } from '#app/words/translate.ts'
import { brokenAnswer, classifyEnvelope, failedAnswer } from '../stdio/envelope.ts'

export interface Answers {
  readonly messages: readonly JSONRPCMessage[]
  /** How much of it was no message. */
  readonly strays: number
}

/** A broken answer is one that says so, for its request must end too. */
export function takeMessages(items: readonly unknown[]): Answers {
  const messages: JSONRPCMessage[] = []
  let strays = 0
  for (const item of items) {
    const envelope = classifyEnvelope(item)
    if (envelope.kind === 'message') messages.push(envelope.message)
    else if (envelope.kind === 'broken-answer') messages.push(failedAnswer(envelope.id, brokenAnswer()))
    else strays += 1
  }
  return { messages, strays }
}

export function readAnswers(value: unknown, id: RequestId): Answers {
  const { messages, strays } = takeMessages(Array.isArray(value) ? value : [value])
  if (messages.some((message) => !('method' in message) && message.id === id)) return { messages, strays }
  const unnamed = Array.isArray(value) || messages.length > 0 ? undefined : errorWithId(value, id)
  if (unnamed !== undefined) return { messages: [unnamed], strays: 0 }
  return { messages: [...messages, failedAnswer(id, unanswered())], strays }
}

/** An error that names no request, or none that is known, in answer to a single one is the answer to that. */
export function errorWithId(value: unknown, id: RequestId): JSONRPCMessage | undefined {
  if (!isJsonObject(value as Json) || 'method' in (value as JsonObject)) return undefined
  const envelope = classifyEnvelope({ ...(value as JsonObject), jsonrpc: '2.0', id })
  return envelope.kind === 'message' && 'error' in envelope.message ? envelope.message : undefined
}

/** Nothing shows whether what was asked was done. */
export const unanswered = (): HostError => new HostError('server.connection-lost', t`The server did not answer what it was asked.`)
