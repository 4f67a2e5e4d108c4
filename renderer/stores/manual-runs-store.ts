// Manual calls that this page was told of; older ones are fetched.
import { createStore } from 'zustand/vanilla'
import type { ManualRun } from '#app/chat/tools/manual-run.ts'

export interface ManualRunsState {
  readonly byId: Readonly<Record<string, ManualRun>>
  /** Arguments not run yet, by tool (`runDraftKey`). */
  readonly drafts: Readonly<Record<string, string>>
}

const mostKept = 200

export const createManualRunsStore = () => createStore<ManualRunsState>(() => ({ byId: {}, drafts: {} }))

export const runDraftKey = (server: string, tool: string): string => JSON.stringify([server, tool])

/** Adds or replaces a run; the latest comes last. */
export function withRun({ byId, drafts }: ManualRunsState, run: ManualRun): ManualRunsState {
  const { [run.id]: _, ...others } = byId
  const kept = Object.entries(others).slice(-mostKept + 1)
  return { drafts, byId: { ...Object.fromEntries(kept), [run.id]: run } }
}
