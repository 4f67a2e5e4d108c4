// Everything that a page knows: read models of the host's facts, the page's own drafts and view, and the actions.
import type { HostLink } from '#app/contract/link.ts'
import { createActions } from './actions.ts'
import { createConnectionStore } from './connection.ts'
import { createConsentStore } from './consent.ts'
import { createConversationsStore, createShelfLoader, withFetched } from './conversations.ts'
import { createDraftExtras } from './draft-extras.ts'
import { createDraftSlot } from './draft-slot.ts'
import { createDrafts } from './drafts.ts'
import { createHandRunsStore } from './hand-runs.ts'
import { createModelsStore, createNoticesStore, createOutsideStore, createOverdueStore, createSettingsStore } from './host-facts.ts'
import { createRequestDrafts } from './request-drafts.ts'
import { createSearchMemory } from './search-memory.ts'
import { createServersStore } from './servers.ts'
import { keepInStep } from './sync.ts'
import { createTranscripts } from './transcripts.ts'
import { createViewStore } from './view.ts'

export type ReadModels = ReturnType<typeof createReadModels>

function createReadModels(link: HostLink) {
  const draftSlot = createDraftSlot({ locks: navigator.locks, session: sessionStorage, newId: () => crypto.randomUUID() })
  const conversations = createConversationsStore()
  return {
    connection: createConnectionStore(),
    servers: createServersStore(),
    conversations,
    consent: createConsentStore(),
    overdue: createOverdueStore(),
    outside: createOutsideStore(),
    handRuns: createHandRunsStore(),
    models: createModelsStore(),
    settings: createSettingsStore(),
    notices: createNoticesStore(),
    transcripts: createTranscripts(link, (conversation) => conversations.setState((state) => withFetched(state, [conversation]))),
    draftSlot,
    drafts: createDrafts(link, draftSlot, sessionStorage),
    draftExtras: createDraftExtras(link, draftSlot),
  }
}

export type Stores = ReturnType<typeof createStores>

export function createStores(link: HostLink) {
  const models = createReadModels(link)
  const view = createViewStore()
  const requestDrafts = createRequestDrafts(models.consent)
  const stop = keepInStep(link, models)
  return {
    ...models,
    link,
    view,
    requestDrafts,
    searchMemory: createSearchMemory(),
    loadShelf: createShelfLoader(link, models.conversations),
    actions: createActions(link, view, models.consent),
    dispose(): void {
      stop()
      models.transcripts.dispose()
      models.drafts.dispose()
      requestDrafts.dispose()
    },
  }
}
