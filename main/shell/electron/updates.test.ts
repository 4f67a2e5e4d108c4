// electron-updater's own code against a feed that electron-builder's own code wrote, over the fake's network.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { registerHooks } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { UpdateState } from '#app/profile-notice.ts'
import { eventually } from '#main/base/eventually.testing.ts'
import { silentLog } from '#main/base/host-log.ts'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import * as electron from '../../../e2e/electron-fake/electron.ts'
import { callsOf, indexOf } from '../../../e2e/electron-fake/record.ts'
import { disposeBeforeQuit } from './quit.ts'
import { writeMetadata } from './updates.testing.ts'
import { createUpdates } from './updates.ts'

vi.mock('electron', () => import('../../../e2e/electron-fake/electron.ts'))

const { app, autoUpdater } = electron
// electron-updater asks for Electron by `require`.
Object.assign(globalThis, { fakeElectron: electron })
registerHooks({
  resolve: (name, context, next) => (name === 'electron' ? { url: 'fake:electron', shortCircuit: true } : next(name, context)),
  load: (url, context, next) =>
    url === 'fake:electron'
      ? { format: 'commonjs', source: 'module.exports = globalThis.fakeElectron', shortCircuit: true }
      : next(url, context),
})

const [current, platform] = ['1.2.3', process.platform]
let folder: string
let feed: Server
let asked: { readonly path: string; readonly headers: NodeJS.Dict<string | string[]> }[]
/** Holds the answer of a path until it resolves, after its first half. */
let held: Promise<void> | undefined
let resources: string
const published = (): string => join(folder, 'feed')

beforeEach(async () => {
  electron.resetElectron()
  app.ready.resolve()
  Object.assign(app, { isPackaged: true, version: current })
  folder = mkdtempSync(join(tmpdir(), 'assent-updates-'))
  for (const name of ['feed', 'resources', 'user', 'apps', 'mount']) mkdirSync(join(folder, name))
  app.paths['userData'] = join(folder, 'user')
  vi.stubEnv('XDG_CACHE_HOME', join(folder, 'cache'))
  vi.stubEnv('LOCALAPPDATA', join(folder, 'cache'))
  vi.stubEnv('HOME', folder)
  asked = []
  held = undefined
  feed = createServer(({ url = '', headers }, response) => {
    const path = url.replace(/\?.*/, '')
    asked.push({ path, headers })
    // GitHub sends a download elsewhere, too.
    if (path.startsWith('/moved/')) return void response.writeHead(302, { location: path.slice('/moved'.length) }).end()
    const file = join(published(), path)
    if (!existsSync(file)) return void response.writeHead(404).end()
    const bytes = readFileSync(file)
    response.writeHead(200, { 'content-length': bytes.length })
    if (held === undefined || path.endsWith('.yml')) return void response.end(bytes)
    response.write(bytes.subarray(0, bytes.length / 2))
    void held.then(() => response.end(bytes.subarray(bytes.length / 2)))
  })
  await new Promise<void>((resolve) => feed.listen(0, '127.0.0.1', resolve))
  resources = join(folder, 'resources')
  configure()
  Object.assign(process, { resourcesPath: resources })
})
afterEach(async () => {
  Object.defineProperty(process, 'platform', { value: platform })
  vi.unstubAllEnvs()
  feed.closeAllConnections()
  await new Promise((resolve) => feed.close(resolve))
  rmSync(folder, { recursive: true, force: true })
})

function configure(more = ''): void {
  const url = `http://127.0.0.1:${(feed.address() as AddressInfo).port}/moved`
  writeFileSync(join(resources, 'app-update.yml'), `provider: generic\nurl: ${url}\nupdaterCacheDirName: assent-updater\n${more}`)
}

interface Release {
  readonly version?: string
  readonly os?: NodeJS.Platform
  readonly name?: string
  readonly content?: string
  readonly info?: Readonly<Record<string, unknown>>
}

const extensions: Readonly<Partial<Record<NodeJS.Platform, string>>> = { linux: 'AppImage', darwin: 'zip', win32: 'exe' }

/** Publishes a release as electron-builder writes it; returns the name of its file. */
async function publish({
  version = '1.3.0',
  os = 'linux',
  name,
  content = `#!/bin/sh\necho "$0" > ${folder}/started\n`,
  info,
}: Release = {}) {
  const file = join(published(), name ?? `assent-${version}-${os}-x64.${extensions[os]}`)
  writeFileSync(file, content)
  await writeMetadata({ file, content, version, os, info: { releaseNotes: notes, ...info } })
  return file
}

/** Changes what a release says of itself. */
function rewrite(change: (text: string) => string): void {
  for (const name of readdirSync(published()).filter((file) => file.endsWith('.yml')))
    writeFileSync(join(published(), name), change(readFileSync(join(published(), name), 'utf8')))
}

/** The installed app, as its AppImage runs; it is told of each state. */
function start({
  os = 'linux' as NodeJS.Platform,
  env = {} as Record<string, string>,
  powershell = true,
  policy = undefined as string | undefined,
} = {}) {
  if (policy !== undefined) writeFileSync(join(folder, 'policy.json'), policy)
  Object.defineProperty(process, 'platform', { value: os })
  const image = join(folder, 'apps', 'assent-1.2.3-linux-x86_64.AppImage')
  writeFileSync(image, 'old')
  vi.stubEnv('APPIMAGE', image)
  const clock = manualClock()
  const seen: UpdateState[] = []
  const host = { wanted: true, busy: false }
  const closed = Promise.withResolvers<void>()
  const disposed: string[] = []
  const leave = disposeBeforeQuit(
    async () => {
      disposed.push(existsSync(image) ? 'with the old version in place' : 'too late')
      closed.resolve()
    },
    { clock, log: silentLog },
  )
  const updates = createUpdates({
    os,
    env: { APPIMAGE: image, APPDIR: join(folder, 'mount'), ...env },
    resources,
    policy: join(folder, 'policy.json'),
    program: join(folder, 'mount', 'assent'),
    clock,
    log: silentLog,
    leave,
    ...(powershell && { powershellAnswers: async () => true }),
  })
  updates.follow({ isWanted: () => host.wanted, isBusy: () => host.busy, onChange: () => seen.push(updates.state) })
  const until = (kind: UpdateState['kind']) => eventually(() => expect(updates.state.kind).toBe(kind))
  const offered = async () => {
    await updates.act('check')
    await updates.act('download')
    await until('ready')
  }
  return { updates, seen, clock, host, image, closed: closed.promise, disposed, until, offered }
}

const downloads = (): string[] => asked.map(({ path }) => path).filter((path) => !/\.yml$|^\/moved/.test(path))
const notes = '## New\n\n- **Faster** starts'

const byScript = test.skipIf(platform === 'win32') // A shell script plays the AppImage, and PowerShell: none runs on Windows.
describe('an update', () => {
  byScript('is looked for some time after the start, and downloaded, verified and installed only as the person says', async () => {
    const file = await publish()
    const { updates, seen, clock, host, image, closed, disposed, until } = start()
    expect([updates.state, asked]).toEqual([{ kind: 'none' }, []])
    clock.advance(30_000)
    await until('available')
    expect([updates.state, downloads()]).toEqual([{ kind: 'available', version: '1.3.0', notes }, []])

    await updates.act('download')
    await until('ready')
    expect([seen.map(({ kind }) => kind), readFileSync(image, 'utf8'), callsOf('app.exit')]).toEqual([
      expect.arrayContaining(['checking', 'available', 'downloading', 'ready']),
      'old',
      [],
    ])
    host.busy = true
    await expect(updates.act('restart')).rejects.toMatchObject({ code: 'update.busy' })
    host.busy = false
    await updates.act('restart')
    await closed
    await eventually(() => expect(readFileSync(join(folder, 'started'), 'utf8')).not.toBe(''))
    const installed = join(folder, 'apps', 'assent-1.3.0-linux-x64.AppImage')
    expect([readFileSync(join(folder, 'started'), 'utf8').trim(), readFileSync(installed, 'utf8'), existsSync(image), disposed]).toEqual([
      installed,
      readFileSync(file, 'utf8'),
      false,
      ['with the old version in place'],
    ])
    expect(indexOf('app.releaseSingleInstanceLock')).toBeGreaterThan(-1)
  })

  test('tells the feed nothing that knows this installation again', async () => {
    await publish({ info: { stagingPercentage: 100 } })
    const { offered } = start()
    await offered()
    const id = readFileSync(join(folder, 'user', '.updaterId'), 'utf8')
    expect([asked.length, JSON.stringify(asked).includes(id)]).toEqual([4, false])
  })

  test('with another file than the published one is refused, and nothing of it stays', async () => {
    const file = await publish()
    writeFileSync(file, '#!/bin/sh\necho evil\n')
    const { updates, until } = start()
    await updates.act('check')
    await updates.act('download')
    await until('failed')
    expect([updates.state, readdirSync(join(folder, 'cache', 'assent-updater', 'pending'))]).toMatchObject([
      { version: '1.3.0', error: { code: 'update.refused' } },
      [],
    ])
  })

  test.each([
    ['an older version', { version: '1.2.2' }],
    ['the same version', { version: current }],
    ['a roll-out that has not come to this installation', { info: { stagingPercentage: 0 } }],
  ])('is none: %s', async (_, release) => {
    await publish(release)
    const { updates } = start()
    await updates.act('check')
    expect(updates.state.kind).toBe('none')
  })

  test('may be cancelled while it comes, and begun again', async () => {
    await publish({ content: `#!/bin/sh\n${'#'.repeat(100_000)}\n` })
    const go = Promise.withResolvers<void>()
    held = go.promise
    const { updates, until } = start()
    await updates.act('check')
    await updates.act('download')
    await eventually(() => expect(updates.state).toMatchObject({ kind: 'downloading' }))
    await eventually(() => expect(downloads().length).toBe(1))
    await updates.act('cancel')
    await until('available')
    held = undefined
    go.resolve()
    await updates.act('download')
    await until('ready')
  })

  test('that cannot be fetched says so when the person asked, and else waits for the next day', async () => {
    const { updates, clock, until } = start()
    clock.advance(30_000)
    await eventually(() => expect(asked.length).toBe(2))
    await until('none')
    await updates.act('check')
    expect(updates.state).toMatchObject({ kind: 'failed', error: { code: 'update.failed' } })
  })

  // The name goes into a path, and on Windows into a command of PowerShell's, where these quotation marks end a text too.
  test.each(['../assent-1.3.0.AppImage', 'https://elsewhere.example/assent-1.3.0.AppImage', 'assent-’;calc;’.exe', 'other.AppImage'])(
    'with a file named %s is refused before anything of it is fetched',
    async (name) => {
      await publish()
      rewrite((text) => text.replaceAll('assent-1.3.0-linux-x64.AppImage', name))
      const { updates } = start()
      await updates.act('check')
      expect([updates.state, downloads()]).toMatchObject([{ kind: 'failed', error: { code: 'update.refused' } }, []])
    },
  )

  test('whose feed does not answer is given up after a minute', async () => {
    await publish()
    const { updates, clock, until } = start()
    feed.removeAllListeners('request')
    feed.on('request', ({ url = '' }) => asked.push({ path: url, headers: {} }))
    void updates.act('check')
    await eventually(() => expect(asked.length).toBe(1))
    clock.advance(60_000)
    await until('failed')
  })

  test('with notes in HTML, as GitHub’s feed has them, shows their text', async () => {
    await publish({ info: { releaseNotes: '<h2>New</h2>\n<p onclick="x()">Faster</p><script>alert(1)</script>' } })
    const { updates } = start()
    await updates.act('check')
    expect(updates.state).toMatchObject({ notes: 'New\nFasteralert(1)' })
  })
})

describe('a release on GitHub', () => {
  // Releases as GitHub's feed and the API of GitHub Enterprise list them. Drafts are in neither, pre-releases in the feed alone.
  const entry = (tag: string): string =>
    `<entry><id>tag:github.com,2008:Repository/1/${tag}</id><link rel="alternate" type="text/html" href="https://github.com/acme/assent/releases/tag/${tag}"/><title>${tag}</title><content type="html">&lt;p&gt;Notes of ${tag}&lt;/p&gt;</content></entry>`
  test('is found by its feed, verified and ready; a pre-release is not taken', async () => {
    const file = await publish({ info: { releaseNotes: null } })
    const host = `127.0.0.1:${(feed.address() as AddressInfo).port}`
    const config = `provider: github\nowner: acme\nrepo: assent\nhost: ${host}\nprotocol: http\nupdaterCacheDirName: assent-updater\n`
    writeFileSync(join(resources, 'app-update.yml'), config)
    for (const at of ['acme/assent/releases/download', 'api/v3/repos/acme/assent/releases'])
      mkdirSync(join(published(), at), { recursive: true })
    symlinkSync(published(), join(published(), 'acme/assent/releases/download/v1.3.0'), 'junction')
    const atom = `<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom">${entry('v2.0.0-rc.1')}${entry('v1.3.0')}</feed>`
    writeFileSync(join(published(), 'acme/assent/releases.atom'), atom)
    writeFileSync(join(published(), 'api/v3/repos/acme/assent/releases/latest'), '{"tag_name":"v1.3.0"}')
    const { updates, offered } = start()
    await offered()
    expect([updates.state, asked.at(-1)?.path]).toEqual([
      { kind: 'ready', version: '1.3.0', notes: 'Notes of v1.3.0' },
      `/acme/assent/releases/download/v1.3.0/${basename(file)}`,
    ])
  })
})

describe('updates are off', () => {
  test.each([
    ['policy', 'by a variable', { env: { ASSENT_DISABLE_UPDATES: '1' } }, true],
    ['policy', 'by the file of whoever runs the computer', { policy: '{ "updates": false }' }, true],
    ['policy', 'by such a file that cannot be read as JSON', { policy: '{ updates: no' }, true],
    ['setting', 'by the person', {}, false],
  ] as const)('%s, %s: nothing is asked of the feed', async (by, _, options, wanted) => {
    await publish()
    const { updates, clock, host } = start(options)
    host.wanted = wanted
    clock.advance(30_000)
    await updates.act('check')
    expect([updates.state, asked]).toEqual([{ kind: 'off', by }, []])
  })

  test.each(['{ "updates": true }', '{}'])('not by a policy of %s', async (policy) => {
    await publish()
    const { updates, until } = start({ policy })
    await updates.act('check')
    await until('available')
  })
})

describe('on a Mac', () => {
  test('the archive goes to Squirrel, which verifies and installs it, once the person restarts', async () => {
    const file = await publish({ os: 'darwin', content: 'zipped' })
    const { updates, offered, closed } = start({ os: 'darwin' })
    await offered()
    expect([callsOf('autoUpdater.checkForUpdates'), autoUpdater.fetched]).toEqual([[], undefined])
    await updates.act('restart')
    await closed
    expect(autoUpdater.fetched?.toString()).toBe(readFileSync(file, 'utf8'))
    // Squirrel installs after the quit and reports no failure (electron/electron, docs/api/auto-updater.md): the next start says once that it did not.
    const next = start({ os: 'darwin' })
    expect(next.seen).toMatchObject([{ kind: 'failed', version: '1.3.0', error: { code: 'update.failed' } }])
    expect(start({ os: 'darwin' }).seen).toEqual([])
    await next.offered()
    await next.updates.act('restart')
    Object.assign(app, { version: '1.3.0' })
    expect(start({ os: 'darwin' }).seen).toEqual([])
  })

  test('what Squirrel refuses is told, and the app stays', async () => {
    await publish({ os: 'darwin', content: 'zipped' })
    const { updates, offered, until } = start({ os: 'darwin' })
    await offered()
    autoUpdater.refuses = new Error('Code signature at URL did not pass validation')
    await updates.act('restart')
    await until('failed')
    expect(callsOf('app.exit')).toEqual([])
    expect(start({ os: 'darwin' }).updates.state.kind).toBe('none')
  })
})

describe('on Windows', () => {
  /** In place of cmd.exe: answers as `Get-AuthenticodeSignature … | ConvertTo-Json` did for a signed installer. */
  function powershellAnswers(signature: { readonly Status: number; readonly Subject: string }): void {
    const shell = join(folder, 'cmd')
    const answer = JSON.stringify({ SignerCertificate: { Subject: signature.Subject }, Status: signature.Status, Path: '@' })
    writeFileSync(shell, `#!/bin/sh\necho '${answer}' | sed "s#@#$(echo "$*" | sed "s/.*LiteralPath '\\([^']*\\)'.*/\\1/")#"\n`)
    chmodSync(shell, 0o755)
    vi.stubEnv('comspec', shell)
  }

  const own = { Status: 0, Subject: 'CN=Assent, O=Assent, C=AT' }
  byScript.each([
    ['of its publisher is ready', own, true, 'ready'],
    ['of another publisher is refused', { Status: 0, Subject: 'CN=Someone, O=Someone' }, true, 'failed'],
    ['whose signature does not hold is refused', { ...own, Status: 3 }, true, 'failed'],
    ['is refused where PowerShell does not run', own, false, 'failed'],
  ] as const)('an installer %s', async (_, signature, powershell, kind) => {
    await publish({ os: 'win32', content: 'MZ' })
    configure('publisherName:\n  - CN=Assent, O=Assent\n')
    powershellAnswers(signature)
    const { updates, until } = start({ os: 'win32', powershell })
    await updates.act('check')
    await updates.act('download')
    await until(kind)
    if (kind === 'failed' && powershell) expect(updates.state).toMatchObject({ error: { code: 'update.refused' } })
  })
})
