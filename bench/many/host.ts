// The whole host on a profile: prints how long from its making to the moment when all good servers were ready, and, once
// every bad one has failed, what each came to. Argument: the profile's folder.
import { createMemorySecrets } from '#main/base/secret-store.ts'
import { createHost } from '#main/host.ts'
import { createNodePlatform } from '#main/shell/node/node-platform.ts'
import { openStateKey } from '#main/shell/node/state-key.ts'

const [dataDir = ''] = process.argv.slice(2)
const stateKey = await openStateKey({ dataDir })
const begun = performance.now()
const host = createHost({
  dataDir,
  version: 'bench',
  platform: createNodePlatform({ kind: 'web', secrets: createMemorySecrets() }),
  stateKey,
})
const madeMs = performance.now() - begun
const ready = new Set<string>()
/** `ms`: when its cause was named; `overMs`: when its start had failed. */
const broken = new Map<string, { readonly diagnosis: string; readonly ms: number; readonly overMs: number }>()
const named = new Map<string, number>()
const over = Promise.withResolvers<void>()
const names = host.context.servers.views().map(({ name }) => name)
const good = names.filter((name) => name.startsWith('good-'))
let readyMs = 0
let cpuMs = 0
host.onEvent((event) => {
  if (event.name !== 'server.changed') return
  const { name, state } = event.payload.server
  const ms = performance.now() - begun
  if (state.kind === 'ready') ready.add(name)
  // Of one that goes on, a cause may be named as well: that it wrote what is no MCP.
  if (state.kind === 'starting' && state.diagnosis && !named.has(name)) named.set(name, ms)
  if (state.kind === 'failed' && !broken.has(name))
    broken.set(name, { diagnosis: state.diagnosis?.code ?? state.error.code, ms: named.get(name) ?? ms, overMs: ms })
  if (state.kind === 'waiting') broken.set(name, { diagnosis: 'waits for an answer', ms, overMs: ms })
  if (readyMs === 0 && ready.size === good.length) {
    readyMs = ms
    const { user, system } = process.cpuUsage()
    cpuMs = (user + system) / 1000
  }
  if (ready.size + broken.size === names.length) over.resolve()
})
await host.request('app.shown', {})
await over.promise
process.stdout.write(`${JSON.stringify({ madeMs, readyMs, cpuMs, broken: Object.fromEntries(broken) })}\n`)
await host.dispose()
process.exit()
