// The one way to the screen that adds a server. Links, the registry, imports and commands pass what they have; the screen shows it
// before anything is kept or runs.
import { createStore } from 'zustand/vanilla'
import type { Candidate } from '#app/server/candidate.ts'
import type { InputDeclaration } from '#app/server/inputs/input.ts'
import { navigate } from '#renderer/router.ts'

export type AddSource =
  | { readonly kind: 'empty' }
  /** Text as the person could paste it. */
  | { readonly kind: 'text'; readonly text: string }
  /** `from`: their source, in words that follow "From": "the registry". */
  | {
      readonly kind: 'found'
      readonly from: string
      readonly servers: readonly Candidate[]
      readonly inputs: readonly InputDeclaration[]
    }

const nothing: AddSource = { kind: 'empty' }

/** Request that the screen shows. `turn` counts up with each call, so that a second one reaches the open screen. */
export const addServerStore = createStore<{ readonly source: AddSource; readonly turn: number }>(() => ({ source: nothing, turn: 0 }))

export function openAddServer(source: AddSource = nothing): void {
  addServerStore.setState(({ turn }) => ({ source, turn: turn + 1 }))
  navigate({ page: 'servers', name: '', tab: 'add' })
}

/** Drops the request when the screen is left. */
export const closeAddServer = (): void => addServerStore.setState({ source: nothing })
