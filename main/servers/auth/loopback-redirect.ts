// The loopback redirect URI (RFC 8252, 7.3): a local HTTP server that accepts one authorization response. Any page and any program
// on this machine can connect to it, so whatever is not exactly the awaited response is refused and changes nothing.
import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { spokenLanguage, t } from '#app/i18n/translate.ts'
import { createPeerGuard, type PeerGuardOptions } from '#main/base/peer-account.ts'

const callbackPath = '/callback'

export type Loopback = Awaited<ReturnType<typeof openLoopback>>

const page = (title: string, text: string): string =>
  `<!doctype html><html lang="${spokenLanguage()}"><meta charset="utf-8"><title>${title}</title><body><h1>${title}</h1><p>${text}</p></body></html>`
const accepted = () => page(t`Sign-in complete`, t`You can close this page and go back to Assent.`)
const notIt = () => page(t`Not the expected answer`, t`Assent still waits for the right answer.`)

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  connection: 'close',
}

/** Host of the redirect URI. Some issuers take `localhost` alone, though RFC 8252, 8.3, advises against it. */
export type LoopbackHost = '127.0.0.1' | 'localhost'

interface LoopbackOptions {
  readonly host: LoopbackHost
  /** 0: any free one. */
  readonly port: number
  /** State of the response (RFC 6749, 4.1.2). */
  readonly state: string
  readonly peers: PeerGuardOptions
}

/** Listens for the response, from this account's programs alone. @throws {Error} Node's, when the port is taken */
export async function openLoopback({ host: name, port, state, peers }: LoopbackOptions) {
  const mayAnswer = createPeerGuard(peers)
  const answer = Promise.withResolvers<URLSearchParams>()
  let over = false
  let closed: Promise<void> | undefined
  let host = ''

  function take(query: URLSearchParams): boolean {
    const said = query.getAll('state')
    if (over || said.length !== 1 || !sameText(said[0] ?? '', state)) return false
    // RFC 6749, 3.1: a parameter must not occur twice.
    if (['code', 'error', 'iss'].some((name) => query.getAll(name).length > 1)) return false
    if (query.has('code') === query.has('error')) return false
    over = true
    answer.resolve(query)
    return true
  }

  /** HTTP status for a request; 200: it was the response. */
  function judge({ method, url: target = '', headers: { host: named } }: IncomingMessage): number {
    // Another host name may have been rebound to this address (DNS rebinding).
    if (named !== host) return 421
    if (!/^\/callback(\?|$)/.test(target) || !URL.canParse(target, `http://${host}`)) return 404
    if (method !== 'GET') return 405
    return take(new URL(target, `http://${host}`).searchParams) ? 200 : 400
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const status = (await mayAnswer(request.socket)) ? judge(request) : 403
    if (status === 200) response.once('close', () => void close())
    response.writeHead(status, headers).end(status === 200 ? accepted() : notIt())
  }

  // Imported late: in the bundle it loads Node's own fetch, which takes time.
  const { createServer } = await import('node:http')
  const listen = async (address: string, at: number): Promise<Server> => {
    const server = createServer(
      { maxHeaderSize: 16 * 1024, requestTimeout: 10_000, headersTimeout: 10_000 },
      (request, response) => void respond(request, response),
    )
    server.on('connection', (socket) => void mayAnswer(socket))
    server.maxConnections = 200
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen({ port: at, host: address, exclusive: true }, resolve)
    })
    return server
  }
  const first = await listen('127.0.0.1', port)
  const servers = [first]
  const { port: portNow } = first.address() as AddressInfo
  // A browser may try `::1` first: nobody else may answer there.
  if (name === 'localhost') {
    const second = await listen('::1', portNow).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') return undefined // This computer has no IPv6.
      first.close()
      throw error
    })
    if (second) servers.push(second)
  }
  host = `${name}:${portNow}`
  const redirectUri = `http://${host}${callbackPath}`

  function close(): Promise<void> {
    over = true
    closed ??= Promise.all(servers.map(endServer)).then(() => undefined)
    return closed
  }

  return {
    redirectUri,
    /** Query of the authorization response. Never rejects; never resolves once closed. */
    answer: answer.promise,
    /** Takes an address that the person copied from their browser. Returns whether it was the response. */
    offer(address: string): boolean {
      const text = address.trim()
      if (text.length > 16 * 1024 || !URL.canParse(text)) return false
      const at = new URL(text)
      return `${at.origin}${at.pathname}` === redirectUri && take(at.searchParams)
    },
    close,
  }
}

const endServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    // A response being written is finished; other connections are cut.
    server.closeIdleConnections()
    setImmediate(() => server.closeAllConnections())
  })

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
