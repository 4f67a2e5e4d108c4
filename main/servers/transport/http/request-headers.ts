// Facts about a posted message that the fetch layer needs: it adds the headers that mirror the body (MCP 2026-07-28, "Standard
// MCP Request Headers"), and resends only what does no harm when sent twice. Pure.
import { PROTOCOL_VERSION_META_KEY, type RequestId } from '@modelcontextprotocol/client'
import { isJsonObject } from '#app/json.ts'
import { parseJson } from '#app/or-else.ts'
import { isInDraft } from '../protocol-versions.ts'
import { encodeHeaderValue } from './mirrored-headers.ts'

export interface RequestFacts {
  /** Undefined: a notification, or an answer to the server. */
  readonly id: RequestId | undefined
  /** Undefined: an answer to the server. */
  readonly method: string | undefined
  /** The request names its own revision, as those of 2026 do. */
  readonly modern: boolean
  /** Names the draft, whose streams can be resumed. */
  readonly draft: boolean
  /** Asking it twice is no harm. */
  readonly safe: boolean
  readonly name: string | undefined
}

const harmless: ReadonlySet<string> = new Set([
  'server/discover',
  'ping',
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'tasks/get',
  'tasks/list',
  'tasks/result',
])

const namedBy: Readonly<Record<string, string>> = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' }

/** Undefined when the body is no message of the protocol: what a sign-in posts. */
export function readRequest(body: unknown): RequestFacts | undefined {
  const message = typeof body === 'string' ? parseJson(body) : undefined
  if (!isJsonObject(message) || message['jsonrpc'] !== '2.0') return undefined
  const { id, method, params } = message
  const said = isJsonObject(params) ? params : {}
  const meta = said['_meta']
  const named = typeof method === 'string' ? said[namedBy[method] ?? ''] : undefined
  return {
    id: typeof method === 'string' && (typeof id === 'string' || typeof id === 'number') ? id : undefined,
    method: typeof method === 'string' ? method : undefined,
    modern: isJsonObject(meta) && typeof meta[PROTOCOL_VERSION_META_KEY] === 'string',
    draft: isInDraft(said),
    safe: typeof method === 'string' && harmless.has(method),
    name: typeof named === 'string' ? named : undefined,
  }
}

/** `Mcp-Method` on requests and notifications, `Mcp-Name` where there is one; in every era, for older servers pass them over. */
export function addStandardHeaders(headers: Headers, { method, name }: RequestFacts): void {
  if (method !== undefined && !headers.has('mcp-method')) headers.set('mcp-method', encodeHeaderValue(method))
  if (name !== undefined && !headers.has('mcp-name')) headers.set('mcp-name', encodeHeaderValue(name))
}
