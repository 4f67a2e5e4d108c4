// Classifies a line of a server's stdout by its envelope: a JSON-RPC message, a broken response, or no protocol. A response that cannot be
// used becomes an error response to its request, which would else hang until its timeout; `hostErrorInData` turns it back.
import { randomUUID } from 'node:crypto'
import type { JSONRPCErrorResponse, JSONRPCMessage, RequestId } from '@modelcontextprotocol/client'
import { type ErrorValue, fromErrorValue, HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject } from '#app/json.ts'

type Envelope =
  | { readonly kind: 'message'; readonly message: JSONRPCMessage }
  | { readonly kind: 'broken-answer'; readonly id: RequestId }
  | { readonly kind: 'other' }

const other: Envelope = { kind: 'other' }
const isId = (value: unknown): value is RequestId => typeof value === 'string' || (typeof value === 'number' && Number.isSafeInteger(value))

export function classifyEnvelope(value: unknown): Envelope {
  if (!isJsonObject(value) || value['jsonrpc'] !== '2.0') return other
  const { id, method, params, result, error } = value
  if (typeof method === 'string') {
    // `params` as an array is JSON-RPC, but not MCP.
    const withParams = params === undefined || params === null ? {} : { params }
    if (params !== undefined && params !== null && !isJsonObject(params)) return other
    if (id === undefined) return message({ jsonrpc: '2.0', method, ...withParams })
    return isId(id) ? message({ jsonrpc: '2.0', id, method, ...withParams }) : other
  }
  if (!isId(id)) return other
  // Some libraries write `"error": null` beside a result, or the other way round.
  if (isJsonObject(result) && (error === undefined || error === null)) return message({ jsonrpc: '2.0', id, result })
  if (isJsonObject(error) && (result === undefined || result === null)) {
    const { code, message: text, data } = error
    if (!Number.isSafeInteger(code)) return { kind: 'broken-answer', id }
    const said = typeof text === 'string' ? text : ''
    return message({ jsonrpc: '2.0', id, error: { code, message: said, ...(data === undefined ? {} : { data }) } })
  }
  return { kind: 'broken-answer', id }
}

/** `value` has just been checked to have this shape, which its type does not show. */
const message = (value: object): Envelope => ({ kind: 'message', message: value as JSONRPCMessage })

/** Only this run of the host knows it, so no server can pass its own error off as ours. */
const mark = randomUUID()

/** Ends the request `id` with an error of the host's. */
export const failedResponse = (id: RequestId, error: HostError): JSONRPCErrorResponse => ({
  jsonrpc: '2.0',
  id,
  error: { code: -32603, message: error.message, data: { mark, error: error.toValue() } },
})

/** The host's own error in the `data` of a protocol error that `failedResponse` made; undefined for a server's. */
export function hostErrorInData(data: unknown): HostError | undefined {
  if (!isJsonObject(data) || data['mark'] !== mark) return undefined
  return fromErrorValue(data['error'] as unknown as ErrorValue)
}

export const brokenResponse = (): HostError => new HostError('server.protocol', t`The server sent an invalid message.`)

export const oversizedResponse = (maxLine: number, length?: number): HostError =>
  new HostError('server.too-large', t`The server sent a message of more than ${Math.round(maxLine / 1024 / 1024)} MB.`, {
    data: { limit: maxLine, ...(length === undefined ? {} : { length }) },
  })

export const tooManyParts = (): HostError => new HostError('server.too-large', t`The server sent an invalid message.`)

const version = String.raw`"jsonrpc"\s*:\s*"2\.0"`
const id = String.raw`"id"\s*:\s*(\d{1,15}|"[^"\\]{0,100}")`
const outcome = String.raw`"(?:result|error)"\s*:`
const idFirst = new RegExp(String.raw`^\s*\{\s*(?:${version}\s*,\s*)?${id}\s*,\s*(?:${version}\s*,\s*)?${outcome}`)
const outcomeFirst = new RegExp(String.raw`^\s*\{\s*(?:${version}\s*,\s*)?${outcome}`)
const idLast = new RegExp(String.raw`\}\s*,\s*(?:${version}\s*,\s*)?${id}\s*(?:,\s*${version}\s*)?\}\s*$`)

/** Reads the id of an oversized response from its ends. Undefined: not certain; no deeper id or server's request may end a call. */
export function answeredId(head: Buffer, tail?: Buffer): RequestId | undefined {
  const start = head.toString('latin1')
  const found = idFirst.exec(start) ?? (tail && outcomeFirst.test(start) ? idLast.exec(tail.toString('latin1')) : null)
  return found?.[1] === undefined ? undefined : (JSON.parse(found[1]) as RequestId)
}
