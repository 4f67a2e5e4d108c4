// Serves the page and stored bytes on `app://assent`. Files are looked up by exact path in a list of what was built, so
// an address that climbs out of the folder is merely a name that is not there. The policy goes on every answer.
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { protocol } from 'electron'
import {
  blobSecurityPolicy,
  blobTypes,
  contentSecurityPolicy,
  diagramPath,
  mcpAppContentType,
  mcpAppIdOf,
  mcpAppOwnHeaders,
  pageFileTypes,
  securityHeaders,
} from '#app/contract/csp.ts'
import type { DiagramFrame } from '#main/shell/node/diagram-frame.ts'
import { appPath, scheme } from './navigation.ts'

interface PageSource {
  /** The built page. */
  readonly folder: string
  readonly diagramFrame: DiagramFrame
  readonly blob: (sha256: string) => { readonly bytes: Uint8Array; readonly mimeType: string } | undefined
  /** The document of an open view. */
  readonly view: (id: string) => { readonly bytes: Uint8Array; readonly policy: string; readonly connections: string } | undefined
}

/** Before the app is ready. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme, privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true } },
  ])
}

/** Returns its undo. */
export function servePage(source: PageSource): () => void {
  const answer = createAnswer(source)
  protocol.handle(scheme, (request) => answer(request.method, request.url))
  return () => protocol.unhandle(scheme)
}

export function createAnswer({ folder, diagramFrame, blob, view: viewOf }: PageSource): (method: string, url: string) => Promise<Response> {
  const files = listFiles(folder)
  return async (method, url) => {
    if (method !== 'GET' && method !== 'HEAD') return refusal(405)
    const path = appPath(url)
    const file = path === undefined ? undefined : files.get(path)
    if (file !== undefined) {
      const type = pageFileTypes[extname(file)] ?? 'application/octet-stream'
      return respond(method, await readFile(file), { 'Content-Type': type, 'Content-Security-Policy': contentSecurityPolicy })
    }
    const frame = path === diagramPath ? diagramFrame() : undefined
    if (frame)
      return respond(method, frame.bytes, {
        'Content-Type': frame.type,
        'X-Frame-Options': 'SAMEORIGIN',
        'Content-Security-Policy': frame.policy,
      })
    const view = viewOf(mcpAppIdOf(path ?? '') ?? '')
    if (view)
      return respond(method, view.bytes, {
        ...mcpAppOwnHeaders,
        'Content-Type': mcpAppContentType,
        'Content-Security-Policy': view.policy,
        'Connection-Allowlist': view.connections,
      })
    const stored = blob(/^\/blob\/([0-9a-f]{64})$/.exec(path ?? '')?.[1] ?? '')
    if (stored === undefined) return refusal(404)
    const type = blobTypes.has(stored.mimeType) ? stored.mimeType : 'application/octet-stream'
    return respond(method, stored.bytes, { 'Content-Type': type, 'Content-Security-Policy': blobSecurityPolicy })
  }
}

// The bytes come from a file or SQLite: never shared memory, which is all that `BodyInit` excludes here.
const respond = (method: string, bytes: Uint8Array, headers: Record<string, string>): Response =>
  new Response(method === 'HEAD' ? null : (bytes as Uint8Array<ArrayBuffer>), { headers: { ...securityHeaders, ...headers } })

const refusal = (status: number): Response =>
  new Response(null, { status, headers: { ...securityHeaders, 'Content-Security-Policy': blobSecurityPolicy } })

/** By path, `/` being the page. Step by step, since an archive's folders cannot be listed in one go everywhere. */
function listFiles(folder: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>()
  const visit = (path: string, from: string): void => {
    for (const entry of readdirSync(from, { withFileTypes: true })) {
      const next = join(from, entry.name)
      if (entry.isDirectory()) visit(`${path}${entry.name}/`, next)
      else if (entry.isFile() && pageFileTypes[extname(entry.name)] !== undefined) files.set(`${path}${entry.name}`, next)
    }
  }
  visit('/', folder)
  const index = files.get('/index.html')
  if (index !== undefined) files.set('/', index)
  files.delete('/index.html')
  return files
}
