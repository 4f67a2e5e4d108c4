// A port that was chosen, and what the program that had it before left in the browser: a service worker that lets the link through and waits
// for what comes behind it, a cached page for every address, cookies of our names, a tab that is still open. None of them gets the key, and
// the person gets the app. The worker of the kind that reads along is in `open-link.spec.ts`.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { homeVariables } from '../../main/base/this-system.testing.ts'
import { expect, test } from '../fixtures/app.ts'
import { composer } from '../fixtures/steps.ts'

test.skip(() => process.env['ASSENT_SHELL'] === 'electron', 'the web shell alone has a port')

const cli = resolve(import.meta.dirname, '../../dist/main/cli.js')
let folder: string
let browser: Browser
let context: BrowserContext
let served: ChildProcess | undefined
const open: Server[] = []
/** What the program's pages and workers told of. */
let told: string[] = []

test.beforeEach(async ({ browsers }) => {
  folder = mkdtempSync(join(tmpdir(), 'assent-port-'))
  if (!browsers) throw new Error('No browser')
  browser = await browsers.plain()
  context = await browser.newContext()
  told = []
})
test.afterEach(async () => {
  await context.close()
  for (const server of open.splice(0)) end(server)
  if (served && served.exitCode === null) {
    served.kill('SIGKILL')
    await once(served, 'exit')
  }
  rmSync(folder, { recursive: true, force: true })
})

function end(server: Server): void {
  server.close()
  server.closeAllConnections()
}
async function listen(listener: RequestListener): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer(listener)
  open.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return { server, port: (server.address() as AddressInfo).port }
}
const listening = (): ReturnType<typeof listen> =>
  listen((request, response) => {
    told.push(decodeURIComponent(request.url ?? ''))
    response.setHeader('Access-Control-Allow-Origin', '*')
    response.end()
  })

async function serve(port: number): Promise<URL> {
  const child = spawn(process.execPath, [cli, 'serve', '--no-open', '--port', String(port), '--data-dir', join(folder, 'data')], {
    env: { PATH: process.env['PATH'], ...homeVariables(folder), ASSENT_NO_KEYRING: '1', ASSENT_LOCAL_MODEL_PORTS: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  served = child
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return new URL((JSON.parse(line) as { url: string }).url)
}

/** Script of a page or worker of the program: tells where it is, and tries what a key would open. */
const spy = (ear: number): string => `
  const tell = (what) => fetch('http://127.0.0.1:${ear}/' + encodeURIComponent(what), { mode: 'no-cors' }).catch(() => {})
  const spend = (url) => {
    const key = /key=([^&]+)/.exec(url)?.[1]
    if (!key) return
    const socket = new WebSocket('ws://' + location.host + '/link')
    socket.onopen = () => socket.send(JSON.stringify({ kind: 'hello', key }))
    socket.onmessage = ({ data }) => tell('heard ' + String(data).slice(0, 60))
  }`
const hostilePage = (ear: number, more = ''): string =>
  `<!doctype html><title>theirs</title><script>${spy(ear)}; tell('page ' + location.href); spend(location.href); ${more}</script>`

/** The worker answers all with a page of its own, but lets what `passes` go to the network. */
const worker = (ear: number, passes: string): string => `${spy(ear)}
  self.addEventListener('install', () => self.skipWaiting())
  self.addEventListener('activate', (event) => event.waitUntil(clients.claim()))
  self.addEventListener('fetch', (event) => {
    const { url } = event.request
    if (!url.startsWith(location.origin)) return
    tell('worker ' + url)
    spend(url)
    if (${passes}) return
    event.respondWith(new Response(${JSON.stringify(hostilePage(ear))}, { headers: { 'Content-Type': 'text/html' } }))
  })`
const registers =
  '<!doctype html><title>theirs</title><script>navigator.serviceWorker.register("/worker.js").then(() => navigator.serviceWorker.ready).then(() => { document.title = "ready" })</script>'

/** Gives the browser a worker at a port, which then falls free. */
async function leaveWorker(passes: string): Promise<{ readonly port: number; readonly tab: Page }> {
  const ear = (await listening()).port
  let asked = 0
  const { server, port } = await listen((request, response) => {
    const isWorker = request.url === '/worker.js'
    if (isWorker) asked += 1
    response.setHeader('Content-Type', isWorker ? 'text/javascript' : 'text/html')
    response.end(isWorker ? worker(ear, passes) : registers)
  })
  const tab = await context.newPage()
  await tab.goto(`http://127.0.0.1:${port}/`)
  await expect(tab).toHaveTitle('ready')
  // The control: it answers, and sees what is behind the mark.
  await tab.goto(`http://127.0.0.1:${port}/x#key=mine`)
  await expect(tab).toHaveTitle('theirs')
  await expect.poll(() => told.join()).toContain('page http://127.0.0.1:')
  expect(told.join()).toContain('key=mine')
  await expect.poll(() => asked).toBe(2)
  end(server)
  told = []
  return { port, tab }
}

/** The person opens the address of the terminal; once more where the browser had to be cleared first. */
async function openApp(url: URL, page: Page): Promise<void> {
  await page.goto(url.href)
  if ((await page.title()) !== 'Assent') await page.goto(url.href)
  await expect(composer(page)).toBeVisible()
}
const keysTold = (): string[] => told.filter((one) => /key=|heard|kept/.test(one))
const workersIn = (page: Page): Promise<number> => page.evaluate('navigator.serviceWorker.getRegistrations().then((all) => all.length)')

test('a worker that lets the link through gets nothing of what comes behind it', async () => {
  const { port } = await leaveWorker("url.includes('token=')")
  const page = await context.newPage()
  await openApp(await serve(port), page)
  expect([keysTold(), await workersIn(page)]).toEqual([[], 0])
  await page.reload()
  await expect(composer(page)).toBeVisible()
  expect(keysTold()).toEqual([])
})

/** Script of a tab: looks for what the app keeps at its origin, as every page there can. */
const readKept = `
  new BroadcastChannel('any').onmessage = ({ data }) => tell('heard ' + data)
  setInterval(() => {
    for (const one of [...Object.values({ ...localStorage }), ...Object.values({ ...sessionStorage })]) {
      tell('kept ' + one)
      spend('key=' + one)
    }
  }, 20)
  undefined`

test('a tab that is still open gets nothing of what the app keeps, nor brings its worker back', async () => {
  const { port, tab } = await leaveWorker("url.includes('token=')")
  await tab.evaluate(readKept)
  const page = await context.newPage()
  await openApp(await serve(port), page)
  expect(new URL(page.url()).hostname).toMatch(/^[0-9a-f]{32}\.localhost$/)
  await page.waitForTimeout(1000)
  expect(keysTold()).toEqual([])
  const again = await tab.evaluate<string>(`(async () => {
    const tried = await navigator.serviceWorker.register('/worker.js').then(() => 'registered', () => 'refused')
    return [tried, await fetch('/').then((answer) => answer.status, () => 0)].join()
  })()`)
  await page.reload()
  await expect(composer(page)).toBeVisible()
  expect([again, keysTold(), await workersIn(page)]).toEqual(['refused,403', [], 0])
})

test('nor in a browser that may not find the host of the run: there a key is its tab’s', async () => {
  await context.close()
  context = await browser.newContext({ userAgent: 'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15' })
  const { port, tab } = await leaveWorker("url.includes('token=')")
  await tab.evaluate(readKept)
  const page = await context.newPage()
  await openApp(await serve(port), page)
  expect(new URL(page.url()).hostname).toBe('127.0.0.1')
  await page.waitForTimeout(1000)
  expect(keysTold()).toEqual([])
  await page.reload()
  await expect(composer(page)).toBeVisible()
})

test('a page that was cached for good does not stand in for the app, and does not get the key', async () => {
  const ear = (await listening()).port
  const { server, port } = await listen((_request, response) => {
    response.setHeader('Cache-Control', 'public, max-age=31536000, immutable')
    response.setHeader('Content-Type', 'text/html')
    response.end(hostilePage(ear))
  })
  const tab = await context.newPage()
  const visits = ['/', '/connection', '/favicon.ico', '/index.html']
  for (const path of visits) await tab.goto(`http://127.0.0.1:${port}${path}`)
  end(server)
  told = []
  // The control: nobody listens there, and the page is there all the same.
  await tab.goto('about:blank')
  await tab.goto(`http://127.0.0.1:${port}/#key=mine`)
  await expect.poll(() => told.join()).toContain('key=mine')
  told = []
  const page = await context.newPage()
  await openApp(await serve(port), page)
  expect(keysTold()).toEqual([])
  await page.goto(`http://127.0.0.1:${port}/`)
  expect([await page.title(), told]).toEqual(['Assent', []])
})

test('cookies of our names, and many of them, keep the person out of nothing', async () => {
  const { server, port } = await listen((_request, response) => {
    const names = [`assent-${port}`, `assent_${port}`, 'assent', ...Array.from({ length: 40 }, (_, at) => `bomb${at}`)]
    response.setHeader(
      'Set-Cookie',
      names.map((name) => `${name}=${'x'.repeat(200)}; Max-Age=31536000; Path=/`),
    )
    response.setHeader('Content-Type', 'text/html')
    response.end('<title>theirs</title>')
  })
  const tab = await context.newPage()
  await tab.goto(`http://127.0.0.1:${port}/`)
  end(server)
  expect((await context.cookies(`http://127.0.0.1:${port}/`)).length).toBeGreaterThan(40)
  await openApp(await serve(port), await context.newPage())
})
