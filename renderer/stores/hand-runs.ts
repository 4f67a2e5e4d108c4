// Tools that the person runs by hand, as far as this page was told of them; what lies further back is fetched.
import { createStore } from 'zustand/vanilla'
import type { HandRun } from '#app/chat/hand-run.ts'

export interface HandRunsState {
  readonly byId: Readonly<Record<string, HandRun>>
  /** What was written and not run yet, by tool (`draftOf`). */
  readonly drafts: Readonly<Record<string, string>>
}

const mostKept = 200

export const createHandRunsStore = () => createStore<HandRunsState>(() => ({ byId: {}, drafts: {} }))

export const draftOf = (server: string, tool: string): string => JSON.stringify([server, tool])

/** The latest told comes last. */
export function withRun({ byId, drafts }: HandRunsState, run: HandRun): HandRunsState {
  const { [run.id]: _, ...others } = byId
  const kept = Object.entries(others).slice(-mostKept + 1)
  return { drafts, byId: { ...Object.fromEntries(kept), [run.id]: run } }
}
