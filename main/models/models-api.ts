// What the rest of the host sees of the models: one list over all providers, keys that come in and never go out.
import type { ModelInfo, ProviderId, ProviderSummary } from '#app/models/models.ts'
import type { ModelEvent, ModelRequest } from './provider.ts'

/** The platform's secret store, as far as models need it. */
export interface KeyStore {
  readonly kind: 'keyring' | 'memory'
  get(name: string): Promise<string | undefined>
  set(name: string, value: string): Promise<void>
  delete(name: string): Promise<void>
}

/** An endpoint as the person writes it. */
export interface EndpointDraft {
  /** Of the one that is changed. */
  readonly id?: string | undefined
  readonly name: string
  readonly baseUrl: string
  /** Absent: the one that is kept, as long as the origin stays; null: none. */
  readonly key?: string | null | undefined
  /** Kept also when it does not answer as it should. */
  readonly unchecked?: boolean | undefined
}

export interface Models {
  /** Of every provider with a key, and the practice model, which is always there. */
  list(): ModelInfo[]
  providers(): ProviderSummary[]
  find(id: string): ModelInfo | undefined
  /** Reads keys and the remembered lists, once; needs no network. Lists that were never fetched, or a day ago, are fetched behind it. */
  load(): Promise<void>
  /** Fetches the lists anew. Never rejects: what went wrong stands in the provider's view. */
  refresh(): Promise<void>
  /** Checks the key with the provider, then keeps it. Resolves to the number of models; rejects with `model.*` and keeps nothing. */
  setKey(provider: ProviderId, key: string): Promise<number>
  removeKey(provider: ProviderId): Promise<void>
  /** Looks for models on this computer, where it has not just done so (`again`: also then). Never rejects. */
  lookHere(again: boolean): Promise<void>
  /** Asks for its model list, then keeps it. Rejects with `model.*` and keeps nothing. */
  saveEndpoint(draft: EndpointDraft): Promise<{ readonly id: ProviderId; readonly models: number }>
  removeEndpoint(id: ProviderId): Promise<void>
  /** `modelId` with its provider's prefix. Throws `model.*` HostErrors, `cancelled` when aborted. */
  stream(modelId: string, request: Omit<ModelRequest, 'model'>, signal: AbortSignal): AsyncIterable<ModelEvent>
  /** Tokens that the request would be read as, as the provider counts them; undefined: it does not. Rejects as `stream` does. */
  countTokens(modelId: string, request: Omit<ModelRequest, 'model'>, signal: AbortSignal): Promise<number | undefined>
  dispose(): void
}
