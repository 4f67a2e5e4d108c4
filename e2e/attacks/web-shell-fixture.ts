// A web shell over a host that records whatever reaches it: for the attacks, that must be nothing.
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { backupPath, diagramPath, mcpAppPath, mcpAppSecurityPolicy } from '#app/contract/csp.ts'
import { connectionPath, connectionProbePath, keyFragment, tabMark } from '#app/contract/host-connection.ts'
import { noDomains } from '#app/mcp-apps/csp-domains.ts'
import type { Clock } from '#main/base/clock.ts'
import { silentLog } from '#main/base/host-log.ts'
import type { Host } from '#main/host.ts'
import { diagramDocument } from '#main/shell/node/page-content.ts'
import { readAssets } from '#main/shell/web/page-files.ts'
import { startWebShell, type WebShell } from '#main/shell/web/web-shell.ts'
import { type HeaderLine, type RawAnswer, type RawRequest, send } from './raw-client.ts'

const blobBytes = Buffer.from('picture bytes')
export const blobSha = createHash('sha256').update(blobBytes).digest('hex')
export const scriptSha = 'b'.repeat(64)
const viewId = 'v'.repeat(32)
const ticket = 't'.repeat(43)
/** Lies beside the folder that is served; no answer may ever hold it. */
const secretText = 'outside the folder of the page'

/** Path of this run's files, which is random else. */
export const runPath = '/5e'
const places = {
  page: '/',
  asset: `${runPath}/assets/app.js`,
  api: connectionProbePath,
  blob: `/blob/${blobSha}`,
  diagram: diagramPath,
  view: mcpAppPath(viewId),
  backup: backupPath(ticket),
  upgrade: connectionPath,
} as const
export type Place = keyof typeof places
export const placeNames = Object.keys(places) as Place[]

interface Session {
  /** `name=value` of a cookie that was really handed out. */
  readonly cookie: string
  /** The key that was handed out with it. */
  readonly key: string
}

export interface Fixture extends Session {
  readonly shell: WebShell
  readonly port: number
  /** Names of the requests that reached the host. */
  readonly reached: string[]
  /** Other accounts that came. */
  readonly accounts: (number | null)[]
  /** Sends events to every page. */
  emit(text: string): void
  /** Lets the time run out for every page that has not said hello. */
  passTime(): void
  close(): Promise<void>
}

/** `port` 0: any free one. */
export async function startFixture(port = 0): Promise<Fixture> {
  const folder = mkdtempSync(join(tmpdir(), 'assent-attack-'))
  const renderer = join(folder, 'renderer')
  mkdirSync(join(renderer, 'assets'), { recursive: true })
  writeFileSync(join(renderer, 'index.html'), '<!doctype html><title>the page</title><script type="module" src="./assets/app.js"></script>')
  writeFileSync(join(renderer, 'assets/app.js'), 'export {}')
  writeFileSync(join(renderer, 'assets/app.js.map'), secretText)
  writeFileSync(
    join(renderer, 'digests.json'),
    JSON.stringify({ '/assets/app.js': `sha256-${createHash('sha256').update('export {}').digest('base64')}` }),
  )
  writeFileSync(join(folder, 'secret.js'), secretText)
  const assets = readAssets(renderer)
  if (!assets) throw new Error('the fixture has no page')

  const reached: string[] = []
  const accounts: (number | null)[] = []
  const listeners = new Set<Parameters<Host['onEvent']>[0]>()
  let revision = 0
  const host: Pick<Host, 'request' | 'onEvent' | 'blob' | 'mcpApp' | 'backup'> = {
    request: (async (name: string) => {
      reached.push(name)
      return { name }
    }) as Host['request'],
    onEvent(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    blob(sha256) {
      if (sha256 === blobSha) return { bytes: blobBytes, mimeType: 'image/png' }
      return sha256 === scriptSha ? { bytes: Buffer.from('<script>'), mimeType: 'text/html' } : undefined
    },
    backup: (given) => (given === ticket ? { name: 'mine.db', bytes: 4, content: Readable.from([Buffer.from('rows')]) } : undefined),
    mcpApp: (id) =>
      id === viewId ? { bytes: Buffer.from('<p>view</p>'), policy: mcpAppSecurityPolicy(noDomains), connections: '()' } : undefined,
  }
  const timers = new Set<() => void>()
  const clock: Clock = {
    now: () => 0,
    after(_ms, callback) {
      timers.add(callback)
      return () => timers.delete(callback)
    },
  }
  const shell = await startWebShell({
    host: async () => host,
    assets,
    diagramFrame: () => diagramDocument('draw()'),
    port,
    log: silentLog,
    clock,
    run: runPath.slice(1),
    onOtherAccount: (uid) => accounts.push(uid),
  })
  return {
    shell,
    port: shell.port,
    ...(await signIn(shell)),
    reached,
    accounts,
    emit(text) {
      revision += 1
      for (const listener of [...listeners]) listener({ name: 'draft.changed', revision, payload: { text } })
    },
    passTime() {
      for (const callback of [...timers]) callback()
    },
    async close() {
      await shell.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export const tokenOf = (link: string): string => new URL(link).searchParams.get('token') ?? ''

/** Returns where the answer to a link leads: by a redirect, or by a page when another site opened the link. */
export const nextOf = ({ headers, body }: Pick<RawAnswer, 'headers' | 'body'>): string =>
  headers.get('location') ?? /<meta http-equiv="refresh" content="0; url=([^"]+)">/.exec(body)?.[1] ?? ''

/** Exchanges a new link for a cookie and a key, as a browser does. */
export async function signIn(shell: Pick<WebShell, 'port' | 'newLink'>): Promise<Session> {
  const answer = await send(shell.port, {
    method: 'GET',
    target: `/?token=${tokenOf(shell.newLink())}`,
    headers: [
      ['Host', `127.0.0.1:${shell.port}`],
      ['Sec-Fetch-Site', 'none'],
      ['Sec-Fetch-Dest', 'document'],
    ],
  })
  if (answer.status !== 303) throw new Error(`the link was refused with ${answer.status}`)
  return {
    cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '',
    key: nextOf(answer).split(keyFragment)[1]?.replace(tabMark, '') ?? '',
  }
}

const upgradeLines: readonly HeaderLine[] = [
  ['Connection', 'Upgrade'],
  ['Upgrade', 'websocket'],
  ['Sec-WebSocket-Version', '13'],
  ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
]

/** What a browser of the person's sends for the place: every attack is this with one thing wrong. */
export function goodRequest(place: Place, { port, cookie }: Pick<Fixture, 'port' | 'cookie'>): RawRequest {
  const common: HeaderLine[] = [
    ['Host', `127.0.0.1:${port}`],
    ['Cookie', cookie],
  ]
  if (place === 'upgrade')
    return { method: 'GET', target: places.upgrade, headers: [...common, ['Origin', `http://127.0.0.1:${port}`], ...upgradeLines] }
  const site: HeaderLine[] = [
    ['Sec-Fetch-Site', place === 'page' ? 'none' : 'same-origin'],
    ['Sec-Fetch-Dest', place === 'page' ? 'document' : place === 'diagram' || place === 'view' ? 'iframe' : 'empty'],
  ]
  return { method: 'GET', target: places[place], headers: [...common, ...site] }
}

export const goodStatus: Readonly<Record<Place, number>> = {
  page: 200,
  asset: 200,
  api: 204,
  blob: 200,
  diagram: 200,
  view: 200,
  backup: 200,
  upgrade: 101,
}

/** Header `name` replaced by these values; none: taken away. */
export function withHeader(request: RawRequest, name: string, ...values: readonly string[]): RawRequest {
  const others = request.headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase())
  return { ...request, headers: [...others, ...values.map((value): HeaderLine => [name, value])] }
}

/** Refused: no success, no way in, nothing of the page, the blob, or a secret. */
export const isRefused = (answer: RawAnswer): boolean =>
  (answer.status === 0 || answer.status >= 400) &&
  !answer.headers.has('set-cookie') &&
  !answer.headers.has('location') &&
  !/the page|export \{\}|picture bytes|outside the folder|token=[A-Za-z0-9_-]{20}/.test(answer.body)
