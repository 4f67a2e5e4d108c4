// A person's browser before a stage: the real page over the real web shell, and all that anything of it asks of any other
// place, whoever asked. A lure hears what goes over HTTP, connections without a word, and packets; of names that are looked up the
// browser's own log tells (Chromium, "NetLog").

import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Frame, type Page } from '@playwright/test'
import { silentLog } from '#main/base/host-log.ts'
import { createDiagramFrame } from '#main/shell/node/page-content.ts'
import { readAssets } from '#main/shell/web/page-files.ts'
import { startWebShell } from '#main/shell/web/web-shell.ts'
import { browserArgs, findBrowser } from '../../scripts/browser.ts'
import type { Stage } from './stage.ts'

const root = join(import.meta.dirname, '../..')

export interface Lure {
  readonly url: string
  /** Names of what arrived. */
  readonly heard: Set<string>
  /** For a document of the attack's: where everything is. */
  readonly places: string
  close(): Promise<void>
}

/** Ways that send packets rather than requests, as they are called in the document. */
export const packetWays = `rtc-stun rtc-in-a-frame rtc-in-a-written-frame rtc-in-a-shadow rtc-in-a-written-shadow
  rtc-after-a-swap rtc-in-a-new-document rtc-in-a-cloned-shadow rtc-in-an-imported-shadow rtc-in-a-cloned-template
  rtc-in-kept-markup rtc-in-parsed-html rtc-in-parsed-xml rtc-in-another-document rtc-by-an-attribute rtc-by-a-late-attribute
  rtc-by-a-moved-attribute rtc-in-a-javascript-frame rtc-in-a-javascript-shadow rtc-in-a-frameset rtc-by-a-policy
  rtc-after-all-swaps rtc-from-a-later-script web-transport`.split(/\s+/)

/** Answers pages of its own with what `page` gives for a path. */
export async function openLure(page: (path: string) => string | undefined): Promise<Lure> {
  const heard = new Set<string>()
  const web = createHttpServer(({ url = '/' }, response) => {
    const path = url.slice(1)
    const own = page(path)
    if (own !== undefined) return void response.setHeader('Content-Type', 'text/html').end(own)
    // A form adds a query to its address.
    heard.add(path.replace(/[/?].*/, ''))
    response.setHeader('Access-Control-Allow-Origin', '*').setHeader('Content-Type', 'text/javascript').end()
  })
  web.on('upgrade', ({ url = '/' }, socket) => {
    heard.add(url.slice(1))
    socket.destroy()
  })
  const listening = async (server: Server): Promise<number> => {
    await once(server.listen(0, '127.0.0.1'), 'listening')
    return (server.address() as AddressInfo).port
  }
  const connections = ['rtc-turn'].map((name) => ({
    name,
    server: createServer((socket) => {
      heard.add(name)
      socket.destroy()
    }),
  }))
  const packets = packetWays.map((name) => ({ name, socket: createSocket('udp4', () => heard.add(name)) }))
  const ports: Record<string, number> = {}
  for (const { name, server } of connections) ports[name] = await listening(server)
  for (const { name, socket } of packets) {
    await once(socket.bind(0, '127.0.0.1'), 'listening')
    ports[name] = socket.address().port
  }
  const port = await listening(web)
  const url = `http://127.0.0.1:${port}/`
  return {
    url,
    heard,
    places: JSON.stringify({ url, socket: `ws://127.0.0.1:${port}/`, ports, names: `p${port}` }),
    async close() {
      web.closeAllConnections()
      for (const { socket } of packets) socket.close()
      await Promise.all([web, ...connections.map(({ server }) => server)].map((server) => new Promise((done) => server.close(done))))
    },
  }
}

/** Ways out that a document is given to try, by name: elements, and texts of scripts. */
export interface FurtherWays {
  readonly markup: Readonly<Record<string, string>>
  readonly scripts: Readonly<Record<string, string>>
}

/**
 * Fills in a document of `e2e/servers/views`. Its scripts spell `srcdoc` with an escape: the host renames the attribute in the document's
 * text, which an attacker knows.
 */
export function viewFile(name: string, lure: Pick<Lure, 'places'>, further: FurtherWays = { markup: {}, scripts: {} }): string {
  const { ports } = JSON.parse(lure.places) as { readonly ports: Record<string, number> }
  const [markup = '', ...scripts] = readFileSync(join(root, 'e2e/servers/views', name), 'utf8')
    .replace(/\/\*LURE\*\/ [^\n]*/, () => lure.places)
    .replace(/\/\*FURTHER\*\/ [^\n]*/, () => JSON.stringify(further).replaceAll('<', '\\u003c'))
    .split('\n<script>\n')
  return [
    markup.replace('KEPT_PORT', String(ports['rtc-in-kept-markup'])),
    ...scripts.map((text) => text.replaceAll('srcdoc', 'src\\u0064oc')),
  ].join('\n<script>\n')
}

interface Seat {
  readonly page: Page
  /** What anybody but the page's own host answered to this browser; and windows that were opened. */
  readonly elsewhere: string[]
  /** Names that the browser looked up, by what stands before `.lure.localhost` and after the name of the lure. Known once it has closed. */
  readonly lookedUp: Set<string>
  go(hash: string): Promise<void>
  /** A second window of the same browser, by a link of its own. */
  another(): Promise<Page>
}

/**
 * A browser with a profile of its own, as people have: in one without, Chromium follows neither `preconnect` nor `dns-prefetch`.
 * `lookedUp`: filled as it closes.
 */
export async function inBrowser<T>(play: (context: BrowserContext, lookedUp: Set<string>) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'assent-browser-'))
  const netLog = join(folder, 'log.json')
  const lookedUp = new Set<string>()
  const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath: findBrowser().executablePath,
    args: [...browserArgs, `--log-net-log=${netLog}`],
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
  })
  try {
    return await play(context, lookedUp)
  } finally {
    await context.close()
    for (const [, name = ''] of readFileSync(netLog, 'utf8').matchAll(/p\d+-([a-z-]+)\.lure\.localhost/g)) lookedUp.add(name)
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Sits down before the stage's host. */
export async function onPage<T>({ host }: Pick<Stage, 'host'>, play: (seat: Seat) => Promise<T>): Promise<T> {
  const assets = readAssets(join(root, 'dist/renderer'))
  if (!assets) throw new Error('the page is not built: node scripts/build-if-needed.ts')
  const diagramFrame = createDiagramFrame(join(root, 'dist/diagram/frame.js'))
  const shell = await startWebShell({ host: async () => host, assets, diagramFrame, port: 0, log: silentLog })
  try {
    return await inBrowser(async (context, lookedUp) => {
      const elsewhere: string[] = []
      context.on('response', (response) => {
        const url = response.url()
        if (!url.startsWith(`http://127.0.0.1:${shell.port}/`) && !/^(?:data|blob|about):/.test(url)) elsewhere.push(url)
      })
      const seat = async (): Promise<Page> => {
        const page = await context.newPage()
        await page.goto(shell.newLink())
        await page.waitForURL(({ search }) => search === '')
        return page
      }
      const page = await seat()
      context.on('page', (opened) => elsewhere.push(`a window at ${opened.url()}`))
      return await play({
        page,
        elsewhere,
        lookedUp,
        go: (hash) => page.evaluate(`void (location.hash = ${JSON.stringify(hash)})`),
        another: seat,
      })
    })
  } finally {
    await shell.close()
  }
}

/** The frame of the view that is drawn; waits for it to speak. */
export async function viewIn(page: Page): Promise<Frame> {
  const view = page.frameLocator('iframe[title^="View of "]')
  await view.locator('#log', { hasText: 'speaks' }).waitFor({ timeout: 20_000 })
  const handle = await page.locator('iframe[title^="View of "]').elementHandle()
  const frame = await handle?.contentFrame()
  if (!frame) throw new Error('there is no view')
  return frame
}

/** The frame of the page of an answer, opened where it is not. */
export async function artifactIn(page: Page): Promise<Frame> {
  const pane = page.getByRole('region', { name: /^Artifact “/ })
  const again = pane.getByRole('button', { name: 'Run again' })
  const card = page.locator('.artifact-card')
  await card.or(pane).first().waitFor({ timeout: 20_000 })
  if ((await pane.count()) === 0) await card.click()
  else if (await again.count()) await again.click()
  await pane.frameLocator('iframe').locator('#log', { hasText: 'begun' }).waitFor({ timeout: 20_000 })
  const frame = await (await pane.locator('iframe').elementHandle())?.contentFrame()
  if (!frame) throw new Error('there is no page of an answer')
  return frame
}

/** A function of the frame's own document, by its name. */
export const within = <T>(frame: Frame, name: string, ...given: readonly unknown[]): Promise<T> =>
  frame.evaluate<T>(`globalThis[${JSON.stringify(name)}](...${JSON.stringify(given)})`)
