// Endpoints: those that the person added and those found on this computer. A key belongs to the origin that it was given for, and so do
// headers that look secret: they are not sent to another one when the address changes. The settings remember endpoints, never their keys.
import { z } from 'zod'
import { type ErrorValue, HostError, toErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Json } from '#app/json.ts'
import { endpointUrl } from '#app/models/endpoint-url.ts'
import { type ModelInfo, modelInfo, type ProviderSummary, providerId } from '#app/models/models.ts'
import { type EndpointFormat, endpointFormats } from '#app/models/presets.ts'
import { defined, parseJson } from '#app/or-else.ts'
import { mayBeSecret } from '#app/text/secret-names.ts'
import type { Clock } from '#main/base/clock.ts'
import type { SecretStore } from '#main/base/secret-store.ts'
import type { SettingsStore } from '#main/store/store-api.ts'
import { keptKey, keyInEnvironment } from '../ai-sdk/cloud-keys.ts'
import { fillModels, withCatalogue } from '../catalogue/catalogue.ts'
import { type EndpointDraft, keyHint, type Models, secretName } from '../models-api.ts'
import type { ModelProvider } from '../provider.ts'
import { createEndpointProvider, type ReachedEndpoint } from './endpoint-provider.ts'

const savedEndpoint = z.object({
  id: providerId,
  name: z.string(),
  baseUrl: z.string(),
  kind: z.enum(['added', 'local']),
  /** Whether the person gave a key; it is in the secret store, unless that store has lost it. */
  keyed: z.boolean(),
  models: z.array(modelInfo),
  checkedAt: z.number().optional(),
  /** Absent in what older versions stored: chat completions. */
  format: z.enum(endpointFormats).default('openai'),
  /** Extra headers; values that look secret are in the secret store, and '' here. */
  headers: z.record(z.string(), z.string()).default({}),
  query: z.record(z.string(), z.string()).default({}),
  /** Environment variable of the key, read at each start. */
  keyEnv: z.string().optional(),
  /** Whether it is Ollama, as its last list told. */
  ollama: z.boolean().optional(),
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
  readonly secrets: SecretStore
  readonly settings: SettingsStore
  readonly clock: Clock
  readonly env: Readonly<Record<string, string | undefined>>
  readonly closed: AbortSignal
  /** Finds any model by its whole id, with the person's own figures. */
  readonly find: (id: string) => ModelInfo | undefined
  readonly fetch?: typeof fetch
  readonly catalogueFile?: string
  readonly changed: () => void
}

interface Live extends SavedEndpoint {
  readonly key: string
  readonly error?: ErrorValue
}

const LOOK_AGAIN_MS = 5000
const MOST_ENDPOINTS = 50

type SilentAddress = LocalAddress & { readonly error: ErrorValue }

/** Members of every endpoint that was found on this computer. */
const plain = { format: 'openai', headers: {}, query: {}, keyed: false, key: '' } as const

const headersName = (id: string): string => `${secretName(id)}/headers`
/** Origin that key and secret headers were given for: the settings, which name the address, lie in a file that others may write. */
const originName = (id: string): string => `${secretName(id)}/origin`
const textRecord = z.record(z.string(), z.string())

/** Returns the headers whose values are secrets, as far as their names tell. */
const secretHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => mayBeSecret(name)))

const withoutSecrets = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, mayBeSecret(name) ? '' : value]))

type EndpointList = ReturnType<typeof createEndpointList>

/** The known endpoints, written to the settings with each change. */
function createEndpointList({ settings, secrets, env, changed, catalogueFile }: EndpointsOptions) {
  let all: readonly Live[] = []
  const byId = (id: string): Live | undefined => all.find((one) => one.id === id)
  const read = async (saved: SavedEndpoint): Promise<Live> => {
    try {
      const hasHeaders = Object.keys(secretHeaders(saved.headers)).length > 0
      const hasSecrets = hasHeaders || (saved.keyed && saved.keyEnv === undefined)
      const origin = hasSecrets ? await secrets.get(originName(saved.id)) : undefined
      if (origin !== undefined && origin !== originOf(saved.baseUrl))
        throw new HostError('model.key-missing', t`The address was changed outside Assent. Save it again, with its key.`)
      const kept = hasHeaders ? await secrets.get(headersName(saved.id)) : undefined
      const headers = { ...saved.headers, ...textRecord.safeParse(parseJson(kept ?? '')).data }
      if (saved.keyEnv !== undefined) return { ...saved, headers, key: await keyInEnvironment(env, saved.keyEnv) }
      return { ...saved, headers, key: saved.keyed ? ((await secrets.get(secretName(saved.id))) ?? '') : '' }
    } catch (error) {
      return { ...saved, key: '', error: toErrorValue(error) }
    }
  }
  function keep(): void {
    const saved = all.map(({ key: _key, error: _error, ...rest }) => ({ ...rest, headers: withoutSecrets(rest.headers), filled: true }))
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
      all = await Promise.all(
        all.map(async (one) => (one.filled ? one : { ...one, models: await fillModels(one.models, one.baseUrl, catalogueFile) })),
      )
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
function createProviderCache(create: (endpoint: ReachedEndpoint) => ModelProvider) {
  const kept = new Map<string, { readonly of: string; readonly provider: ModelProvider }>()
  return {
    get(one: ReachedEndpoint): ModelProvider {
      const of = JSON.stringify([one.name, one.baseUrl, one.format, one.key, one.headers, one.query])
      const before = kept.get(one.id)
      if (before?.of === of) return before.provider
      const provider = create(one)
      kept.set(one.id, { of, provider })
      return provider
    },
    drop: (id: string): void => void kept.delete(id),
  }
}

interface EndpointContext extends Pick<EndpointsOptions, 'secrets' | 'clock' | 'closed' | 'env'> {
  readonly endpoints: EndpointList
  readonly addresses: readonly LocalAddress[]
  readonly providerOf: (endpoint: ReachedEndpoint, timeoutMs?: number) => ModelProvider
}

/** Replaces an endpoint, unless it was changed or removed meanwhile. */
function replace({ endpoints, closed }: EndpointContext, before: Live, after: Live): void {
  if (endpoints.byId(before.id) === before && !closed.aborted) endpoints.put(after)
}

/** Asks an endpoint for its models, and whether it is Ollama. @throws {HostError} `model.*` */
async function listOf({ providerOf, clock, closed }: EndpointContext, endpoint: ReachedEndpoint, timeoutMs?: number) {
  const provider = providerOf(endpoint, timeoutMs)
  const models = [...(await provider.listModels(closed))]
  return { models, checkedAt: clock.now(), ollama: provider.isOllama?.() === true }
}

/** Fetches the models of an endpoint that the person added. */
async function check(context: EndpointContext, asked: Live): Promise<void> {
  const { error: _error, ...before } = asked
  try {
    replace(context, asked, { ...before, ...(await listOf(context, asked)) })
  } catch (error) {
    replace(context, asked, { ...asked, error: toErrorValue(error) })
  }
}

/** Returns the address when a known program does not answer there. */
async function lookAt(context: EndpointContext, address: LocalAddress): Promise<SilentAddress | undefined> {
  const { endpoints, closed } = context
  const known = endpoints.byId(address.id)
  try {
    const found = await listOf(context, { ...plain, ...address }, LOOK_MS)
    if (closed.aborted) return undefined
    const { id, name, baseUrl } = address
    endpoints.put({ ...plain, id, name, baseUrl, kind: 'local', ...found })
    return undefined
  } catch (failure) {
    const error = toErrorValue(failure)
    if (known) replace(context, known, { ...known, error })
    return known || !address.named ? undefined : { ...address, error }
  }
}

type KnownDraft = { readonly draft: EndpointDraft; readonly before: Live | undefined; readonly sameOrigin: boolean }

/** Returns the key of a draft and where it comes from: given, a variable of the environment, or as before at the same origin. */
async function keyOf(
  { draft: { key, keyEnv, keyNow, format }, before, sameOrigin }: KnownDraft,
  env: EndpointsOptions['env'],
): Promise<Pick<Live, 'key' | 'keyed' | 'keyEnv'>> {
  if (typeof keyEnv === 'string') {
    const lent = keyNow ?? (sameOrigin && before?.keyEnv === keyEnv ? before.key : '')
    const value = (await keyInEnvironment(env, keyEnv)) || lent.trim()
    if (value === '')
      throw new HostError('model.key-missing', t`The environment variable ${keyEnv} is not set here.`, { data: { variable: keyEnv } })
    return { key: value, keyed: true, keyEnv }
  }
  if (key === undefined && keyEnv === undefined && sameOrigin && before) return pick(before)
  const value = keptKey(format ?? before?.format ?? 'openai', key?.trim() ?? '')
  return { key: value, keyed: value !== '' }
}

const pick = ({ key, keyed, keyEnv }: Live): Pick<Live, 'key' | 'keyed' | 'keyEnv'> => ({ key, keyed, ...defined({ keyEnv }) })

/** Returns the headers of a draft; kept ones without their secrets at another origin. */
function headersOf({ draft, before, sameOrigin }: KnownDraft): Record<string, string> {
  const kept = before?.headers ?? {}
  const carried = sameOrigin ? kept : Object.fromEntries(Object.entries(kept).filter(([name]) => !mayBeSecret(name)))
  if (draft.headers === undefined) return carried
  // An empty value of a kept secret header, as the page has it, leaves it as it is.
  return Object.fromEntries(Object.entries(draft.headers).map(([name, value]) => [name, value === '' ? (carried[name] ?? '') : value]))
}

/** Writes key and secret headers to the secret store, or removes those that are not needed any more. */
async function keepSecrets(
  { secrets }: Pick<EndpointContext, 'secrets'>,
  next: Omit<Live, 'models'>,
  before: Live | undefined,
): Promise<void> {
  const kept = next.keyEnv === undefined ? next.key : ''
  if (kept === '') await secrets.delete(secretName(next.id))
  else if (kept !== before?.key || before.keyEnv !== undefined) await secrets.set(secretName(next.id), kept)
  const headers = secretHeaders(next.headers)
  if (Object.keys(headers).length > 0) await secrets.set(headersName(next.id), JSON.stringify(headers))
  else if (before && Object.keys(secretHeaders(before.headers)).length > 0) await secrets.delete(headersName(next.id))
  const origin = originOf(next.baseUrl)
  if (kept !== '' || Object.keys(headers).length > 0) await secrets.set(originName(next.id), origin)
  else await secrets.delete(originName(next.id))
}

type SavedResult = Awaited<ReturnType<Models['saveEndpoint']>>

/** @throws {HostError} `model.*`, `contract.invalid`; nothing is kept then */
async function save(context: EndpointContext, draft: EndpointDraft): Promise<SavedResult> {
  const { endpoints, addresses, env } = context
  const { id: known, name, unchecked } = draft
  const secret = Object.keys(draft.query ?? {}).find(mayBeSecret)
  if (secret !== undefined) throw new HostError('model.endpoint-wrong', t`“${secret}” looks secret. Give it as key or header.`)
  const before = known === undefined ? undefined : endpoints.byId(known)
  const format: EndpointFormat = draft.format ?? before?.format ?? 'openai'
  const baseUrl = endpointUrl(draft.baseUrl, format)
  if (baseUrl === undefined) throw new HostError('model.endpoint-wrong', t`This is not an address of http or https.`)
  if (known !== undefined && before?.kind !== 'added') throw new HostError('contract.invalid', t`There is no such provider.`)
  if (!before && endpoints.all().length >= MOST_ENDPOINTS) throw new HostError('contract.invalid', t`There are too many providers.`)
  const isTaken = (one: string): boolean => endpoints.byId(one) !== undefined || addresses.some((address) => address.id === one)
  const id = before?.id ?? endpointId(name, isTaken)
  const asked = { draft, before, sameOrigin: before !== undefined && originOf(before.baseUrl) === originOf(baseUrl) }
  const next = {
    ...{ id, name, baseUrl, format, kind: 'added' as const, headers: headersOf(asked), query: draft.query ?? before?.query ?? {} },
    ...(await keyOf(asked, env)),
  }
  const found = unchecked ? undefined : await listOf(context, next)
  await keepSecrets(context, next, before)
  endpoints.put({ ...next, ...(found ?? { models: before?.models ?? [] }) })
  const isLent = next.keyEnv !== undefined && !env[next.keyEnv]?.trim()
  return { id, models: found?.models.length ?? 0, ...(isLent ? { lent: true } : {}) }
}

export function createEndpoints(options: EndpointsOptions) {
  const { secrets, clock, closed, changed, fetch, find } = options
  const addresses = localAddresses(options.env['ASSENT_LOCAL_MODEL_PORTS'])
  const endpoints = createEndpointList(options)
  let silent: readonly SilentAddress[] = []
  let looking: Promise<void> | undefined
  let lookedAt = Number.NEGATIVE_INFINITY

  const list = (): ModelInfo[] => endpoints.all().flatMap(({ models }) => models)
  const listed = (id: string): ModelInfo | undefined => list().find((model) => model.id === id)
  const providerOf = (endpoint: ReachedEndpoint, timeoutMs?: number): ModelProvider =>
    withCatalogue(
      createEndpointProvider(endpoint, { clock, find, listed, ...defined({ fetch, timeoutMs }) }),
      endpoint.baseUrl,
      options.catalogueFile,
    )
  const providers = createProviderCache(providerOf)
  const context: EndpointContext = { endpoints, addresses, secrets, clock, closed, env: options.env, providerOf }

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
      [...endpoints.all(), ...silent.map((address) => ({ ...plain, ...address, kind: 'local' as const, models: [] }))].map((one) =>
        summaryOf(one, secrets.kind),
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
    /** Fetches the list of one endpoint. Never rejects. */
    async refreshOne(id: string): Promise<void> {
      const known = endpoints.byId(id)
      if (known) await check(context, known)
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
      await secrets.delete(headersName(id))
      await secrets.delete(originName(id))
      providers.drop(id)
      endpoints.remove(id)
    },
  }
}

function summaryOf(one: Live, kept: SecretStore['kind']): ProviderSummary {
  const { id, name, kind, baseUrl, key, keyed, keyEnv, checkedAt, error, models, format, headers, query } = one
  const source = keyEnv === undefined ? kept : ('environment' as const)
  const given = key === '' ? { kind: 'missing' as const } : { kind: 'set' as const, hint: keyHint(key), source, ...defined({ checkedAt }) }
  return {
    id,
    name,
    endpoint: kind,
    baseUrl,
    format,
    ...(Object.keys(headers).length > 0 ? { headers: withoutSecrets(headers) } : {}),
    ...(Object.keys(query).length > 0 ? { query } : {}),
    key: keyed ? given : { kind: 'not-needed' },
    ...defined({ keyEnv, error, ollama: one.ollama ? true : undefined }),
    modelCount: models.length,
  }
}

const originOf = (url: string): string => new URL(url).origin
