// Endpoints that speak OpenAI's format: those that the person added and those found on this computer. A key belongs to the origin that it
// was given for: it is not sent to another one when the address changes. The settings remember endpoints, never their keys.
import { z } from 'zod'
import { type ErrorValue, HostError, toErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Json } from '#app/json.ts'
import { endpointUrl } from '#app/models/endpoint-url.ts'
import { type ModelInfo, modelInfo, type ProviderSummary, providerId } from '#app/models/models.ts'
import { defined } from '#app/or-else.ts'
import type { Clock } from '#main/base/clock.ts'
import type { SettingsStore } from '#main/store/store-api.ts'
import { fillModels, withCatalogue } from '../catalogue/catalogue.ts'
import { type EndpointDraft, type KeyStore, keyHint, secretName } from '../models-api.ts'
import { createOpenAiCompatible } from '../openai-chat/openai-provider.ts'
import type { ModelProvider } from '../provider.ts'

const savedEndpoint = z.object({
  id: providerId,
  name: z.string(),
  baseUrl: z.string(),
  kind: z.enum(['added', 'local']),
  /** Whether the person gave a key; it is in the secret store, unless that store has lost it. */
  keyed: z.boolean(),
  models: z.array(modelInfo),
  checkedAt: z.number().optional(),
  /** Whether the catalogue has filled the list; one of an earlier version is filled as it is read. */
  filled: z.boolean().optional(),
})
type SavedEndpoint = z.infer<typeof savedEndpoint>

const FACT = 'models/endpoints'
const reserved = new Set(['anthropic', 'practice'])

/** Makes an id of the person's name for it. The id stays when the name changes, since conversations name their models with it. */
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

/** Milliseconds that a program on this computer has to answer. */
const LOOK_MS = 1500

const named: Readonly<Record<string, readonly [id: string, name: string]>> = {
  11434: ['ollama', 'Ollama'],
  1234: ['lm-studio', 'LM Studio'],
}
/** Ports of Ollama, LM Studio, llama.cpp, vLLM, Jan, GPT4All and text-generation-webui. */
const usual = ['11434', '1234', '8080', '8000', '1337', '4891', '5000']

type LocalAddress = ReturnType<typeof localAddresses>[number]

/** Programs on this computer that may serve models, asked on demand, on loopback, without a key. `setting`: ASSENT_LOCAL_MODEL_PORTS. */
function localAddresses(setting: string | undefined) {
  const ports = setting === undefined ? usual : setting.split(',').map((port) => port.trim())
  return [...new Set(ports)]
    .filter((port) => /^\d{1,5}$/.test(port))
    .slice(0, 20)
    .map((port) => ({
      id: named[port]?.[0] ?? `local-${port}`,
      name: named[port]?.[1] ?? `localhost:${port}`,
      baseUrl: `http://127.0.0.1:${port}/v1`,
      /** A known program is listed also when it does not answer. */
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

interface Live extends SavedEndpoint {
  readonly key: string
  readonly error?: ErrorValue
}

const LOOK_AGAIN_MS = 5000
const MOST_ENDPOINTS = 50

type SilentAddress = LocalAddress & { readonly error: ErrorValue }
type Reached = Pick<Live, 'id' | 'name' | 'baseUrl' | 'key'>

type EndpointList = ReturnType<typeof createEndpointList>

/** The known endpoints, written to the settings with each change. */
function createEndpointList({ settings, secrets, changed }: Pick<EndpointsOptions, 'settings' | 'secrets' | 'changed'>) {
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
    const saved = all.map(({ key: _key, error: _error, ...rest }) => ({ ...rest, filled: true }))
    settings.setFact(FACT, JSON.parse(JSON.stringify(saved)) as Json)
    changed()
  }
  return {
    all: () => all,
    byId,
    /** Reads the remembered endpoints and their keys. No network. */
    async load(): Promise<void> {
      const saved = z.array(savedEndpoint).safeParse(settings.fact(FACT))
      all = await Promise.all((saved.data ?? []).map(read))
      if (all.every(({ filled }) => filled)) return
      all = await Promise.all(all.map(async (one) => (one.filled ? one : { ...one, models: await fillModels(one.models, one.baseUrl) })))
    },
    put(next: Live): void {
      all = byId(next.id) ? all.map((one) => (one.id === next.id ? next : one)) : [...all, next]
      keep()
    },
    remove(id: string): void {
      all = all.filter((one) => one.id !== id)
      keep()
    },
  }
}

/** Keeps the provider of an endpoint until its address changes: it learns what the endpoint's models refuse. */
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

interface EndpointContext extends Pick<EndpointsOptions, 'secrets' | 'clock' | 'closed'> {
  readonly endpoints: EndpointList
  readonly addresses: readonly LocalAddress[]
  readonly providerOf: (endpoint: Reached, timeoutMs?: number) => ModelProvider
}

/** Replaces an endpoint, unless it was changed or removed meanwhile. */
function replace({ endpoints, closed }: EndpointContext, before: Live, after: Live): void {
  if (endpoints.byId(before.id) === before && !closed.aborted) endpoints.put(after)
}

/** Fetches the models of an endpoint that the person added. */
async function check(context: EndpointContext, asked: Live): Promise<void> {
  const { error: _error, ...before } = asked
  try {
    const models = await context.providerOf(asked).listModels(context.closed)
    replace(context, asked, { ...before, models: [...models], checkedAt: context.clock.now() })
  } catch (error) {
    replace(context, asked, { ...asked, error: toErrorValue(error) })
  }
}

/** Returns the address when a known program does not answer there. */
async function lookAt(context: EndpointContext, address: LocalAddress): Promise<SilentAddress | undefined> {
  const { endpoints, clock, closed, providerOf } = context
  const known = endpoints.byId(address.id)
  try {
    const models = await providerOf({ ...address, key: '' }, LOOK_MS).listModels(closed)
    if (closed.aborted) return undefined
    const { id, name, baseUrl } = address
    endpoints.put({ id, name, baseUrl, kind: 'local', keyed: false, key: '', models: [...models], checkedAt: clock.now() })
    return undefined
  } catch (failure) {
    const error = toErrorValue(failure)
    if (known) replace(context, known, { ...known, error })
    return known || !address.named ? undefined : { ...address, error }
  }
}

async function save(
  { endpoints, addresses, secrets, clock, closed, providerOf }: EndpointContext,
  { id: known, name, baseUrl: typed, key: given, unchecked }: EndpointDraft,
): Promise<{ readonly id: string; readonly models: number }> {
  const baseUrl = endpointUrl(typed)
  if (baseUrl === undefined) throw new HostError('model.endpoint-wrong', t`This is not an address of http or https.`)
  const before = known === undefined ? undefined : endpoints.byId(known)
  if (known !== undefined && before?.kind !== 'added') throw new HostError('contract.invalid', t`There is no such endpoint.`)
  if (!before && endpoints.all().length >= MOST_ENDPOINTS) throw new HostError('contract.invalid', t`There are too many endpoints.`)
  const isTaken = (one: string): boolean => endpoints.byId(one) !== undefined || addresses.some((address) => address.id === one)
  const id = before?.id ?? endpointId(name, isTaken)
  const keyBefore = before && originOf(before.baseUrl) === originOf(baseUrl) ? before.key : ''
  const key = given === null ? '' : given === undefined ? keyBefore : given.trim()
  const next = { id, name, baseUrl, kind: 'added' as const, keyed: key !== '', key }
  const models = unchecked ? undefined : [...(await providerOf(next).listModels(closed))]
  if (key === '') await secrets.delete(secretName(id))
  else if (key !== before?.key) await secrets.set(secretName(id), key)
  endpoints.put({ ...next, models: models ?? before?.models ?? [], ...(models ? { checkedAt: clock.now() } : {}) })
  return { id, models: models?.length ?? 0 }
}

export function createEndpoints(options: EndpointsOptions) {
  const { secrets, clock, closed, changed, fetch } = options
  const addresses = localAddresses(options.env['ASSENT_LOCAL_MODEL_PORTS'])
  const endpoints = createEndpointList(options)
  let silent: readonly SilentAddress[] = []
  let looking: Promise<void> | undefined
  let lookedAt = Number.NEGATIVE_INFINITY

  const list = (): ModelInfo[] => endpoints.all().flatMap(({ models }) => models)
  const find = (id: string): ModelInfo | undefined => list().find((model) => model.id === id)
  const providerOf = ({ id, name, baseUrl, key }: Reached, timeoutMs?: number): ModelProvider =>
    withCatalogue(createOpenAiCompatible({ id, name, baseUrl, key, clock, find, ...defined({ fetch, timeoutMs }) }), baseUrl)
  const providers = createProviderCache(providerOf)
  const context: EndpointContext = { endpoints, addresses, secrets, clock, closed, providerOf }

  async function look(): Promise<void> {
    const added = new Set(endpoints.all().flatMap((one) => (one.kind === 'added' ? [originOf(one.baseUrl)] : [])))
    const others = addresses.filter(({ baseUrl }) => !added.has(originOf(baseUrl)))
    const found = await Promise.all(others.map((address) => lookAt(context, address)))
    silent = found.filter((address) => address !== undefined)
    lookedAt = clock.now()
    if (!closed.aborted) changed()
  }

  return {
    list,
    summaries: (): ProviderSummary[] =>
      [...endpoints.all(), ...silent.map((address) => ({ ...address, kind: 'local' as const, keyed: false, key: '', models: [] }))].map(
        (one) => summaryOf(one, secrets.kind),
      ),
    provider(id: string): ModelProvider | undefined {
      const known = endpoints.byId(id)
      return known && providers.get(known)
    },
    load: endpoints.load,
    /** Fetches the lists of the endpoints that the person added. Never rejects. */
    async refresh(): Promise<void> {
      const added = endpoints.all().filter(({ kind }) => kind === 'added')
      await Promise.all(added.map((one) => check(context, one)))
    },
    /** Looks for models on this computer, unless it has just done so (`again`: also then). */
    look(again: boolean): Promise<void> {
      if (!again && clock.now() - lookedAt < LOOK_AGAIN_MS) return Promise.resolve()
      looking ??= look().finally(() => {
        looking = undefined
      })
      return looking
    },
    save: (draft: EndpointDraft) => save(context, draft),
    async remove(id: string): Promise<void> {
      if (!endpoints.byId(id)) return
      await secrets.delete(secretName(id))
      providers.drop(id)
      endpoints.remove(id)
    },
  }
}

function summaryOf({ id, name, kind, baseUrl, key, keyed, checkedAt, error, models }: Live, source: KeyStore['kind']): ProviderSummary {
  const given = key === '' ? { kind: 'missing' as const } : { kind: 'set' as const, hint: keyHint(key), source, ...defined({ checkedAt }) }
  return {
    id,
    name,
    endpoint: kind,
    baseUrl,
    key: keyed ? given : { kind: 'not-needed' },
    ...defined({ error }),
    modelCount: models.length,
  }
}

const originOf = (url: string): string => new URL(url).origin
