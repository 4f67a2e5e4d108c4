// The web shell as a person starts it, and its page in a real Chromium: the built command line in a process of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Browser, BrowserContext, Page } from '@playwright/test'

export const cli: string = resolve(import.meta.dirname, '../dist/main/cli.js')

/** What a program is given of our environment: no key of ours, and no keyring. */
export const hostEnv: Readonly<Record<string, string>> = Object.fromEntries([
  ['ASSENT_NO_KEYRING', '1'],
  ...['PATH', 'HOME', 'LANG', 'TMPDIR', 'USER'].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  }),
])

export interface WebShell {
  readonly pid: number
  readonly page: Page
  /** `performance.now()` when the process was started, when it had printed its link, and when the message field could be written in. */
  readonly begun: number
  readonly linked: number
  readonly usable: number
  close(): Promise<void>
}

interface OpenOptions {
  readonly dataDir: string
  readonly browser: Browser
  /** Each frame that the host sends to the page, as it came. */
  readonly onFrame?: (text: string, at: number) => void
}

export const composerOf = (page: Page) => page.getByRole('textbox', { name: 'Message' })

/** After this long a browser, or a page that was just opened, does nothing any more that nobody asked it for. */
const REST_MS = 1_500

/** As long as a person needs at least to find what to press; what has been begun behind the page is done by then. */
export const atRest = (page: Page): Promise<void> => page.waitForTimeout(REST_MS)

/** Resolves when the message field of the page can be written in. The browser is there before, and at rest, as a person's is. */
export async function openWebShell({ dataDir, browser, onFrame }: OpenOptions): Promise<WebShell> {
  const context: BrowserContext = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  await context.addInitScript(
    'window.longTasks = []; new PerformanceObserver((list) => { for (const task of list.getEntries()) window.longTasks.push(task.duration) }).observe({ type: "longtask" })',
  )
  const page = await context.newPage()
  if (onFrame) page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => onFrame(String(payload), performance.now())))
  await atRest(page)
  const begun = performance.now()
  const child: ChildProcess = spawn(process.execPath, [cli, 'serve', '--port', '0', '--no-open', '--data-dir', dataDir], {
    env: hostEnv,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (!child.stdout || child.pid === undefined) throw new Error('the web shell was not started')
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const linked = performance.now()
  const { url } = JSON.parse(line) as { url: string }
  await page.goto(url, { waitUntil: 'commit' })
  await page.waitForSelector('.composer textarea:not([disabled])', { state: 'visible' })
  const usable = performance.now()
  return {
    pid: child.pid,
    page,
    begun,
    linked,
    usable,
    async close() {
      await context.close()
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}
