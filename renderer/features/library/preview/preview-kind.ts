// How a content is best read. Bytes are judged by what they are (`blob.mimeType`, which the host found out); of a text the
// server's word for its type and the end of its address say which text it is. Pure.
import type { ShownContent } from '#app/server/shelf.ts'
import { languageOf } from '#renderer/features/chat/results/resource-text.tsx'

export type PreviewKind =
  | { readonly kind: 'empty' | 'text' | 'markdown' | 'json' | 'image' | 'audio' | 'pdf' | 'bytes' }
  | { readonly kind: 'table'; readonly separator: ',' | '\t' }
  | { readonly kind: 'code'; readonly language: string }

/** Characters. Above it a text is only text: shaping or colouring more would hold the page up. */
const mostShaped = 400_000

export function previewKind({ text, blob, mimeType = '', uri }: ShownContent): PreviewKind {
  if (blob.bytes === 0) return { kind: 'empty' }
  if (text === undefined) return { kind: bytesKind(blob.mimeType) }
  if (text.length > mostShaped) return { kind: 'text' }
  const type = (mimeType.split(';')[0] ?? '').trim().toLowerCase()
  const ending = /\.([a-z0-9]{1,10})$/i.exec(uri.split(/[?#]/)[0] ?? '')?.[1]?.toLowerCase()
  if (type === 'text/markdown' || type === 'text/x-markdown' || (plain(type) && (ending === 'md' || ending === 'markdown')))
    return { kind: 'markdown' }
  if (type === 'text/csv' || (plain(type) && ending === 'csv')) return { kind: 'table', separator: ',' }
  if (type === 'text/tab-separated-values' || (plain(type) && ending === 'tsv')) return { kind: 'table', separator: '\t' }
  const language = languageOf(mimeType, uri)
  if (language === 'json') return { kind: 'json' }
  return language === '' || language === 'txt' ? { kind: 'text' } : { kind: 'code', language }
}

const plain = (type: string): boolean => type === '' || type === 'text/plain'

function bytesKind(type: string): 'image' | 'audio' | 'pdf' | 'bytes' {
  if (type.startsWith('image/')) return 'image'
  if (type.startsWith('audio/')) return 'audio'
  return type === 'application/pdf' ? 'pdf' : 'bytes'
}
