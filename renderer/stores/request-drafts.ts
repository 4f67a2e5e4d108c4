// What the person began to change in requests that wait: kept while the request is open, so that it is the same on its
// card, in its sheet and after a look at another one. Nothing of it leaves the page before the answer.
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { SamplingPrompt } from '#app/consent/sampling.ts'
import type { JsonObject } from '#app/json.ts'
import type { ConsentState } from './consent-store.ts'

// What stands in a form that a server asks for, as its controls hold it. An empty text or number is no answer.
export type FormValue = string | boolean | readonly string[]
export type FormValues = Readonly<Record<string, FormValue>>

export interface FormDraft {
  readonly values: FormValues
  /** Fields that were changed, by name: what is wrong with them is said at once. */
  readonly changed: readonly string[]
  /** The person tried to go on: what is wrong is said of every field. */
  readonly checked: boolean
}

export interface RequestDraft {
  /** Taken over in place of what the model wrote. */
  readonly edited?: JsonObject
  /** Being written: the editor is open. */
  readonly text?: string
  /** Of a form: what stands in it. */
  readonly form?: FormDraft
  /** Of several forms that came together: the one that is shown. */
  readonly shown?: true
  /** Of a question to the model, or its answer. */
  readonly sampling?: SamplingDraft
}

/** Absent: as it came. */
export interface SamplingDraft {
  /** Being edited. */
  readonly prompt?: SamplingPrompt | undefined
  readonly model?: string
  /** As the field holds it. */
  readonly longest?: string
  /** Of the answer, being edited. */
  readonly answer?: string
}

interface RequestDraftsState {
  readonly byRequest: Readonly<Record<string, RequestDraft>>
  /** Groups of forms that were left without an answer: those of each that were answered so. One that comes later is too. */
  readonly left: Readonly<Record<string, readonly string[]>>
}

export function createRequestDrafts(consent: StoreApi<ConsentState>) {
  const store = createStore<RequestDraftsState>(() => ({ byRequest: {}, left: {} }))
  const dispose = consent.subscribe(({ requests }) => {
    const open = new Set(requests.map((request) => request.id))
    const entries = Object.entries(store.getState().byRequest)
    const kept = entries.filter(([id]) => open.has(id))
    if (kept.length < entries.length) store.setState({ byRequest: Object.fromEntries(kept) })
  })
  return {
    store,
    set: (id: string, draft: RequestDraft): void => store.setState((state) => ({ byRequest: { ...state.byRequest, [id]: draft } })),
    leave: (group: string, ids: readonly string[]): void => store.setState(({ left }) => ({ left: { ...left, [group]: ids } })),
    dispose,
  }
}
