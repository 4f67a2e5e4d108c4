import { join } from 'node:path'
import { tidyRegistryAddress } from '#app/server/registry/registry-url.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Log } from '#main/base/host-log.ts'
import type { Environment } from '#main/servers/process/environment/environment.ts'
import { proxiesIn } from '#main/servers/transport/http/dispatchers.ts'
import { createGetJson } from './get-json.ts'
import { createRegistry, createRegistryCache, type Registry } from './registry.ts'

interface OpenRegistryOptions {
  readonly dataDir: string
  /** As the settings have it. */
  readonly address: () => string
  /** The person's own variables name the proxies, as for servers. */
  readonly environment: Pick<Environment, 'variables'>
  readonly clock: Clock
  readonly log: Log
}

/** With its answers kept in the profile. Asks nobody yet. */
export const openRegistry = ({ dataDir, address, environment, clock, log }: OpenRegistryOptions): Registry =>
  createRegistry({
    address: () => tidyRegistryAddress(address()),
    getJson: createGetJson(async () => proxiesIn(await environment.variables())),
    cache: createRegistryCache(join(dataDir, 'registry'), log),
    clock,
  })
