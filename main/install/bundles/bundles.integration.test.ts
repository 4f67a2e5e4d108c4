import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import type { BundleSummary } from '#app/server/bundle/bundle-summary.ts'
import type { StdioDefinition } from '#app/server/definition.ts'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import { makeTestHost, type TestHost } from '#main/host/host.testing.ts'
import { createEnvironment } from '#main/servers/process/environment/environment.ts'
import { makeBundle, makeIdentities, makeManifest, signBundle } from './bundles.testing.ts'

let test_: TestHost
let count = 0
const asked: string[] = []
const identities = mkdtempSync(join(tmpdir(), 'assent-signers-'))
afterAll(() => rmSync(identities, { recursive: true, force: true }))

beforeEach(() => {
  asked.length = 0
  test_ = makeTestHost({ environment: createEnvironment({ isTerminal: true }), startServers: false })
  test_.host.onEvent((event) => {
    if (event.name !== 'consent.opened') return
    asked.push(event.payload.request.kind)
    test_.host.context.broker.answer(event.payload.request.id, { kind: 'allow', scope: 'once' })
  })
})
afterEach(() => test_.remove())

const withConfig = (version: string, more: JsonObject = {}): JsonObject =>
  makeManifest({
    version,
    server: {
      type: 'node',
      entry_point: 'server/index.mjs',
      mcp_config: {
        command: 'node',
        args: [`\${__dirname}/server/index.mjs`, `\${user_config.folders}`, `--limit=\${user_config.limit}`, `\${user_config.nothing}`],
        env: { NOTES_TOKEN: `\${user_config.token}` },
      },
    },
    user_config: {
      token: { type: 'string', title: 'Token', description: 'Of the notes', sensitive: true, required: true },
      folders: { type: 'directory', title: 'Folders', description: '', multiple: true, default: [`\${HOME}/notes`] },
      limit: { type: 'number', title: 'Limit', description: '', min: 1, max: 10, default: 3 },
      nothing: { type: 'string', title: 'Left out', description: '' },
    },
    ...more,
  })

async function upload(bytes: Buffer): Promise<BundleSummary> {
  const name = `upload-${count++}`
  for (let at = 0; at < bytes.length; at += 900)
    await test_.host.request('bundle.part', { upload: name, at, data: bytes.subarray(at, at + 900).toString('base64') })
  return test_.host.request('bundle.open', { upload: name, file: '/somewhere/notes.mcpb' })
}
const install = async (bytes: Buffer, values: JsonObject = { token: 's3cret', folders: ['/a', '/b c'], limit: 4 }): Promise<void> => {
  const { id } = await upload(bytes)
  await test_.host.request('bundle.install', { id, server: 'notes', values: values as never })
}
const definition = (name = 'notes') => test_.host.context.config.definitions().get(name) as StdioDefinition | undefined
const bundleFolders = (): string[] => readdirSync(join(test_.dataDir, 'bundles')).filter((name) => name !== 'incoming')
const fileText = (): string => readFileSync(join(test_.dataDir, 'servers.json'), 'utf8')

describe('a bundle', () => {
  test('is shown before anything of it is unpacked: its words, its settings, what it runs and whether it fits', async () => {
    const view = await upload(
      makeBundle(withConfig('1.0.0', { tools: [{ name: 'told' }], compatibility: { platforms: ['linux'], runtimes: { node: '>=99' } } })),
    )
    expect(view).toMatchObject({
      file: 'notes.mcpb',
      files: 2,
      suggestedName: 'notes',
      signature: { kind: 'none' },
      facts: { name: 'notes', version: '1.0.0', author: { name: 'Maya' }, tools: [{ name: 'told', description: '' }] },
      fit: [
        { what: 'system', fits: 'yes' },
        { what: 'node', fits: 'no', wants: '>=99' },
      ],
      concerns: [],
      updates: [],
    })
    expect(view.fields.map(({ key, sensitive, value }) => [key, sensitive, value])).toMatchObject([
      ['token', true, undefined],
      ['folders', false, [expect.stringMatching(/\/notes$/)]],
      ['limit', false, 3],
      ['nothing', false, undefined],
    ])
    expect(bundleFolders()).toEqual([])
  })

  test('becomes an ordinary server: its secret is a reference, several values are several words, nothing is started', async () => {
    await install(makeBundle(withConfig('1.0.0')))
    const files = join(test_.dataDir, 'bundles', bundleFolders()[0] ?? '', 'files')
    expect(definition()).toMatchObject({
      command: 'node',
      args: [join(files, 'server/index.mjs'), '/a', '/b c', '--limit=4'],
      env: { NOTES_TOKEN: '$' + '{input:token}' },
      cwd: files,
      trusted: false,
      start: 'needed',
    })
    expect([asked, fileText().includes('s3cret'), test_.host.context.servers.view('notes')?.state.kind]).toEqual([[], false, 'stopped'])
    await test_.host.request('server.start', { name: 'notes' })
    expect([asked, test_.host.context.servers.view('notes')?.state.kind]).toEqual([['launch'], 'ready'])
  })

  test('is set otherwise without entering its secret again; what cannot be is named by its setting', async () => {
    await install(makeBundle(withConfig('1.0.0')))
    await expect(test_.host.request('bundle.configure', { server: 'notes', values: { limit: 11 } })).rejects.toMatchObject({
      code: 'bundle.values',
      data: { field: 'limit', fault: 'too-large' },
    })
    await test_.host.request('bundle.configure', { server: 'notes', values: { limit: 5 } })
    const { bundle } = await test_.host.request('bundle.installed', { server: 'notes' })
    expect([definition()?.args.at(-1), bundle?.fields.map(({ key, kept, value }) => [key, kept, value])]).toMatchObject([
      '--limit=5',
      [
        ['token', true, undefined],
        ['folders', false, expect.anything()],
        ['limit', false, 5],
        ['nothing', false, undefined],
      ],
    ])
  })

  test('is updated: what changes is told, the version before goes when the new one has started, the secret stays', async () => {
    await install(makeBundle(withConfig('1.0.0', { tools: [{ name: 'told', description: 'a' }] })))
    await test_.host.request('server.start', { name: 'notes' })
    const next = await upload(
      makeBundle(withConfig('1.1.0', { display_name: 'Notes', tools: [{ name: 'told', description: 'b' }, { name: 'more' }] })),
    )
    expect(next.concerns).toEqual([])
    expect(next.updates).toMatchObject([
      {
        server: 'notes',
        version: '1.0.0',
        order: 'newer',
        sameOrigin: true,
        changes: [
          { what: 'tool', name: 'told', before: 'a', after: 'b' },
          { what: 'tool', name: 'more', after: '' },
        ],
      },
    ])
    await test_.host.request('bundle.update', { id: next.id, server: 'notes', values: { folders: ['/a'] } })
    await expect.poll(() => test_.host.context.servers.view('notes')?.state.kind).toBe('ready')
    await expect.poll(bundleFolders).toHaveLength(1)
    expect([asked, definition()?.cwd?.includes('1-1-0'), await test_.host.context.inputs.get('notes', 'token')]).toEqual([
      ['launch', 'launch'],
      true,
      's3cret',
    ])
  })

  test('goes back to the version before until the new one has started', async () => {
    await install(makeBundle(withConfig('1.0.0')))
    const next = await upload(makeBundle(withConfig('2.0.0')))
    await test_.host.request('bundle.update', { id: next.id, server: 'notes', values: {} })
    const during = bundleFolders().length
    await test_.host.request('bundle.goBack', { server: 'notes' })
    const { bundle } = await test_.host.request('bundle.installed', { server: 'notes' })
    expect([during, bundleFolders().length, bundle?.facts.version, bundle?.previous]).toEqual([2, 1, '1.0.0', undefined])
    await expect(test_.host.request('bundle.goBack', { server: 'notes' })).rejects.toMatchObject({ code: 'bundle.gone' })
  })

  test('is removed while it runs, comes back whole when that is undone, and is gone for good as Assent closes', async () => {
    await install(makeBundle(withConfig('1.0.0')))
    await test_.host.request('server.start', { name: 'notes' })
    const state = test_.host.context.servers.view('notes')?.state
    const pid = state?.kind === 'ready' ? state.pid : undefined
    const { text } = await test_.host.request('server.remove', { name: 'notes' })
    await expect.poll(() => isAlive(pid)).toBe(false)
    expect([definition(), await test_.host.context.inputs.get('notes', 'token')]).toEqual([undefined, undefined])
    // The sweep of the start may come later than the first removal.
    await test_.host.context.bundles.sweep()
    await test_.host.request('config.save', { text })
    expect([await test_.host.context.inputs.get('notes', 'token'), bundleFolders().length]).toEqual(['s3cret', 1])
    await test_.host.request('server.start', { name: 'notes' })
    expect(test_.host.context.servers.view('notes')?.state.kind).toBe('ready')
    await test_.host.request('server.remove', { name: 'notes' })
    await test_.host.dispose()
    expect([bundleFolders(), await test_.platform.secrets.get('input/notes/token')]).toEqual([[], undefined])
  })

  test('that was removed is gone for good after some minutes, with a secret that its command never named', async () => {
    const clock = manualClock()
    const other = makeTestHost({ environment: createEnvironment({ isTerminal: true }), startServers: false, clock })
    const path = join(other.dataDir, 'notes.mcpb')
    writeFileSync(
      path,
      makeBundle(makeManifest({ user_config: { spare: { type: 'string', title: 'Spare', description: '', sensitive: true } } })),
    )
    const { id } = await other.host.context.bundles.openPath(path)
    await other.host.request('bundle.install', { id, server: 'notes', values: { spare: 'unused' } })
    const before = await other.platform.secrets.get('input/notes/spare')
    await other.host.request('server.remove', { name: 'notes' })
    clock.advance(10 * 60_000)
    const left = (): string[] => readdirSync(join(other.dataDir, 'bundles')).filter((name) => name !== 'incoming')
    await expect.poll(left).toEqual([])
    expect([before, await other.platform.secrets.get('input/notes/spare')]).toEqual(['unused', undefined])
    await other.remove()
  })

  test('is no bundle without a manifest that can be used; the field is named', async () => {
    await expect(upload(makeBundle({ ...makeManifest(), author: {} }))).rejects.toMatchObject({
      code: 'bundle.manifest',
      data: { field: 'author.name' },
    })
    expect(readdirSync(join(test_.dataDir, 'bundles', 'incoming'))).toEqual([])
  })

  test('that names what is not its own is not installed, and leaves nothing behind', async () => {
    const { id } = await upload(
      makeBundle(
        makeManifest({
          server: {
            type: 'node',
            entry_point: 'server/index.mjs',
            mcp_config: { command: 'node', args: ['x'], env: { A: '$' + '{env:AWS_SECRET_ACCESS_KEY}' } },
          },
        }),
      ),
    )
    await expect(test_.host.request('bundle.install', { id, server: 'notes', values: {} })).rejects.toMatchObject({
      code: 'bundle.manifest',
    })
    expect([bundleFolders(), definition()]).toEqual([[], undefined])
  })

  test('does not take the place of what another signed, nor of a server that is there', async () => {
    const made = makeIdentities(identities)
    if (!made) throw new Error('openssl is needed for this test')
    await install(signBundle(makeBundle(withConfig('1.0.0')), made.self, identities))
    const other = await upload(makeBundle(withConfig('2.0.0')))
    expect(other.updates).toMatchObject([{ sameOrigin: false }])
    for (const name of ['bundle.update', 'bundle.install'] as const)
      await expect(test_.host.request(name, { id: other.id, server: 'notes', values: { token: 'x' } })).rejects.toMatchObject({
        code: 'config.invalid',
      })
    const own = await upload(signBundle(makeBundle(withConfig('2.0.0')), made.self, identities))
    expect(own.updates).toMatchObject([{ sameOrigin: true }])
  })
})

test('a secret of a bundle is never one that all servers share', async () => {
  writeFileSync(
    join(test_.dataDir, 'servers.json'),
    JSON.stringify({ inputs: [{ type: 'promptString', id: 'token', password: true }], mcpServers: {} }),
  )
  await expect.poll(() => test_.host.context.inputs.declared().has('token')).toBe(true)
  await install(makeBundle(withConfig('1.0.0')))
  expect(definition()?.env).toEqual({ NOTES_TOKEN: '$' + '{input:token-2}' })
})

test('at the next start folders go that no server names; those of a server that was renamed stay', async () => {
  await install(makeBundle(withConfig('1.0.0')))
  const { id } = await upload(makeBundle(withConfig('1.0.0', { name: 'other' })))
  await test_.host.request('bundle.install', { id, server: 'other', values: { token: 'x' } })
  const entry = definition()
  if (!entry) throw new Error('it was not installed')
  await test_.host.request('server.save', { name: 'renamed', previousName: 'notes', definition: entry })
  // Taken out of the file, and not by `server.remove`, which can be undone for a while.
  const file = JSON.parse(fileText())
  delete file.mcpServers.other
  await test_.host.request('config.save', { text: JSON.stringify(file) })
  const before = bundleFolders().length
  await test_.host.context.bundles.sweep()
  const { bundle } = await test_.host.request('bundle.installed', { server: 'renamed' })
  expect([before, bundleFolders().length, bundle?.facts.name, readdirSync(join(test_.dataDir, 'bundles', 'incoming'))]).toEqual([
    2,
    1,
    'notes',
    [],
  ])
})

describe('what comes from outside', () => {
  const link = (text: string): void => test_.host.openDeepLink({ kind: 'link', text })
  const items = async () => (await test_.host.request('app.snapshot', {})).outside ?? []

  test('waits, a few at most, each once; nothing is added or started', async () => {
    for (let times = 0; times < 20; times++) link('assent://install?name=a')
    for (let times = 0; times < 20; times++) link(`assent://install?name=${times}`)
    link(`assent://install?name=${'x'.repeat(40_000)}`)
    expect([(await items()).length, [...test_.host.context.config.definitions()], asked]).toEqual([5, [], []])
    for (const { id } of await items()) await test_.host.request('deepLink.dismiss', { id })
    link(`assent://install?name=${'x'.repeat(40_000)}`)
    expect((await items()).map(({ kind }) => kind)).toEqual(['refused'])
  })

  test('a file is looked at, not installed; one that is no bundle is refused in words', async () => {
    const path = join(test_.dataDir, 'opened.mcpb')
    writeFileSync(path, makeBundle())
    test_.host.openDeepLink({ kind: 'file', path })
    await expect.poll(async () => (await items()).map(({ kind }) => kind)).toEqual(['bundle'])
    writeFileSync(path, 'no bundle')
    test_.host.openDeepLink({ kind: 'file', path })
    await expect.poll(async () => (await items()).map(({ kind }) => kind)).toEqual(['bundle', 'refused'])
    expect([...test_.host.context.config.definitions()]).toEqual([])
  })
})

function isAlive(pid: number | undefined): boolean {
  if (pid === undefined) return true
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
