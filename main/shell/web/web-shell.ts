// The web shell: the page over HTTP and its connection over a WebSocket, on 127.0.0.1 only. `request-guard.ts` judges every request
// and upgrade first. Served are: the page, files of the build, the diagrams' frame, MCP Apps, stored blobs, backups that the page asked
// for, and the connection's probe. Files are looked up by exact path in a map, so a path cannot leave the folder.
import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, sep } from 'node:path'
import { type Duplex, pipeline, type Readable } from 'node:stream'
import { contentSecurityPolicy, diagramPath, mcpAppIdOf, pageFileTypes, securityHeaders, ticketOf } from '#app/contract/csp.ts'
import { connectionPath, connectionProbePath, keyFragment } from '#app/contract/host-connection.ts'
import { HostError } from '#app/errors.ts'
import { spokenLanguage, t } from '#app/i18n/translate.ts'
import { orElse } from '#app/or-else.ts'
import { type Clock, systemClock } from '#main/base/clock.ts'
import type { Log } from '#main/base/host-log.ts'
import type { Host } from '#main/host.ts'
import { leadingPage } from '#main/shell/node/open-browser.ts'
import type { DiagramFrame } from '#main/shell/node/page-content.ts'
import { blobContent, blobHash, diagramContent, type Headers, mcpAppContent } from '#main/shell/node/page-content.ts'
import { createSocketServer, refuseUpgrade } from '#main/shell/socket/socket-server.ts'
import type { BackupDownload } from '#main/store/backup/download.ts'
import { type GuardVerdict, judgeRequest } from './request-guard.ts'
import { createSessionKeys } from './session-keys.ts'

interface Asset {
  readonly bytes: Buffer
  readonly type: string
}

/** Reads the built page: files by path, `/` is the page itself, without source maps and the like. Undefined: nothing was built. */
export function readAssets(folder: string): ReadonlyMap<string, Asset> | undefined {
  const assets = new Map<string, Asset>()
  for (const name of orElse(() => readdirSync(folder, { recursive: true, encoding: 'utf8' }), [])) {
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

const pageHeaders: Headers = { ...securityHeaders, 'Content-Security-Policy': contentSecurityPolicy, 'Cache-Control': 'no-store' }
/** Caching of what never changes under its path, such as assets with a hash in their name. It is private to this person. */
const cached: Headers = { 'Cache-Control': 'private, max-age=31536000, immutable' }
/** Headers of answers without content, and of the page that says why there is none. */
const refusalHeaders: Headers = {
  ...securityHeaders,
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
}

/** Page for requests without the cookie. It holds no secret and nothing of the request. */
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
  /** Loads the host once: when a page has the files that it starts with, or a request needs the host. */
  readonly host: () => Promise<Pick<Host, 'request' | 'onEvent' | 'blob' | 'mcpApp' | 'backup'>>
  readonly assets: ReadonlyMap<string, Asset>
  readonly diagramFrame: DiagramFrame
  readonly port: number
  readonly log: Log
  readonly clock?: Clock
}

export type WebShell = Awaited<ReturnType<typeof startWebShell>>

/** @throws {HostError} `port.in-use` or `platform.unavailable`. */
export async function startWebShell(options: WebShellOptions) {
  const { host, assets, port: wanted, log, clock = systemClock } = options
  const shared = createSocketServer({ log, clock })
  const { server } = shared
  const port = await listen(server, wanted)
  const keys = createSessionKeys(port)

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
      shared.vouch(request.socket)
      // A used link opened again by someone who is known already: the token leaves the address bar.
      if (!session) return { status: 303, headers: { ...refusalHeaders, Location: '/' } }
      // No redirect: it would still count as coming from where the link was, and the new cookie would not be sent.
      const setCookie = `${keys.cookieName}=${session.cookie}; HttpOnly; SameSite=Strict; Path=/`
      const headers = { ...refusalHeaders, 'Content-Type': 'text/html; charset=utf-8', 'Set-Cookie': setCookie }
      return { status: 200, headers, body: leadingPage(`/${keyFragment}${session.key}`) }
    }
    shared.vouch(request.socket)
    return serve(options, verdict.place)
  }

  function onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', (error) => log.debug(`An upgrade failed: ${error.message}`))
    const verdict = verdictOn(request, true)
    if (verdict.kind === 'enter' && verdict.place === connectionPath) {
      const opens = (key: string): boolean => keys.opens(request.headers.cookie, key)
      shared.upgrade(request, socket, head, { host, opens })
    } else refuseUpgrade(socket, verdict.kind === 'refuse' ? verdict.status : 404)
  }

  // The host is loaded while the page runs the files that it starts with.
  const starting = new Set(startingFiles(assets))
  function onSent(place: string): void {
    if (starting.delete(place) && starting.size === 0) host().catch(() => undefined) // The caller of this shell learns it.
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
  server.on('error', (error) => log.error('The web shell failed', error))

  return {
    port,
    /**
     * Returns a new link with a one-time token, for the person's terminal or, in a private file, their browser; it must not reach a log
     * or an argument list. `onUsed`: the token was exchanged.
     */
    newLink: (onUsed?: () => void): string => `http://127.0.0.1:${port}/?token=${keys.newToken(onUsed)}`,
    close: shared.close,
  }
}

/** Answers a request that was let in by its path: a file of the build, or content of the host. */
async function serve({ host, assets, diagramFrame }: WebShellOptions, place: string): Promise<Answer> {
  const answer = (body: Uint8Array, headers: Headers): Answer => ({ status: 200, headers, body })
  const missing: Answer = { status: 404, headers: refusalHeaders }
  if (place === connectionProbePath) return { status: 204, headers: refusalHeaders }
  if (place === diagramPath) {
    const frame = diagramContent(diagramFrame())
    return frame ? answer(frame.bytes, { ...frame.headers, 'Cache-Control': 'no-cache' }) : missing
  }
  const appId = mcpAppIdOf(place)
  if (appId !== undefined) {
    const app = mcpAppContent((await host()).mcpApp(appId))
    return app ? answer(app.bytes, app.headers) : missing
  }
  const ticket = ticketOf(place)
  if (ticket !== undefined) return backupAnswer((await host()).backup(ticket))
  const sha256 = blobHash(place)
  const blob = sha256 === undefined ? undefined : (await host()).blob(sha256)
  if (blob) {
    const { bytes, headers, isShown } = blobContent(blob)
    return answer(bytes, { ...headers, ...cached, ...(isShown ? {} : { 'Content-Disposition': 'attachment' }) })
  }
  const asset = assets.get(place)
  if (!asset) return missing
  return answer(asset.bytes, { ...pageHeaders, ...(place === '/' ? {} : cached), 'Content-Type': asset.type })
}

function listen(server: Server, wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const [code, message] =
        cause.code === 'EADDRINUSE'
          ? (['port.in-use', t`Port ${wanted} is taken by another program. Start with --port 0 for any free one.`] as const)
          : (['platform.unavailable', t`Assent cannot listen on 127.0.0.1, port ${wanted}.`] as const)
      reject(new HostError(code, message, { data: { port: wanted }, cause }))
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

/** Serves a backup, which no cache keeps: its ticket is used up. */
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
    // A page that cancels, or a disk that fails, ends the body early: the browser sees that by its length.
    pipeline(body.content, response, () => undefined)
    return
  }
  const length = status === 204 ? {} : { 'Content-Length': body === undefined ? 0 : Buffer.byteLength(body) }
  response.writeHead(status, { ...headers, ...length })
  response.end(body)
}

/** Refuses a request and ends its connection. 401 comes with a page that says how to get in. */
function refusal(status: number): Answer {
  const headers = { ...refusalHeaders, Connection: 'close' }
  return status === 401
    ? { status, headers: { ...headers, 'Content-Type': 'text/html; charset=utf-8' }, body: refusalPage() }
    : { status, headers }
}
