// Attachments from a server: the contents of a resource, the messages of a prompt (MCP, "Resources", "Prompts"). What no model reads is
// named in place of its content, or refused where nothing else came.
import { type Attachment, attachmentLimits, type UsedPrompt } from '#app/chat/attachments/attachment.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { orElse } from '#app/or-else.ts'
import type { BlobStore } from '#main/store/store-api.ts'
import { keepAttachment } from './store-attachment.ts'

type Kept = Pick<BlobStore, 'put'>

const list = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : [])
const textOf = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined)

/** @throws {HostError} `attachment.*` for contents that cannot be attached, `server.protocol` when there are none */
export function resourceAttachments(result: JsonObject, server: string, uri: string, blobs: Kept): Attachment[] {
  const contents = list(result['contents']).filter(isJsonObject)
  if (contents.length === 0) throw new HostError('server.protocol', t`“${server}” returned nothing for ${uri}.`, { data: { server, uri } })
  if (contents.length > attachmentLimits.count)
    throw new HostError('attachment.too-large', t`${uri} has ${contents.length} parts; a message takes ${attachmentLimits.count}.`, {
      data: { server, uri },
    })
  return contents.map((content) => contentAttachment(content, server, uri, blobs))
}

function contentAttachment(content: JsonObject, server: string, asked: string, blobs: Kept): Attachment {
  const uri = (textOf(content['uri']) ?? asked).slice(0, 8192)
  const bytes = Buffer.from(textOf(content['text']) ?? textOf(content['blob']) ?? '', content['text'] === undefined ? 'base64' : 'utf8')
  return keepAttachment({ bytes, name: nameOf(uri), from: { server, uri } }, blobs)
}

/** Last part of the URI, decoded. */
function nameOf(uri: string): string {
  const plain = uri.replace(/[?#].*$/s, '').replace(/\/+$/, '')
  const tail = plain.split(/[/\\]/).at(-1) || plain
  return orElse(() => decodeURIComponent(tail), tail) // A lone percent sign stays as it is written.
}

const MOST_MESSAGES = 100
const MOST_TEXT = 1_000_000

/** @throws {HostError} `server.protocol` when the prompt has no messages, `server.too-large` when they exceed what a message takes */
export function toUsedPrompt(result: JsonObject, requested: Omit<UsedPrompt, 'messages'>, blobs: Kept): UsedPrompt {
  const { server, name, title, arguments: given } = requested
  const messages = list(result['messages']).flatMap((message) => (isJsonObject(message) ? [toMessage(message, server, blobs)] : []))
  if (messages.length === 0)
    throw new HostError('server.protocol', t`“${server}” returned nothing for ${name}.`, { data: { server, prompt: name } })
  const length = messages.reduce((sum, { text }) => sum + text.length, 0)
  const parts = messages.reduce((sum, { attachments = [] }) => sum + attachments.length, 0)
  if (messages.length > MOST_MESSAGES || length > MOST_TEXT || parts > attachmentLimits.count)
    throw new HostError('server.too-large', t`The prompt “${name}” of “${server}” gave more than a message takes.`, {
      data: { server, prompt: name },
    })
  return { server, name, arguments: { ...given }, messages, ...(title === undefined ? {} : { title }) }
}

function toMessage(message: JsonObject, server: string, blobs: Kept): UsedPrompt['messages'][number] {
  const role = message['role'] === 'assistant' ? 'assistant' : 'user'
  const content = isJsonObject(message['content']) ? message['content'] : {}
  const left = (what: string): UsedPrompt['messages'][number] => ({ role, text: `[${what}]` })
  switch (content['type']) {
    case 'text':
      return { role, text: textOf(content['text']) ?? '' }
    case 'image': {
      const bytes = Buffer.from(textOf(content['data']) ?? '', 'base64')
      return attached(() => keepAttachment({ bytes, name: 'Image', from: { server, uri: '' } }, blobs))
    }
    case 'resource': {
      const resource = isJsonObject(content['resource']) ? content['resource'] : {}
      return attached(() => contentAttachment(resource, server, '', blobs))
    }
    case 'resource_link':
      return left(`Link to the resource ${textOf(content['uri']) ?? ''}: not fetched`)
    default:
      return left(`${textOf(content['type']) ?? 'Something'} of the prompt is left out: no model reads it`)
  }
  function attached(keep: () => Attachment): UsedPrompt['messages'][number] {
    try {
      return { role, text: '', attachments: [keep()] }
    } catch (error) {
      if (error instanceof HostError && error.code.startsWith('attachment.')) return left(`Left out: ${error.message}`)
      throw error
    }
  }
}
