import { join } from 'node:path'
import { tidyRegistryAddress } from '#app/server/registry/address.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Log } from '#main/base/log.ts'
import { proxiesIn } from '../http/dispatchers.ts'
import { createRegistryCache } from './cache.ts'
import { createGetJson } from './get-json.ts'
import { createRegistry, type Registry } from './registry.ts'

export interface OpenRegistryOptions {
  readonly dataDir: string
  /** As the settings have it. */
  readonly address: () => string
  /** Where a proxy is named. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  readonly log: Log
}

/** With its answers kept in the profile. Asks nobody yet. */
export const openRegistry = ({ dataDir, address, env, clock, log }: OpenRegistryOptions): Registry =>
  createRegistry({
    address: () => tidyRegistryAddress(address()),
    getJson: createGetJson(() => proxiesIn(env)),
    cache: createRegistryCache(join(dataDir, 'registry'), log),
    clock,
  })
