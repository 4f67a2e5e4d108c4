// The models of the host: the practice model always, Anthropic's with a key, those of endpoints. Lists are remembered between runs, so a
// start needs no network. Keys stay in the secret store and in the providers.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { type ErrorValue, fromErrorValue, HostError, toErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Json, JsonObject } from '#app/json.ts'
import { type ModelInfo, modelInfo, type ProviderId, type ProviderSummary } from '#app/models/models.ts'
import { endpointPresets } from '#app/models/presets.ts'
import type { Usage } from '#app/models/usage.ts'
import { defined } from '#app/or-else.ts'
import type { Settings } from '#app/settings.ts'
import { estimateTokens } from '#app/text/format-text.ts'
import { vouchedFetch } from '#main/base/authorities/certificate-authorities.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Emit, EventHub } from '#main/base/events.ts'
import type { Log } from '#main/base/host-log.ts'
import { newId } from '#main/base/ids.ts'
import type { SecretStore } from '#main/base/secret-store.ts'
import type { AuditStore, SettingsStore, Store } from '#main/store/store-api.ts'
import { readCatalogue, withCatalogue } from './catalogue/catalogue.ts'
import { refreshCatalogue } from './catalogue/refresh-catalogue.ts'
import { learntContexts } from './context-overflow.ts'
import { createCorrections } from './corrected-requests.ts'
import { adoptDefault } from './default-model.ts'
import { createEndpoints } from './endpoints/endpoints.ts'
import { type FoundKey, findKey, keyHint, type Models, secretName } from './models-api.ts'
import { createPulls, sizeOfModel } from './ollama/pulls.ts'
import { planNext } from './practice/practice-plan.ts'
import type { ModelEvent, ModelProvider, ModelRequest } from './provider.ts'
import { meteredModels, type UsageMeterOptions } from './usage-meter.ts'

const practiceModel: ModelInfo = {
  id: 'practice/practice',
  provider: 'practice',
  get name() {
    return t`Practice model`
  },
  images: false,
  ai: false,
}

/** The practice model needs no key and no network, and is no AI. It streams like any other, so that it shows how the host works. */
export function createPractice(options: { readonly clock: Clock }): ModelProvider {
  return {
    id: 'practice',
    get name() {
      return practiceModel.name
    },
    listModels: () => Promise.resolve([practiceModel]),
    stream: (request, signal) => streamPractice(request, signal, options.clock.now()),
  }
}

async function* streamPractice(request: ModelRequest, signal: AbortSignal, now: number): AsyncGenerator<ModelEvent> {
  const plan = planNext(request, now)
  let index = 0
  if (plan.text !== '') {
    for (const word of plan.text.match(/\S+\s*|\s+/g) ?? []) {
      await nextTurn()
      if (signal.aborted) throw new HostError('cancelled', t`It was cancelled.`)
      yield { type: 'text', index, text: word }
    }
    index += 1
  }
  for (const call of plan.kind === 'call' ? plan.calls : []) {
    const providerId = `practice_${newId()}`
    yield { type: 'tool-call-start', index, providerId, name: call.name }
    yield { type: 'tool-call', index, providerId, name: call.name, inputText: JSON.stringify(call.input) }
    index += 1
  }
  yield { type: 'usage', usage: { inputTokens: 0, outputTokens: estimateTokens(plan.text) } }
  yield { type: 'done', reason: plan.kind === 'call' ? 'tool-calls' : 'end' }
}

interface ModelsOptions {
  readonly secrets: SecretStore
  readonly settings: SettingsStore
  readonly emit: Emit
  readonly clock: Clock
  readonly log: Log
  readonly env: Readonly<Record<string, string | undefined>>
  /** Fetch for all providers; default: Node's own, with the certificates that this computer trusts. */
  readonly fetch?: typeof fetch
  /** Path at which a fetched catalogue is kept; absent: the package's alone. */
  readonly catalogueFile?: string
}

const FACT = 'models/anthropic'
/** Age at which a remembered list is fetched again, in milliseconds. */
const STALE_AFTER_MS = 24 * 60 * 60 * 1000
const ANTHROPIC_URL = 'https://api.anthropic.com'
/** Version of the remembered list, raised whenever more of a model is read: an older list shows at once, and is fetched again. */
const READ = 2
/** The remembered list, bound to the address: another gateway has other models. */
const remembered = z.object({ baseUrl: z.string(), checkedAt: z.number(), read: z.number().optional(), models: z.array(modelInfo) })

interface Connected {
  readonly key: FoundKey
  readonly provider: ModelProvider
}

interface AnthropicOptions extends Pick<ModelsOptions, 'secrets' | 'settings' | 'clock' | 'log' | 'env' | 'fetch' | 'catalogueFile'> {
  readonly closed: AbortSignal
  readonly find: (id: string) => ModelInfo | undefined
  readonly changed: () => void
}

/** Loads the SDK, which is large, only with a key. */
async function connect({ clock, find, fetch, catalogueFile }: AnthropicOptions, baseUrl: string, key: FoundKey): Promise<Connected> {
  const { createAnthropic } = await import('./anthropic/anthropic-provider.ts')
  const provider = createAnthropic({ key: key.value, baseUrl, clock, find, ...defined({ fetch }) })
  return { key, provider: withCatalogue(provider, baseUrl, catalogueFile) }
}

/** Anthropic's models: none without a key. */
function createAnthropicModels(options: AnthropicOptions) {
  const { secrets, settings, clock, log, env, closed, changed } = options
  const baseUrl = env['ANTHROPIC_BASE_URL']?.trim() || ANTHROPIC_URL
  let connected: Connected | undefined
  let known: readonly ModelInfo[] = []
  let checkedAt: number | undefined
  /** Whether the remembered list has an older version. */
  let isBehind = false
  let error: ErrorValue | undefined
  let fetching: { readonly of: Connected; readonly work: Promise<void> } | undefined
  let loading: Promise<void> | undefined

  function remember(models: readonly ModelInfo[]): void {
    known = models
    checkedAt = clock.now()
    error = undefined
    settings.setFact(FACT, JSON.parse(JSON.stringify({ baseUrl, checkedAt, read: READ, models })) as Json)
  }

  async function fetchList(asked: Connected): Promise<void> {
    try {
      const models = await asked.provider.listModels(closed)
      if (connected === asked && !closed.aborted) remember(models)
    } catch (failure) {
      if (connected !== asked || closed.aborted) return
      error = toErrorValue(failure)
      log.warn(`the model list could not be fetched: ${error.code}`)
    }
    changed()
  }

  /** Reads the key and the remembered list. No network. Who sets or removes a key waits for it: what it has read is older. */
  async function load(): Promise<void> {
    const key = await findKey(env, secrets).catch((failure: unknown) => {
      error = toErrorValue(failure)
      log.warn(`the key could not be read: ${error.code}`)
      return undefined
    })
    connected = key && (await connect(options, baseUrl, key))
    const { success, data } = remembered.safeParse(settings.fact(FACT))
    if (!success || data.baseUrl !== baseUrl) return
    ;({ models: known, checkedAt } = data)
    isBehind = data.read !== READ
  }

  return {
    list: (): readonly ModelInfo[] => (connected ? known : []),
    summary: (): ProviderSummary => ({
      id: 'anthropic',
      name: 'Anthropic',
      key: connected
        ? { kind: 'set', hint: keyHint(connected.key.value), source: connected.key.source, ...defined({ checkedAt }) }
        : { kind: 'missing' },
      ...defined({ error, baseUrl: baseUrl === ANTHROPIC_URL ? undefined : baseUrl }),
      modelCount: connected ? known.length : 0,
    }),
    /** @throws {HostError} `model.key-missing`, or the reason why the key could not be read */
    provider(modelId: string): ModelProvider {
      if (connected) return connected.provider
      if (error) throw fromErrorValue(error)
      throw new HostError('model.key-missing', t`There is no key for ${'Anthropic'}.`, { data: { model: modelId, provider: 'anthropic' } })
    },
    load: (): Promise<void> => (loading ??= load()),
    isStale: (): boolean => connected !== undefined && (known.length === 0 || isBehind || clock.now() - (checkedAt ?? 0) > STALE_AFTER_MS),
    /** Fetches the list; concurrent callers share one fetch. */
    refresh(): Promise<void> {
      const asked = connected
      if (!asked) return Promise.resolve()
      if (fetching?.of !== asked) {
        const work = fetchList(asked).finally(() => {
          if (fetching?.of === asked) fetching = undefined
        })
        fetching = { of: asked, work }
      }
      return fetching.work
    },
    async setKey(value: string): Promise<number> {
      await loading?.catch(() => undefined)
      const next = await connect(options, baseUrl, { value, source: secrets.kind })
      const models = await next.provider.listModels(closed)
      await secrets.set(secretName('anthropic'), value)
      // The environment's key stays in use for this run.
      if (connected?.key.source !== 'environment') connected = next
      remember(models)
      changed()
      return models.length
    },
    async removeKey(): Promise<void> {
      await loading?.catch(() => undefined)
      await secrets.delete(secretName('anthropic'))
      if (connected?.key.source === 'environment') return
      connected = undefined
      known = []
      checkedAt = undefined
      error = undefined
      settings.setFact(FACT, null)
      changed()
    },
  }
}

/** Returns the model with the context that the person set for it, which wins over its list's. */
function withOwnContext(model: ModelInfo, { contextSizes }: Settings): ModelInfo {
  const own = Object.hasOwn(contextSizes, model.id) ? contextSizes[model.id] : undefined
  return own === undefined ? model : { ...model, contextTokens: own }
}

export function createModels(options: ModelsOptions): Models {
  const { emit, clock } = options
  const practice = createPractice({ clock })
  const closed = new AbortController()
  let loading: Promise<void> | undefined

  const list = (): ModelInfo[] =>
    [...anthropic.list(), ...endpoints.list(), practiceModel].map((model) =>
      withOwnContext(contexts.withSize(model), options.settings.get()),
    )
  const find = (id: string): ModelInfo | undefined => list().find((model) => model.id === id)
  const providers = (): ProviderSummary[] => [
    anthropic.summary(),
    ...endpoints.summaries(),
    { id: 'practice', name: practiceModel.name, key: { kind: 'not-needed' }, modelCount: 1 },
  ]
  const changed = (): void => {
    if (!closed.signal.aborted) emit('models.changed', { models: list(), providers: providers() })
  }
  const contexts = learntContexts(options.settings, changed)
  const corrected = createCorrections()
  const endpoints = createEndpoints({ ...options, closed: closed.signal, find, changed })
  const anthropic = createAnthropicModels({ ...options, closed: closed.signal, find, changed })

  const pulls = createPulls({
    provider: endpoints.provider,
    changed: () => emit('pulls.changed', { pulls: pulls.list() }),
    refresh: endpoints.refreshOne,
    closed: closed.signal,
  })

  async function load(): Promise<void> {
    await anthropic.load()
    await endpoints.load()
    changed()
    if (anthropic.isStale()) void anthropic.refresh()
  }

  /** @throws {HostError} `model.*` */
  function reach(modelId: string): { readonly provider: ModelProvider; readonly model: string } {
    const slash = modelId.indexOf('/')
    const id = modelId.slice(0, slash)
    const model = modelId.slice(slash + 1)
    if (modelId === practiceModel.id) return { provider: practice, model }
    const endpoint = model === '' ? undefined : endpoints.provider(id)
    if (endpoint) return { provider: endpoint, model }
    if (id !== 'anthropic' || model === '')
      throw new HostError('model.unknown', t`There is no model “${modelId}”.`, { data: { model: modelId } })
    return { provider: anthropic.provider(modelId), model }
  }

  const refresh = async (): Promise<void> => void (await Promise.all([anthropic.refresh(), endpoints.refresh()]))

  return {
    list,
    find,
    providers,
    refresh,
    catalogueDate: async () => (await readCatalogue(options.catalogueFile)).date,
    async refreshCatalogue() {
      const { catalogueFile: file, fetch = vouchedFetch } = options
      if (file === undefined) throw new HostError('contract.invalid', t`The catalogue cannot be saved.`)
      const count = await refreshCatalogue({ file, fetch, today: new Date(clock.now()).toISOString().slice(0, 10) }, closed.signal)
      await refresh()
      return count
    },
    load: () => (loading ??= load()),
    setKey: async (provider, key) => anthropic.setKey(forAnthropic(provider, key.trim())),
    async removeKey(provider) {
      forAnthropic(provider, '')
      await anthropic.removeKey()
    },
    stream(modelId, request, signal) {
      const { provider, model } = reach(modelId)
      const ask = (asked: typeof request) => provider.stream({ ...asked, model }, signal)
      return contexts.learning(modelId, corrected(modelId, request, ask))
    },
    async countTokens(modelId, request, signal) {
      const { provider, model } = reach(modelId)
      return provider.countTokens?.({ ...request, model }, signal)
    },
    lookHere: endpoints.look,
    saveEndpoint: endpoints.save,
    keyVariables: () => endpointPresets.flatMap(({ variables }) => variables.filter((name) => options.env[name]?.trim())),
    removeEndpoint: endpoints.remove,
    pulls: pulls.list,
    pull: pulls.start,
    cancelPull: pulls.cancel,
    pullSize: (model) => sizeOfModel(model, options.fetch ?? vouchedFetch, closed.signal),
    dispose: () => closed.abort(),
  }
}

function forAnthropic(provider: ProviderId, key: string): string {
  if (provider === 'anthropic') return key
  throw new HostError('contract.invalid', t`Only Anthropic’s key is set like this.`)
}

const auditedUsage = ({ inputTokens, outputTokens, cost }: Usage): JsonObject => ({ inputTokens, outputTokens, ...defined({ cost }) })

/** Writes audit rows for each request to a model outside of the host, and each pull: its size and how it ended, without the text. */
export function auditedModels(models: Models, audit: Pick<AuditStore, 'append'>): Models {
  async function* recorded(...[model, request, signal]: Parameters<Models['stream']>): AsyncGenerator<ModelEvent> {
    const { purpose = 'answer', conversationId = null } = request.use ?? {}
    const exchange = { method: 'model', exchangeId: newId(), model, purpose }
    const row = (decision: string, detail: JsonObject): void =>
      void audit.append({ kind: 'exchange', decision, conversationId, detail: { ...exchange, ...detail } })
    row('sent', { messages: request.messages.length, tools: request.tools.length })
    let usage: JsonObject = {}
    let ended = false
    try {
      for await (const event of models.stream(model, request, signal)) {
        if (event.type === 'usage') usage = auditedUsage(event.usage)
        if (event.type === 'done') {
          ended = true
          row('done', { ...usage, reason: event.reason })
        }
        yield event
      }
    } catch (error) {
      ended = true
      const { code } = toErrorValue(error)
      row(code === 'cancelled' ? 'cancelled' : 'failed', { ...usage, code })
      throw error
    } finally {
      if (!ended) row('cancelled', usage)
    }
  }
  return {
    ...models,
    stream: (model, request, signal) =>
      model.startsWith('practice/') ? models.stream(model, request, signal) : recorded(model, request, signal),
    pull(endpoint, model) {
      const detail = { method: 'pull', exchangeId: newId(), model: `${endpoint}/${model}` }
      void audit.append({ kind: 'exchange', decision: 'sent', by: 'person', detail })
      const ended = models.pull(endpoint, model)
      void ended.then((decision) => audit.append({ kind: 'exchange', decision, detail }))
      return ended
    },
  }
}

interface ModelsHere extends Pick<UsageMeterOptions, 'onUsage' | 'onError'> {
  readonly store: Pick<Store, 'settings' | 'usage' | 'audit'>
  readonly hub: EventHub
}

/** Opens the models with usage meter and audit rows, and adopts a default model whenever the lists change. */
export function openModels(options: Omit<ModelsOptions, 'settings'>, { store, hub, onUsage, onError }: ModelsHere): Models {
  const reached = createModels({ ...options, settings: store.settings })
  const settings = () => store.settings.get()
  const counted = meteredModels(reached, { store: store.usage, clock: options.clock, settings, onUsage, onError })
  const models = auditedModels(counted, store.audit)
  let { contextSizes } = settings()
  hub.onEvent(({ name }) => {
    const adopted = name === 'models.changed' ? adoptDefault(store.settings, models.list()) : undefined
    if (adopted) options.emit('settings.changed', { settings: adopted })
    if (name !== 'settings.changed' || isDeepStrictEqual(contextSizes, settings().contextSizes)) return
    contextSizes = settings().contextSizes
    options.emit('models.changed', { models: models.list(), providers: models.providers() })
  })
  return models
}
