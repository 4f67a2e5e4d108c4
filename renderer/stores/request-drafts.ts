// Unsent changes of the person to open requests, for card and sheet; they never leave the page before the answer.
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { SamplingPrompt } from '#app/consent/sampling.ts'
import type { JsonObject } from '#app/json.ts'
import type { SandboxSettings } from '#app/server/sandbox/sandbox-settings.ts'
import type { ConsentState } from './consent-store.ts'

/** Value of a form's control. An empty text or number is no answer. */
export type FormValue = string | boolean | readonly string[]
export type FormValues = Readonly<Record<string, FormValue>>

export interface FormDraft {
  readonly values: FormValues
  /** Names of changed fields, whose errors are shown at once. */
  readonly changed: readonly string[]
  /** Whether the person tried to submit: errors of all fields are shown. */
  readonly checked: boolean
}

export interface RequestDraft {
  /** Arguments that replace those of the model. */
  readonly edited?: JsonObject
  /** Text in the open editor. */
  readonly text?: string
  readonly form?: FormDraft
  /** Set on the form that is shown of several that came together. */
  readonly shown?: true
  readonly sampling?: SamplingDraft
  /** Sandbox that replaces the one of a launch. */
  readonly sandbox?: SandboxSettings
  /** Changes to the servers of an import, by name. */
  readonly imports?: Readonly<Record<string, ImportDraft>>
}

/** `left`: not imported. `sandbox` replaces that of its start. */
export interface ImportDraft {
  readonly left?: boolean
  readonly sandbox?: SandboxSettings
}

/** Edits of a sampling request; absent members are unchanged. */
export interface SamplingDraft {
  readonly prompt?: SamplingPrompt | undefined
  readonly model?: string
  /** Text of the field for the token limit. */
  readonly longest?: string
  /** Edited text of the model's answer. */
  readonly answer?: string
}

interface RequestDraftsState {
  readonly byRequest: Readonly<Record<string, RequestDraft>>
  /** Forms skipped without an answer, by group; later forms of a group are skipped too. */
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
