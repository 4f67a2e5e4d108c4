// Configuration, inputs, servers, registry and bundles. `chat` is called late: servers are made before it, and it answers what they ask.
import { join } from 'node:path'
import type { ServerDefinition } from '#app/server/definition.ts'
import type { EventHub } from '#main/base/events.ts'
import type { Chat } from '#main/chat/chat.ts'
import type { ChatContext } from '#main/chat/chat-context.ts'
import { createDiscoverServers } from '#main/install/discover-servers.ts'
import { openBundles } from '#main/install/open-bundles.ts'
import { openRegistry } from '#main/install/registry/registry.ts'
import { auditHandlersOf } from '#main/servers/client/requests/request-audit.ts'
import { openServerConfig, type ServerConfig } from '#main/servers/config/config-file.ts'
import { createInputs, fileScope } from '#main/servers/config/inputs/input-values.ts'
import { unmaskDefinition } from '#main/servers/config/mask-definition.ts'
import { launchKey } from '#main/servers/lifecycle/launch-target.ts'
import { createServers } from '#main/servers/lifecycle/servers.ts'
import type { Environment } from '#main/servers/process/environment/environment.ts'
import { noBuiltins } from '#main/servers/process/server-process.ts'
import type { ServerStore } from '#main/store/store-api.ts'
import type { HostBase } from './host-options.ts'
import type { HostStores } from './open-stores.ts'
import { createStartAudit } from './start-audit.ts'

type HostConfig = ServerConfig & Partial<AnsweredConfig>

export function openConfig(
  { dataDir, configFile, clock, log, undo }: HostBase,
  { store }: HostStores,
  { runsOther }: Pick<ChatContext['broker'], 'runsOther'>,
): HostConfig {
  // Nothing is written beside a file that the caller named.
  const own = { path: join(dataDir, 'servers.json'), demo: true, lastGood: join(dataDir, 'servers.last-good.json') }
  const file = openServerConfig({ ...(configFile === undefined ? own : { path: configFile, demo: false }), log, clock })
  undo.push(() => file.dispose())
  return configFile === undefined ? answeredTrust(file, store.servers, runsOther) : file
}

interface ServersContext extends HostStores, Pick<ChatContext, 'emit' | 'broker'> {
  readonly hub: EventHub
  readonly config: HostConfig
  readonly environment: Environment
  readonly chat: () => Chat
}

export function openServers(
  base: HostBase,
  { store, secrets, knownSecrets, hub, emit, broker, config, environment, chat }: ServersContext,
) {
  const { dataDir, platform, version, clock, log, env, configFile, undo } = base
  const settings = () => store.settings.get()
  const scope = configFile === undefined ? '' : fileScope(configFile)
  const inputs = createInputs({
    secrets,
    scope,
    env,
    onChange: (names) => servers.inputsChanged(names),
    ...(base.askInput ? { ask: base.askInput } : {}),
  })
  const handlers = auditHandlersOf(store.audit, {
    sampling: (params, by) => chat().handlers.sampling(params, by),
    elicitation: (params, by) => chat().handlers.elicitation(params, by),
    roots: (by) => chat().handlers.roots(by),
  })
  const starts = createStartAudit(store.audit, (error) => log.error('A start could not be put on record', error))
  undo.push(
    hub.onEvent((event) => {
      if (event.name === 'server.changed') starts.observe(event.payload.server)
      if (event.name === 'server.removed') starts.forget(event.payload.name)
    }),
  )
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
    ...(config.claimsTrust ? { claimsTrust: config.claimsTrust } : {}),
    folder: () => base.roots?.[0] ?? settings().roots[0],
    dataDir,
    version,
    launchBuiltin: platform.launchBuiltin ?? noBuiltins,
    trace: base.trace,
    onSecrets: knownSecrets.add,
    mask: knownSecrets.mask,
    maskHost: knownSecrets.maskHost,
    environment,
    ...(base.grace ? { grace: base.grace } : {}),
    ...(base.sandbox ? { sandbox: base.sandbox } : {}),
  })
  const registry = openRegistry({ dataDir, address: () => settings().registryAddress, environment, clock, log })
  undo.push(() => void registry.close().catch((error: unknown) => log.error('The registry could not be let go', error)))
  const { bundles, deepLinks } = openBundles(
    { dataDir, config, inputs, servers, broker, environment, audit: store.audit, clock, log, version, registry },
    { os: platform.shell.os, hub },
  )
  return { inputs, scope, servers, registry, bundles, deepLinks, discoverServers: createDiscoverServers(environment) }
}

// Whether a server is trusted is an answer of the person, kept in the store and bound to what the server runs. `trusted` in the
// profile's servers.json is only a claim, since other programs can write there. A file that the caller named is believed.
interface AnsweredConfig extends ServerConfig {
  /** Whether the file marks the server as trusted and the person did not. */
  claimsTrust(name: string): boolean
}

/** `runsOther`: whether another program runs than the approved one; the trust in that one is none in this. */
function answeredTrust(
  config: ServerConfig,
  store: Pick<ServerStore, 'trusted' | 'putTrust'>,
  runsOther: (name: string) => boolean = () => false,
): AnsweredConfig {
  const isClaim = ({ transport, trusted }: ServerDefinition): boolean => trusted && transport !== 'builtin'
  const counts = (answers: ReadonlyMap<string, string>, name: string, definition: ServerDefinition): boolean =>
    !isClaim(definition) || (answers.get(name) === launchKey(definition) && !runsOther(name))

  /** Forgets the trust of servers whose mark was taken out of the file: writing it there again is no answer. */
  function forgetWithdrawn(): void {
    for (const name of store.trusted().keys()) if (config.definitions().get(name)?.trusted === false) store.putTrust(name, undefined)
  }
  forgetWithdrawn()
  config.onChange(forgetWithdrawn)

  return {
    ...config,
    definitions() {
      const answers = store.trusted()
      const all = [...config.definitions()]
      return new Map(all.map(([name, one]) => [name, counts(answers, name, one) ? one : { ...one, trusted: false }]))
    },
    claimsTrust(name) {
      const definition = config.definitions().get(name)
      return definition !== undefined && !counts(store.trusted(), name, definition)
    },
    // The app saves what the person answered, now or before.
    save(name, definition, previousName) {
      const before = store.trusted().get(name)
      const whole = unmaskDefinition(name, definition, config.definitions().get(previousName ?? name))
      store.putTrust(name, isClaim(whole) ? launchKey(whole) : undefined)
      try {
        config.save(name, definition, previousName)
      } catch (error) {
        store.putTrust(name, before)
        throw error
      }
    },
  }
}
