// The models as the rest of the host sees them: one list over all providers. Keys come in and never go out.
import type { ModelInfo, ModelPull, ProviderId, ProviderSummary } from '#app/models/models.ts'
import type { EndpointFormat } from '#app/models/presets.ts'
import type { SecretStore } from '#main/base/secret-store.ts'
import type { ModelEvent, ModelRequest } from './provider.ts'

export interface EndpointDraft {
  readonly id?: string | undefined
  readonly name: string
  readonly baseUrl: string
  /** Absent: the stored key, as long as the origin stays; `null`: none. */
  readonly key?: string | null | undefined
  /** Environment variable of the key, read at each start, in place of a stored key. */
  readonly keyEnv?: string | undefined
  /** Value of that variable for this run, where the host's environment has none. */
  readonly keyNow?: string | undefined
  /** Absent: as before, `openai` for a new endpoint. */
  readonly format?: EndpointFormat | undefined
  /** Extra headers and query parameters of each request. Absent: as before. */
  readonly headers?: Record<string, string> | undefined
  readonly query?: Record<string, string> | undefined
  /** Whether to keep the endpoint without asking it for its models. */
  readonly unchecked?: boolean | undefined
}

export type PullEnd = 'done' | 'failed' | 'cancelled'

export interface Models {
  /** Lists the models of every provider with a key, and the practice model. */
  list(): ModelInfo[]
  providers(): ProviderSummary[]
  find(id: string): ModelInfo | undefined
  /** Reads keys and the remembered lists, once; needs no network. Missing lists, and those older than a day, are fetched afterwards. */
  load(): Promise<void>
  /** Fetches the lists anew. Never rejects: errors are in the provider's summary. */
  refresh(): Promise<void>
  /** Checks the key with the provider, then keeps it. Resolves to the number of models. @throws {HostError} `model.*` and keeps nothing */
  setKey(provider: ProviderId, key: string): Promise<number>
  removeKey(provider: ProviderId): Promise<void>
  /** Looks for models on this computer, unless it has just done so (`again`: also then). Never rejects. */
  lookHere(again: boolean): Promise<void>
  /** Asks the endpoint for its model list, then keeps it. @throws {HostError} `model.*` and keeps nothing */
  saveEndpoint(draft: EndpointDraft): Promise<{ readonly id: ProviderId; readonly models: number; readonly lent?: boolean }>
  /** Names the variables of presets' keys that are set here. */
  keyVariables(): string[]
  removeEndpoint(id: ProviderId): Promise<void>
  /** Resolves to the day of the catalogue's data, YYYY-MM-DD. */
  catalogueDate(): Promise<string>
  /** Fetches a newer catalogue, then the lists; resolves to its number of models. @throws {HostError} `model.*`, and the one before stays */
  refreshCatalogue(): Promise<number>
  pulls(): ModelPull[]
  /** Lets an Ollama download a model; resolves to how it ended. @throws {HostError} `model.endpoint-wrong` when the endpoint is not Ollama */
  pull(endpoint: ProviderId, model: string): Promise<PullEnd>
  cancelPull(endpoint: ProviderId, model: string): void
  /** Resolves to the bytes of a model in Ollama's library; undefined: not known. */
  pullSize(model: string): Promise<number | undefined>
  /** `modelId`: with its provider's prefix. @throws {HostError} `model.*`, `cancelled` when aborted */
  stream(modelId: string, request: Omit<ModelRequest, 'model'>, signal: AbortSignal): AsyncIterable<ModelEvent>
  /** Resolves to the request's input tokens by the provider's count; `undefined`: it does not count. @throws {HostError} as `stream` */
  countTokens(modelId: string, request: Omit<ModelRequest, 'model'>, signal: AbortSignal): Promise<number | undefined>
  dispose(): void
}

export const secretName = (provider: ProviderId): string => `key/${provider}`

/** Shows enough to tell two keys apart: the public prefix and the last four characters; nothing of a short key. */
export function keyHint(key: string): string {
  if (key.length < 16) return '…'
  const prefix = /^[a-z]+-[a-z]+-/i.exec(key)?.[0] ?? ''
  return `${prefix}…${key.slice(-4)}`
}

export interface FoundKey {
  readonly value: string
  readonly source: 'environment' | SecretStore['kind']
}

/** Reads the key of Anthropic. The environment takes precedence: it was set for this very run. */
export async function findKey(env: Readonly<Record<string, string | undefined>>, secrets: SecretStore): Promise<FoundKey | undefined> {
  const fromEnvironment = env['ANTHROPIC_API_KEY']?.trim()
  if (fromEnvironment) return { value: fromEnvironment, source: 'environment' }
  const kept = await secrets.get(secretName('anthropic'))
  return kept ? { value: kept, source: secrets.kind } : undefined
}
