// Electron's network and its own updater, as electron-updater uses them.
import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { AutoUpdater, ClientRequestConstructorOptions, FeedURLOptions } from 'electron'
import { app } from './app.ts'
import { Emitter } from './emitter.ts'
import { record } from './record.ts'

/** Headers that `net` sets itself: with one of them the request fails (docs/api/client-request.md, `setHeader`). */
const restricted = ['content-length', 'host', 'trailer', 'te', 'upgrade', 'cookie2', 'keep-alive', 'transfer-encoding']

/**
 * A request over Node's sockets. It emits no `socket`, so no timeout of Node's applies. A redirect is told first; with `redirect: 'manual'` it
 * is then cancelled unless the listener follows (docs/api/client-request.md, `redirect`; lib/common/api/net-client-request.ts).
 */
class FakeClientRequest extends Emitter {
  readonly #options: ClientRequestConstructorOptions
  #sent: ReturnType<typeof httpRequest> | undefined
  #over: boolean = false

  constructor(options: ClientRequestConstructorOptions) {
    super()
    if (!app.isReadyNow) throw new Error('net module can only be used after app is ready')
    const headers: Readonly<Record<string, unknown>> = options.headers ?? {}
    for (const [name, value] of Object.entries(headers)) {
      if (typeof value !== 'string') throw new TypeError(`Invalid value for header ${name}`)
      if (restricted.includes(name.toLowerCase())) throw new Error('net::ERR_INVALID_ARGUMENT')
    }
    this.#options = options
  }

  end(): this {
    const { hostname = '', port, path = '/', method = 'GET', headers = {}, redirect = 'follow' } = this.#options
    const sent = httpRequest({ hostname, port, path, method, headers: headers as Record<string, string> }, (response) => {
      const { statusCode = 0, headers: answered } = response
      if (statusCode < 300 || statusCode >= 400 || answered.location === undefined) return this.#respond(response)
      response.resume()
      this.fire('redirect', statusCode, method, new URL(answered.location, `http://${hostname}:${port}${path}`).href, answered)
      if (!this.#over) this.#fail(new Error(redirect === 'manual' ? 'Redirect was cancelled' : 'The fake follows no redirect by itself'))
    })
    this.#sent = sent
    sent.on('error', (error) => this.#fail(error))
    sent.end()
    return this
  }

  abort(): void {
    if (this.#over) return
    this.#over = true
    this.fire('abort')
    this.#sent?.destroy()
    this.fire('close')
  }

  #respond(response: IncomingMessage): void {
    // Chromium ends a response that breaks off with this, not with Node's `aborted`.
    response.on('close', () => (this.#over = true))
    this.fire('response', response)
  }

  #fail(error: Error): void {
    if (this.#over) return
    this.#over = true
    this.fire('error', error)
    this.fire('close')
  }
}

export const net = {
  request(options: ClientRequestConstructorOptions): FakeClientRequest {
    record('net.request', options.path)
    return new FakeClientRequest(options)
  },
}

/**
 * Squirrel.Mac behind its API: it fetches what the feed names, verifies it against the running app's signature, and installs it when the app
 * has quit (docs/api/auto-updater.md). `refuses`: the signature is not the app's.
 */
class FakeAutoUpdater extends Emitter implements Pick<AutoUpdater, 'setFeedURL' | 'checkForUpdates' | 'quitAndInstall'> {
  feed: FeedURLOptions | undefined
  fetched: Buffer | undefined
  refuses: Error | undefined

  setFeedURL(options: FeedURLOptions): void {
    this.feed = options
  }
  checkForUpdates(): void {
    record('autoUpdater.checkForUpdates')
    void this.#fetch().catch((error: unknown) => this.fire('error', error))
  }
  quitAndInstall(): void {
    record('autoUpdater.quitAndInstall')
    if (this.fetched === undefined) {
      this.fire('error', new Error('No update available, can’t quit and install'))
      return
    }
    // The windows are closed before the app hears of a quit (`AutoUpdater::QuitAndInstall`, shell/browser/api/electron_api_auto_updater.cc).
    this.fire('before-quit-for-update')
    const windows = app.windows()
    if (windows.length === 0) app.quit()
    else app.once('window-all-closed', () => app.quit())
    for (const window of windows) window.close()
  }
  removeListener(event: string, listener: () => void): void {
    this.off(event, listener)
  }
  emit(event: string): void {
    record('autoUpdater.emit', event)
  }

  async #fetch(): Promise<void> {
    const { url = '', headers = {} } = this.feed ?? {}
    const answer = (await (await fetch(url, { headers })).json()) as { readonly url: string }
    const file = await fetch(answer.url)
    if (!file.ok) throw new Error(`The file was answered with ${file.status}`)
    const bytes = Buffer.from(await file.arrayBuffer())
    if (this.refuses) throw this.refuses
    this.fetched = bytes
    this.fire('update-downloaded')
  }
}
export const autoUpdater = new FakeAutoUpdater()
