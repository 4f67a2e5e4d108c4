import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { kindOfBytes, largestAttachment } from '#app/chat/attachments/attachment.ts'
import type { UserMessage } from '#app/chat/message.ts'
import type { ModelMessage } from '#main/models/provider.ts'
import type { BlobStore } from '#main/store/store-api.ts'
import { createUploads } from '../../requests/blob-requests.ts'
import { capMedia, userContent } from '../context/model-history.ts'
import { composeMessage } from './compose-message.ts'
import { resourceAttachments, toUsedPrompt } from './server-attachments.ts'
import { keepAttachment, pdfFacts } from './store-attachment.ts'

const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'latin1')
const PNG = '\x89PNG\r\n\x1a\n\0\0'

function makeBlobs(): BlobStore {
  const kept = new Map<string, { bytes: Uint8Array; mimeType: string }>()
  return {
    put(bytes, mimeType) {
      const sha256 = Buffer.from(bytes).toString('hex').padEnd(64, '0').slice(0, 64)
      kept.set(sha256, { bytes, mimeType })
      return { sha256, bytes: bytes.byteLength, mimeType }
    },
    get: (sha256) => kept.get(sha256),
  }
}
const message = (part: Partial<UserMessage>): UserMessage => ({
  role: 'user',
  id: 'm',
  conversationId: 'c',
  turnId: 't',
  createdAt: 1,
  text: 'Look',
  ...part,
})
const codeOf = (work: () => unknown): unknown => {
  try {
    work()
    return undefined
  } catch (error) {
    return (error as { code?: string }).code
  }
}

test('bytes are judged by what they are: text by reading as UTF-8, images and PDF by their first bytes', () => {
  const kinds = ['héllo', '{"a":1}', '\0text'].map((text) => kindOfBytes(new TextEncoder().encode(text))?.kind)
  const others = [PNG, 'GIF89a', '%PDF-1.7', '\xff\xfe\xfa', 'PK\x03\x04\0'].map((text) => kindOfBytes(bytesOf(text))?.kind)
  expect([kinds, others]).toEqual([
    ['text', 'text', undefined],
    ['image', 'image', 'pdf', undefined, undefined],
  ])
})

test('an empty file, a kind that is not taken, one that is too large and a locked PDF are refused', () => {
  const keep = (bytes: Uint8Array): unknown => codeOf(() => keepAttachment({ bytes, name: 'x' }, makeBlobs()))
  expect([
    keep(bytesOf('')),
    keep(bytesOf('PK\x03\x04\0')),
    keep(Buffer.alloc(1_000_001, 'a')),
    keep(bytesOf('%PDF-1.7 trailer << /Encrypt 5 0 R >>')),
    keep(bytesOf('fine')),
  ]).toEqual(['attachment.unsupported', 'attachment.unsupported', 'attachment.too-large', 'attachment.unsupported', undefined])
})

test('the pages of a PDF are counted, also where its objects are packed', () => {
  const packed = deflateSync('1 0 << /Type /Pages /Kids [2 0 R] /Count 7 >>').toString('latin1')
  const tree = '<< /Type /Pages /Count 12 /Kids [3 0 R] >> << /Type /Pages /Parent 1 0 R /Count 4 >>'
  expect([
    pdfFacts(bytesOf(`%PDF-1.7 ${tree}`)).pages,
    pdfFacts(bytesOf(`%PDF-1.7 1 0 obj << /Type /ObjStm /Filter /FlateDecode >> stream\n${packed}\nendstream`)).pages,
    pdfFacts(bytesOf('%PDF-1.7')).pages,
  ]).toEqual([12, 7, undefined])
})

describe('files on their way', () => {
  test('parts come in their order and are whole at the end, once', () => {
    const uploads = createUploads()
    uploads.part('a', 0, bytesOf('ab'))
    uploads.part('a', 2, bytesOf('c'))
    expect(Buffer.from(uploads.take('a')).toString()).toBe('abc')
    expect(codeOf(() => uploads.take('a'))).toBe('attachment.unknown')
  })
  test('a gap, and more than a file may have, are refused', () => {
    const uploads = createUploads()
    uploads.part('a', 0, bytesOf('ab'))
    expect([codeOf(() => uploads.part('a', 5, bytesOf('c'))), codeOf(() => uploads.part('b', largestAttachment, bytesOf('c')))]).toEqual([
      'attachment.unknown',
      'attachment.unknown',
    ])
    expect(codeOf(() => uploads.part('c', 0, Buffer.alloc(largestAttachment + 1)))).toBe('attachment.too-large')
  })
})

test('the model reads a text between marks that it cannot write, without hidden characters, with its origin; a PDF is a document', () => {
  const blobs = makeBlobs()
  const text = keepAttachment({ bytes: Buffer.from('a\u200bb'), name: 'notes.txt', from: { server: 'files', uri: 'file:///n' } }, blobs)
  const pdf = keepAttachment({ bytes: bytesOf('%PDF-1.7'), name: 'r.pdf' }, blobs)
  const [said] = userContent(message({ attachments: [text, pdf] }), { blobs, images: true })
  const [first, , document, words] = said?.content ?? []
  const mark = text.blob.sha256.slice(0, 16)
  expect(first?.type === 'text' && first.text.split('\n').slice(1)).toEqual(['ab', `[End of "notes.txt", ${mark}]`])
  expect(first?.type === 'text' && first.text.includes('"file:///n" of the server "files"')).toBe(true)
  expect(document).toMatchObject({ type: 'document', name: 'r.pdf', data: Buffer.from('%PDF-1.7').toString('base64') })
  expect(words).toEqual({ type: 'text', text: 'Look' })
})

test('a model that takes no images reads that there is one', () => {
  const blobs = makeBlobs()
  const image = keepAttachment({ bytes: bytesOf(PNG), name: 'p.png' }, blobs)
  const types = (images: boolean) => userContent(message({ attachments: [image] }), { blobs, images })[0]?.content.map(({ type }) => type)
  expect([types(true), types(false)]).toEqual([
    ['text', 'image', 'text'],
    ['text', 'text', 'text'],
  ])
})

test('a prompt’s texts are the person’s words; with answers in it, all keep their roles and the person’s own words come last', () => {
  const blobs = makeBlobs()
  const asked = { server: 'demo', name: 'chase', arguments: {} }
  const part = (role: string, text: string) => ({ role, content: { type: 'text', text } })
  const plain = toUsedPrompt({ messages: [part('user', 'One'), part('user', 'Two')] }, asked, blobs)
  expect(composeMessage({ text: 'Three', prompt: plain }, blobs)).toEqual({ text: 'One\n\nTwo\n\nThree', prompt: asked })
  const mixed = toUsedPrompt({ messages: [part('user', 'One'), part('assistant', 'Yes')] }, asked, blobs)
  const composed = composeMessage({ text: 'Three', prompt: mixed }, blobs)
  expect(composed.text).toBe('One\n\nThree')
  const said = userContent(message(composed), { blobs, images: true })
  expect(said.slice(1).map(({ role, content }) => [role, content.map((block) => block.type === 'text' && block.text).join()])).toEqual([
    ['user', 'One'],
    ['assistant', 'Yes'],
    ['user', 'Three'],
  ])
})

test('an embedded resource of a prompt is an attachment with its origin; a sound is named and left out', () => {
  const blobs = makeBlobs()
  const prompt = toUsedPrompt(
    {
      messages: [
        { role: 'user', content: { type: 'resource', resource: { uri: 'invoice://1', text: 'x' } } },
        { role: 'user', content: { type: 'audio', data: '', mimeType: 'audio/wav' } },
      ],
    },
    { server: 'demo', name: 'p', arguments: {} },
    blobs,
  )
  expect(prompt.messages[0]?.attachments?.[0]).toMatchObject({ kind: 'text', name: '1', from: { server: 'demo', uri: 'invoice://1' } })
  expect(prompt.messages[1]?.text).not.toBe('')
})

test('each content of a resource is an attachment; one without any is an error of the server', () => {
  const blobs = makeBlobs()
  const result = {
    contents: [
      { uri: 'f:///a%20b.txt', text: 'x' },
      { uri: 'f:///p.png', blob: Buffer.from(PNG, 'latin1').toString('base64') },
    ],
  }
  expect(resourceAttachments(result, 's', 'f:///', blobs).map(({ name, kind }) => [name, kind])).toEqual([
    ['a b.txt', 'text'],
    ['p.png', 'image'],
  ])
  expect(codeOf(() => resourceAttachments({ contents: [] }, 's', 'f:///', blobs))).toBe('server.protocol')
})

test('bytes that the host does not have, and too many together, cannot be sent', () => {
  const blobs = makeBlobs()
  const one = keepAttachment({ bytes: bytesOf('text'), name: 'a' }, blobs)
  const foreign = { ...one, blob: { ...one.blob, sha256: 'f'.repeat(64) } }
  expect([
    codeOf(() => composeMessage({ text: '', attachments: [foreign] }, blobs)),
    codeOf(() => composeMessage({ text: '', attachments: Array.from({ length: 21 }, () => one) }, blobs)),
  ]).toEqual(['attachment.unknown', 'attachment.too-large'])
})

test('of more images than a request can carry the latest stay', () => {
  const image = (data: string) => ({ type: 'image', mimeType: 'image/png', data }) as const
  const messages: ModelMessage[] = [
    { role: 'user', content: [image('aaaa'), { type: 'text', text: 'x' }] },
    { role: 'user', content: [{ type: 'tool-result', providerId: 'p', isError: false, content: [image('bbbb')] }, image('cccc')] },
  ]
  const types = (list: readonly ModelMessage[]) =>
    list.map(({ content }) =>
      content.map((block) => ('content' in block && block.type === 'tool-result' ? block.content[0]?.type : block.type)),
    )
  expect([types(capMedia(messages, 8, 10)), types(capMedia(messages, 100, 1)), capMedia(messages)]).toEqual([
    [
      ['text', 'text'],
      ['image', 'image'],
    ],
    [
      ['text', 'text'],
      ['text', 'image'],
    ],
    messages,
  ])
})
