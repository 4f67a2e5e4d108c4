// What a server with fifty thousand resources costs the host's loop: while they are listed and kept, while they are listed again and
// are the same, and when the next run reads what is known of them.

import { setTimeout as wait } from 'node:timers/promises'
import { createMemorySecrets } from '#main/base/secret-store.ts'
import { createHost, type Host } from '#main/host.ts'
import { createNodePlatform } from '#main/shell/node/node-platform.ts'
import { type Strain, strainOf } from '../strain.ts'

const total = 50_000

async function listed(host: Host, server: string): Promise<void> {
  while (host.context.servers.catalogue(server).resources.length < total) await wait(5)
}

/** On a profile in which its launch is approved. */
export async function strainOnHost(dataDir: string, server: string): Promise<Readonly<Record<string, Strain>>> {
  const open = (): Host =>
    createHost({
      dataDir,
      version: 'bench',
      sandbox: 'off',
      startServers: false,
      platform: createNodePlatform({ kind: 'cli', secrets: createMemorySecrets() }),
      policy: () => ({ kind: 'allow', scope: 'always' }),
    })
  let host = open()
  const listing = await strainOf(async () => {
    await host.context.servers.start(server)
    await listed(host, server)
    await wait(500) // They are written after they are there.
  })
  const again = await strainOf(async () => {
    await host.context.servers.restart(server)
    await wait(500)
  })
  await host.dispose()
  const reading = await strainOf(async () => {
    host = open()
    await listed(host, server)
  })
  await host.dispose()
  return { 'listed and kept': listing, 'listed again': again, 'read in the next run': reading }
}
