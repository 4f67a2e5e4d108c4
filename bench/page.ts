// What a person waits for, in the page of the built web shell in a real Chromium (one server: `one-server.ts`); beside each,
// what is promised. It is timed by the page itself: from the click to the frame after the one that shows it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { browserArgs, findBrowser } from '../scripts/browser.ts'
import { buildIfNeeded } from '../scripts/build-if-needed.ts'
import { goodServer } from './many/good-servers.ts'
import { approveAll } from './many/profile.ts'
import { percentile } from './statistics.ts'
import { composerOf, openWebShell, type WebShell } from './web-shell.ts'

const rounds = 5
const one = { command: process.execPath, args: [goodServer, 'one'] }
const manyTools = { command: process.execPath, args: [join(import.meta.dirname, 'many/many-tools.mjs')] }

interface Row {
  readonly promised: number | string
  readonly measured: number | string
}
const median = (values: readonly number[]): number => Math.round(percentile(values, 0.5))

/** Presses what `click` names, or does nothing if it is empty; milliseconds until something fits `done` and is painted. */
const timeClick = (page: Page, click: string, done: string): Promise<number> =>
  page.evaluate(`new Promise((resolve) => {
    const begun = performance.now()
    const painted = () => requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begun)))
    const look = () => (${done} ? painted() : requestAnimationFrame(look))
    const element = ${click}
    element.click()
    look()
  })`)
const button = (words: string): string =>
  `[...document.querySelectorAll('button')].find((each) => each.textContent.trim().startsWith('${words}'))`

/** From the word that a model's call may be made to the frame that shows what came of it. */
async function allowedInChat({ page }: WebShell): Promise<number> {
  await page.goto(`${new URL(page.url()).origin}/#/servers/one`)
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.locator('[data-tool="echo"]').waitFor()
  await page.goto(`${new URL(page.url()).origin}/#/chat`)
  await composerOf(page).fill('echo the message hello')
  await composerOf(page).press('Enter')
  await page
    .locator('section.ask button:not([aria-disabled="true"])')
    .filter({ hasText: /^Allow once/ })
    .first()
    .waitFor()
  return timeClick(page, button('Allow once'), `/you, once/.test(document.querySelector('.call-box')?.textContent ?? '')`)
}

async function openManyTools(page: Page) {
  const origin = new URL(page.url()).origin
  await page.goto(`${origin}/#/servers`)
  await page
    .locator('[data-server="many-tools"]')
    .filter({ hasText: '5000' })
    .or(page.locator('[data-server="many-tools"]').filter({ hasText: '5,000' }))
    .waitFor()
  await page.evaluate('window.longTasks.length = 0')
  const shownMs = await timeClick(page, `document.querySelector('[data-server="many-tools"]')`, `document.querySelector('[data-tool]')`)
  const nodes = await page.evaluate<number>('document.querySelectorAll("*").length')
  const search = page.getByRole('searchbox', { name: 'Find a tool' })
  await search.focus()
  const begun = performance.now()
  await page.keyboard.type('number 4321')
  await page.waitForFunction(
    `document.querySelectorAll('[data-tool]').length === 1 && document.querySelector('[data-tool="tool_4321"]')`,
    undefined,
    { polling: 'raf' },
  )
  const filterMs = performance.now() - begun
  const longTasks = await page.evaluate<number>('window.longTasks.filter((ms) => ms > 100).length')
  return { shownMs, nodes, filterMs, longTasks }
}

async function eachRound<T>(browser: Browser, dataDirs: () => Promise<string>, work: (shell: WebShell) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  for (let round = 0; round < rounds; round += 1) {
    const dataDir = await dataDirs()
    const shell = await openWebShell({ dataDir, browser })
    try {
      results.push(await work(shell))
    } finally {
      await shell.close()
    }
  }
  return results
}

export async function benchPage(): Promise<Record<string, Row>> {
  await buildIfNeeded()
  const folder = mkdtempSync(join(tmpdir(), 'assent-bench-page-'))
  const browser = await chromium.launch({ executablePath: findBrowser().executablePath, args: [...browserArgs] })
  let made = 0
  const profile = (servers: Parameters<typeof approveAll>[1]) => async (): Promise<string> => {
    made += 1
    const dataDir = join(folder, `profile-${made}`)
    await approveAll(dataDir, servers)
    return dataDir
  }
  try {
    const starts = await eachRound(browser, profile({}), async ({ usable, begun }) => usable - begun)
    const calls = await eachRound(browser, profile({ one }), allowedInChat)
    const lists = await eachRound(browser, profile({ first: one, 'many-tools': { ...manyTools, start: 'launch' } }), ({ page }) =>
      openManyTools(page),
    )
    return {
      'start to first usable control, ms': { promised: 600, measured: median(starts) },
      'a call allowed in a chat, click to painted, ms': { promised: 50, measured: median(calls) },
      '5,000 tools shown, ms': { promised: 400, measured: median(lists.map(({ shownMs }) => shownMs)) },
      '5,000 tools, DOM nodes': { promised: 1500, measured: median(lists.map(({ nodes }) => nodes)) },
      '5,000 tools, filtered with typing, ms': { promised: 1000, measured: median(lists.map(({ filterMs }) => filterMs)) },
      '5,000 tools, tasks over 100 ms': { promised: 0, measured: median(lists.map(({ longTasks }) => longTasks)) },
    }
  } finally {
    await browser.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}
