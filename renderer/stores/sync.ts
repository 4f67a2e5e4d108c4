// Keeps the read models in step with the host: a snapshot at each connection, then events by their revision.
// Events that come while a snapshot is on its way wait for it; those at or behind it are dropped.
import { draftKey } from '#app/chat/drafts.ts'
import type { HostEvent } from '#app/contract/events.ts'
import type { HostLink } from '#app/contract/link.ts'
import type { Snapshot } from '#app/contract/snapshot.ts'
import { toErrorValue } from '#app/errors.ts'
import { assertNever } from '#app/json.ts'
import type { ServerView } from '#app/server/view.ts'
import { withEnd, withRequest, withRequests } from './consent.ts'
import { fromSnapshot, withConversation, withoutConversation } from './conversations.ts'
import { withRun } from './hand-runs.ts'
import { createPace } from './pace.ts'
import { withLogLines, withoutServer, withServer, withUpdate } from './servers.ts'
import type { ReadModels } from './stores.ts'

export function applySnapshot(models: ReadModels, snapshot: Snapshot): void {
  const { epoch, version, dataDir, shell } = snapshot
  models.servers.setState({ list: snapshot.servers })
  models.conversations.setState(fromSnapshot(snapshot))
  models.consent.setState((state) => ({ ...withRequests(state, snapshot.consentRequests), rules: snapshot.rules }))
  models.overdue.setState({ overdueCalls: snapshot.overdueCalls })
  models.outside.setState({ items: snapshot.outside ?? [] })
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

export function applyEvent(models: ReadModels, event: HostEvent): void {
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
      models.handRuns.setState((state) => withRun(state, event.payload.run))
      break
    case 'overdueCalls.changed':
      models.overdue.setState(event.payload)
      break
    case 'outside.changed':
      models.outside.setState(event.payload)
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
function isNews(list: readonly ServerView[], server: ServerView): boolean {
  const before = list.find(({ name }) => name === server.name)
  return !before || JSON.stringify(before.definition) !== JSON.stringify(server.definition)
}

/** Returns its undo. */
export function keepInStep(link: HostLink, models: ReadModels): () => void {
  let revision = -1
  let waiting: HostEvent[] | undefined = []
  let connections = 0
  const pace = createPace((servers) => models.servers.setState((state) => servers.reduce(withServer, state)))

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
