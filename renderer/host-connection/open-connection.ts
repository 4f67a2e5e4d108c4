// The page's connection to the host: Electron's preload bridge, or in the web shell one WebSocket to the page's own origin,
// which is open once the host has welcomed the page's key.
import {
  type ConnectionStatus,
  connectionPath,
  connectionProbePath,
  type HelloFrame,
  type HostConnection,
  type HostFrame,
  keyFragment,
  type PreloadBridge,
  refusedHello,
  tabMark,
} from '#app/contract/host-connection.ts'
import type { RequestName, RequestParams, RequestResult } from '#app/contract/requests.ts'
import { fromErrorValue, HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'

/**
 * Storage of the page's key in the web shell. A cookie is sent to every port of 127.0.0.1, so other programs' servers may see it;
 * the key is kept by origin, which no other port shares, and is sent to the host only, in the hello of each socket. Where a program
 * of before may have pages open at the origin, it is kept by tab.
 */
const storedAs = 'assent.page-key'
const wellFormed = /^[A-Za-z0-9_-]{43}$/

/** Moves a key from the fragment of the address, before anything reads the route, to the storage of this origin. */
export function keepPageKey(): void {
  const { hash, pathname } = window.location
  if (!hash.startsWith(keyFragment)) return
  window.history.replaceState(null, '', pathname)
  const [key = '', more] = hash.slice(keyFragment.length).split(tabMark)
  if (!wellFormed.test(key)) return
  window.sessionStorage.removeItem(storedAs)
  const storage = more === undefined ? window.localStorage : window.sessionStorage
  storage.setItem(storedAs, key)
}

/** Reads the key; once for each socket, since another tab may have stored a newer one. */
export const readPageKey = (): string | undefined =>
  window.sessionStorage.getItem(storedAs) ?? window.localStorage.getItem(storedAs) ?? undefined

/** Delay in milliseconds before attempt number `attempt` (from 0) to reconnect; at most 5 s. */
export const reconnectDelay = (attempt: number): number => Math.min(5000, 200 * 2 ** attempt)

/** Platform of the web connection: the browser, or a fake in tests. */
export interface WebConnectionPlatform {
  openSocket(url: string): WebSocket
  /** HTTP status of the probe. @throws {TypeError} when the host cannot be reached */
  probe(path: string): Promise<number>
  setTimer(callback: () => void, ms: number): () => void
  /** Key for the hello; undefined when this origin has none. */
  readKey(): string | undefined
}

const browser: WebConnectionPlatform = {
  openSocket: (url) => new WebSocket(url),
  probe: async (path) => (await fetch(path, { cache: 'no-store', redirect: 'manual' })).status,
  setTimer(callback, ms) {
    const timer = setTimeout(callback, ms)
    return () => clearTimeout(timer)
  },
  readKey: readPageKey,
}

const connectionLost = (): HostError => new HostError('link.closed', t`The connection to Assent is lost.`)

/**
 * Connects to `origin` (e.g. `http://127.0.0.1:8080`) at once, and again after a loss. Requests that are open at a loss fail with
 * `link.closed` and are never sent twice, since they may have taken effect. A browser does not say why an upgrade was refused, so
 * a socket that closes before the welcome is followed by a probe.
 */
export function createWebConnection(origin: string, platform: WebConnectionPlatform = browser): HostConnection & { close(): void } {
  const eventListeners = new Set<Parameters<HostConnection['onEvent']>[0]>()
  const statusListeners = new Set<(status: ConnectionStatus) => void>()
  const pending = new Map<number, Pick<PromiseWithResolvers<unknown>, 'resolve' | 'reject'>>()
  let status: ConnectionStatus = 'connecting'
  let socket: WebSocket | undefined
  let lastId = 0
  let attempt = 0
  let closed = false
  let stopTimer: (() => void) | undefined

  const setStatus = (next: ConnectionStatus): void => {
    if (status === next) return
    status = next
    for (const listener of statusListeners) listener(next)
  }

  async function afterLoss(wasOpen: boolean): Promise<void> {
    if (closed) return
    setStatus('closed')
    if (!wasOpen) {
      // An unreachable host may be restarting.
      const code = await platform.probe(connectionProbePath).catch(() => 0)
      if (closed) return
      if (code === 401 || code === 403) return setStatus('refused')
    }
    stopTimer = platform.setTimer(connect, reconnectDelay(attempt++))
  }

  function onFrame(frame: Exclude<HostFrame, { kind: 'welcome' }>): void {
    if (frame.kind === 'event') {
      for (const listener of eventListeners) listener(frame.event)
      return
    }
    const waiting = pending.get(frame.id)
    pending.delete(frame.id)
    if (frame.kind === 'response') waiting?.resolve(frame.result)
    else waiting?.reject(fromErrorValue(frame.error))
  }

  function connect(): void {
    const key = platform.readKey()
    if (key === undefined) {
      setStatus('refused')
      return
    }
    const current = platform.openSocket(`${origin.replace(/^http/, 'ws')}${connectionPath}`)
    socket = current
    let wasOpen = false
    current.addEventListener('open', () => current.send(JSON.stringify({ kind: 'hello', key } satisfies HelloFrame)))
    current.addEventListener('message', (event) => {
      const frame = JSON.parse(String(event.data)) as HostFrame
      if (frame.kind !== 'welcome') return onFrame(frame)
      wasOpen = true
      attempt = 0
      setStatus('open')
    })
    current.addEventListener('close', ({ code, reason }) => {
      socket = undefined
      for (const waiting of pending.values()) waiting.reject(connectionLost())
      pending.clear()
      if (code === refusedHello.code && reason === refusedHello.reason) return setStatus('refused')
      void afterLoss(wasOpen)
    })
  }

  connect()
  return {
    request<N extends RequestName>(name: N, params: RequestParams<N>): Promise<RequestResult<N>> {
      return new Promise((resolve, reject) => {
        if (!socket || status !== 'open') return reject(connectionLost())
        const id = ++lastId
        // The host answers with the contract's type for `name`.
        pending.set(id, { resolve: (result) => resolve(result as RequestResult<N>), reject })
        socket.send(JSON.stringify({ kind: 'request', id, name, params }))
      })
    },
    onEvent(listener) {
      eventListeners.add(listener)
      return () => eventListeners.delete(listener)
    },
    onStatus(listener) {
      statusListeners.add(listener)
      listener(status)
      return () => statusListeners.delete(listener)
    },
    close() {
      closed = true
      stopTimer?.()
      socket?.close()
    },
  }
}

/** Connection inside Electron: the preload bridge lives as long as the page. */
function createElectronConnection(bridge: PreloadBridge): HostConnection {
  return {
    async request<N extends RequestName>(name: N, params: RequestParams<N>): Promise<RequestResult<N>> {
      const answer = await bridge.request(name, params)
      if ('error' in answer) throw fromErrorValue(answer.error)
      // The host answers with the contract's type for `name`; the bridge itself knows no names.
      return answer.result as RequestResult<N>
    },
    onEvent: bridge.onEvent,
    onStatus(listener) {
      listener('open')
      return () => undefined
    },
  }
}

declare global {
  interface Window {
    readonly assent?: PreloadBridge
  }
}

/** Opens the preload bridge in Electron, else a WebSocket to the page's origin. */
export function openHostConnection(): HostConnection {
  if (window.assent) return createElectronConnection(window.assent)
  keepPageKey()
  return createWebConnection(window.location.origin)
}
