// Where the browser comes back to (RFC 8252, 7.3): one address on this machine, for one answer. Whatever is not exactly
// the answer that is waited for is turned away and changes nothing: any page and any program here can knock.
import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { spokenLanguage, t } from '#app/i18n/translate.ts'

const callbackPath = '/callback'

export interface Loopback {
  readonly redirectUri: string
  /** The query of the answer. Never rejects; never resolves once closed. */
  readonly answer: Promise<URLSearchParams>
  /** An address that the person copied from their browser. False: it is not the answer. */
  offer(address: string): boolean
  close(): Promise<void>
}

const page = (title: string, text: string): string =>
  `<!doctype html><html lang="${spokenLanguage()}"><meta charset="utf-8"><title>${title}</title><body><h1>${title}</h1><p>${text}</p></body></html>`
const taken = () => page(t`Assent has the answer`, t`You can close this page and go back to Assent.`)
const notIt = () => page(t`This is not the answer`, t`Assent waits for another one, or for none.`)

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

/** `port` 0: any that is free. Rejects with Node's error when it is taken. `state`: what the answer must carry. */
export async function openLoopback({ port, state }: { readonly port: number; readonly state: string }): Promise<Loopback> {
  const answer = Promise.withResolvers<URLSearchParams>()
  let over = false
  let closed: Promise<void> | undefined
  let host = ''

  function take(query: URLSearchParams): boolean {
    const said = query.getAll('state')
    if (over || said.length !== 1 || !sameText(said[0] ?? '', state)) return false
    // RFC 6749, 3.1: no parameter twice.
    if (['code', 'error', 'iss'].some((name) => query.getAll(name).length > 1)) return false
    if (query.has('code') === query.has('error')) return false
    over = true
    answer.resolve(query)
    return true
  }

  /** The status of the answer to the browser; 200: this was it. */
  function judge({ method, url: target = '', headers: { host: named } }: IncomingMessage): number {
    // A name that was made to lead here (DNS rebinding) is not this address.
    if (named !== host) return 421
    if (!/^\/callback(\?|$)/.test(target) || !URL.canParse(target, `http://${host}`)) return 404
    if (method !== 'GET') return 405
    return take(new URL(target, `http://${host}`).searchParams) ? 200 : 400
  }

  function respond(request: IncomingMessage, response: ServerResponse): void {
    const status = judge(request)
    if (status === 200) response.once('close', () => void close())
    response.writeHead(status, headers).end(status === 200 ? taken() : notIt())
  }

  // Not before it is needed: as a module of ours it brings Node's own fetch along, which takes a while to load.
  const { createServer } = await import('node:http')
  const server = createServer({ maxHeaderSize: 16 * 1024, requestTimeout: 10_000, headersTimeout: 10_000 }, respond)
  server.maxConnections = 200
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host: '127.0.0.1', exclusive: true }, resolve)
  })
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const redirectUri = `http://${host}${callbackPath}`

  function close(): Promise<void> {
    over = true
    closed ??= new Promise((resolve) => {
      server.close(() => resolve())
      // Whoever is being answered right now gets the answer; the rest is cut.
      server.closeIdleConnections()
      setImmediate(() => server.closeAllConnections())
    })
    return closed
  }

  return {
    redirectUri,
    answer: answer.promise,
    offer(address) {
      const text = address.trim()
      if (text.length > 16 * 1024 || !URL.canParse(text)) return false
      const at = new URL(text)
      return `${at.origin}${at.pathname}` === redirectUri && take(at.searchParams)
    },
    close,
  }
}

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
