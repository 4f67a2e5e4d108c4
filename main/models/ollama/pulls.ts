// Downloads of models by Ollama (`/api/pull`): at most one for each model, with the bytes of all its layers together. Ollama itself keeps
// what was downloaded when a pull is cancelled, and goes on from there the next time.
import { HostError, toErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type JsonObject } from '#app/json.ts'
import type { ModelPull } from '#app/models/models.ts'
import type { PullEnd } from '../models-api.ts'
import type { ModelProvider } from '../provider.ts'

interface PullsOptions {
  readonly provider: (endpoint: string) => ModelProvider | undefined
  /** Told of each change, at most every `EVERY_MS`. */
  readonly changed: () => void
  /** Fetches the list of an endpoint anew. */
  readonly refresh: (endpoint: string) => Promise<void>
  readonly closed: AbortSignal
}

const EVERY_MS = 300

export function createPulls({ provider, changed, refresh, closed }: PullsOptions) {
  const all = new Map<string, { state: ModelPull; readonly stop: AbortController; ended: Promise<PullEnd> }>()

  async function run(key: string, of: ModelProvider, model: string): Promise<PullEnd> {
    const pull = all.get(key)
    if (!pull) return 'cancelled'
    const layers = new Map<string, Layer>()
    let told = 0
    let isDone = false
    try {
      for await (const line of of.pull?.(model, AbortSignal.any([pull.stop.signal, closed])) ?? []) {
        isDone = line['status'] === 'success'
        takeLayer(layers, line)
        pull.state = { ...pull.state, ...bytesOf(layers) }
        if (Date.now() - told < EVERY_MS) continue
        told = Date.now()
        changed()
      }
      if (!isDone) throw new HostError('model.bad-answer', t`${of.name} ended the download before it was complete.`)
      await refresh(of.id)
      all.delete(key)
      return 'done'
    } catch (error) {
      const value = toErrorValue(error)
      if (value.code === 'cancelled') all.delete(key)
      else pull.state = { ...pull.state, error: value }
      return value.code === 'cancelled' ? 'cancelled' : 'failed'
    } finally {
      if (!closed.aborted) changed()
    }
  }

  return {
    list: (): ModelPull[] => [...all.values()].map(({ state }) => state),
    /** Begins a pull, or begins a failed one again. @throws {HostError} `model.endpoint-wrong` when the endpoint is not Ollama */
    start(endpoint: string, model: string): Promise<PullEnd> {
      const of = provider(endpoint)
      if (!of?.pull) throw new HostError('model.endpoint-wrong', t`Only Ollama pulls models.`, { data: { endpoint } })
      const key = `${endpoint}/${model}`
      const running = all.get(key)
      if (running && running.state.error === undefined) return running.ended
      const pull = {
        state: { endpoint, model, completed: 0, total: 0 },
        stop: new AbortController(),
        ended: Promise.resolve<PullEnd>('cancelled'),
      }
      all.set(key, pull)
      changed()
      pull.ended = run(key, of, model)
      return pull.ended
    },
    /** Cancels a pull, or forgets one that failed. */
    cancel(endpoint: string, model: string): void {
      const key = `${endpoint}/${model}`
      all.get(key)?.stop.abort()
      if (all.get(key)?.state.error && all.delete(key)) changed()
    },
  }
}

type Layer = Pick<ModelPull, 'completed' | 'total'>

function takeLayer(layers: Map<string, Layer>, { digest, total, completed }: JsonObject): void {
  if (typeof digest !== 'string' || typeof total !== 'number') return
  layers.set(digest, { total, completed: typeof completed === 'number' ? completed : (layers.get(digest)?.completed ?? 0) })
}

const bytesOf = (layers: ReadonlyMap<string, Layer>): Layer => ({
  completed: [...layers.values()].reduce((sum, one) => sum + one.completed, 0),
  total: [...layers.values()].reduce((sum, one) => sum + one.total, 0),
})

/** Address of the manifest of a model in Ollama's library; undefined: it comes from elsewhere. A name without a tag is `latest`. */
function manifestUrl(model: string): string | undefined {
  const [, user = 'library', name, tag = 'latest'] = /^(?:([\w-]+)\/)?([\w.-]+)(?::([\w.-]+))?$/.exec(model) ?? []
  return name === undefined ? undefined : `https://registry.ollama.ai/v2/${user}/${name}/manifests/${tag}`
}

/** Resolves to the bytes that a pull downloads in all; undefined: the library does not say. */
export async function sizeOfModel(model: string, fetch: typeof globalThis.fetch, signal: AbortSignal): Promise<number | undefined> {
  const url = manifestUrl(model)
  if (url === undefined) return undefined
  try {
    const headers = { accept: 'application/vnd.docker.distribution.manifest.v2+json' }
    const response = await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]) })
    const manifest: unknown = response.ok ? await response.json() : undefined
    if (!isJsonObject(manifest) || !Array.isArray(manifest['layers'])) return undefined
    const sizes = [manifest['config'], ...manifest['layers']].map((one) => (isJsonObject(one) ? Number(one['size']) : Number.NaN))
    const sum = sizes.filter((size) => size > 0).reduce((all, size) => all + size, 0)
    return sum > 0 ? sum : undefined
  } catch {
    return undefined // Ollama says the size as soon as it begins.
  }
}
