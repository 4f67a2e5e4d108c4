// The composition root: makes the host's parts in the order in which they need one another, and disposes of them in reverse. It
// knows no Electron and keeps no global state, so two hosts can live in one process.
import { join } from 'node:path'
import type { HostEvent } from '#app/contract/events.ts'
import type { RequestName, RequestParams, RequestResult } from '#app/contract/requests.ts'
import type { Snapshot } from '#app/contract/snapshot.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import { systemClock } from '#main/base/clock.ts'
import { createEventHub } from '#main/base/events.ts'
import { newId } from '#main/base/ids.ts'
import { type Chat, createChat } from '#main/chat/chat.ts'
import { createBroker } from '#main/consent/broker.ts'
import { createModelFetch } from '#main/host/model-fetch.ts'
import { createProfileNotices } from '#main/host/notices.ts'
import { checkProfile, prepareFolder, warnOfPlace } from '#main/host/profile-check.ts'
import { allHandlers, checkedEvents, createDispatch } from '#main/requests/dispatch.ts'
import { logFailure, silentLog } from './base/host-log.ts'
import { createHistory } from './chat/bulk-changes.ts'
import { agentReads, createGate, type Gate } from './chat/gate/gate.ts'
import { createManualRuns } from './chat/manual-runs.ts'
import { createViewedContents } from './chat/mentions/resource-contents.ts'
import { offeredFolders } from './chat/roots/shared-folders.ts'
import { awaitFirstPage, runInBackground } from './host/background-tasks.ts'
import type { HostBase, HostOptions } from './host/host-options.ts'
import { readInitialLists } from './host/initial-lists.ts'
import { createSecretReader } from './host/known-secrets.ts'
import { createUserNotifier } from './host/notify-user.ts'
import { openConfig, openServers } from './host/open-servers.ts'
import { type HostStores, openStores } from './host/open-stores.ts'
import { shutdownHost } from './host/shutdown.ts'
import { auditConsentFlags, auditSignedState } from './host/start-audit.ts'
import type { IncomingLink } from './install/deep-link-queue.ts'
import { openModels } from './models/host-models.ts'
import { budgetNow } from './models/usage-meter.ts'
import type { Caller, HostContext } from './requests/request-handlers.ts'
import { createEnvironment } from './servers/process/environment/environment.ts'
import type { Store } from './store/store-api.ts'

export interface Host {
  /** @throws {HostError} `contract.invalid` for params that do not fit, `link.closed` once disposed */
  request<N extends RequestName>(name: N, params: RequestParams<N>, caller?: Caller): Promise<RequestResult<N>>
  request(name: string, params: unknown, caller?: Caller): Promise<unknown>
  onEvent(listener: (event: HostEvent) => void): () => void
  snapshot(): Snapshot
  /** Opens the connection of an agent (`assent mcp`) by its token. Undefined: it is of no entry, or that has too many. */
  openAgent: Gate['open']
  /** Id of the entry that the token of an agent belongs to. */
  agentEntry: Gate['entryOf']
  /** Has a shell listen for agents over HTTP while the settings say so. */
  listenForAgents: Gate['listen']
  /** Readies the agents' connections for another host that takes the profile over. */
  yieldAgents: Gate['yield']
  /** Whether tasks of agents run, for which a host without a window stays. */
  runsAgentTasks: Gate['isBusy']
  /** Takes a deep link or a file that was opened with Assent. It waits until a page shows it. */
  openDeepLink(thing: IncomingLink): void
  blob(sha256: string): { readonly bytes: Uint8Array; readonly mimeType: string } | undefined
  /** Returns the document of an open MCP App, and the policy that it must be served with. */
  mcpApp(id: string): { readonly bytes: Uint8Array; readonly policy: string; readonly connections: string } | undefined
  /** Opens the file of a ticket from `backup.offer`. */
  readonly backup: Store['backup']['downloads']['take']
  /** The host's parts, for tests. */
  readonly context: HostContext
  /** Resolves when every process is gone and the store is closed. May be called twice. */
  dispose(): Promise<void>
}

/** @throws {HostError} `profile.*` or `disk.full` when the profile cannot be opened; nothing is left running then. */
export function createHost(options: HostOptions): Host {
  const { clock = systemClock, log = silentLog, env = process.env } = options
  const base: HostBase = { ...options, clock, log, env, undo: [] }
  prepareFolder(options.dataDir)
  try {
    return serveRequests(base, createParts(base))
  } catch (error) {
    for (const step of base.undo.reverse()) step()
    throw error
  }
}

function createParts(base: HostBase) {
  const { platform, clock, log, undo, safe = false } = base
  const stores = openStores(base)
  const { store } = stores
  const hub = createEventHub((error) => log.error('A listener of events failed', error))
  const emit = base.checkContract ? checkedEvents(hub.emit) : hub.emit
  const notifier = createUserNotifier(platform.notify, clock)
  hub.onEvent(notifier.onEvent)
  const onProgram = (name: string): void => {
    const definitions = config.definitions()
    if (safe) return
    // Trust is in one program.
    if (definitions.get(name)?.trusted === opened.servers.view(name)?.definition.trusted) return
    auditFlags(base, store, definitions)
    opened.servers.configure(definitions)
  }
  const broker = openBroker(base, stores, { emit, onOpened: notifier.onOpened, onProgram })
  const config = openConfig(base, stores, broker)
  const notices = createProfileNotices({
    safe,
    config,
    signed: () => store.signed.report,
    secretsInMemory: () => platform.secrets.kind === 'memory' && platform.shell.kind !== 'cli',
    update: () => platform.updates?.state,
    emit,
    clock,
    budget: () => budgetNow(store.usage, clock, store.settings.get()),
    tryWrite: () => store.settings.setFact('disk-checked', clock.now()),
  })
  undo.push(() => notices.dispose())
  void platform.secrets.opened?.then(() => notices.refresh())
  const environment = base.environment ?? createEnvironment()
  const modelFetch = createModelFetch(environment)
  undo.push(() => void modelFetch.close().catch((error: unknown) => log.error('The connections to models could not be let go', error)))
  const onUsage = (): void => {
    emit('usage.changed', {})
    notices.refresh()
  }
  const models = openModels(
    { secrets: stores.secrets, emit, clock, log, env: base.env, fetch: modelFetch.fetch, catalogueFile: join(base.dataDir, 'models.json') },
    { store, hub, onUsage, onError: notices.onError },
  )
  undo.push(() => models.dispose())
  undo.push(
    hub.onEvent(({ name }) => {
      if (name === 'settings.changed') notices.refresh()
    }),
  )
  const opened = openServers(base, { ...stores, hub, emit, broker, config, environment, chat: () => chat })
  const chat: Chat = createChat({
    store,
    servers: opened.servers,
    broker,
    models,
    emit,
    clock,
    log,
    settings: () => store.settings.get(),
    openUrl: (url) => platform.openUrl(url),
    roots: (server, conversationId) => [...new Set([...(base.roots ?? []), ...offeredFolders(store, server, conversationId)])],
    attended: platform.shell.kind !== 'cli',
    onError: notices.onError,
    onOverdue: notifier.onOverdue,
  })
  chat.recover()
  platform.updates?.follow({
    isWanted: () => store.settings.get().updates,
    isBusy: chat.isBusy,
    onChange: notices.refresh,
  })
  const { mask } = stores.knownSecrets
  const manualRuns = createManualRuns({ store, servers: opened.servers, broker, chat, emit, clock, log, mask })
  manualRuns.recover()
  const gate = createGate({ store, servers: opened.servers, broker, chat, emit, clock, onEvent: hub.onEvent })
  const history = createHistory({ store, emit, clock, stop: (id) => chat.stop(id) })
  return { ...stores, ...opened, hub, emit, broker, config, notices, models, chat, manualRuns, gate, history }
}

type HostParts = ReturnType<typeof createParts>

function openBroker(
  { dataDir, clock, policy, undo }: HostBase,
  { store, secrets }: HostStores,
  events: Pick<Parameters<typeof createBroker>[0], 'emit' | 'onOpened' | 'onProgram'>,
) {
  const broker = createBroker({
    ...events,
    rules: store.rules,
    sampling: store.sampling,
    audit: store.audit,
    clock,
    secrets,
    dataDir,
    keyFolder: () => store.signed.keyFolder,
    said: store,
    agentReads: (client) => agentReads(store.settings, client, clock.now()),
    modeOf: (conversationId) => store.conversations.get(conversationId)?.consentMode ?? 'rules',
    ...(policy ? { policy } : {}),
  })
  undo.push(() => broker.dispose())
  return broker
}

function createSnapshot({ platform, dataDir, version }: HostBase, parts: HostParts): HostContext['snapshot'] {
  const { store, hub, broker, servers, chat, models, notices, deepLinks } = parts
  const epoch = newId()
  const mentioned = (): string[] =>
    [...broker.open(), ...broker.rules().map(({ scope }) => scope)].flatMap((one) =>
      'conversationId' in one && one.conversationId !== undefined ? [one.conversationId] : [],
    )
  return (open = []) => ({
    epoch,
    revision: hub.revision,
    version,
    dataDir,
    shell: { ...platform.shell, signedBy: store.signed.keyPlace },
    servers: servers.views(),
    ...readInitialLists(store, [...open, ...mentioned()]),
    personal: store.personal.lists(),
    consentRequests: broker.open(),
    overdueCalls: [...chat.overdue()],
    rules: broker.rules(),
    models: models.list(),
    providers: models.providers(),
    pulls: models.pulls(),
    settings: store.settings.get(),
    notices: notices.list(),
    drafts: store.conversations.drafts(),
    draftExtras: store.conversations.draftExtras(),
    outside: deepLinks.list(),
  })
}

/** Schedules the work that waits for the first page; without a page, on the command line, it begins at once. */
function startWork(
  { platform, clock, log, dataDir, env, startServers = true, undo }: HostBase,
  { store, servers, chat, bundles, notices }: HostParts,
) {
  const isExpected = platform.shell.kind !== 'cli'
  const firstPage = awaitFirstPage({
    clock,
    isExpected,
    begin() {
      if (startServers) servers.startAtLaunch()
      void bundles.sweep()
      if (!isExpected) return
      const warning = warnOfPlace(dataDir, env)
      if (warning) notices.onDamage(warning)
      chat.resumeTasks()
      store.makeReady()
      undo.push(runInBackground({ name: 'shrink', work: store.vacuum, clock, log, againAfterMs: 60_000 }))
      undo.push(checkProfile({ store, clock, log, onDamage: notices.onDamage }))
    },
  })
  undo.push(() => firstPage.dispose())
  return firstPage
}

function auditFlags(
  { configFile = '', log }: HostBase,
  store: HostStores['store'],
  definitions: ReadonlyMap<string, ServerDefinition>,
): void {
  logFailure(log, 'A change of the file of servers could not be put on record', () => {
    // Without the signed answers every server counts as not trusted, which is no change of the file.
    if (store.signed.isUsed) auditConsentFlags(store, configFile, definitions)
  })
}

/** Applies servers.json now and at each change. */
function followConfig(base: HostBase, { store, config, inputs, servers, notices, models, emit }: HostParts): void {
  const { log, undo, safe = false } = base
  const apply = (): void => {
    auditFlags(base, store, config.definitions())
    inputs.configure(config.definitions(), config.inputs())
    servers.configure(safe ? new Map() : config.definitions())
  }
  apply()
  undo.push(
    store.signed.onChange(() => {
      logFailure(log, 'The check of the permissions could not be put on record', () => auditSignedState(store))
      apply()
      emit('rules.changed', { rules: store.rules.list() })
      emit('settings.changed', { settings: store.settings.get() })
      notices.refresh()
      models.load().catch((error: unknown) => log.error('The list of models could not be loaded', error))
    }),
    config.onChange(() => {
      apply()
      notices.refresh()
      emit('config.changed', {})
    }),
  )
}

function serveRequests(base: HostBase, parts: HostParts): Host {
  const { platform, clock, log, env, checkContract = false, undo } = base
  const { store, hub, chat, manualRuns, servers, bundles, models, notices, auditAnchor, deepLinks } = parts
  const snapshot = createSnapshot(base, parts)
  const firstPage = startWork(base, parts)
  const viewedContents = createViewedContents()
  const revision = (): number => hub.revision
  const context: HostContext = {
    ...parts,
    platform,
    clock,
    log,
    env,
    revision,
    snapshot,
    shown: firstPage.shown,
    viewedContents,
    maskKnown: parts.knownSecrets.maskKnown,
    noteSecret: (value) => parts.knownSecrets.add([value]),
    readSecrets: createSecretReader({
      known: parts.knownSecrets,
      secrets: parts.secrets,
      definitions: () => parts.config.definitions(),
      inputs: parts.inputs,
      providers: () => models.providers().map(({ id }) => id),
      scope: parts.scope,
    }),
  }
  const dispatch = createDispatch(allHandlers(context), { check: checkContract })
  followConfig(base, parts)

  // The window comes first: the list of models is loaded once it has a snapshot.
  const loading = setImmediate(() => {
    models.load().catch((error: unknown) => log.error('The list of models could not be loaded', error))
  })
  let disposing: Promise<void> | undefined
  function dispose(): Promise<void> {
    clearImmediate(loading)
    firstPage.dispose()
    const turns = Promise.all([parts.gate.dispose(), chat.dispose(), manualRuns.dispose()])
    return shutdownHost({ turns, processes: [servers.dispose(), bundles.dispose()], auditAnchor, signed: store.signed, undo, log })
  }

  return {
    async request(name: string, params: unknown, caller?: Caller) {
      if (disposing !== undefined) throw new HostError('link.closed', t`Assent is closing.`)
      if (base.safe && name === 'mcpApp.open')
        throw new HostError('view.refused', t`Safe start: no servers, no apps, default settings, until Assent is quit.`)
      try {
        return await dispatch(name, params, caller)
      } catch (error) {
        notices.onError(error)
        throw error
      }
    },
    onEvent: (listener) => hub.onEvent(listener),
    snapshot,
    openAgent: parts.gate.open,
    agentEntry: parts.gate.entryOf,
    // A safe start has no servers.
    listenForAgents: async (start) => (base.safe ? undefined : parts.gate.listen(start)),
    yieldAgents: parts.gate.yield,
    runsAgentTasks: parts.gate.isBusy,
    blob: (sha256) => store.blobs.get(sha256) ?? viewedContents.get(sha256),
    openDeepLink: (thing) => void deepLinks.take(thing),
    mcpApp: (id) => chat.mcpApps.document(id),
    backup: (ticket) => store.backup.downloads.take(ticket),
    context,
    dispose: () => (disposing ??= dispose()),
  } as Host
}
