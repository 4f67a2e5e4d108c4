// A tool's result as the host stores it (MCP, "Tool result"): bytes as blobs of their sniffed type, long texts as a beginning with the
// whole in a blob, unknown blocks as data. Nothing that a server sends makes it throw.
import type { ResultBlock, ToolResult } from '#app/chat/content.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { sniffMime, UNKNOWN_TYPE } from '#app/sniff-mime.ts'
import { jsonSize, keptTexts } from '#main/base/json-size.ts'
import type { BlobStore } from '#main/store/store-api.ts'

/** Bytes of UTF-8 of one text in the message itself. */
export const INLINE_TEXT_BYTES = 100_000

/** Bytes of JSON of one result in its message, which goes to every page and into every later request to the model. */
const LARGEST_RESULT = 500_000
const MOST_BLOCKS = 200
const LARGEST_MORE = 50_000

export function toToolResult(result: JsonObject, bytes: number, blobs: BlobStore): ToolResult {
  const content = Array.isArray(result['content']) ? (result['content'] as readonly Json[]) : []
  const { blocks, room } = keepBlocks(content, blobs)
  // A member that was kept as raw text is larger than there is ever room for.
  const structured = keptTexts(result)?.get('structuredContent') ?? result['structuredContent']
  const fits = structured !== undefined && !Buffer.isBuffer(structured) && jsonSize(structured, room) <= room
  const { more } = rest(result, ['content', 'structuredContent', 'isError', 'resultType'])
  const short = more === undefined || jsonSize(more, LARGEST_MORE) <= LARGEST_MORE
  return {
    content: [
      ...blocks,
      ...(structured === undefined || fits ? [] : [beginningOnly(structured, blobs)]),
      ...(short ? [] : [beginningOnly(more, blobs)]),
    ],
    ...(fits ? { structuredContent: structured } : {}),
    ...(short && more ? { more } : {}),
    isError: result['isError'] === true,
    bytes,
  }
}

/** Keeps blocks as long as there is room; the rest becomes one block, the beginning of its JSON with the whole in a blob. */
function keepBlocks(content: readonly Json[], blobs: BlobStore): { readonly blocks: ResultBlock[]; readonly room: number } {
  const blocks: ResultBlock[] = []
  let room = LARGEST_RESULT
  for (const [index, value] of content.entries()) {
    const block = index < MOST_BLOCKS ? toBlock(value, blobs) : undefined
    const size = block ? jsonSize(block as unknown as Json, room) : 0
    if (!block || size > room) return { blocks: [...blocks, beginningOnly(content.slice(index), blobs)], room }
    blocks.push(block)
    room -= size
  }
  return { blocks, room }
}

const SHORT_BEGINNING = 10_000

function beginningOnly(value: Json | Buffer, blobs: BlobStore): ResultBlock {
  const bytes = Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value), 'utf8')
  return { type: 'text', text: truncateUtf8(bytes, SHORT_BEGINNING), whole: blobs.put(bytes, 'text/plain') }
}

function toBlock(value: Json, blobs: BlobStore): ResultBlock {
  if (!isJsonObject(value)) return { type: 'unknown', value: { value } }
  switch (value['type']) {
    case 'text':
      return typeof value['text'] === 'string'
        ? { type: 'text', ...keepText(value['text'], blobs), ...rest(value, ['type', 'text']) }
        : { type: 'unknown', value }
    case 'image':
    case 'audio':
      return toMedia(value['type'], value, blobs)
    case 'resource':
      return toResource(value, blobs)
    case 'resource_link':
      return toLink(value)
    default:
      return { type: 'unknown', value }
  }
}

function keepText(text: string, blobs: BlobStore): Pick<ResultBlock & { type: 'text' }, 'text' | 'whole'> {
  if (text.length <= INLINE_TEXT_BYTES / 3) return { text }
  const bytes = Buffer.from(text, 'utf8')
  if (bytes.byteLength <= INLINE_TEXT_BYTES) return { text }
  return { text: truncateUtf8(bytes, INLINE_TEXT_BYTES), whole: blobs.put(bytes, 'text/plain') }
}

/** Decodes at most `limit` bytes, cut at a whole character. */
export function truncateUtf8(bytes: Uint8Array, limit: number): string {
  let end = Math.min(limit, bytes.byteLength)
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return Buffer.from(bytes.subarray(0, end)).toString('utf8')
}

function bytesOf(data: Json | undefined): Buffer | undefined {
  if (typeof data !== 'string' || /[^A-Za-z0-9+/_=\s-]/.test(data)) return undefined
  return Buffer.from(data, 'base64')
}

/** Bytes that are no image or sound of a known type (an SVG, a false type) are kept without a type. */
function toMedia(type: 'image' | 'audio', { kept: _kept, ...value }: JsonObject, blobs: BlobStore): ResultBlock {
  const bytes = bytesOf(value['data'])
  if (!bytes || bytes.byteLength === 0) return { type: 'unknown', value }
  const mimeType = sniffMime(bytes)
  if (mimeType.startsWith(`${type}/`)) return { type, blob: blobs.put(bytes, mimeType), ...rest(value, ['type', 'data', 'mimeType']) }
  const { data: _, ...others } = value
  return { type: 'unknown', value: { ...others, kept: { ...blobs.put(bytes, UNKNOWN_TYPE) } } }
}

function toResource(value: JsonObject, blobs: BlobStore): ResultBlock {
  const resource = value['resource']
  if (!isJsonObject(resource) || typeof resource['uri'] !== 'string') return { type: 'unknown', value }
  const within = rest(resource, ['uri', 'mimeType', 'text', 'blob']).more
  const around = rest(value, ['type', 'resource']).more
  const more = within || around ? { more: { ...around, ...(within ? { resource: within } : {}) } } : {}
  const base = { type: 'resource', uri: resource['uri'], ...textField(resource, 'mimeType'), ...more } as const
  if (typeof resource['text'] === 'string') {
    const { text, whole } = keepText(resource['text'], blobs)
    return { ...base, text, ...(whole ? { blob: whole } : {}) }
  }
  const bytes = bytesOf(resource['blob'])
  return bytes ? { ...base, blob: blobs.put(bytes, sniffMime(bytes)) } : { type: 'unknown', value }
}

function toLink(value: JsonObject): ResultBlock {
  const { uri, name } = value
  if (typeof uri !== 'string') return { type: 'unknown', value }
  const more = {
    ...textField(value, 'title'),
    ...textField(value, 'description'),
    ...textField(value, 'mimeType'),
    ...rest(value, ['type', 'uri', 'name', 'title', 'description', 'mimeType']),
  }
  return { type: 'resource-link', uri, name: typeof name === 'string' ? name : uri, ...more }
}

/** Members of an object beside the known ones, as `more`. */
function rest(value: JsonObject, known: readonly string[]): { readonly more?: JsonObject } {
  const left = Object.keys(value).filter((name) => !known.includes(name))
  return left.length > 0 ? { more: Object.fromEntries(left.map((name) => [name, value[name] as Json])) } : {}
}

function textField<Name extends string>(value: JsonObject, name: Name): { [N in Name]?: string } {
  const field = value[name]
  return (typeof field === 'string' ? { [name]: field } : {}) as { [N in Name]?: string }
}
