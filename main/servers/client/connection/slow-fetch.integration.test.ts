// A first download takes longer than a start may: with a registry on this computer that is slow, and no sandbox.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeTestHost } from '#main/host/host.testing.ts'
import { createEnvironment } from '#main/servers/process/environment/environment.ts'
import { type FakeRegistry, startNpmRegistry } from '../../lifecycle/packages/npm-registry.testing.ts'

let folder = ''
let registry: FakeRegistry
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assent-slow-fetch-'))
})
afterEach(async () => {
  await registry.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
})

/** Starts a server of a package by npx, with a limit that is shorter than its download takes. */
async function start(slowMs: number, limitMs: number, args: readonly string[] = ['-y', 'notes-mcp@1.0.0']) {
  registry = await startNpmRegistry({ slowMs })
  registry.publish('1.0.0')
  const env = { npm_config_registry: registry.url, npm_config_cache: join(folder, 'cache'), npm_config_audit: 'false' }
  const entry = { command: 'npx', args, env, startTimeout: limitMs }
  writeFileSync(join(folder, 'servers.json'), JSON.stringify({ mcpServers: { notes: entry } }))
  const { host } = makeTestHost({ dataDir: folder, environment: createEnvironment({ isTerminal: true }), startServers: false })
  const steps: string[] = []
  host.onEvent((event) => {
    if (event.name === 'consent.opened') host.context.broker.answer(event.payload.request.id, { kind: 'allow', scope: 'once' })
    if (event.name !== 'server.changed') return
    const { state } = event.payload.server
    if (state.kind === 'starting' && steps.at(-1) !== state.step) steps.push(state.step)
  })
  const error = await host.request('server.start', { name: 'notes' }).then(
    () => undefined,
    (failed: { readonly code?: string }) => failed.code,
  )
  const state = () => host.snapshot().servers[0]?.state
  return { host, steps, error, state }
}

it('the time that a launcher fetches is none of the start’s, and the phase is told', async () => {
  const { host, steps, state } = await start(8_000, 6_000)
  await expect.poll(() => state()?.kind, { timeout: 90_000 }).toBe('ready')
  expect(steps).toContain('fetching')
  await host.dispose()
}, 120_000)
