// The web shell: the page over HTTP and its connection over a WebSocket, on 127.0.0.1 only. `request-guard.ts` judges every request
// and upgrade first. Served are: the page, files of the build, the diagrams' frame, MCP Apps, stored blobs, backups that the page asked
// for, and the connection's probe. Files are looked up by exact path in a map, so a path cannot leave the folder.
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Duplex, pipeline, type Readable } from 'node:stream'
import { contentSecurityPolicy, diagramPath, mcpAppIdOf, securityHeaders, ticketOf } from '#app/contract/csp.ts'
import { connectionPath, connectionProbePath, keyFragment, tabMark } from '#app/contract/host-connection.ts'
import { spokenLanguage, t } from '#app/i18n/translate.ts'
import { type Clock, systemClock } from '#main/base/clock.ts'
import type { Log } from '#main/base/host-log.ts'
import { createPeerGuard, type PeerGuard, type PeerGuardOptions } from '#main/base/peer-account.ts'
import type { Host } from '#main/host.ts'
import { leadingPage } from '#main/shell/node/open-browser.ts'
import type { DiagramFrame } from '#main/shell/node/page-content.ts'
import { blobContent, blobHash, diagramContent, type Headers, inRange, mcpAppContent } from '#main/shell/node/page-content.ts'
import { createSocketServer, listenOnLoopback, refuseUpgrade } from '#main/shell/socket/socket-server.ts'
import type { BackupDownload } from '#main/store/backup/download.ts'
import { type Assets, filesOfRun } from './page-files.ts'
import { createSessionKeys, type GuardVerdict, judgeRequest } from './request-guard.ts'

const pageHeaders: Headers = { ...securityHeaders, 'Content-Security-Policy': contentSecurityPolicy, 'Cache-Control': 'no-store' }
/** Caching of what never changes under its path, such as assets with a hash in their name. It is private to this person. */
const cached: Headers = { 'Cache-Control': 'private, max-age=31536000, immutable' }
/** Headers of answers without content, and of the page that says why there is none. */
const refusalHeaders: Headers = {
  ...securityHeaders,
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
}

/** Page that says why nothing is served. It holds no secret and nothing of the request. */
const refusalPage = (title: string, ...lines: readonly string[]): string => `<!doctype html>
<html lang="${spokenLanguage()}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Assent</title>
<h1>${title}</h1>
${lines.map((line) => `<p>${line}</p>\n`).join('')}</html>
`
const unknownPage = (): string =>
  refusalPage(
    t`Assent does not know this page`,
    t`Open Assent with the link that its terminal shows. Each link works once.`,
    t`For a new link, press Enter in Assent’s terminal.`,
  )
const otherAccountPage = (): string =>
  refusalPage(t`Assent runs for another account of this computer`, t`Only programs of the account that started it may use it.`)

interface WebShellOptions {
  /** Loads the host once: when a page has the files that it starts with, or a request needs the host. */
  readonly host: () => Promise<Pick<Host, 'request' | 'onEvent' | 'blob' | 'mcpApp' | 'backup'>>
  readonly assets: Assets
  readonly diagramFrame: DiagramFrame
  readonly port: number
  readonly log: Log
  /** Path of this run's files, and its host name under `localhost`. Default: random. */
  readonly run?: string
  readonly clock?: Clock
  /** Records that a program of another account came; null: its account is not known. */
  readonly onOtherAccount?: PeerGuardOptions['onOther']
  readonly lookUpPeer?: PeerGuardOptions['lookUp']
}

export type WebShell = Awaited<ReturnType<typeof startWebShell>>

/** Only a script of this origin is refused for this on its way to the page: a worker that is not ours. */
const isForeignWorker = ({ why }: Extract<GuardVerdict, { kind: 'refuse' }>): boolean => why === 'worker' || why === 'framed'

/** Whether the browser leads names under `localhost` to this computer by itself, whatever the system's names say. */
const findsRunHost = (userAgent = ''): boolean => /(?:Chrome|Chromium|Firefox)\//.test(userAgent)

const leadTo = (location: string, more: Headers = {}): Answer => ({
  status: 303,
  headers: { ...refusalHeaders, ...more, Location: location },
})

/** A redirect would still count as coming from where the link was, and the new cookie would not be sent. */
const leadFromElsewhere = (location: string, more: Headers): Answer => ({
  status: 200,
  headers: { ...refusalHeaders, ...more, 'Content-Type': 'text/html; charset=utf-8' },
  body: leadingPage(location),
})

const createPageGuard = ({ log, onOtherAccount, lookUpPeer }: WebShellOptions): PeerGuard =>
  createPeerGuard({
    onOther(uid) {
      log.warn(`A program of another account (${uid === null ? 'unknown' : `uid ${uid}`}) came to the page and was refused`)
      onOtherAccount?.(uid)
    },
    onUnknown: () =>
      log.info('The system does not tell which account a connection to the page comes from: the link and its session decide'),
    ...(lookUpPeer ? { lookUp: lookUpPeer } : {}),
  })

/** @throws {HostError} `port.in-use` or `platform.unavailable`. */
export async function startWebShell(options: WebShellOptions) {
  const { host, assets, port: wanted, log, clock = systemClock } = options
  const shared = createSocketServer({ log, clock })
  const { server } = shared
  const mayEnter = createPageGuard(options)
  server.on('connection', (socket) => void mayEnter(socket))
  const { port, isSafe, close } = await listenOnLoopback(server, wanted)
  const keys = createSessionKeys(port)
  const run = options.run ?? randomBytes(16).toString('hex')
  const content = filesOfRun(assets, run)
  const handOver = `${run}.localhost:${port}`
  const hosts = ['127.0.0.1', 'localhost'].map((name) => `${name}:${port}`).concat(isSafe ? handOver : [])

  const verdictOn = (request: IncomingMessage, upgrade: boolean): GuardVerdict =>
    judgeRequest(
      {
        upgrade,
        method: request.method ?? '',
        target: request.url ?? '',
        rawHeaders: request.rawHeaders,
        known: keys.knows(request.headers.cookie),
      },
      hosts,
    )

  async function answerTo(request: IncomingMessage): Promise<Answer> {
    if (!(await mayEnter(request.socket))) return refusal(403, otherAccountPage())
    const verdict = verdictOn(request, false)
    // Another program may have lived at a port that was chosen, and left files or a worker there. The host of a run is new.
    const cleared: Headers = wanted !== 0 && request.headers.host !== handOver ? { 'Clear-Site-Data': '"cache", "storage"' } : {}
    if (verdict.kind === 'refuse')
      return isForeignWorker(verdict) ? refusal(verdict.status, unknownPage(), cleared) : refusal(verdict.status)
    if (verdict.kind === 'exchange') {
      const session = keys.exchange(verdict.token)
      const isKnown = !verdict.fromElsewhere && keys.knows(request.headers.cookie)
      if (!session && !isKnown) return refusal(401)
      shared.vouch(request.socket)
      // A used link opened again by someone who is known already: the token leaves the address bar.
      if (!session) return leadTo('/')
      // A tab of whoever had the port before may still be open, and would share all that the app keeps at this address.
      const isShared = wanted !== 0 && request.headers.host !== handOver
      if (isShared && isSafe && !isKnown && findsRunHost(request.headers['user-agent']))
        return leadTo(`http://${handOver}/?token=${keys.newToken()}`, cleared)
      const setCookie = `${keys.cookieName}=${session.cookie}; HttpOnly; SameSite=Strict; Path=/`
      const headers = { ...(isKnown ? {} : cleared), 'Set-Cookie': setCookie }
      const next = `/${keyFragment}${session.key}${isShared ? tabMark : ''}`
      return verdict.fromElsewhere ? leadFromElsewhere(next, headers) : leadTo(next, headers)
    }
    shared.vouch(request.socket)
    return serve(options, content, { place: verdict.place, range: request.headers.range })
  }

  async function onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', (error) => log.debug(`An upgrade failed: ${error.message}`))
    if (!(await shared.keep(request.socket, mayEnter(request.socket)))) return refuseUpgrade(socket, 403)
    const verdict = verdictOn(request, true)
    if (verdict.kind === 'enter' && verdict.place === connectionPath) {
      const opens = (key: string): boolean => keys.opens(request.headers.cookie, key)
      shared.upgrade(request, socket, head, { host, opens })
    } else refuseUpgrade(socket, verdict.kind === 'refuse' ? verdict.status : 404)
  }

  // The host is loaded while the page runs the files that it starts with.
  function onSent(place: string): void {
    const { starting } = content
    if (starting.delete(place) && starting.size === 0) host().catch(() => undefined) // The caller of this shell learns it.
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let answer: Answer
    try {
      answer = await shared.keep(request.socket, answerTo(request))
    } catch (error) {
      log.error('A request could not be answered', error)
      answer = { status: 500, headers: refusalHeaders }
    }
    response.once('finish', () => onSent(request.url ?? ''))
    write(response, answer)
  }
  server.on('request', (request, response) => void respond(request, response))
  server.on('upgrade', (request, socket, head) => void onUpgrade(request, socket, head))
  server.on('error', (error) => log.error('The web shell failed', error))

  return {
    port,
    /**
     * Returns a new link with a one-time token, for the person's terminal or, in a private file, their browser; it must not reach a log
     * or an argument list. `onUsed`: the token was exchanged. `ownHost`: at the host of this run, where nothing was before.
     */
    newLink: (onUsed?: () => void, ownHost = false): string =>
      `http://${ownHost && isSafe ? handOver : `127.0.0.1:${port}`}/?token=${keys.newToken(onUsed)}`,
    close: async (): Promise<void> => {
      close()
      await shared.close()
    },
  }
}

interface Wanted {
  readonly place: string
  readonly range: string | undefined
}

/** Answers a request that was let in by its path: a file of the build, or content of the host. */
async function serve(
  { host, diagramFrame }: WebShellOptions,
  content: ReturnType<typeof filesOfRun>,
  { place, range }: Wanted,
): Promise<Answer> {
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
    const whole = blobContent(blob)
    const { status, bytes, headers } = inRange(whole, range)
    return { status, body: bytes, headers: { ...headers, ...cached, ...(whole.isShown ? {} : { 'Content-Disposition': 'attachment' }) } }
  }
  if (place === '/')
    return answer(content.page, { ...pageHeaders, 'Content-Security-Policy': content.policy, 'Content-Type': 'text/html; charset=utf-8' })
  const asset = content.files.get(place)
  const bytes = asset?.bytes()
  return asset && bytes ? answer(bytes, { ...pageHeaders, ...cached, 'Content-Type': asset.type }) : missing
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
function refusal(status: number, page = status === 401 ? unknownPage() : undefined, more: Headers = {}): Answer {
  const headers = { ...refusalHeaders, ...more, Connection: 'close' }
  return page === undefined
    ? { status, headers }
    : { status, headers: { ...headers, 'Content-Type': 'text/html; charset=utf-8' }, body: page }
}
