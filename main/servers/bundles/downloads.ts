// Bundles that are on their way from a registry: each under a name of the page's, so that it can be stopped and its
// progress told. What was stopped or refused leaves no file behind.
import { HostError } from '#app/errors.ts'
import { fileNameIn } from '#app/server/bundle/download.ts'
import { t } from '#app/words/translate.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Emit } from '#main/base/events.ts'
import type { Proxies } from '../http/dispatchers.ts'
import { type DownloadLimits, download } from './download.ts'
import type { Incoming, OpenedBundle } from './opened.ts'

export interface BundleSource {
  readonly url: string
  /** As the registry names it; undefined: it names none. */
  readonly sha256?: string | undefined
}

export interface Downloads {
  /** Rejects with `bundle.*`, or with `cancelled` once it is stopped. */
  fetch(name: string, source: BundleSource): Promise<OpenedBundle>
  stop(name: string): void
  dispose(): void
}

export interface DownloadsOptions {
  readonly incoming: Pick<Incoming, 'part' | 'open' | 'drop'>
  /** As the settings have it now. */
  readonly registry: () => string
  readonly proxies: () => Promise<Proxies>
  readonly emit: Emit
  readonly clock: Clock
  readonly limits?: DownloadLimits | undefined
}

const tellEveryMs = 100

export function createDownloads({ incoming, registry, proxies, emit, clock, limits }: DownloadsOptions): Downloads {
  const running = new Map<string, AbortController>()
  const stop = (name: string): void => running.get(name)?.abort(new HostError('cancelled', t`The download was stopped.`))

  return {
    async fetch(name, { url, sha256 }) {
      if (running.has(name)) throw new HostError('contract.invalid', t`A download of that name is on its way.`)
      const control = new AbortController()
      running.set(name, control)
      const upload = `download ${name}`
      let told = Number.NEGATIVE_INFINITY
      try {
        const came = await download({
          url,
          sha256,
          registry: registry(),
          proxies: await proxies(),
          signal: control.signal,
          limits,
          take: (bytes, at) => incoming.part(upload, at, bytes),
          onProgress(bytes, total) {
            if (clock.now() - told < tellEveryMs && bytes !== total) return
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
