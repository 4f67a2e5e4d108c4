// The endpoints that speak OpenAI's format: those that the person added and those found on this computer. A key belongs to the
// origin that it was given for: it is not sent to another one when the address changes. Endpoints as they are remembered
// between runs: never their keys.
import { z } from 'zod'
import { type ErrorValue, HostError, toErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Json } from '#app/json.ts'
import { endpointUrl } from '#app/models/endpoint-url.ts'
import { type ModelInfo, modelInfo, type ProviderSummary, providerId } from '#app/models/models.ts'
import type { Clock } from '#main/base/clock.ts'
import type { SettingsStore } from '#main/store/store-api.ts'
import { keyHint, secretName } from '../api-keys.ts'
import type { EndpointDraft, KeyStore } from '../models-api.ts'
import { createOpenAiCompatible } from '../openai-chat/openai-provider.ts'
import type { ModelProvider } from '../provider.ts'

const savedEndpoint = z.object({
  id: providerId,
  name: z.string(),
  baseUrl: z.string(),
  kind: z.enum(['added', 'local']),
  /** A key is in the secret store, or was, where that forgets. */
  keyed: z.boolean(),
  models: z.array(modelInfo),
  checkedAt: z.number().optional(),
})
type SavedEndpoint = z.infer<typeof savedEndpoint>

const FACT = 'models/endpoints'

function readEndpoints(settings: SettingsStore): SavedEndpoint[] {
  const read = z.array(savedEndpoint).safeParse(settings.fact(FACT))
  return read.success ? read.data : []
}

const writeEndpoints = (settings: SettingsStore, endpoints: readonly SavedEndpoint[]): void =>
  settings.setFact(FACT, JSON.parse(JSON.stringify(endpoints)) as Json)

const reserved = new Set(['anthropic', 'practice'])

/** From the person's name for it; stays when that changes, since conversations name their models with it. */
export function endpointId(name: string, taken: (id: string) => boolean): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 30)
    .replace(/-+$/, '')
  const base = plain === '' ? 'endpoint' : plain
  for (let count = 1; ; count += 1) {
    const id = count === 1 ? base : `${base}-${count}`
    if (!reserved.has(id) && !taken(id)) return id
  }
}

// Programs on this computer that serve models. They are asked for their list on their usual ports: on demand only, on
// loopback only, without any key, with a short limit.
interface LocalEndpointAddress {
  readonly id: string
  readonly name: string
  readonly baseUrl: string
  /** It has a name, so that one hears also that it does not answer. */
  readonly named: boolean
}

const LOOK_MS = 1500

const named: Readonly<Record<string, readonly [id: string, name: string]>> = {
  11434: ['ollama', 'Ollama'],
  1234: ['lm-studio', 'LM Studio'],
}
/** Ollama, LM Studio, llama.cpp, vLLM, Jan, GPT4All, text-generation-webui. */
const usual = ['11434', '1234', '8080', '8000', '1337', '4891', '5000']

/** `setting`: ASSENT_LOCAL_MODEL_PORTS, ports with commas between; empty: looks nowhere. */
function localEndpointAddresses(setting: string | undefined): LocalEndpointAddress[] {
  const ports = setting === undefined ? usual : setting.split(',').map((port) => port.trim())
  return [...new Set(ports)]
    .filter((port) => /^\d{1,5}$/.test(port))
    .slice(0, 20)
    .map((port) => ({
      id: named[port]?.[0] ?? `local-${port}`,
      name: named[port]?.[1] ?? `localhost:${port}`,
      baseUrl: `http://127.0.0.1:${port}/v1`,
      named: named[port] !== undefined,
    }))
}

interface EndpointsOptions {
  readonly secrets: KeyStore
  readonly settings: SettingsStore
  readonly clock: Clock
  readonly env: Readonly<Record<string, string | undefined>>
  readonly closed: AbortSignal
  readonly fetch?: typeof fetch
  readonly changed: () => void
}

interface Endpoints {
  list(): ModelInfo[]
  views(): ProviderSummary[]
  provider(id: string): ModelProvider | undefined
  /** Reads what is remembered, and the keys. No network. */
  load(): Promise<void>
  /** The lists of those that were added. Never rejects. */
  refresh(): Promise<void>
  look(again: boolean): Promise<void>
  save(draft: EndpointDraft): Promise<{ readonly id: string; readonly models: number }>
  remove(id: string): Promise<void>
}

interface Live extends SavedEndpoint {
  readonly key: string
  readonly error?: ErrorValue
}

const LOOK_AGAIN_MS = 5000
const MOST_ENDPOINTS = 50

type SilentPlace = LocalEndpointAddress & { readonly error: ErrorValue }
type Reached = Pick<Live, 'id' | 'name' | 'baseUrl' | 'key'>

/** The endpoints that are known, kept in the settings with each change. */
interface EndpointList {
  all(): readonly Live[]
  byId(id: string): Live | undefined
  load(): Promise<void>
  put(next: Live): void
  remove(id: string): void
}

function createEndpointList({ settings, secrets, changed }: Pick<EndpointsOptions, 'settings' | 'secrets' | 'changed'>): EndpointList {
  let all: readonly Live[] = []
  const byId = (id: string): Live | undefined => all.find((one) => one.id === id)
  const read = async (saved: SavedEndpoint): Promise<Live> => {
    try {
      return { ...saved, key: saved.keyed ? ((await secrets.get(secretName(saved.id))) ?? '') : '' }
    } catch (error) {
      return { ...saved, key: '', error: toErrorValue(error) }
    }
  }
  function keep(): void {
    writeEndpoints(
      settings,
      all.map(({ key: _key, error: _error, ...saved }) => saved),
    )
    changed()
  }
  return {
    all: () => all,
    byId,
    async load() {
      all = await Promise.all(readEndpoints(settings).map(read))
    },
    put(next) {
      all = byId(next.id) ? all.map((one) => (one.id === next.id ? next : one)) : [...all, next]
      keep()
    },
    remove(id) {
      all = all.filter((one) => one.id !== id)
      keep()
    },
  }
}

/** One provider for each endpoint, as long as it stays what it is: it learns what its models refuse, and how they write. */
function createProviderCache(create: (endpoint: Reached) => ModelProvider) {
  const kept = new Map<string, { readonly of: string; readonly provider: ModelProvider }>()
  return {
    get(one: Reached): ModelProvider {
      const of = JSON.stringify([one.name, one.baseUrl, one.key])
      const before = kept.get(one.id)
      if (before?.of === of) return before.provider
      const provider = create(one)
      kept.set(one.id, { of, provider })
      return provider
    },
    drop: (id: string): void => void kept.delete(id),
  }
}

interface EndpointContext {
  readonly endpoints: EndpointList
  readonly places: readonly LocalEndpointAddress[]
  readonly secrets: KeyStore
  readonly clock: Clock
  readonly closed: AbortSignal
  readonly providerOf: (endpoint: Reached, timeoutMs?: number) => ModelProvider
}

/** Changes an endpoint, unless it was changed or removed meanwhile. */
function note({ endpoints, closed }: EndpointContext, asked: Live, change: Partial<Live>): void {
  if (endpoints.byId(asked.id) === asked && !closed.aborted) endpoints.put({ ...asked, ...change })
}

/** Fetches the models of one that was added. */
async function check(context: EndpointContext, asked: Live): Promise<void> {
  const { endpoints, clock, closed, providerOf } = context
  const { error: _error, ...before } = asked
  try {
    const models = await providerOf(asked).listModels(closed)
    if (endpoints.byId(asked.id) === asked && !closed.aborted) endpoints.put({ ...before, models: [...models], checkedAt: clock.now() })
  } catch (error) {
    note(context, asked, { error: toErrorValue(error) })
  }
}

/** Returns the place when the person named it and nobody answers there. */
async function lookAt(context: EndpointContext, place: LocalEndpointAddress): Promise<SilentPlace | undefined> {
  const { endpoints, clock, closed, providerOf } = context
  const known = endpoints.byId(place.id)
  try {
    const models = await providerOf({ ...place, key: '' }, LOOK_MS).listModels(closed)
    if (closed.aborted) return undefined
    const { id, name, baseUrl } = place
    endpoints.put({ id, name, baseUrl, kind: 'local', keyed: false, key: '', models: [...models], checkedAt: clock.now() })
    return undefined
  } catch (failure) {
    const error = toErrorValue(failure)
    if (known) note(context, known, { error })
    return known || !place.named ? undefined : { ...place, error }
  }
}

async function save(
  { endpoints, places, secrets, clock, closed, providerOf }: EndpointContext,
  { id: known, name, baseUrl: typed, key: given, unchecked }: EndpointDraft,
): Promise<{ readonly id: string; readonly models: number }> {
  const baseUrl = endpointUrl(typed)
  if (baseUrl === undefined) throw new HostError('model.endpoint-wrong', t`This is not an address of http or https.`)
  const before = known === undefined ? undefined : endpoints.byId(known)
  if (known !== undefined && before?.kind !== 'added') throw new HostError('contract.invalid', t`There is no such endpoint.`)
  if (!before && endpoints.all().length >= MOST_ENDPOINTS) throw new HostError('contract.invalid', t`There are too many endpoints.`)
  const id = before?.id ?? endpointId(name, (one) => endpoints.byId(one) !== undefined || places.some((place) => place.id === one))
  const keyBefore = before && originOf(before.baseUrl) === originOf(baseUrl) ? before.key : ''
  const key = given === null ? '' : given === undefined ? keyBefore : given.trim()
  const next = { id, name, baseUrl, kind: 'added' as const, keyed: key !== '', key }
  const models = unchecked ? undefined : [...(await providerOf(next).listModels(closed))]
  if (key === '') await secrets.delete(secretName(id))
  else if (key !== before?.key) await secrets.set(secretName(id), key)
  endpoints.put({ ...next, models: models ?? before?.models ?? [], ...(models ? { checkedAt: clock.now() } : {}) })
  return { id, models: models?.length ?? 0 }
}

export function createEndpoints(options: EndpointsOptions): Endpoints {
  const { secrets, clock, closed, changed } = options
  const through = options.fetch ? { fetch: options.fetch } : {}
  const places = localEndpointAddresses(options.env['ASSENT_LOCAL_MODEL_PORTS'])
  const endpoints = createEndpointList(options)
  let silent: readonly SilentPlace[] = []
  let looking: Promise<void> | undefined
  let lookedAt = Number.NEGATIVE_INFINITY

  const list = (): ModelInfo[] => endpoints.all().flatMap(({ models }) => models)
  const find = (id: string): ModelInfo | undefined => list().find((model) => model.id === id)
  const providerOf = ({ id, name, baseUrl, key }: Reached, timeoutMs?: number): ModelProvider =>
    createOpenAiCompatible({ id, name, baseUrl, key, clock, find, ...through, ...(timeoutMs === undefined ? {} : { timeoutMs }) })
  const providers = createProviderCache(providerOf)
  const context: EndpointContext = { endpoints, places, secrets, clock, closed, providerOf }

  async function look(): Promise<void> {
    const added = new Set(endpoints.all().flatMap((one) => (one.kind === 'added' ? [originOf(one.baseUrl)] : [])))
    const found = await Promise.all(places.filter(({ baseUrl }) => !added.has(originOf(baseUrl))).map((place) => lookAt(context, place)))
    silent = found.filter((place) => place !== undefined)
    lookedAt = clock.now()
    if (!closed.aborted) changed()
  }

  return {
    list,
    views: () => [
      ...endpoints.all().map((one) => viewOf(one, secrets.kind)),
      ...silent.map(({ id, name, baseUrl, error }) => ({
        ...{ id, name, baseUrl, error, modelCount: 0 },
        ...{ endpoint: 'local' as const, key: { kind: 'not-needed' as const } },
      })),
    ],
    provider: (id) => {
      const known = endpoints.byId(id)
      return known && providers.get(known)
    },
    load: endpoints.load,
    refresh: async () =>
      void (await Promise.all(
        endpoints
          .all()
          .filter(({ kind }) => kind === 'added')
          .map((one) => check(context, one)),
      )),
    look(again) {
      if (!again && clock.now() - lookedAt < LOOK_AGAIN_MS) return Promise.resolve()
      looking ??= look().finally(() => {
        looking = undefined
      })
      return looking
    },
    save: (draft) => save(context, draft),
    async remove(id) {
      if (!endpoints.byId(id)) return
      await secrets.delete(secretName(id))
      providers.drop(id)
      endpoints.remove(id)
    },
  }
}

function viewOf(one: Live, source: KeyStore['kind']): ProviderSummary {
  const checked = one.checkedAt === undefined ? {} : { checkedAt: one.checkedAt }
  return {
    id: one.id,
    name: one.name,
    endpoint: one.kind,
    baseUrl: one.baseUrl,
    key: !one.keyed
      ? { kind: 'not-needed' }
      : one.key === ''
        ? { kind: 'missing' }
        : { kind: 'set', hint: keyHint(one.key), source, ...checked },
    ...(one.error ? { error: one.error } : {}),
    modelCount: one.models.length,
  }
}

const originOf = (url: string): string => new URL(url).origin
