// The models in reach: the practice model always, Anthropic's with a key, those of endpoints. The list is remembered between runs as a
// settings fact, so a start needs no network. Keys stay in here, in the secret store and in the provider.
import { z } from 'zod'
import { type ModelInfo, modelInfo, type ProviderId, type ProviderView } from '#app/chat/models.ts'
import { type ErrorValue, fromErrorValue, HostError, toErrorValue } from '#app/errors.ts'
import type { Json } from '#app/json.ts'
import { t } from '#app/words/translate.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Emit } from '#main/base/events.ts'
import type { Log } from '#main/base/log.ts'
import type { SettingsStore } from '#main/store/types.ts'
import { createEndpoints } from './endpoints/endpoints.ts'
import { type FoundKey, findKey, keyHint, secretName } from './keys.ts'
import { createPractice, practiceModel } from './practice/provider.ts'
import type { ModelProvider } from './provider.ts'
import type { KeyStore, Models } from './types.ts'

export interface ModelsOptions {
  readonly secrets: KeyStore
  readonly settings: SettingsStore
  readonly emit: Emit
  readonly clock: Clock
  readonly log: Log
  readonly env: Readonly<Record<string, string | undefined>>
  /** What all of them are asked through; default: Node’s own, and whom this computer trusts. */
  readonly fetch?: typeof fetch
}

const FACT = 'models/anthropic'
/** New models come, and what is known of old ones grows. */
const STALE_AFTER_MS = 24 * 60 * 60 * 1000
const ANTHROPIC_URL = 'https://api.anthropic.com'
/** Counts up whenever more of a model is read: a list from before shows at once, and is fetched again. */
const READ = 1
/** Bound to the address: another gateway has other models. */
const remembered = z.object({ baseUrl: z.string(), checkedAt: z.number(), read: z.number().optional(), models: z.array(modelInfo) })

interface Connected {
  readonly key: FoundKey
  readonly provider: ModelProvider
}

export function createModels(options: ModelsOptions): Models {
  const { secrets, settings, emit, clock, log, env } = options
  const through = options.fetch ? { fetch: options.fetch } : {}
  const baseUrl = env['ANTHROPIC_BASE_URL']?.trim() || ANTHROPIC_URL
  const practice = createPractice({ clock })
  const closed = new AbortController()
  let connected: Connected | undefined
  let known: readonly ModelInfo[] = []
  let checkedAt: number | undefined
  let error: ErrorValue | undefined
  let loading: Promise<void> | undefined
  let fetching: { readonly of: Connected; readonly work: Promise<void> } | undefined

  const list = (): ModelInfo[] => [...(connected ? known : []), ...endpoints.list(), practiceModel]
  const find = (id: string): ModelInfo | undefined => list().find((model) => model.id === id)
  const providers = (): ProviderView[] => [anthropicView(), ...endpoints.views(), practiceView()]
  const changed = (): void => {
    if (!closed.signal.aborted) emit('models.changed', { models: list(), providers: providers() })
  }
  const endpoints = createEndpoints({ secrets, settings, clock, env, closed: closed.signal, changed, ...through })
  /** Its SDK is large, and who has no key needs none of it. */
  const connect = async (key: FoundKey): Promise<Connected> => {
    const { createAnthropic } = await import('./anthropic/provider.ts')
    return { key, provider: createAnthropic({ key: key.value, baseUrl, clock, find, ...through }) }
  }

  function anthropicView(): ProviderView {
    return {
      id: 'anthropic',
      name: 'Anthropic',
      key: connected
        ? {
            kind: 'set',
            hint: keyHint(connected.key.value),
            source: connected.key.source,
            ...(checkedAt === undefined ? {} : { checkedAt }),
          }
        : { kind: 'missing' },
      ...(baseUrl === ANTHROPIC_URL ? {} : { baseUrl }),
      ...(error ? { error } : {}),
      modelCount: connected ? known.length : 0,
    }
  }

  function remember(models: readonly ModelInfo[]): void {
    known = models
    checkedAt = clock.now()
    error = undefined
    settings.setFact(FACT, JSON.parse(JSON.stringify({ baseUrl, checkedAt, read: READ, models })) as Json)
  }

  /** One fetch at a time: whoever asks meanwhile shares it. */
  function refresh(): Promise<void> {
    const asked = connected
    if (!asked) return Promise.resolve()
    if (fetching?.of !== asked) {
      const work = fetchList(asked).finally(() => {
        if (fetching?.of === asked) fetching = undefined
      })
      fetching = { of: asked, work }
    }
    return fetching.work
  }

  async function fetchList(asked: Connected): Promise<void> {
    try {
      const models = await asked.provider.listModels(closed.signal)
      if (connected === asked && !closed.signal.aborted) remember(models)
    } catch (failure) {
      if (connected !== asked || closed.signal.aborted) return
      error = toErrorValue(failure)
      log.warn(`the model list could not be fetched: ${error.code}`)
    }
    changed()
  }

  async function load(): Promise<void> {
    let key: FoundKey | undefined
    try {
      key = await findKey(env, secrets)
    } catch (failure) {
      error = toErrorValue(failure)
      log.warn(`the key could not be read: ${error.code}`)
    }
    connected = key && (await connect(key))
    let isBehind = false
    const kept = remembered.safeParse(settings.fact(FACT))
    if (kept.success && kept.data.baseUrl === baseUrl) {
      ;({ models: known, checkedAt } = kept.data)
      isBehind = kept.data.read !== READ
    }
    await endpoints.load()
    changed()
    if (connected && (known.length === 0 || isBehind || clock.now() - (checkedAt ?? 0) > STALE_AFTER_MS)) void refresh()
  }

  /** Throws `model.*`. */
  function reach(modelId: string): { readonly provider: ModelProvider; readonly model: string } {
    const slash = modelId.indexOf('/')
    const id = modelId.slice(0, slash)
    const model = modelId.slice(slash + 1)
    const data = { model: modelId }
    if (modelId === practiceModel.id) return { provider: practice, model }
    const endpoint = model === '' ? undefined : endpoints.provider(id)
    if (endpoint) return { provider: endpoint, model }
    if (id !== 'anthropic' || model === '') throw new HostError('model.unknown', t`There is no model “${modelId}”.`, { data })
    if (!connected && error) throw fromErrorValue(error)
    if (!connected) throw new HostError('model.key-missing', t`There is no key for Anthropic.`, { data: { ...data, provider: id } })
    return { provider: connected.provider, model }
  }

  return {
    list,
    find,
    providers,
    refresh: async () => void (await Promise.all([refresh(), endpoints.refresh()])),
    load: () => (loading ??= load()),
    async setKey(provider, key) {
      const value = forAnthropic(provider, key.trim())
      const next = await connect({ value, source: secrets.kind })
      const models = await next.provider.listModels(closed.signal)
      await secrets.set(secretName('anthropic'), value)
      // The environment's key stays in use for this run; the kept one is for later.
      if (connected?.key.source !== 'environment') connected = next
      remember(models)
      changed()
      return models.length
    },
    async removeKey(provider) {
      forAnthropic(provider, '')
      await secrets.delete(secretName('anthropic'))
      if (connected?.key.source === 'environment') return
      connected = undefined
      known = []
      checkedAt = undefined
      error = undefined
      settings.setFact(FACT, null)
      changed()
    },
    stream(modelId, request, signal) {
      const { provider, model } = reach(modelId)
      return provider.stream({ ...request, model }, signal)
    },
    async countTokens(modelId, request, signal) {
      const { provider, model } = reach(modelId)
      return provider.countTokens?.({ ...request, model }, signal)
    },
    lookHere: endpoints.look,
    saveEndpoint: endpoints.save,
    removeEndpoint: endpoints.remove,
    dispose: () => closed.abort(),
  }
}

const practiceView = (): ProviderView => ({ id: 'practice', name: t`Practice model`, key: { kind: 'not-needed' }, modelCount: 1 })

function forAnthropic(provider: ProviderId, key: string): string {
  if (provider === 'anthropic') return key
  throw new HostError('contract.invalid', t`Only Anthropic’s key is set like this.`)
}
