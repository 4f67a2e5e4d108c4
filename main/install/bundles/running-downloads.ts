// Downloads of bundles from addresses that a registry names: https only (http where registry and address are on this computer), each
// redirect checked like the first address, limited in bytes and time, and compared with the SHA-256 that the registry lists.
import { createHash } from 'node:crypto'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { JsonObject } from '#app/json.ts'
import { type BundleDownload, fileNameIn, largestBundle } from '#app/server/bundle/bundle-download.ts'
import { errorReason, vouched } from '#main/base/authorities/certificate-authorities.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Emit } from '#main/base/events.ts'
import { loadUndici, type Proxies, type Undici } from '#main/servers/transport/http/dispatchers.ts'
import { createGuardedDispatchers, type GuardedDispatchers } from '#main/servers/transport/http/guarded-dispatchers.ts'
import { locationOf } from '#main/servers/transport/http/redirects.ts'
import type { Incoming, OpenedBundle } from './incoming-bundles.ts'
import { bundleTooLarge } from './zip-archive.ts'

/** `silenceMs`: milliseconds without a byte. */
const defaultLimits = { bytes: largestBundle, silenceMs: 30_000, wholeMs: 30 * 60_000 }
type DownloadLimits = typeof defaultLimits
/** Downloads of releases often redirect twice. */
const mostRedirects = 5

export interface BundleSource {
  readonly url: string
  /** SHA-256 that the registry lists, in hexadecimal; undefined when it lists none. */
  readonly sha256?: string | undefined
}

interface DownloadOptions extends BundleSource {
  /** Address of the registry: it can lead no farther into the network than it is itself. */
  readonly registry: string
  readonly proxies: Proxies
  readonly signal: AbortSignal
  readonly limits?: DownloadLimits | undefined
  /** Takes the bytes in order, each piece before the next is read. */
  readonly take: (bytes: Uint8Array, at: number) => Promise<void>
  readonly onProgress: (bytes: number, total: number | undefined) => void
}

type Answer = Awaited<ReturnType<Undici['fetch']>>

/** @throws {HostError} `bundle.not-downloaded`, `bundle.wrong-hash`, `bundle.too-large`, `bundle.unreadable`, or the signal's reason. */
export async function fetchBundle(options: DownloadOptions): Promise<BundleDownload> {
  const { url, sha256, signal, limits = defaultLimits } = options
  const dispatchers = createGuardedDispatchers({
    url: options.registry,
    proxies: options.proxies,
    timeouts: { headersTimeout: limits.silenceMs, bodyTimeout: limits.silenceMs },
    refuse: (address, problem) => notDownloaded(address, problem, problems()[problem]),
  })
  const silence = new AbortController()
  const silent = setTimeout(() => silence.abort(), limits.silenceMs)
  const ends = AbortSignal.any([signal, silence.signal, AbortSignal.timeout(limits.wholeMs)])
  try {
    const response = await answerOf(url, dispatchers, ends)
    const digest = await readAll(response, options, limits.bytes, () => void silent.refresh())
    const is = digest.toString('hex')
    if (sha256 !== undefined && !digest.equals(Buffer.from(sha256, 'hex'))) throw wrongHash(url, sha256.toLowerCase(), is)
    return { url, sha256: is, checked: sha256 !== undefined }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (error instanceof HostError) throw error
    const cause = error instanceof Error ? error.cause : undefined
    if (cause instanceof HostError) throw cause
    const reason = ends.aborted ? 'timeout' : errorReason(error)
    throw notDownloaded(url, reason, ends.aborted ? t`it did not answer in time` : t`it could not be reached (${reason})`, error)
  } finally {
    clearTimeout(silent)
    await dispatchers.close()
  }
}

async function answerOf(url: string, dispatchers: GuardedDispatchers, signal: AbortSignal): Promise<Answer> {
  const { fetch } = await loadUndici()
  // A response that is compressed on its way does not say how long it is.
  const headers = { accept: 'application/octet-stream, application/zip, */*', 'accept-encoding': 'identity' }
  let at = url
  for (let hops = 0; ; hops += 1) {
    const dispatcher = await dispatchers.for(at)
    const response = await vouched(() => fetch(at, { headers, redirect: 'manual', signal, dispatcher }))
    if (response.ok) return response
    await response.body?.cancel()
    const to = locationOf(response)
    if (to === null) throw notDownloaded(at, 'http', t`it answered with HTTP ${response.status}`, undefined, { status: response.status })
    if (hops >= mostRedirects || !URL.canParse(to, at)) throw notDownloaded(at, 'redirect', t`it redirects too often`)
    at = new URL(to, at).href
  }
}

async function readAll(
  { body, headers }: Answer,
  { url, take, onProgress }: DownloadOptions,
  most: number,
  onBytes: () => void,
): Promise<Buffer> {
  const said = Number(headers.get('content-length') ?? Number.NaN)
  const total = Number.isSafeInteger(said) && said > 0 ? said : undefined
  if (total !== undefined && total > most) {
    await body?.cancel()
    throw bundleTooLarge(most)
  }
  const hash = createHash('sha256')
  let held = 0
  for await (const chunk of body ?? []) {
    onBytes()
    // Throwing out of the loop ends the request.
    if (held === 0 && chunk[0] !== 0x50) throw notAnArchive(url, headers.get('content-type'))
    if (held + chunk.byteLength > most) throw bundleTooLarge(most)
    hash.update(chunk)
    await take(chunk, held)
    held += chunk.byteLength
    onProgress(held, total)
  }
  if (held === 0) throw notAnArchive(url, headers.get('content-type'))
  return hash.digest()
}

const problems = () =>
  ({
    'not-an-address': t`it is not https`,
    insecure: t`it is not https`,
    private: t`it is in a private network`,
  }) as const

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '')

function notDownloaded(url: string, reason: string, why: string, cause?: unknown, more: JsonObject = {}): HostError {
  const where = hostOf(url) || url.slice(0, 200)
  return new HostError('bundle.not-downloaded', t`The bundle was not downloaded from ${where}: ${why}.`, {
    data: { host: hostOf(url), reason, ...more },
    cause,
  })
}

function wrongHash(url: string, wanted: string, is: string): HostError {
  const message = t`The bundle from ${hostOf(url)} was deleted: SHA-256 ${is}, expected ${wanted}.`
  return new HostError('bundle.wrong-hash', message, { data: { host: hostOf(url), wanted, is } })
}

const notAnArchive = (url: string, type: string | null): HostError =>
  new HostError('bundle.unreadable', t`${hostOf(url)} sent no bundle (${type ?? '–'}).`, {
    data: { why: 'no-archive', type, host: hostOf(url) },
  })

interface DownloadsOptions {
  readonly incoming: Pick<Incoming, 'part' | 'open' | 'drop'>
  readonly registry: () => string
  readonly proxies: () => Promise<Proxies>
  readonly emit: Emit
  readonly clock: Clock
  readonly limits?: DownloadLimits | undefined
}

const progressEveryMs = 100

export function createDownloads({ incoming, registry, proxies, emit, clock, limits }: DownloadsOptions) {
  const running = new Map<string, AbortController>()
  const stop = (name: string): void => running.get(name)?.abort(new HostError('cancelled', t`It was cancelled.`))

  return {
    /** @throws {HostError} `bundle.*`, or `cancelled` once it is stopped. */
    async fetch(name: string, { url, sha256 }: BundleSource): Promise<OpenedBundle> {
      if (running.has(name)) throw new HostError('contract.invalid', t`A download of that name is on its way.`)
      const control = new AbortController()
      running.set(name, control)
      const upload = `download ${name}`
      let told = Number.NEGATIVE_INFINITY
      try {
        const came = await fetchBundle({
          url,
          sha256,
          registry: registry(),
          proxies: await proxies(),
          signal: control.signal,
          limits,
          take: (bytes, at) => incoming.part(upload, at, bytes),
          onProgress(bytes, total) {
            if (clock.now() - told < progressEveryMs && bytes !== total) return
            told = clock.now()
            emit('bundle.downloading', { download: name, bytes, ...(total === undefined ? {} : { total }) })
          },
        })
        return await incoming.open(upload, fileNameIn(url), came)
      } catch (error) {
        await incoming.drop(upload)
        throw error
      } finally {
        running.delete(name)
      }
    },
    stop,
    dispose() {
      for (const name of running.keys()) stop(name)
    },
  }
}
