// Serves the page and what the host stores on `app://assent`. Files are looked up by exact path in a list of the build, so an address
// cannot leave the folder. Every answer has a security policy.
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { protocol } from 'electron'
import { blobSecurityPolicy, contentSecurityPolicy, diagramPath, mcpAppIdOf, pageFileTypes, securityHeaders } from '#app/contract/csp.ts'
import type { Host } from '#main/host.ts'
import { blobContent, blobHash, type DiagramFrame, diagramContent, inRange, mcpAppContent } from '#main/shell/node/page-content.ts'
import { appPath, scheme } from './navigation.ts'

interface PageSource {
  readonly folder: string
  readonly diagramFrame: DiagramFrame
  readonly blob: Host['blob']
  readonly view: Host['mcpApp']
}

/** Registers our scheme; to be called before the app is ready. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme, privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true } },
  ])
}

/** Returns its undo. */
export function servePage(source: PageSource): () => void {
  const answer = createAnswer(source)
  protocol.handle(scheme, (request) => answer(request.method, request.url, request.headers.get('Range')))
  return () => protocol.unhandle(scheme)
}

export function createAnswer({ folder, diagramFrame, blob, view }: PageSource) {
  const files = listFiles(folder)
  return async (method: string, url: string, range: string | null = null): Promise<Response> => {
    if (method !== 'GET' && method !== 'HEAD') return refusal(405)
    const path = appPath(url) ?? ''
    const file = files.get(path)
    if (file !== undefined) {
      const type = pageFileTypes[extname(file)] ?? 'application/octet-stream'
      const headers = { ...securityHeaders, 'Content-Type': type, 'Content-Security-Policy': contentSecurityPolicy }
      return respond(method, { bytes: await readFile(file), headers })
    }
    const stored = blob(blobHash(path) ?? '')
    if (stored) return respond(method, inRange(blobContent(stored), range))
    const content = diagramContent(path === diagramPath ? diagramFrame() : undefined) ?? mcpAppContent(view(mcpAppIdOf(path) ?? ''))
    return content ? respond(method, content) : refusal(404)
  }
}

// The bytes come from a file or SQLite: never shared memory, which is all that `BodyInit` excludes here.
const respond = (method: string, { status = 200, bytes, headers }: Answered): Response =>
  new Response(method === 'HEAD' ? null : (bytes as Uint8Array<ArrayBuffer>), {
    status,
    headers: { ...headers, 'Content-Length': String(bytes.length) },
  })

interface Answered {
  readonly status?: number
  readonly bytes: Uint8Array
  readonly headers: Readonly<Record<string, string>>
}

const refusal = (status: number): Response =>
  new Response(null, { status, headers: { ...securityHeaders, 'Content-Security-Policy': blobSecurityPolicy } })

/** Lists files by path; `/` is the page. Folder by folder, since an archive cannot be listed recursively everywhere. */
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
