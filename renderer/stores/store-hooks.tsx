// The stores as hooks. Components select the least they need; `useShallow` is for selectors that build a collection.
import { createContext, type ReactNode, use } from 'react'
import { useStore } from 'zustand'
import { type DraftExtras, noExtras } from '#app/chat/drafts.ts'
import type { OverdueCall } from '#app/chat/overdue-call.ts'
import type { DeepLinkItem } from '#app/contract/bundle-requests.ts'
import type { ConnectionState } from './connection-store.ts'
import type { ConsentState } from './consent-store.ts'
import type { ConversationsState } from './conversations-store.ts'
import type { ModelsState, NoticesState, SettingsState } from './host-facts.ts'
import type { ManualRunsState } from './manual-runs-store.ts'
import type { RequestDraft } from './request-drafts.ts'
import type { ServersState } from './servers-store.ts'
import type { Stores } from './stores.ts'
import type { TranscriptsState } from './transcripts.ts'
import type { ViewState } from './view-state.ts'

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
export const useDeepLinks = (): readonly DeepLinkItem[] => useStore(useStores().deepLinks, (state) => state.items)
/** How much waits for the person: questions, and calls that give no word. */
export const useWaiting = (): number => useConsent((state) => state.requests.length) + useOverdueCalls().length
export const useManualRuns = <T,>(selector: (state: ManualRunsState) => T): T => useStore(useStores().manualRuns, selector)
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
