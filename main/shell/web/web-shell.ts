// The web shell: the page over HTTP and its link over a WebSocket, on 127.0.0.1 only. `gate.ts` judges every request and
// upgrade first; what it lets in is one of seven things: the page, a file of the build, the frame of diagrams, the document of
// a view, a stored blob, a backup that the page asked for, the link's probe. The built page, read once. What is served is
// looked up by its exact path in this map, so a path that climbs out of the folder is merely a name that is not there.
import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { extname, join, sep } from 'node:path'
import { type Duplex, pipeline, type Readable } from 'node:stream'
import { WebSocketServer } from 'ws'
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
  ticketOf,
} from '#app/contract/csp.ts'
import { connectionPath, connectionProbePath, keyFragment } from '#app/contract/host-connection.ts'
import { HostError } from '#app/errors.ts'
import { spokenLanguage, t } from '#app/i18n/translate.ts'
import { type Clock, systemClock } from '#main/base/clock.ts'
import type { Log } from '#main/base/host-log.ts'
import type { Host } from '#main/host.ts'
import type { DiagramFrame } from '#main/shell/node/diagram-frame.ts'
import { leadingPage } from '#main/shell/node/open-browser.ts'
import type { BackupDownload } from '#main/store/backup/download.ts'
import { LARGEST_FRAME, servePageSocket } from './page-socket.ts'
import { type GuardVerdict, judgeRequest } from './request-guard.ts'
import { createSessionKeys } from './session-keys.ts'
import { createUnauthenticatedConnections } from './unauthenticated-connections.ts'

interface Asset {
  readonly bytes: Buffer
  readonly type: string
}

/** By path, `/` being the page itself. Source maps and types that a page does not need are left out. Undefined: nothing was built. */
export function readAssets(folder: string): ReadonlyMap<string, Asset> | undefined {
  const assets = new Map<string, Asset>()
  let names: string[]
  try {
    names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  } catch {
    // There is no such folder: the caller says what to do about it.
    return undefined
  }
  for (const name of names) {
    const type = pageFileTypes[extname(name)]
    if (type === undefined) continue
    const path = `/${name.split(sep).join('/')}`
    assets.set(path === '/index.html' ? '/' : path, { bytes: readFileSync(join(folder, name)), type })
  }
  return assets.has('/') ? assets : undefined
}

/** Paths of the scripts and sheets that the page itself names. */
function startingFiles(assets: ReadonlyMap<string, Asset>): string[] {
  const page = assets.get('/')?.bytes.toString() ?? ''
  return [...page.matchAll(/\b(?:src|href)="(\/[^"]+\.(?:js|css))"/g)].flatMap(([, path]) => path ?? [])
}

type Headers = Readonly<Record<string, string>>

const pageHeaders: Headers = { ...securityHeaders, 'Content-Security-Policy': contentSecurityPolicy, 'Cache-Control': 'no-store' }
/** Built assets carry a hash in their name; they are still private to this person. */
const assetHeaders: Headers = {
  ...securityHeaders,
  'Content-Security-Policy': contentSecurityPolicy,
  'Cache-Control': 'private, max-age=31536000, immutable',
}
const blobHeaders: Headers = {
  ...securityHeaders,
  'Content-Security-Policy': blobSecurityPolicy,
  'Cache-Control': 'private, max-age=31536000, immutable',
}
/** `policy`: of the document of the diagrams' frame, which the page may frame. */
const diagramHeaders = (policy: string): Headers => ({
  ...securityHeaders,
  'X-Frame-Options': 'SAMEORIGIN',
  'Content-Security-Policy': policy,
  'Cache-Control': 'no-cache',
})
/** Of the document of a view, which only its frame in the page may show. */
const mcpAppHeaders = (of: { readonly policy: string; readonly connections: string }): Headers => ({
  ...securityHeaders,
  ...mcpAppOwnHeaders,
  'Content-Security-Policy': of.policy,
  'Connection-Allowlist': of.connections,
})
/** For answers without content, and for the page that says why there is nothing to see. */
const refusalHeaders: Headers = {
  ...securityHeaders,
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
}

/** What someone without the cookie sees. It holds no secret and nothing of the request. */
const refusalPage = (): string => `<!doctype html>
<html lang="${spokenLanguage()}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Assent</title>
<h1>${t`Assent does not know this page`}</h1>
<p>${t`Open Assent with the link that its terminal shows. Each link works once.`}</p>
<p>${t`For a new link, press Enter in the terminal where Assent runs, or start it again.`}</p>
</html>
`

interface WebShellOptions {
  /** Loads it at the first call, and once: when a page has the files that it starts with, or something is asked of the host. */
  readonly host: () => Promise<Pick<Host, 'request' | 'onEvent' | 'blob' | 'mcpApp' | 'backup'>>
  readonly assets: ReadonlyMap<string, Asset>
  readonly diagramFrame: DiagramFrame
  /** 0: any free one. */
  readonly port: number
  readonly log: Log
  /** Measures how long a page may take to say hello. */
  readonly clock?: Clock
}

export interface WebShell {
  readonly port: number
  /**
   * A new link with a one-time token. It goes to the person's terminal or, in a private file, to their browser: never to a log
   * or an argument list. `onUsed`: it was exchanged.
   */
  newLink(onUsed?: () => void): string
  close(): Promise<void>
}

// Imported as a module it would load Node's own fetch as well, before the page: a good sixteenth of a second.
const { createServer } = process.getBuiltinModule('node:http')

const blobPath = /^\/blob\/([0-9a-f]{64})$/

/** Rejects with `port.in-use` or `platform.unavailable`. */
export async function startWebShell(options: WebShellOptions): Promise<WebShell> {
  const { host, assets, port: wanted, log, clock = systemClock } = options
  const server = createServer({
    // Long: the time counts also while this process is given none, as on a machine that is busy with its start. What is
    // idle in the meantime is bounded by number (strangers.ts).
    headersTimeout: 30_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 30_000,
    connectionsCheckingInterval: 1000,
    maxHeaderSize: 16_384,
    // The gate judges a missing Host itself.
    requireHostHeader: false,
  })
  server.maxHeadersCount = 100
  const port = await listen(server, wanted)
  const keys = createSessionKeys(port)
  const strangers = createUnauthenticatedConnections()
  const sockets = new WebSocketServer({ noServer: true, maxPayload: LARGEST_FRAME, perMessageDeflate: false })

  const verdictOn = (request: IncomingMessage, upgrade: boolean): GuardVerdict =>
    judgeRequest(
      {
        upgrade,
        method: request.method ?? '',
        target: request.url ?? '',
        rawHeaders: request.rawHeaders,
        known: keys.knows(request.headers.cookie),
      },
      port,
    )

  async function answerTo(request: IncomingMessage): Promise<Answer> {
    const verdict = verdictOn(request, false)
    if (verdict.kind === 'refuse') return refusal(verdict.status)
    if (verdict.kind === 'exchange') {
      const session = keys.exchange(verdict.token)
      const isKnown = !verdict.fromElsewhere && keys.knows(request.headers.cookie)
      if (!session && !isKnown) return refusal(401)
      strangers.vouch(request.socket)
      // A used link opened again by someone who is known already: the token leaves the address bar.
      if (!session) return { status: 303, headers: { ...refusalHeaders, Location: '/' } }
      // No redirect: it would still count as coming from where the link was, and the new cookie would not be sent.
      const setCookie = `${keys.cookieName}=${session.cookie}; HttpOnly; SameSite=Strict; Path=/`
      const headers = { ...refusalHeaders, 'Content-Type': 'text/html; charset=utf-8', 'Set-Cookie': setCookie }
      return { status: 200, headers, body: leadingPage(`/${keyFragment}${session.key}`) }
    }
    strangers.vouch(request.socket)
    return serve(options, verdict.place)
  }

  function onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', (error) => log.debug(`An upgrade failed: ${error.message}`))
    const verdict = verdictOn(request, true)
    if (verdict.kind === 'enter' && verdict.place === connectionPath) {
      const opens = (key: string): boolean => keys.opens(request.headers.cookie, key)
      const onWelcome = (): void => strangers.vouch(request.socket)
      sockets.handleUpgrade(request, socket, head, (opened) => servePageSocket(opened, { host, log, clock, opens, onWelcome }))
    } else refuseUpgrade(socket, verdict.kind === 'refuse' ? verdict.status : 404)
  }

  const connections = new Set<Socket>()
  server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
    strangers.add(socket)
  })
  // With all that it starts with, the page is busy with itself: time to load what it asks next.
  const starting = new Set(startingFiles(assets))
  function onSent(place: string): void {
    if (starting.delete(place) && starting.size === 0) host().catch(() => undefined) // Who started this shell hears of it.
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let answer: Answer
    try {
      answer = await answerTo(request)
    } catch (error) {
      log.error('A request could not be answered', error)
      answer = { status: 500, headers: refusalHeaders }
    }
    response.once('finish', () => onSent(request.url ?? ''))
    write(response, answer)
  }
  server.on('request', (request, response) => void respond(request, response))
  server.on('upgrade', onUpgrade)
  // What is not HTTP, too large or too slow.
  server.on('clientError', (_error, socket) => refuseUpgrade(socket, 400))
  server.on('error', (error) => log.error('The web shell failed', error))

  return {
    port,
    newLink: (onUsed) => `http://127.0.0.1:${port}/?token=${keys.newToken(onUsed)}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        // Upgraded ones too, which the HTTP server no longer counts as its own.
        for (const socket of connections) socket.destroy()
      }),
  }
}

/** What a page asks for by its path: a file of the build, or something of the host's. */
async function serve(
  { host, assets, diagramFrame }: Pick<WebShellOptions, 'host' | 'assets' | 'diagramFrame'>,
  place: string,
): Promise<Answer> {
  if (place === connectionProbePath) return { status: 204, headers: refusalHeaders }
  if (place === diagramPath) {
    const frame = diagramFrame()
    return frame
      ? { status: 200, headers: { ...diagramHeaders(frame.policy), 'Content-Type': frame.type }, body: frame.bytes }
      : { status: 404, headers: refusalHeaders }
  }
  const viewId = mcpAppIdOf(place)
  if (viewId !== undefined) {
    const view = (await host()).mcpApp(viewId)
    return view
      ? { status: 200, headers: { ...mcpAppHeaders(view), 'Content-Type': mcpAppContentType }, body: view.bytes }
      : { status: 404, headers: refusalHeaders }
  }
  const ticket = ticketOf(place)
  if (ticket !== undefined) return backupAnswer((await host()).backup(ticket))
  const sha256 = blobPath.exec(place)?.[1]
  const blob = sha256 === undefined ? undefined : (await host()).blob(sha256)
  if (blob) {
    const type = blobTypes.has(blob.mimeType) ? blob.mimeType : undefined
    const headers = type ? { 'Content-Type': type } : { 'Content-Type': 'application/octet-stream', 'Content-Disposition': 'attachment' }
    return { status: 200, headers: { ...blobHeaders, ...headers }, body: blob.bytes }
  }
  const asset = assets.get(place)
  if (!asset) return { status: 404, headers: refusalHeaders }
  return { status: 200, headers: { ...(place === '/' ? pageHeaders : assetHeaders), 'Content-Type': asset.type }, body: asset.bytes }
}

function listen(server: Server, wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const data = { port: wanted }
      if (cause.code === 'EADDRINUSE')
        reject(
          new HostError('port.in-use', t`Port ${wanted} is taken by another program. Start with --port 0 for any free one.`, {
            data,
            cause,
          }),
        )
      else reject(new HostError('platform.unavailable', t`Assent cannot listen on 127.0.0.1, port ${wanted}.`, { data, cause }))
    })
    server.listen({ host: '127.0.0.1', port: wanted, exclusive: true }, () => {
      server.removeAllListeners('error')
      resolve((server.address() as AddressInfo).port)
    })
  })
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body?: Uint8Array | string | { readonly bytes: number; readonly content: Readable }
}

/** Kept by no store: whoever opens it again asks again. */
function backupAnswer(given: BackupDownload | undefined): Answer {
  if (!given) return { status: 404, headers: refusalHeaders }
  const disposition = `attachment; filename="${given.name}"`
  return {
    status: 200,
    headers: { ...refusalHeaders, 'Content-Type': 'application/vnd.sqlite3', 'Content-Disposition': disposition },
    body: given,
  }
}

function write(response: ServerResponse, { status, headers, body }: Answer): void {
  if (typeof body === 'object' && 'content' in body) {
    response.writeHead(status, { ...headers, 'Content-Length': body.bytes })
    // A page that does not want the rest, or a disk that fails, ends it before all of it went: the browser sees that by the length.
    pipeline(body.content, response, () => undefined)
    return
  }
  const length = status === 204 ? {} : { 'Content-Length': body === undefined ? 0 : Buffer.byteLength(body) }
  response.writeHead(status, { ...headers, ...length })
  response.end(body)
}

/** 401 comes with a page that says how to get in; every refusal ends the connection. */
function refusal(status: number): Answer {
  const headers = { ...refusalHeaders, Connection: 'close' }
  return status === 401
    ? { status, headers: { ...headers, 'Content-Type': 'text/html; charset=utf-8' }, body: refusalPage() }
    : { status, headers }
}

function refuseUpgrade(socket: Duplex, status: number): void {
  if (socket.writable) socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy())
  else socket.destroy()
}
