// The stores as hooks. Components select the least they need; `useShallow` is for selectors that build a collection.
import { createContext, type ReactNode, use } from 'react'
import { useStore } from 'zustand'
import { type DraftExtras, noExtras } from '#app/chat/draft-extras.ts'
import type { OverdueCall } from '#app/chat/overdue.ts'
import type { OutsideItem } from '#app/contract/bundle.ts'
import type { ConnectionState } from './connection.ts'
import type { ConsentState } from './consent.ts'
import type { ConversationsState } from './conversations.ts'
import type { HandRunsState } from './hand-runs.ts'
import type { ModelsState, NoticesState, SettingsState } from './host-facts.ts'
import type { RequestDraft } from './request-drafts.ts'
import type { ServersState } from './servers.ts'
import type { Stores } from './stores.ts'
import type { TranscriptsState } from './transcripts.ts'
import type { ViewState } from './view.ts'

export { useShallow } from 'zustand/react/shallow'

const StoresContext = createContext<Stores | undefined>(undefined)

export function StoresProvider({ stores, children }: { readonly stores: Stores; readonly children: ReactNode }) {
  return <StoresContext value={stores}>{children}</StoresContext>
}

export function useStores(): Stores {
  const stores = use(StoresContext)
  if (!stores) throw new TypeError('useStores outside a StoresProvider')
  return stores
}

export const useActions = () => useStores().actions
export const useConnection = <T,>(selector: (state: ConnectionState) => T): T => useStore(useStores().connection, selector)
export const useServers = <T,>(selector: (state: ServersState) => T): T => useStore(useStores().servers, selector)
export const useConversations = <T,>(selector: (state: ConversationsState) => T): T => useStore(useStores().conversations, selector)
export const useConsent = <T,>(selector: (state: ConsentState) => T): T => useStore(useStores().consent, selector)
export const useOverdueCalls = (): readonly OverdueCall[] => useStore(useStores().overdue, (state) => state.overdueCalls)
export const useOutside = (): readonly OutsideItem[] => useStore(useStores().outside, (state) => state.items)
/** How much waits for the person: questions, and calls that give no word. */
export const useWaiting = (): number => useConsent((state) => state.requests.length) + useOverdueCalls().length
export const useHandRuns = <T,>(selector: (state: HandRunsState) => T): T => useStore(useStores().handRuns, selector)
export const useModels = <T,>(selector: (state: ModelsState) => T): T => useStore(useStores().models, selector)
export const useSettings = <T,>(selector: (state: SettingsState) => T): T => useStore(useStores().settings, selector)
export const useNotices = <T,>(selector: (state: NoticesState) => T): T => useStore(useStores().notices, selector)
export const useTranscripts = <T,>(selector: (state: TranscriptsState) => T): T => useStore(useStores().transcripts.store, selector)
export const useDraft = (id: string): string => useStore(useStores().drafts.store, (state) => state.byConversation[id] ?? '')
export const useDraftExtras = (id: string): DraftExtras =>
  useStore(useStores().draftExtras.store, (state) => state.byConversation[id] ?? noExtras)
const noDraft: RequestDraft = {}
export const useRequestDraft = (id: string): RequestDraft =>
  useStore(useStores().requestDrafts.store, (state) => state.byRequest[id] ?? noDraft)
export const useView = <T,>(selector: (state: ViewState) => T): T => useStore(useStores().view, selector)
