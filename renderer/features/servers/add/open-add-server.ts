// The one way to the screen that adds a server: links, the registry, bundles, imports and commands bring what they have,
// and the screen shows it before anything of it is kept or runs.
import { createStore } from 'zustand/vanilla'
import type { Candidate } from '#app/server/import/candidate.ts'
import type { InputDeclaration } from '#app/server/inputs/input.ts'
import { navigate } from '#renderer/router.ts'

export type AddSource =
  | { readonly kind: 'empty' }
  /** Anything that could be pasted. */
  | { readonly kind: 'text'; readonly text: string }
  /** `from`: where they were found, in words that follow "From": "the registry". */
  | {
      readonly kind: 'found'
      readonly from: string
      readonly servers: readonly Candidate[]
      readonly inputs: readonly InputDeclaration[]
    }

/** `turn`: counts up with each call, so that a second one finds the screen that is open already. */
export interface AddServerRequest {
  readonly source: AddSource
  readonly turn: number
}

const nothing: AddSource = { kind: 'empty' }

/** Read by the screen; whoever opens it calls `openAddServer`. */
export const addServerStore = createStore<AddServerRequest>(() => ({ source: nothing, turn: 0 }))

export function openAddServer(source: AddSource = nothing): void {
  addServerStore.setState(({ turn }) => ({ source, turn: turn + 1 }))
  navigate({ page: 'servers', name: '', tab: 'add' })
}

/** The screen was left: what brought it is not there when it is opened again. */
export const closeAddServer = (): void => addServerStore.setState({ source: nothing })
