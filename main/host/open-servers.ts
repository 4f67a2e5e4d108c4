// Configuration, inputs, servers, registry and bundles. `chat` is called late: servers are made before it, and it answers what they ask.
import { join } from 'node:path'
import type { EventHub } from '#main/base/events.ts'
import type { Chat } from '#main/chat/chat.ts'
import type { ChatContext } from '#main/chat/chat-context.ts'
import { openBundles } from '#main/install/open-bundles.ts'
import { openRegistry } from '#main/install/registry/registry.ts'
import { auditHandlersOf } from '#main/servers/client/requests/request-audit.ts'
import { openServerConfig, type ServerConfig } from '#main/servers/config/config-file.ts'
import { createInputs, fileScope } from '#main/servers/config/inputs/input-values.ts'
import { createServers } from '#main/servers/lifecycle/servers.ts'
import type { Environment } from '#main/servers/process/environment/environment.ts'
import { noBuiltins } from '#main/servers/process/server-process.ts'
import type { HostBase } from './host-options.ts'
import type { HostStores } from './open-stores.ts'
import { type AnsweredConfig, answeredTrust } from './server-trust.ts'
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
  return { inputs, scope, servers, registry, bundles, deepLinks }
}
