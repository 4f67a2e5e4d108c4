// Everything that a page knows: read models of the host's facts, the page's own drafts and view, and the actions.
// The read models take a snapshot at each connection, then events by their revision. Events that arrive while a snapshot is
// fetched wait for it; events at or behind its revision are dropped.
import { createStore } from 'zustand/vanilla'
import { draftKey } from '#app/chat/drafts.ts'
import type { PersonalLists } from '#app/chat/personal.ts'
import type { DeepLinkItem } from '#app/contract/bundle-requests.ts'
import type { HostEvent } from '#app/contract/events.ts'
import type { ConnectionStatus, HostConnection } from '#app/contract/host-connection.ts'
import type { Snapshot } from '#app/contract/snapshot.ts'
import { type ErrorValue, toErrorValue } from '#app/errors.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { defaultSettings } from '#app/settings.ts'
import { createActions } from './actions.ts'
import { createConsentStore, withEnd, withRequest, withRequests } from './consent-store.ts'
import {
  createConversationsStore,
  createSectionLoader,
  fromSnapshot,
  withConversation,
  withFetched,
  withoutConversation,
} from './conversations-store.ts'
import { createDraftExtras, createDraftSlot, createDrafts } from './drafts.ts'
import { createManualRunsStore, withRun } from './manual-runs-store.ts'
import { createRequestDrafts } from './request-drafts.ts'
import { createSandboxAttempts } from './sandbox-attempts.ts'
import type { SearchMemory } from './search-memory.ts'
import { createServersStore, withLogLines, withoutServer, withServer, withUpdate } from './servers-store.ts'
import { createTranscripts, type TranscriptEvent } from './transcripts.ts'
import { createViewStore } from './view-state.ts'

interface ConnectionState {
  readonly status: ConnectionStatus
  /** Undefined until the first snapshot. */
  readonly about: Pick<Snapshot, 'epoch' | 'version' | 'dataDir' | 'shell'> | undefined
  /** Error that answered the request for a snapshot: the host could not start. */
  readonly startError: ErrorValue | undefined
}

type ReadModels = ReturnType<typeof createReadModels>

function createReadModels(hostConnection: HostConnection) {
  const draftSlot = createDraftSlot({ locks: navigator.locks, session: sessionStorage, newId: () => crypto.randomUUID() })
  const conversations = createConversationsStore()
  return {
    connection: createStore<ConnectionState>(() => ({ status: 'connecting', about: undefined, startError: undefined })),
    servers: createServersStore(),
    conversations,
    consent: createConsentStore(),
    overdue: createStore<Pick<Snapshot, 'overdueCalls'>>(() => ({ overdueCalls: [] })),
    deepLinks: createStore<{ readonly items: readonly DeepLinkItem[] }>(() => ({ items: [] })),
    manualRuns: createManualRunsStore(),
    sandboxAttempts: createSandboxAttempts(hostConnection),
    models: createStore<Pick<Snapshot, 'models' | 'providers' | 'pulls'>>(() => ({ models: [], providers: [], pulls: [] })),
    personal: createStore<PersonalLists>(() => ({ prompts: [], assistants: [], facts: [] })),
    settings: createStore<Pick<Snapshot, 'settings'>>(() => ({ settings: defaultSettings })),
    notices: createStore<Pick<Snapshot, 'notices'>>(() => ({ notices: [] })),
    transcripts: createTranscripts(hostConnection, (conversation) => conversations.setState((state) => withFetched(state, [conversation]))),
    draftSlot,
    drafts: createDrafts(hostConnection, draftSlot, sessionStorage),
    draftExtras: createDraftExtras(hostConnection, draftSlot),
  }
}

/** Updates that are shown at once (as many as two servers take to start); the interval of the further ones in milliseconds. */
const atOnce = 10
const everyMs = 125

/**
 * Limits how often updates of servers are shown: fifty servers that start at once send thirty a second, and each draws the page.
 * `show`: takes the updates in the order in which their servers first changed. `now`: milliseconds.
 */
export function createUpdateBatcher(show: (servers: readonly ServerSummary[]) => void, now: () => number = () => performance.now()) {
  const held = new Map<string, ServerSummary>()
  let tokens = atOnce
  let filledAt = now()
  let timer: ReturnType<typeof setTimeout> | undefined

  const drop = (): void => {
    clearTimeout(timer)
    timer = undefined
    held.clear()
  }
  const flush = (): void => {
    const servers = [...held.values()]
    drop()
    if (servers.length > 0) show(servers)
  }
  return {
    /** `isNews`: the server is new or its definition changed; it is shown at once, with the held updates. */
    take(server: ServerSummary, isNews: boolean): void {
      held.set(server.name, server)
      const filled = Math.min(atOnce - tokens, Math.floor((now() - filledAt) / everyMs))
      tokens += filled
      filledAt = tokens === atOnce ? now() : filledAt + filled * everyMs
      if (isNews || tokens > 0) {
        tokens = Math.max(0, tokens - 1)
        flush()
      } else timer ??= setTimeout(flush, everyMs)
    },
    /** Shows the held updates: the next event may depend on them. */
    flush,
    drop,
  }
}

function applySnapshot(models: ReadModels, snapshot: Snapshot): void {
  const { epoch, version, dataDir, shell, models: known, providers, settings, notices, overdueCalls } = snapshot
  models.servers.setState({ list: snapshot.servers })
  models.conversations.setState(fromSnapshot(snapshot))
  models.consent.setState((state) => ({ ...withRequests(state, snapshot.consentRequests), rules: snapshot.rules }))
  models.overdue.setState({ overdueCalls })
  models.deepLinks.setState({ items: snapshot.outside ?? [] })
  models.models.setState({ models: known, providers, pulls: snapshot.pulls })
  models.personal.setState(snapshot.personal)
  models.settings.setState({ settings })
  models.notices.setState({ notices })
  applyDrafts(models, snapshot)
  models.transcripts.resync()
  models.sandboxAttempts.resync()
  models.connection.setState({ about: { epoch, version, dataDir, shell }, startError: undefined })
}

/** Applies the drafts of chats, and of new chats only the draft of this window. */
function applyDrafts(models: ReadModels, { drafts, draftExtras = {} }: Snapshot): void {
  const own = <T>(byKey: Readonly<Record<string, T>>): Record<string, T> => {
    const pairs = Object.entries(byKey).map(([key, value]) => [models.draftSlot.fromHost(key), value] as const)
    return Object.fromEntries(pairs.filter(([id]) => id !== undefined))
  }
  const apply = (): void => {
    models.drafts.replace(own(drafts))
    models.draftExtras.replace(own(draftExtras))
  }
  apply()
  void models.draftSlot.choose(Object.keys({ ...drafts, ...draftExtras }))?.then(apply)
}

/** Applies a draft event of this window; waits until the window knows its own draft, as after a reload. */
function toOwn({ draftSlot }: ReadModels, key: string, take: (id: string) => void): void {
  const takeIfOwn = (): void => {
    const id = draftSlot.fromHost(key)
    if (id !== undefined) take(id)
  }
  const chosen = draftSlot.chosen()
  if (chosen) void chosen.then(takeIfOwn)
  else takeIfOwn()
}

/** Applies one event to the read models; one entry an event, so a new event of the contract does not compile without one. */
type EventHandlers = { readonly [E in HostEvent as E['name']]: (models: ReadModels, event: E) => void }

/** Events that no store keeps: the component that shows them listens to the host connection itself. */
const unstored = (): void => {}
const toTranscripts = ({ transcripts }: ReadModels, event: TranscriptEvent): void => transcripts.apply(event)

const eventHandlers: EventHandlers = {
  'server.changed': ({ servers }, { payload }) => servers.setState((state) => withServer(state, payload.server)),
  'server.removed': ({ servers }, { payload }) => servers.setState((state) => withoutServer(state, payload.name)),
  'server.logged': ({ servers }, { payload: { name, lines, dropped } }) =>
    servers.setState((state) => withLogLines(state, name, lines, dropped)),
  'server.resourceUpdated': ({ servers }, { payload: { name, uri } }) =>
    servers.setState((state) => withUpdate(state, name, uri, Date.now())),
  'server.sandboxAttempt': ({ sandboxAttempts }, { payload }) => sandboxAttempts.reload(payload.name),
  'config.changed': unstored,
  'usage.changed': unstored,
  'server.messaged': unstored,
  'bundle.downloading': unstored,
  'image.wanted': unstored,
  // Answered by a new snapshot.
  'history.changed': unstored,
  'conversation.changed': ({ conversations }, { payload }) =>
    conversations.setState((state) => withConversation(state, payload.conversation)),
  'conversation.removed': ({ transcripts, conversations }, { payload: { id } }) => {
    transcripts.forget(id)
    conversations.setState((state) => withoutConversation(state, id))
  },
  'chatFolders.changed': ({ conversations }, { payload }) => conversations.setState({ folders: payload.chatFolders }),
  // A page that lists them fetches `gate.list`.
  'gate.changed': unstored,
  'personal.changed': ({ personal }, { payload }) => personal.setState(payload),
  'conversation.pathChanged': toTranscripts,
  'message.changed': toTranscripts,
  'message.delta': toTranscripts,
  'toolCall.changed': toTranscripts,
  'consent.opened': ({ consent }, { payload }) => consent.setState((state) => withRequest(state, payload.request)),
  'consent.closed': ({ consent }, { payload: { id, ...end } }) => consent.setState((state) => withEnd(state, id, end)),
  'manualRun.changed': ({ manualRuns }, { payload }) => manualRuns.setState((state) => withRun(state, payload.run)),
  'overdueCalls.changed': ({ overdue }, { payload }) => overdue.setState(payload),
  'deepLinks.changed': ({ deepLinks }, { payload }) => deepLinks.setState(payload),
  'rules.changed': ({ consent }, { payload }) => consent.setState({ rules: payload.rules }),
  'models.changed': ({ models }, { payload }) => models.setState(payload),
  'pulls.changed': ({ models }, { payload }) => models.setState(payload),
  'settings.changed': ({ settings }, { payload }) => settings.setState(payload),
  'notices.changed': ({ notices }, { payload }) => notices.setState(payload),
  'draft.attached': (models, { payload: { conversationId = '', extras } }) =>
    toOwn(models, conversationId, (id) => models.draftExtras.fromHost(id, extras)),
  'draft.changed': (models, { payload }) => toOwn(models, draftKey(payload), (id) => models.drafts.fromHost(id, payload.text)),
}

function applyEvent(models: ReadModels, event: HostEvent): void {
  // The type of the table pairs each name with its event, which an index by a union of names loses.
  const apply = eventHandlers[event.name] as (models: ReadModels, event: HostEvent) => void
  apply(models, event)
}

/** Events that do not depend on a server's state, so that held updates of servers may follow them. */
const besideServers: ReadonlySet<HostEvent['name']> = new Set([
  'server.logged',
  'server.messaged',
  'server.resourceUpdated',
  'server.sandboxAttempt',
])

function isNews(list: readonly ServerSummary[], server: ServerSummary): boolean {
  const before = list.find(({ name }) => name === server.name)
  return !before || JSON.stringify(before.definition) !== JSON.stringify(server.definition)
}

/** Keeps the read models in step with the host. Returns its undo. */
function syncWithHost(hostConnection: HostConnection, models: ReadModels): () => void {
  let revision = -1
  let waiting: HostEvent[] | undefined = []
  let connections = 0
  const batcher = createUpdateBatcher((servers) => models.servers.setState((state) => servers.reduce(withServer, state)))

  const take = (event: HostEvent): void => {
    if (event.revision <= revision) return
    revision = event.revision
    if (event.name === 'server.changed') {
      const { server } = event.payload
      batcher.take(server, isNews(models.servers.getState().list, server))
      return
    }
    if (!besideServers.has(event.name)) batcher.flush()
    applyEvent(models, event)
    if (event.name === 'history.changed') void load()
  }

  async function load(): Promise<void> {
    const connection = ++connections
    waiting = []
    try {
      const snapshot = await hostConnection.request('app.snapshot', { open: models.transcripts.openIds() })
      if (connection !== connections) return
      revision = snapshot.revision
      batcher.drop()
      applySnapshot(models, snapshot)
      const events = waiting
      waiting = undefined
      for (const event of events) take(event)
    } catch (error) {
      const value = toErrorValue(error)
      if (connection === connections && value.code !== 'link.closed') models.connection.setState({ startError: value })
    }
  }

  const offEvent = hostConnection.onEvent((event) => (waiting ? waiting.push(event) : take(event)))
  const offStatus = hostConnection.onStatus((status) => {
    models.connection.setState({ status })
    if (status === 'open') void load()
    else connections++
  })
  return () => {
    connections++
    batcher.drop()
    offEvent()
    offStatus()
  }
}

export type Stores = ReturnType<typeof createStores>

export function createStores(hostConnection: HostConnection) {
  const models = createReadModels(hostConnection)
  const view = createViewStore()
  const requestDrafts = createRequestDrafts(models.consent)
  const stop = syncWithHost(hostConnection, models)
  // A new default takes the place of the model that was chosen for the next chat.
  const stopDefault = models.settings.subscribe(({ settings: { defaultModel } }, before) => {
    if (defaultModel === before.settings.defaultModel) return
    view.setState(({ newChats: { '': next, ...others } }) => ({ newChats: { ...others, '': { ...next, model: undefined } } }))
  })
  return {
    ...models,
    hostConnection,
    view,
    requestDrafts,
    searchMemory: { last: undefined } as SearchMemory,
    loadSection: createSectionLoader(hostConnection, models.conversations),
    actions: createActions(hostConnection, view, models.consent),
    dispose(): void {
      stop()
      stopDefault()
      models.transcripts.dispose()
      models.drafts.dispose()
      requestDrafts.dispose()
    },
  }
}
