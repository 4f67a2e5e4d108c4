// The endpoints that speak OpenAI's format: those that the person added and those found on this computer. A key belongs to
// the origin that it was given for: it is not sent to another one when the address changes.
import { endpointUrl } from '#app/chat/endpoint.ts'
import type { ModelInfo, ProviderView } from '#app/chat/models.ts'
import { type ErrorValue, HostError, toErrorValue } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import type { Clock } from '#main/base/clock.ts'
import type { SettingsStore } from '#main/store/types.ts'
import { keyHint, secretName } from '../keys.ts'
import { createOpenAiCompatible } from '../openai/provider.ts'
import type { ModelProvider } from '../provider.ts'
import type { EndpointDraft, KeyStore } from '../types.ts'
import { LOOK_MS, type LocalPlace, localPlaces } from './local.ts'
import { endpointId, readEndpoints, type SavedEndpoint, writeEndpoints } from './saved.ts'

export interface EndpointsOptions {
  readonly secrets: KeyStore
  readonly settings: SettingsStore
  readonly clock: Clock
  readonly env: Readonly<Record<string, string | undefined>>
  readonly closed: AbortSignal
  readonly fetch?: typeof fetch
  readonly changed: () => void
}

export interface Endpoints {
  list(): ModelInfo[]
  views(): ProviderView[]
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

export function createEndpoints(options: EndpointsOptions): Endpoints {
  const { secrets, settings, clock, closed, changed } = options
  const through = options.fetch ? { fetch: options.fetch } : {}
  const places = localPlaces(options.env['ASSENT_LOCAL_MODEL_PORTS'])
  let all: readonly Live[] = []
  let silent: readonly (LocalPlace & { readonly error: ErrorValue })[] = []
  let looking: Promise<void> | undefined
  let lookedAt = Number.NEGATIVE_INFINITY

  const list = (): ModelInfo[] => all.flatMap(({ models }) => models)
  const find = (id: string): ModelInfo | undefined => list().find((model) => model.id === id)
  const byId = (id: string): Live | undefined => all.find((one) => one.id === id)
  const providerOf = ({ id, name, baseUrl, key }: Pick<Live, 'id' | 'name' | 'baseUrl' | 'key'>, timeoutMs?: number): ModelProvider =>
    createOpenAiCompatible({ id, name, baseUrl, key, clock, find, ...through, ...(timeoutMs === undefined ? {} : { timeoutMs }) })

  /** One for each, as long as it stays what it is: it learns what its models refuse, and how they write. */
  const kept = new Map<string, { readonly of: string; readonly provider: ModelProvider }>()
  function keptProvider(one: Live): ModelProvider {
    const of = JSON.stringify([one.name, one.baseUrl, one.key])
    const before = kept.get(one.id)
    if (before?.of === of) return before.provider
    const provider = providerOf(one)
    kept.set(one.id, { of, provider })
    return provider
  }

  function put(next: Live): void {
    all = byId(next.id) ? all.map((one) => (one.id === next.id ? next : one)) : [...all, next]
    keep()
  }
  function keep(): void {
    writeEndpoints(
      settings,
      all.map(({ key: _key, error: _error, ...saved }) => saved),
    )
    changed()
  }
  /** Nothing, when it was changed or removed meanwhile. */
  function note(asked: Live, change: Partial<Live>): void {
    if (byId(asked.id) === asked && !closed.aborted) put({ ...asked, ...change })
  }

  async function check(asked: Live): Promise<void> {
    const { error: _error, ...before } = asked
    try {
      const models = await providerOf(asked).listModels(closed)
      if (byId(asked.id) === asked && !closed.aborted) put({ ...before, models: [...models], checkedAt: clock.now() })
    } catch (error) {
      note(asked, { error: toErrorValue(error) })
    }
  }

  async function lookAt(place: LocalPlace): Promise<(LocalPlace & { readonly error: ErrorValue }) | undefined> {
    const known = byId(place.id)
    try {
      const models = await providerOf({ ...place, key: '' }, LOOK_MS).listModels(closed)
      if (closed.aborted) return undefined
      const { id, name, baseUrl } = place
      put({ id, name, baseUrl, kind: 'local', keyed: false, key: '', models: [...models], checkedAt: clock.now() })
      return undefined
    } catch (failure) {
      const error = toErrorValue(failure)
      if (known) note(known, { error })
      return known || !place.named ? undefined : { ...place, error }
    }
  }

  async function look(): Promise<void> {
    const added = new Set(all.flatMap((one) => (one.kind === 'added' ? [originOf(one.baseUrl)] : [])))
    const found = await Promise.all(places.filter(({ baseUrl }) => !added.has(originOf(baseUrl))).map(lookAt))
    silent = found.filter((place) => place !== undefined)
    lookedAt = clock.now()
    if (!closed.aborted) changed()
  }

  function view(one: Live): ProviderView {
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
          : { kind: 'set', hint: keyHint(one.key), source: secrets.kind, ...checked },
      ...(one.error ? { error: one.error } : {}),
      modelCount: one.models.length,
    }
  }

  return {
    list,
    views: () => [
      ...all.map(view),
      ...silent.map(({ id, name, baseUrl, error }) => ({
        ...{ id, name, baseUrl, error, modelCount: 0 },
        ...{ endpoint: 'local' as const, key: { kind: 'not-needed' as const } },
      })),
    ],
    provider: (id) => {
      const known = byId(id)
      return known && keptProvider(known)
    },
    async load() {
      const read = async (saved: SavedEndpoint): Promise<Live> => {
        try {
          return { ...saved, key: saved.keyed ? ((await secrets.get(secretName(saved.id))) ?? '') : '' }
        } catch (error) {
          return { ...saved, key: '', error: toErrorValue(error) }
        }
      }
      all = await Promise.all(readEndpoints(settings).map(read))
    },
    refresh: async () => void (await Promise.all(all.filter(({ kind }) => kind === 'added').map(check))),
    look(again) {
      if (!again && clock.now() - lookedAt < LOOK_AGAIN_MS) return Promise.resolve()
      looking ??= look().finally(() => {
        looking = undefined
      })
      return looking
    },
    async save({ id: known, name, baseUrl: typed, key: given, unchecked }) {
      const baseUrl = endpointUrl(typed)
      if (baseUrl === undefined) throw new HostError('model.endpoint-wrong', t`This is not an address of http or https.`)
      const before = known === undefined ? undefined : byId(known)
      if (known !== undefined && before?.kind !== 'added') throw new HostError('contract.invalid', t`There is no such endpoint.`)
      if (!before && all.length >= MOST_ENDPOINTS) throw new HostError('contract.invalid', t`There are too many endpoints.`)
      const id = before?.id ?? endpointId(name, (one) => byId(one) !== undefined || places.some((place) => place.id === one))
      const keyBefore = before && originOf(before.baseUrl) === originOf(baseUrl) ? before.key : ''
      const key = given === null ? '' : given === undefined ? keyBefore : given.trim()
      const next = { id, name, baseUrl, kind: 'added' as const, keyed: key !== '', key }
      const models = unchecked ? undefined : [...(await providerOf(next).listModels(closed))]
      if (key === '') await secrets.delete(secretName(id))
      else if (key !== before?.key) await secrets.set(secretName(id), key)
      put({ ...next, models: models ?? before?.models ?? [], ...(models ? { checkedAt: clock.now() } : {}) })
      return { id, models: models?.length ?? 0 }
    },
    async remove(id) {
      if (!byId(id)) return
      await secrets.delete(secretName(id))
      all = all.filter((one) => one.id !== id)
      kept.delete(id)
      keep()
    },
  }
}

const originOf = (url: string): string => new URL(url).origin
