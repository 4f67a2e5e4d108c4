// Tools that the person runs by hand, as far as this page was told of them; what lies further back is fetched.
import { createStore } from 'zustand/vanilla'
import type { HandRun } from '#app/chat/hand-run.ts'

export interface HandRunsState {
  readonly byId: Readonly<Record<string, HandRun>>
}

const mostKept = 200

export const createHandRunsStore = () => createStore<HandRunsState>(() => ({ byId: {} }))

/** The latest told comes last. */
export function withRun({ byId }: HandRunsState, run: HandRun): HandRunsState {
  const { [run.id]: _, ...others } = byId
  const kept = Object.entries(others).slice(-mostKept + 1)
  return { byId: { ...Object.fromEntries(kept), [run.id]: run } }
}
