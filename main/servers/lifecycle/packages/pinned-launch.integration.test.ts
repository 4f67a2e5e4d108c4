// A server that `npx` fetches, from its review to its starts, with the npm of this computer and a registry on it.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ConsentAnswer, LaunchRequest, LaunchTarget } from '#app/consent/request.ts'
import { makeTestHost, type TestHost } from '#main/host/host.testing.ts'
import { createEnvironment } from '../../process/environment/environment.ts'
import { type FakeRegistry, startNpmRegistry } from './npm-registry.testing.ts'

let home: string
let registry: FakeRegistry
let opened: TestHost | undefined
let asked: LaunchRequest[]
let answer: ConsentAnswer | undefined
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'assent-pin-'))
  registry = await startNpmRegistry()
  registry.publish('1.2.3', { marks: join(home, 'ran') })
  setRegistry(registry.url)
  asked = []
  answer = { kind: 'allow', scope: 'always' }
})
afterEach(async () => {
  await opened?.remove()
  opened = undefined
  await registry.close()
  rmSync(home, { recursive: true, force: true })
})

const setRegistry = (url: string): void => writeFileSync(join(home, '.npmrc'), `registry=${url}\nfetch-retries=0\n`)
const ran = (): string[] => {
  try {
    return readFileSync(join(home, 'ran'), 'utf8').trimEnd().split('\n')
  } catch {
    return []
  }
}

/** A host over the profile of the one before. */
async function open(args: readonly string[] = ['-y', 'notes-mcp']): Promise<TestHost['host']> {
  const before = opened
  await before?.host.dispose()
  const { PATH = '' } = process.env
  opened = makeTestHost({
    servers: JSON.stringify({ mcpServers: { notes: { command: 'npx', args } } }),
    environment: createEnvironment({ isTerminal: true, env: { PATH, HOME: home }, home }),
    startServers: false,
    ...(before && { dataDir: before.dataDir, platform: before.platform }),
  })
  const { host } = opened
  host.onEvent((event) => {
    if (event.name !== 'consent.opened' || event.payload.request.kind !== 'launch') return
    asked.push(event.payload.request)
    if (answer) host.context.broker.answer(event.payload.request.id, answer)
  })
  return host
}
const start = (host: TestHost['host']): Promise<string> =>
  host.request('server.start', { name: 'notes' }).then(
    () => 'ready',
    (error: { code: string }) => error.code,
  )
const packageOf = (target: LaunchTarget | undefined) => (target?.transport === 'stdio' ? target.package : undefined)
const saveRule = (host: TestHost['host']): Promise<unknown> =>
  host.request('rule.save', { rule: { effect: 'allow', server: 'notes', tool: 'say', scope: { kind: 'always' } } })
const npxFolder = (): string => {
  const at = join(home, '.npm', '_npx')
  return join(at, readdirSync(at)[0] ?? '')
}

// Each start is npm's and npx's own.
describe('a package that npx fetches', { timeout: 400_000 }, () => {
  test('is shown in its version, started in it, and asks no registry at the next start', async () => {
    let host = await open()
    expect(await start(host)).toBe('ready')
    expect(asked.map(({ why, target }) => [why.kind, packageOf(target)])).toEqual([
      ['first-launch', { name: 'notes-mcp', version: '1.2.3', integrity: expect.stringMatching(/^sha512-/) as string }],
    ])
    registry.publish('1.3.0', { marks: join(home, 'ran') })
    await registry.close()
    const before = registry.asked.length
    host = await open()
    expect([await start(host), ran(), asked.length, registry.asked.length - before]).toEqual(['ready', ['1.2.3', '1.2.3'], 1, 0])
  })

  test('is offered in a newer version, which nothing changes to without a yes; the rules of the same tools go on', async () => {
    let host = await open()
    await start(host)
    await saveRule(host)
    registry.publish('1.3.0', { marks: join(home, 'ran') })
    answer = { kind: 'deny' }
    host = await open()
    expect([await start(host), ran().at(-1)]).toEqual(['ready', '1.2.3'])
    await expect.poll(() => asked.length).toBe(2)
    expect([asked[1]?.why.kind, packageOf(asked[1]?.previous)?.version, packageOf(asked[1]?.target)?.version]).toEqual([
      'package-update',
      '1.2.3',
      '1.3.0',
    ])
    answer = { kind: 'allow', scope: 'always' }
    host = await open()
    expect([await start(host), ran().at(-1), asked.length]).toEqual(['ready', '1.2.3', 2])
    expect(await host.request('server.offerUpdate', { name: 'notes' })).toEqual({ offered: true })
    await expect.poll(() => asked.length).toBe(3)
    host = await open()
    expect([await start(host), ran().at(-1), asked.length]).toEqual(['ready', '1.3.0', 3])
    expect(host.context.broker.rules().map(({ program }) => program)).toEqual([host.context.store.rules.launch('notes')?.fingerprint])
  })

  test('is offered once in one version, however often somebody looks while the question waits', async () => {
    const host = await open()
    await start(host)
    registry.publish('1.3.0', { marks: join(home, 'ran') })
    const look = (): Promise<{ offered: boolean }> => host.request('server.offerUpdate', { name: 'notes' })
    expect(await Promise.all([look(), look(), look()])).toEqual([{ offered: true }, { offered: true }, { offered: true }])
    expect(asked.map(({ why }) => why.kind)).toEqual(['first-launch', 'package-update'])
  })

  test('is not offered in an older version that its registry calls the latest', async () => {
    registry.publish('1.3.0', { marks: join(home, 'ran') })
    let host = await open()
    await start(host)
    registry.tag('1.2.3')
    host = await open()
    expect([await start(host), await host.request('server.offerUpdate', { name: 'notes' })]).toEqual(['ready', { offered: false }])
    registry.publish('1.4.0', { marks: join(home, 'ran') })
    expect(await host.request('server.offerUpdate', { name: 'notes' })).toEqual({ offered: true })
    expect([asked.at(-1)?.why.kind, packageOf(asked.at(-1)?.target)?.version, asked.length]).toEqual(['package-update', '1.4.0', 2])
  })

  test('that another integrity is answered for is not run, nor its scripts', async () => {
    let shown = false
    const host = await open()
    host.onEvent((event) => {
      if (event.name !== 'consent.opened' || shown) return
      shown = true
      registry.publish('1.2.3', { marks: join(home, 'ran'), description: 'another file under the same version' })
    })
    expect([await start(host), ran()]).toEqual(['server.package-changed', []])
  })

  test('whose files were replaced in the cache is not run', async () => {
    let host = await open()
    await start(host)
    const file = join(npxFolder(), 'node_modules/notes-mcp/server.js')
    writeFileSync(file, readFileSync(file, 'utf8').replace('1.2.3', 'evil'))
    host = await open()
    expect([await start(host), ran()]).toEqual(['server.package-changed', ['1.2.3']])
    rmSync(npxFolder(), { recursive: true })
    expect([await start(host), ran()]).toEqual(['ready', ['1.2.3', '1.2.3']])
  })

  test.each(['memory.json', 'memory.jsonl'])('that writes %s beside its program is started again', async (name) => {
    let host = await open()
    await start(host)
    writeFileSync(join(npxFolder(), 'node_modules/notes-mcp', name), '{"entities": []}')
    host = await open()
    expect([await start(host), ran()]).toEqual(['ready', ['1.2.3', '1.2.3']])
  })

  test('is installed anew with the dependencies that it had, and not run when one of them is another', async () => {
    const marks = join(home, 'ran')
    registry.publish('1.0.0', { name: 'notes-dep', marks, mark: 'dep 1.0.0' })
    registry.publish('1.2.3', { marks, dependencies: { 'notes-dep': '^1.0.0' } })
    let host = await open()
    await start(host)
    registry.publish('1.1.0', { name: 'notes-dep', marks, mark: 'dep 1.1.0' })
    rmSync(npxFolder(), { recursive: true })
    host = await open()
    expect([await start(host), ran()]).toEqual(['ready', ['1.2.3', 'dep 1.0.0', '1.2.3', 'dep 1.0.0']])
    writeFileSync(join(npxFolder(), 'node_modules/notes-dep/server.js'), '')
    host = await open()
    expect(await start(host)).toBe('server.package-changed')
  })

  test('of which no registry tells the version is started all the same, and asked about once one does', async () => {
    setRegistry('http://127.0.0.1:9/')
    answer = { kind: 'allow', scope: 'always' }
    let host = await open()
    await start(host)
    expect(asked.map(({ target }) => target)).toMatchObject([{ unpinned: 'unreachable' }])
    setRegistry(registry.url)
    host = await open()
    expect([await start(host), asked[1]?.why.kind, packageOf(asked[1]?.target)?.version, ran()]).toEqual([
      'ready',
      'package-known',
      '1.2.3',
      ['1.2.3'],
    ])
  })

  test('of a profile of before is pinned without asking', async () => {
    const host = await open()
    const target: LaunchTarget = { transport: 'stdio', command: 'npx', args: ['-y', 'notes-mcp'], envNames: [], folder: home }
    answer = undefined
    const { rules } = host.context.store
    const { launchFingerprint } = await import('#main/consent/audit-writer.ts')
    rules.putLaunch('notes', { fingerprint: launchFingerprint(target), target, digests: [] })
    expect([await start(host), asked, packageOf(rules.launch('notes')?.target)?.version]).toEqual(['ready', [], '1.2.3'])
  })
})
