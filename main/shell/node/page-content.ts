// Content that a shell serves beside the files of the page, with its headers: diagrams' frame, MCP Apps, stored blobs. The frame has its
// script inline: it has an origin of its own, so it has no cookie, and its policy allows no request but names the script by its hash.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import {
  blobSecurityPolicy,
  blobTypes,
  diagramSecurityPolicy,
  mcpAppContentType,
  mcpAppOwnHeaders,
  securityHeaders,
} from '#app/contract/csp.ts'
import { orElse } from '#app/or-else.ts'
import type { Host } from '#main/host.ts'

export type Headers = Readonly<Record<string, string>>

interface Content {
  readonly bytes: Uint8Array
  readonly headers: Headers
}

export const blobHash = (path: string): string | undefined => /^\/blob\/([0-9a-f]{64})$/.exec(path)?.[1]

/** The page may frame the document. */
export const diagramContent = (frame: ReturnType<DiagramFrame>): Content | undefined =>
  frame && {
    bytes: frame.bytes,
    headers: { ...securityHeaders, 'X-Frame-Options': 'SAMEORIGIN', 'Content-Security-Policy': frame.policy, 'Content-Type': frame.type },
  }

/** Only its frame in the page may show the document. */
export const mcpAppContent = (app: ReturnType<Host['mcpApp']>): Content | undefined =>
  app && {
    bytes: app.bytes,
    headers: {
      ...securityHeaders,
      ...mcpAppOwnHeaders,
      'Content-Type': mcpAppContentType,
      'Content-Security-Policy': app.policy,
      'Connection-Allowlist': app.connections,
    },
  }

/** `isShown`: the page may show bytes of this type itself. */
export function blobContent(blob: NonNullable<ReturnType<Host['blob']>>): Content & { readonly isShown: boolean } {
  const isShown = blobTypes.has(blob.mimeType)
  const type = isShown ? blob.mimeType : 'application/octet-stream'
  return {
    bytes: blob.bytes,
    headers: { ...securityHeaders, 'Content-Security-Policy': blobSecurityPolicy, 'Content-Type': type },
    isShown,
  }
}

/**
 * Answers a `Range` header with one range of bytes (RFC 9110, 14.1.2), by which audio seeks; anything else in it is answered whole. 416: it
 * begins after the end.
 */
export function inRange({ bytes, headers }: Content, range: string | null | undefined): Content & { readonly status: 200 | 206 | 416 } {
  const size = bytes.length
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range ?? '') ?? []
  const seekable = { ...headers, 'Accept-Ranges': 'bytes' }
  if (from === '' && to === '') return { status: 200, bytes, headers: seekable }
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size : Math.min(size, Number(to) + 1)
  if (from !== '' && to !== '' && Number(to) < start) return { status: 200, bytes, headers: seekable }
  if (start >= size) return { status: 416, bytes: new Uint8Array(), headers: { ...seekable, 'Content-Range': `bytes */${size}` } }
  return { status: 206, bytes: bytes.subarray(start, end), headers: { ...seekable, 'Content-Range': `bytes ${start}-${end - 1}/${size}` } }
}

/** Reads the document at the first diagram; undefined: nothing was built. */
export type DiagramFrame = () => ReturnType<typeof diagramDocument> | undefined

export function createDiagramFrame(script: string): DiagramFrame {
  let made: ReturnType<DiagramFrame>
  return () => {
    made ??= orElse(() => diagramDocument(readFileSync(script, 'utf8')), undefined)
    return made
  }
}

export function diagramDocument(script: string) {
  const text = asInline(script)
  const hash = createHash('sha256').update(text).digest('base64')
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Diagram</title><style>html{background:transparent}body{margin:0;overflow:auto}svg{display:block}</style></head><body><script>${text}</script></body></html>`
  return { bytes: Buffer.from(html), type: 'text/html; charset=utf-8', policy: diagramSecurityPolicy(hash) }
}

/** Escapes what an HTML parser would change in an inline script: the end of the element, comments, line ends and NUL. */
const asInline = (script: string): string =>
  script
    .replace(/\r\n?/g, '\n')
    .replaceAll('\0', '\\0')
    .replace(/<(?=\/script|!--)/gi, '\\x3c')
