// Content that a shell serves beside the files of the page, with its headers: diagrams' frame, MCP Apps, stored blobs.
import { blobSecurityPolicy, blobTypes, mcpAppContentType, mcpAppOwnHeaders, securityHeaders } from '#app/contract/csp.ts'
import type { Host } from '#main/host.ts'
import type { DiagramFrame } from './diagram-frame.ts'

export type Headers = Readonly<Record<string, string>>

interface Content {
  readonly bytes: Uint8Array
  readonly headers: Headers
}

/** SHA-256 in the path of a blob. */
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
