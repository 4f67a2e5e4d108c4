// The stores as hooks. Components select the least they need; `useShallow` is for selectors that build a collection.
import { createContext, type ReactNode, use, useEffect } from 'react'
import { useStore } from 'zustand'
import type { ExtractState } from 'zustand/vanilla'
import type { Conversation } from '#app/chat/conversation.ts'
import { type DraftExtras, noExtras } from '#app/chat/drafts.ts'
import type { OverdueCall } from '#app/chat/overdue-call.ts'
import type { DeepLinkItem } from '#app/contract/bundle-requests.ts'
import type { ErrorValue } from '#app/errors.ts'
import type { RequestDraft } from './request-drafts.ts'
import type { KnownAttempts } from './sandbox-attempts.ts'
import type { Stores } from './stores.ts'
import type { ReadyTranscript } from './transcript-steps.ts'
import { readyTranscriptIn, type TranscriptsState } from './transcripts.ts'

export { useShallow } from 'zustand/react/shallow'

const StoresContext = createContext<Stores | undefined>(undefined)

export function StoresProvider({ stores, children }: { readonly stores: Stores; readonly children: ReactNode }) {
  return <StoresContext value={stores}>{children}</StoresContext>
}

/** @throws {TypeError} outside a `StoresProvider`. */
export function useStores(): Stores {
  const stores = use(StoresContext)
  if (!stores) throw new TypeError('useStores outside a StoresProvider')
  return stores
}

type StateOf<K extends keyof Stores> = ExtractState<Stores[K]>

export const useActions = () => useStores().actions
export const useConnection = <T,>(selector: (state: StateOf<'connection'>) => T): T => useStore(useStores().connection, selector)
export const useServers = <T,>(selector: (state: StateOf<'servers'>) => T): T => useStore(useStores().servers, selector)
export const useConversations = <T,>(selector: (state: StateOf<'conversations'>) => T): T => useStore(useStores().conversations, selector)
export const useConsent = <T,>(selector: (state: StateOf<'consent'>) => T): T => useStore(useStores().consent, selector)
export const useOverdueCalls = (): readonly OverdueCall[] => useStore(useStores().overdue, (state) => state.overdueCalls)
export const useDeepLinks = (): readonly DeepLinkItem[] => useStore(useStores().deepLinks, (state) => state.items)
/** Number of questions and overdue calls that wait for the person. */
export const useWaiting = (): number => useConsent((state) => state.requests.length) + useOverdueCalls().length
export const useManualRuns = <T,>(selector: (state: StateOf<'manualRuns'>) => T): T => useStore(useStores().manualRuns, selector)
export const useModels = <T,>(selector: (state: StateOf<'models'>) => T): T => useStore(useStores().models, selector)
export const usePersonal = <T,>(selector: (state: StateOf<'personal'>) => T): T => useStore(useStores().personal, selector)
export const useSettings = <T,>(selector: (state: StateOf<'settings'>) => T): T => useStore(useStores().settings, selector)
export const useNotices = <T,>(selector: (state: StateOf<'notices'>) => T): T => useStore(useStores().notices, selector)
export const useTranscripts = <T,>(selector: (state: TranscriptsState) => T): T => useStore(useStores().transcripts.store, selector)
export const useDraft = (id: string): string => useStore(useStores().drafts.store, (state) => state.byConversation[id] ?? '')
export const useDraftExtras = (id: string): DraftExtras =>
  useStore(useStores().draftExtras.store, (state) => state.byConversation[id] ?? noExtras)
/** Attempts of a sandboxed server, fetched while it is shown; undefined: not fetched yet, or no server is meant. */
export function useSandboxAttempts(server: string | undefined): KnownAttempts | undefined {
  const { store, watch } = useStores().sandboxAttempts
  useEffect(() => (server === undefined ? undefined : watch(server)), [watch, server])
  return useStore(store, (state) => (server === undefined ? undefined : state[server]))
}
const noDraft: RequestDraft = {}
export const useRequestDraft = (id: string): RequestDraft =>
  useStore(useStores().requestDrafts.store, (state) => state.byRequest[id] ?? noDraft)
export const useView = <T,>(selector: (state: StateOf<'view'>) => T): T => useStore(useStores().view, selector)

/** Selects from a conversation of the list; undefined while the list does not hold it. */
export const useConversation = <T,>(id: string | undefined, select: (conversation: Conversation) => T): T | undefined =>
  useConversations(({ list }) => {
    const conversation = list.find((one) => one.id === id)
    return conversation && select(conversation)
  })

/** Selects from a transcript; undefined until it is read. The selected value must stay the same while the transcript does. */
export const useTranscript = <T,>(id: string, select: (transcript: ReadyTranscript) => T): T | undefined =>
  useTranscripts((state) => {
    const transcript = readyTranscriptIn(state, id)
    return transcript && select(transcript)
  })

/** Error of a transcript that could not be read. */
export const useTranscriptError = (id: string): ErrorValue | undefined =>
  useTranscripts(({ byConversation: { [id]: transcript } }) => (transcript?.kind === 'failed' ? transcript.error : undefined))
