// Bundles as this host has them, and what opens one from outside.
import { homedir } from 'node:os'
import type { ShellView } from '#app/contract/snapshot.ts'
import { systemOf } from '#app/server/bundle/concerns.ts'
import type { EventHub } from '#main/base/events.ts'
import { type Bundles, type BundlesOptions, createBundles } from '#main/servers/bundles/bundles.ts'
import { createOutside, type Outside } from './outside.ts'
import { personalPlaces } from './places.ts'

export interface BundlesHere {
  readonly os: ShellView['os']
  readonly hub: EventHub
}

/** Listens for as long as the hub is there. */
export function openBundles(
  options: Omit<BundlesOptions, 'system' | 'places' | 'emit'>,
  { os, hub }: BundlesHere,
): { readonly bundles: Bundles; readonly outside: Outside } {
  const bundles = createBundles({ ...options, system: systemOf(os), places: personalPlaces(homedir()), emit: hub.emit })
  hub.onEvent((event) => {
    if (event.name === 'server.changed') bundles.observe(event.payload.server)
  })
  return { bundles, outside: createOutside({ bundles, emit: hub.emit }) }
}
