// The one-time link on its way to the browser. An argument list is read by every account of the machine: syncthing/syncthing#3357
// (a token in `/proc/*/cmdline` is used by another before the browser), dundee/gdu#659 (seen with xdg-open and Firefox). So the
// opener is given a private file, as Jupyter gives it `jpserver-*-open.html`, and here a real browser opens that file.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { BrowserContext } from '@playwright/test'
import { expect, test } from '../fixtures/app.ts'
import type { Browsers } from '../fixtures/open-app.ts'
import { composer } from '../fixtures/steps.ts'

test.skip(() => process.env['ASSENT_SHELL'] === 'electron', 'the web shell alone has such a link')

const cli = resolve(import.meta.dirname, '../../dist/main/cli.js')
let folder: string
let served: ChildProcess | undefined

/** Stands for the system's opener: writes down what it was given, as any account could have read it. */
const opener = (log: string): string => `#!/bin/sh\nfor argument in "$0" "$@"; do printf '%s\\n' "$argument"; done >> '${log}'\n`

test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assent-link-'))
})
test.afterEach(async () => {
  if (served && served.exitCode === null) {
    served.kill('SIGKILL')
    await once(served, 'exit')
  }
  rmSync(folder, { recursive: true, force: true })
})

async function newContext(browsers: Browsers | undefined): Promise<BrowserContext> {
  if (!browsers) throw new Error('Electron has none')
  return (await browsers.plain()).newContext()
}

async function serve(port = 0): Promise<{ readonly url: URL; readonly argv: () => readonly string[]; readonly child: ChildProcess }> {
  const [bin, log] = [join(folder, 'bin'), join(folder, 'argv')]
  mkdirSync(bin)
  writeFileSync(join(bin, 'xdg-open'), opener(log))
  chmodSync(join(bin, 'xdg-open'), 0o755)
  const child = spawn(process.execPath, [cli, 'serve', '--port', String(port), '--data-dir', join(folder, 'data')], {
    env: { PATH: `${bin}:/usr/bin:/bin`, HOME: folder, DISPLAY: ':0', ASSENT_NO_KEYRING: '1', ASSENT_LOCAL_MODEL_PORTS: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  served = child
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const argv = (): string[] => (existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : [])
  await expect.poll(() => argv().length).toBe(2)
  return { url: new URL((JSON.parse(line) as { url: string }).url), argv, child }
}

test('the opener is given a private file, whose page opens the app once; then the file is gone', async ({ browsers }) => {
  const { url, argv } = await serve()
  const given = argv()[1] ?? ''
  expect(given).not.toContain('token')
  const file = fileURLToPath(given)
  const html = readFileSync(file, 'utf8')
  expect([statSync(file).mode & 0o777, statSync(dirname(file)).mode & 0o777]).toEqual([0o600, 0o700])
  const token = /token=([A-Za-z0-9_-]{43})/.exec(html)?.[1] ?? 'none'
  expect(argv().join()).not.toContain(token)

  const context = await newContext(browsers)
  try {
    const page = await context.newPage()
    await page.goto(given)
    await expect(composer(page)).toBeVisible()
    // At a host of this run, where nothing was before, and not at the address that the terminal shows.
    expect(page.url()).toMatch(new RegExp(`^http://[0-9a-f]{32}\\.localhost:${url.port}/`))
    await expect.poll(() => existsSync(dirname(file))).toBe(false)
    // Spent: whoever comes with it now is refused, and nothing leads back to it.
    expect((await fetch(`${url.origin}/?token=${token}`)).status).toBe(401)
    await page.goBack().catch(() => undefined)
    expect(page.url()).not.toContain(token)
  } finally {
    await context.close()
  }
})

test('a file that no browser used goes with the process that made it', async () => {
  const { argv, child } = await serve()
  const file = fileURLToPath(argv()[1] ?? '')
  expect(existsSync(file)).toBe(true)
  child.kill('SIGTERM')
  await once(child, 'exit')
  expect(existsSync(dirname(file))).toBe(false)
})

/** In the page: what the worker wrote down, and how many workers there are. */
const askTold = `caches.open('told').then((cache) => cache.keys()).then((keys) => keys.map(({ url }) => decodeURIComponent(url)).join())`
const countWorkers = 'navigator.serviceWorker.getRegistrations().then((all) => all.length)'

// What a program of a port leaves in the browser stays when the next program gets that port: OWASP's notes on localhost, and
// w3c/webappsec-clear-site-data's own example of a compromised site.
test('a service worker and files of whoever had the port before do not get the link, nor answer for the app', async ({ browsers }) => {
  const got: string[] = []
  const worker = `
    self.addEventListener('install', () => self.skipWaiting())
    self.addEventListener('activate', (event) => event.waitUntil(clients.claim()))
    self.addEventListener('fetch', (event) => event.respondWith((async () => {
      const tell = (what) => caches.open('told').then((cache) => cache.put('/told?' + encodeURIComponent(what), new Response('')))
      await tell(event.request.url)
      const answer = await fetch(event.request)
      await tell(await answer.clone().text())
      return answer
    })()))`
  const before = createServer((request, response) => {
    got.push(request.url ?? '')
    const isWorker = request.url === '/worker.js'
    response.setHeader('Content-Type', isWorker ? 'text/javascript' : 'text/html')
    response.end(
      isWorker
        ? worker
        : '<script>navigator.serviceWorker.register("/worker.js").then(() => navigator.serviceWorker.ready).then(() => { document.title = "ready" })</script>',
    )
  })
  await new Promise<void>((done) => before.listen(0, '127.0.0.1', done))
  const { port } = before.address() as AddressInfo
  const context = await newContext(browsers)
  try {
    const page = await context.newPage()
    await page.goto(`http://127.0.0.1:${port}/`)
    await expect(page).toHaveTitle('ready')
    // The control: it sees what is asked at that address, whole.
    await page.goto(`http://127.0.0.1:${port}/?token=mine`)
    const told = () => page.evaluate<string>(askTold)
    expect(await told()).toContain('token=mine')
    // After a visit the browser looks for a newer worker. Were the next program asked for it, that would end this one before the link is opened.
    await expect.poll(() => got.filter((path) => path === '/worker.js').length).toBe(2)
    before.close()
    before.closeAllConnections()

    const { url, argv } = await serve(port)
    await page.goto(argv()[1] ?? '')
    await expect(composer(page)).toBeVisible()
    expect(new URL(page.url()).hostname).toMatch(/^[0-9a-f]{32}\.localhost$/)
    expect(await page.evaluate(countWorkers)).toBe(0)

    // The address of the terminal is the worker's. What it asks for is refused and unregisters it; the link is not spent by that.
    const old = await context.newPage()
    expect((await old.goto(url.href))?.status()).toBe(403)
    const known = await old.evaluate<string>(askTold)
    expect(known).not.toContain('key=')
    await old.goto(url.href)
    await expect(composer(old)).toBeVisible()
    expect(await old.evaluate(countWorkers)).toBe(0)
  } finally {
    await context.close()
    before.close()
  }
})

test('scripts and sheets are named by a path of this run with their digests, and one that was changed does not run', async ({
  browsers,
}) => {
  const { argv } = await serve()
  const context = await newContext(browsers)
  try {
    const page = await context.newPage()
    const refused: string[] = []
    page.on('console', (message) => {
      if (/integrity/i.test(message.text())) refused.push(message.text())
    })
    const changed: string[] = []
    await page.route(/\/settings-page-[^/]+\.js$/, async (route) => {
      const url = route.request().url()
      changed.push(url)
      const body = readFileSync(resolve(cli, '../../renderer/assets', basename(url)), 'utf8')
      await route.fulfill({ contentType: 'text/javascript', body: `globalThis.stolen = true;${body}` })
    })
    await page.goto(argv()[1] ?? '')
    await expect(composer(page)).toBeVisible()
    const named = await page.evaluate<[string, string][]>(
      `[...document.querySelectorAll('script[src], link[rel=stylesheet]')].map((one) => [new URL(one.src || one.href).pathname, one.integrity])`,
    )
    expect(named.length).toBeGreaterThan(1)
    for (const [path, integrity] of named) {
      expect(path).toMatch(/^\/[0-9a-f]{32}\/assets\//)
      expect(integrity).toMatch(/^sha256-/)
    }
    await page.evaluate(`location.hash = '#/settings'`)
    await expect.poll(() => changed.length).toBeGreaterThan(0)
    await expect.poll(() => refused.length).toBeGreaterThan(0)
    expect(await page.evaluate(() => 'stolen' in globalThis)).toBe(false)
  } finally {
    await context.close()
  }
})
