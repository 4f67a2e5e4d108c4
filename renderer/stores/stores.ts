// Everything that a page knows: read models of the host's facts, the page's own drafts and view, and the actions.
import { createStore } from 'zustand/vanilla'
import { type DraftExtras, draftKey, noExtras } from '#app/chat/drafts.ts'
import type { HostEvent } from '#app/contract/events.ts'
import type { HostConnection } from '#app/contract/host-connection.ts'
import type { Snapshot } from '#app/contract/snapshot.ts'
import { toErrorValue } from '#app/errors.ts'
import { assertNever } from '#app/json.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { createActions } from './actions.ts'
import { createConnectionStore } from './connection-store.ts'
import { createConsentStore, withEnd, withRequest, withRequests } from './consent-store.ts'
import {
  createConversationsStore,
  createSectionLoader,
  fromSnapshot,
  withConversation,
  withFetched,
  withoutConversation,
} from './conversations-store.ts'
import { createDraftSlot, createDrafts, type DraftSlot } from './drafts.ts'
import { createDeepLinksStore, createModelsStore, createNoticesStore, createOverdueStore, createSettingsReadModel } from './host-facts.ts'
import { createManualRunsStore, withRun } from './manual-runs-store.ts'
import { createRequestDrafts } from './request-drafts.ts'
import { createSearchMemory } from './search-memory.ts'
import { createServersStore, withLogLines, withoutServer, withServer, withUpdate } from './servers-store.ts'
import { createTranscripts } from './transcripts.ts'
import { createViewStore } from './view-state.ts'

// Keeps the read models in step with the host: a snapshot at each connection, then events by their revision. Events that come
// while a snapshot is on its way wait for it; those at or behind it are dropped. Fifty servers that start at once tell of a
// step thirty times a second, and each is a page to draw: beside them, for the same processors. One server's steps are shown as
// they come; what comes thick is shown some times a second, with what is newest.

// What stands in composers beside their text: attachments, and a prompt. Each change goes to the host at once; what it does not
// have yet is sent again with the next snapshot, and counts for more than what the host says.

interface DraftExtrasState {
  readonly byConversation: Readonly<Record<string, DraftExtras>>
}

function createDraftExtras(connection: HostConnection, slot: Pick<DraftSlot, 'toHost'>) {
  const store = createStore<DraftExtrasState>(() => ({ byConversation: {} }))
  const unkept = new Set<string>()

  const read = (id: string): DraftExtras => store.getState().byConversation[id] ?? noExtras
  const put = (id: string, extras: DraftExtras): void =>
    store.setState((state) => ({ byConversation: { ...state.byConversation, [id]: extras } }))

  function keep(id: string): void {
    const extras = read(id)
    const key = slot.toHost(id)
    if (key === undefined) return // It goes once that is known.
    connection.request('draft.attach', key === '' ? { extras } : { conversationId: key, extras }).then(
      () => {
        if (read(id) === extras) unkept.delete(id)
      },
      () => {
        // Still unkept: the next snapshot sends it again.
      },
    )
  }

  return {
    store,
    read,
    /** '' is a new chat. */
    change(id: string, change: (before: DraftExtras) => DraftExtras): void {
      put(id, change(read(id)))
      unkept.add(id)
      keep(id)
    },
    fromHost(id: string, extras: DraftExtras): void {
      if (!unkept.has(id)) put(id, extras)
    },
    replace(byConversation: Readonly<Record<string, DraftExtras>>): void {
      const own = Object.fromEntries([...unkept].map((id) => [id, read(id)]))
      store.setState({ byConversation: { ...byConversation, ...own } })
      for (const id of unkept) keep(id)
    },
  }
}

type ReadModels = ReturnType<typeof createReadModels>

function createReadModels(connection: HostConnection) {
  const draftSlot = createDraftSlot({ locks: navigator.locks, session: sessionStorage, newId: () => crypto.randomUUID() })
  const conversations = createConversationsStore()
  return {
    connection: createConnectionStore(),
    servers: createServersStore(),
    conversations,
    consent: createConsentStore(),
    overdue: createOverdueStore(),
    deepLinks: createDeepLinksStore(),
    manualRuns: createManualRunsStore(),
    models: createModelsStore(),
    settings: createSettingsReadModel(),
    notices: createNoticesStore(),
    transcripts: createTranscripts(connection, (conversation) => conversations.setState((state) => withFetched(state, [conversation]))),
    draftSlot,
    drafts: createDrafts(connection, draftSlot, sessionStorage),
    draftExtras: createDraftExtras(connection, draftSlot),
  }
}

/** So many are shown at once, as many as two servers take to start, and so many a second from then on. */
const atOnce = 10
const everyMs = 125

interface UpdateBatcher {
  /** `isNews`: more than how it goes with a server that is known. It is shown now, with what was held back. */
  take(server: ServerSummary, isNews: boolean): void
  /** Shows what is held back: something comes that may stand on it. */
  flush(): void
  /** What is held back is not shown any more. */
  drop(): void
}

/** `show`: all of them together, in the order in which they came first. `now`: milliseconds. */
export function createUpdateBatcher(
  show: (servers: readonly ServerSummary[]) => void,
  now: () => number = () => performance.now(),
): UpdateBatcher {
  const held = new Map<string, ServerSummary>()
  let left = atOnce
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
    take(server, isNews) {
      held.set(server.name, server)
      const filled = Math.min(atOnce - left, Math.floor((now() - filledAt) / everyMs))
      left += filled
      filledAt = left === atOnce ? now() : filledAt + filled * everyMs
      if (isNews || left > 0) {
        left = Math.max(0, left - 1)
        flush()
      } else timer ??= setTimeout(flush, everyMs)
    },
    flush,
    drop,
  }
}

function applySnapshot(models: ReadModels, snapshot: Snapshot): void {
  const { epoch, version, dataDir, shell } = snapshot
  models.servers.setState({ list: snapshot.servers })
  models.conversations.setState(fromSnapshot(snapshot))
  models.consent.setState((state) => ({ ...withRequests(state, snapshot.consentRequests), rules: snapshot.rules }))
  models.overdue.setState({ overdueCalls: snapshot.overdueCalls })
  models.deepLinks.setState({ items: snapshot.outside ?? [] })
  models.models.setState({ models: snapshot.models, providers: snapshot.providers })
  models.settings.setState({ settings: snapshot.settings })
  models.notices.setState({ notices: snapshot.notices })
  applyDrafts(models, snapshot)
  models.transcripts.resync()
  models.connection.setState({ about: { epoch, version, dataDir, shell }, startError: undefined })
}

/** Of new chats, those of this window alone. */
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

/** What comes while it is not known which drafts are this window's waits for that: the last words before a reload come so. */
function toOwn({ draftSlot }: ReadModels, key: string, take: (id: string) => void): void {
  const takeIfOwn = (): void => {
    const id = draftSlot.fromHost(key)
    if (id !== undefined) take(id)
  }
  const chosen = draftSlot.chosen()
  if (chosen) void chosen.then(takeIfOwn)
  else takeIfOwn()
}

function applyEvent(models: ReadModels, event: HostEvent): void {
  switch (event.name) {
    case 'server.changed':
      models.servers.setState((state) => withServer(state, event.payload.server))
      break
    case 'server.removed':
      models.servers.setState((state) => withoutServer(state, event.payload.name))
      break
    case 'server.logged': {
      const { name, lines, dropped } = event.payload
      models.servers.setState((state) => withLogLines(state, name, lines, dropped))
      break
    }
    case 'server.resourceUpdated':
      models.servers.setState((state) => withUpdate(state, event.payload.name, event.payload.uri, Date.now()))
      break
    case 'config.changed':
    case 'usage.changed':
    case 'server.messaged':
    case 'bundle.downloading':
      // No store keeps these: who shows the text, or the report, listens by itself.
      break
    case 'conversation.changed':
      models.conversations.setState((state) => withConversation(state, event.payload.conversation))
      break
    case 'conversation.removed':
      models.transcripts.forget(event.payload.id)
      models.conversations.setState((state) => withoutConversation(state, event.payload.id))
      break
    case 'chatFolders.changed':
      models.conversations.setState({ folders: event.payload.chatFolders })
      break
    case 'history.changed':
      // Answered by a new snapshot.
      break
    case 'conversation.pathChanged':
    case 'message.changed':
    case 'message.delta':
    case 'toolCall.changed':
      models.transcripts.apply(event)
      break
    case 'consent.opened':
      models.consent.setState((state) => withRequest(state, event.payload.request))
      break
    case 'consent.closed': {
      const { id, ...end } = event.payload
      models.consent.setState((state) => withEnd(state, id, end))
      break
    }
    case 'handRun.changed':
      models.manualRuns.setState((state) => withRun(state, event.payload.run))
      break
    case 'overdueCalls.changed':
      models.overdue.setState(event.payload)
      break
    case 'outside.changed':
      models.deepLinks.setState(event.payload)
      break
    case 'rules.changed':
      models.consent.setState({ rules: event.payload.rules })
      break
    case 'models.changed':
      models.models.setState(event.payload)
      break
    case 'settings.changed':
      models.settings.setState(event.payload)
      break
    case 'notices.changed':
      models.notices.setState(event.payload)
      break
    case 'image.wanted':
      break // `useImageScaling` draws it.
    case 'draft.attached':
      toOwn(models, event.payload.conversationId ?? '', (id) => models.draftExtras.fromHost(id, event.payload.extras))
      break
    case 'draft.changed':
      toOwn(models, draftKey(event.payload), (id) => models.drafts.fromHost(id, event.payload.text))
      break
    default:
      assertNever(event)
  }
}

/** Nothing of these stands on how a server goes. */
const besideServers: ReadonlySet<HostEvent['name']> = new Set(['server.logged', 'server.messaged', 'server.resourceUpdated'])

/** A server that was not there before, or is another now. */
function isNews(list: readonly ServerSummary[], server: ServerSummary): boolean {
  const before = list.find(({ name }) => name === server.name)
  return !before || JSON.stringify(before.definition) !== JSON.stringify(server.definition)
}

/** Returns its undo. */
function syncWithHost(link: HostConnection, models: ReadModels): () => void {
  let revision = -1
  let waiting: HostEvent[] | undefined = []
  let connections = 0
  const pace = createUpdateBatcher((servers) => models.servers.setState((state) => servers.reduce(withServer, state)))

  const take = (event: HostEvent): void => {
    if (event.revision <= revision) return
    revision = event.revision
    if (event.name === 'server.changed') {
      const { server } = event.payload
      pace.take(server, isNews(models.servers.getState().list, server))
      return
    }
    if (!besideServers.has(event.name)) pace.flush()
    applyEvent(models, event)
    if (event.name === 'history.changed') void load()
  }

  async function load(): Promise<void> {
    const connection = ++connections
    waiting = []
    try {
      const snapshot = await link.request('app.snapshot', { open: models.transcripts.openIds() })
      if (connection !== connections) return
      revision = snapshot.revision
      pace.drop()
      applySnapshot(models, snapshot)
      const events = waiting
      waiting = undefined
      for (const event of events) take(event)
    } catch (error) {
      const value = toErrorValue(error)
      if (connection === connections && value.code !== 'link.closed') models.connection.setState({ startError: value })
    }
  }

  const offEvent = link.onEvent((event) => (waiting ? waiting.push(event) : take(event)))
  const offStatus = link.onStatus((status) => {
    models.connection.setState({ link: status })
    if (status === 'open') void load()
    else connections++
  })
  return () => {
    connections++
    pace.drop()
    offEvent()
    offStatus()
  }
}

export type Stores = ReturnType<typeof createStores>

export function createStores(connection: HostConnection) {
  const models = createReadModels(connection)
  const view = createViewStore()
  const requestDrafts = createRequestDrafts(models.consent)
  const stop = syncWithHost(connection, models)
  return {
    ...models,
    link: connection,
    view,
    requestDrafts,
    searchMemory: createSearchMemory(),
    loadSection: createSectionLoader(connection, models.conversations),
    actions: createActions(connection, view, models.consent),
    dispose(): void {
      stop()
      models.transcripts.dispose()
      models.drafts.dispose()
      requestDrafts.dispose()
    },
  }
}
