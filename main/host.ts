// The composition root: store, secrets, servers, consent, models and chat, put together and taken apart again. It knows
// no Electron and keeps nothing global, so two hosts can live in one process. What a page may ask is in `requests/`.
import { join } from 'node:path'
import type { HostEvent } from '#app/contract/events.ts'
import type { RequestName, RequestParams, RequestResult } from '#app/contract/requests.ts'
import type { Snapshot } from '#app/contract/snapshot.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { type Clock, systemClock } from '#main/base/clock.ts'
import { createEventHub, type Emit } from '#main/base/events.ts'
import { newId } from '#main/base/ids.ts'
import { createChat } from '#main/chat/chat.ts'
import { createBroker } from '#main/consent/broker.ts'
import { checkedEvents } from '#main/host/checked-events.ts'
import { createKnownSecrets, maskedAudit, secretVariables } from '#main/host/known-secrets.ts'
import { createModelFetch } from '#main/host/model-fetch.ts'
import { createProfileNotices } from '#main/host/notices.ts'
import { checkProfile } from '#main/host/profile-check.ts'
import type { Platform } from '#main/platform.ts'
import { allHandlers, createDispatch } from '#main/requests/dispatch.ts'
import { type Log, silentLog } from './base/host-log.ts'
import { createHistory } from './chat/bulk-changes.ts'
import { createManualRuns } from './chat/manual-runs.ts'
import { createViewedContents } from './chat/mentions/viewed-contents.ts'
import { offeredFolders } from './chat/roots/shared-folders.ts'
import type { AnswerPolicy } from './consent/broker-api.ts'
import { awaitFirstPage, runInBackground } from './host/background-tasks.ts'
import { readInitialLists } from './host/initial-lists.ts'
import { createUserNotifier } from './host/notify-user.ts'
import { prepareFolder } from './host/profile-check.ts'
import { answeredTrust } from './host/server-trust.ts'
import { shutdownHost } from './host/shutdown.ts'
import { auditConsentFlags, createStartAudit } from './host/start-audit.ts'
import type { IncomingLink } from './install/deep-links.ts'
import { openBundles } from './install/open-bundles.ts'
import { openRegistry } from './install/registry/open-registry.ts'
import { openModels } from './models/host-models.ts'
import { budgetNow } from './models/usage-meter.ts'
import type { HostContext } from './requests/request-handlers.ts'
import type { Trace } from './servers/client/connection/trace-context.ts'
import { auditHandlersOf } from './servers/client/requests/request-audit.ts'
import { openServerConfig } from './servers/config/config-file.ts'
import { type AskedInput, createInputs, fileScope } from './servers/config/inputs/input-values.ts'
import { createServers } from './servers/lifecycle/servers.ts'
import { createEnvironment, type Environment } from './servers/process/environment/environment.ts'
import { noBuiltins } from './servers/process/server-process.ts'
import type { ShutdownGrace } from './servers/process/stdio-limits.ts'
import { createAuditAnchor } from './store/audit/audit-anchor.ts'
import { openStore } from './store/open-store.ts'
import type { Store } from './store/store-api.ts'

export interface HostOptions {
  /** Made if it is not there, readable by the person alone. */
  readonly dataDir: string
  /** It is removed when the host is gone: what is written there waits for no disk. */
  readonly temporary?: boolean
  /** Of that folder, by a shell that opened it before it loaded all this. It is closed with the host. */
  readonly store?: Store
  readonly platform: Platform
  readonly version: string
  readonly clock?: Clock
  readonly log?: Log
  /** Where ANTHROPIC_API_KEY and the like are looked up; default: the process's environment. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** An `mcpServers` file in place of the profile's own; the demo server is then not added. */
  readonly configFile?: string
  /** Where servers' commands are looked for; default: where the person's login shell would. */
  readonly environment?: Environment
  /** How long servers may take to end; default: SAFETY's. */
  readonly grace?: ShutdownGrace
  /** Asks for a value that a server needs (`${input:ID}`) and nobody kept; default: the start fails and says so. */
  readonly askInput?: (input: AskedInput) => Promise<string | undefined>
  /** Answers in the person's place. */
  readonly policy?: AnswerPolicy
  /** Folders, by absolute path, that servers are told of once the person agrees; beside those that are chosen. */
  readonly roots?: readonly string[]
  /** The trace that all of it belongs to (SEP-414). */
  readonly trace?: Trace | undefined
  /** Whether servers marked `start: launch` are started; default: yes. */
  readonly startServers?: boolean
  /** Parses results and events by the contract too; for tests. */
  readonly checkContract?: boolean
}

export interface Host {
  /** Rejects with a HostError: `contract.invalid` for params that do not fit, `link.closed` once disposed. */
  request<N extends RequestName>(name: N, params: RequestParams<N>): Promise<RequestResult<N>>
  request(name: string, params: unknown): Promise<unknown>
  /** Returns its undo. */
  onEvent(listener: (event: HostEvent) => void): () => void
  snapshot(): Snapshot
  /** A link or a file that another program, or the person, opened with Assent: it waits until a page looks at it. */
  openDeepLink(thing: IncomingLink): void
  blob(sha256: string): { readonly bytes: Uint8Array; readonly mimeType: string } | undefined
  /** The document of a view that is open, and the policy that it must be served with. */
  mcpApp(id: string): { readonly bytes: Uint8Array; readonly policy: string; readonly connections: string } | undefined
  /** What a ticket of `backup.offer` opens. */
  readonly backup: Store['backup']['downloads']['take']
  /** For a shell in the same process that is not a page (the command line). */
  readonly context: HostContext
  /** Resolves when every process is gone and the store is closed. May be called twice. */
  dispose(): Promise<void>
}

/** Throws `profile.*` and `disk.full` when the profile cannot be opened; nothing is left running then. */
export function createHost(options: HostOptions): Host {
  const { dataDir, platform, version, clock = systemClock, log = silentLog, env = process.env, checkContract = false } = options
  prepareFolder(dataDir)
  const undo: (() => void)[] = []
  const opened = options.store ?? openStore({ dataDir, clock, log, temporary: options.temporary ?? false })
  undo.push(() => opened.close())
  platform.speak?.(opened.settings.get().language)
  const known = createKnownSecrets()
  known.add(secretVariables(env))
  const secrets = known.watch(platform.secrets)
  // A command's own runs seal nothing: a keyring may want a word with the person.
  const seal = platform.shell.kind === 'cli' ? undefined : createAuditAnchor({ audit: opened.audit, secrets, clock, log })
  const masked = maskedAudit(opened.audit, known.mask)
  const store: Store = {
    ...opened,
    audit: {
      ...masked,
      append(entry) {
        const row = masked.append(entry)
        seal?.touched()
        return row
      },
    },
  }

  try {
    const epoch = newId()
    const hub = createEventHub((error) => log.error('A listener of events failed', error))
    const emit: Emit = checkContract ? checkedEvents(hub.emit) : hub.emit
    const settings = () => store.settings.get()
    const callPerson = createUserNotifier(platform.notify, clock)
    hub.onEvent(callPerson.onEvent)
    const broker = createBroker({
      rules: store.rules,
      sampling: store.sampling,
      audit: store.audit,
      emit,
      clock,
      onOpened: callPerson.onOpened,
      secrets,
      dataDir,
      said: store,
      modeOf: (conversationId) => store.conversations.get(conversationId)?.consentMode ?? 'rules',
      ...(options.policy ? { policy: options.policy } : {}),
    })
    undo.push(() => broker.dispose())
    const file = openServerConfig({
      path: options.configFile ?? join(dataDir, 'servers.json'),
      demo: options.configFile === undefined,
      // Beside a file that the caller named nothing is written.
      ...(options.configFile === undefined ? { lastGood: join(dataDir, 'servers.last-good.json') } : {}),
      log,
      clock,
    })
    undo.push(() => file.dispose())
    const answered = options.configFile === undefined ? answeredTrust(file, store.servers) : undefined
    const config = answered ?? file
    const notices = createProfileNotices({
      config,
      secretsInMemory: () => platform.secrets.kind === 'memory' && platform.shell.kind !== 'cli',
      emit,
      clock,
      budget: () => budgetNow(store.usage, clock, settings()),
      tryWrite: () => store.settings.setFact('disk-checked', clock.now()),
    })
    undo.push(() => notices.dispose())
    void platform.secrets.opened?.then(() => notices.refresh())
    const environment = options.environment ?? createEnvironment()
    const asked = createModelFetch(environment)
    undo.push(() => void asked.close().catch((error: unknown) => log.error('The connections to models could not be let go', error)))
    const models = openModels(
      { secrets, emit, clock, log, env, fetch: asked.fetch },
      {
        store,
        hub,
        onUse() {
          emit('usage.changed', {})
          notices.refresh()
        },
        onError: notices.onError,
      },
    )
    undo.push(() => models.dispose())
    undo.push(
      hub.onEvent(({ name }) => {
        if (name === 'settings.changed') notices.refresh()
      }),
    )

    const scope = options.configFile === undefined ? '' : fileScope(options.configFile)
    const inputs = createInputs({
      secrets,
      scope,
      env,
      onChange: (names) => servers.inputsChanged(names),
      ...(options.askInput ? { ask: options.askInput } : {}),
    })

    // Servers come before chat, and what they ask for is answered by chat: bound late, by name.
    const handlers = auditHandlersOf(store.audit, {
      sampling: (params, by) => chat.handlers.sampling(params, by),
      elicitation: (params, by) => chat.handlers.elicitation(params, by),
      roots: (by) => chat.handlers.roots(by),
    })
    const starts = createStartAudit(store.audit, (error) => log.error('A start could not be put on record', error))
    undo.push(
      hub.onEvent((event) => {
        if (event.name === 'server.changed') starts.observe(event.payload.server)
        if (event.name === 'server.removed') starts.forget(event.payload.name)
      }),
    )
    const observeFlags = (): void => {
      try {
        auditConsentFlags(store, options.configFile ?? '', config.definitions())
      } catch (error) {
        log.error('A change of the file of servers could not be put on record', error)
      }
    }
    const servers = createServers({
      store: store.servers,
      broker,
      secrets,
      scope,
      openUrl: (url) => platform.openUrl(url),
      audit: store.audit,
      emit,
      clock,
      log,
      handlers,
      settings,
      inputs,
      ...(answered ? { claimsTrust: answered.claimsTrust } : {}),
      folder: () => options.roots?.[0] ?? settings().roots[0],
      dataDir,
      version,
      launchBuiltin: platform.launchBuiltin ?? noBuiltins,
      trace: options.trace,
      onSecrets: known.add,
      mask: known.mask,
      environment,
      ...(options.grace ? { grace: options.grace } : {}),
    })
    const registry = openRegistry({ dataDir, address: () => settings().registryAddress, environment, clock, log })
    undo.push(() => void registry.close().catch((error: unknown) => log.error('The registry could not be let go', error)))
    const { bundles, outside } = openBundles(
      { dataDir, config, inputs, servers, environment, audit: store.audit, clock, log, version, registry },
      { os: platform.shell.os, hub },
    )
    const chat = createChat({
      store,
      servers,
      broker,
      models,
      emit,
      clock,
      log,
      settings,
      openUrl: (url) => platform.openUrl(url),
      roots: (server, conversationId) => [...new Set([...(options.roots ?? []), ...offeredFolders(store, server, conversationId)])],
      attended: platform.shell.kind !== 'cli',
      onError: notices.onError,
      onOverdue: callPerson.onOverdue,
    })
    chat.recover()
    const handRuns = createManualRuns({ store, servers, broker, chat, emit, clock, log, mask: known.mask })
    handRuns.recover()

    const spokenOf = (): string[] =>
      [...broker.open(), ...broker.rules().map(({ scope }) => scope)].flatMap((one) =>
        'conversationId' in one && one.conversationId !== undefined ? [one.conversationId] : [],
      )
    const snapshot = (open: readonly string[] = []): Snapshot => ({
      epoch,
      revision: hub.revision,
      version,
      dataDir,
      shell: platform.shell,
      servers: servers.views(),
      ...readInitialLists(store, [...open, ...spokenOf()]),
      consentRequests: broker.open(),
      overdueCalls: [...chat.overdue()],
      rules: broker.rules(),
      models: models.list(),
      providers: models.providers(),
      settings: settings(),
      notices: notices.list(),
      drafts: store.conversations.drafts(),
      draftExtras: store.conversations.draftExtras(),
      outside: outside.list(),
    })
    const firstPage = awaitFirstPage({
      clock,
      isExpected: platform.shell.kind !== 'cli',
      begin() {
        if (options.startServers ?? true) servers.startAtLaunch()
        void bundles.sweep()
        if (platform.shell.kind === 'cli') return
        store.makeReady()
        undo.push(runInBackground({ name: 'search', work: store.search.build, clock, log }))
        undo.push(runInBackground({ name: 'shrink', work: store.vacuum, clock, log, againAfterMs: 60_000 }))
        undo.push(checkProfile({ store, clock, log, onDamage: notices.onDamage }))
      },
    })
    undo.push(() => firstPage.dispose())
    const lookedAt = createViewedContents()
    const context: HostContext = {
      store,
      history: createHistory({ store, emit, clock, stop: (id) => chat.stop(id) }),
      broker,
      config,
      inputs,
      bundles,
      deepLinks: outside,
      servers,
      registry,
      models,
      chat,
      manualRuns: handRuns,
      platform,
      env,
      auditAnchor: seal,
      emit,
      clock,
      log,
      revision: () => hub.revision,
      snapshot,
      shown: firstPage.shown,
      viewedContents: lookedAt,
    }
    const dispatch = createDispatch(allHandlers(context), { check: checkContract })

    observeFlags()
    inputs.configure(config.definitions(), config.inputs())
    servers.configure(config.definitions())
    undo.push(
      config.onChange(() => {
        observeFlags()
        inputs.configure(config.definitions(), config.inputs())
        servers.configure(config.definitions())
        notices.refresh()
        emit('config.changed', {})
      }),
    )

    // The window comes first: what takes a while starts when it has been shown what is there.
    let disposing: Promise<void> | undefined
    const starting = setImmediate(() => {
      models.load().catch((error: unknown) => log.error('The list of models could not be loaded', error))
    })

    function dispose(): Promise<void> {
      clearImmediate(starting)
      firstPage.dispose()
      const turns = Promise.all([chat.dispose(), handRuns.dispose()])
      return shutdownHost({ turns, processes: [servers.dispose(), bundles.dispose()], seal, undo, log })
    }

    return {
      async request(name: string, params: unknown) {
        if (disposing !== undefined) throw new HostError('link.closed', t`Assent is closing.`)
        try {
          return await dispatch(name, params)
        } catch (error) {
          notices.onError(error)
          throw error
        }
      },
      onEvent: (listener) => hub.onEvent(listener),
      snapshot,
      blob: (sha256) => store.blobs.get(sha256) ?? lookedAt.get(sha256),
      openDeepLink: (thing) => void outside.take(thing),
      mcpApp: (id) => chat.mcpApps.document(id),
      backup: (ticket) => store.backup.downloads.take(ticket),
      context,
      dispose: () => (disposing ??= dispose()),
    } as Host
  } catch (error) {
    for (const step of undo.reverse()) step()
    throw error
  }
}
