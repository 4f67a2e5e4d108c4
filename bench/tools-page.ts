// The library's tools with 5,000 of them, in the page of the built web shell in a real Chromium: the longest task of the
// page while they are scrolled and filtered, beside the same rows all in the page at once, in the same run. Promised: 50 ms.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { browserArgs, findBrowser } from '../scripts/browser.ts'
import { buildIfNeeded } from '../scripts/build-if-needed.ts'
import { approveAll } from './many/profile.ts'
import { openWebShell } from './web-shell.ts'

const manyTools = { command: process.execPath, args: [join(import.meta.dirname, 'many/many-tools.mjs')] }
const promised = 50

/** The page's own measure of what `work` costs it: the longest task, and how many were over 50 ms. */
async function tasksOf(page: Page, work: () => Promise<void>): Promise<{ readonly longest: number; readonly over: number }> {
  await page.evaluate('window.longTasks.length = 0')
  await work()
  // Tasks are told a moment after they ran.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 200)))')
  const tasks = await page.evaluate<number[]>('window.longTasks')
  return { longest: Math.round(Math.max(0, ...tasks)), over: tasks.filter((ms) => ms > promised).length }
}

/** The pane `.toolslist`, from its top to its end and back, a screen a frame. */
const scroll = (page: Page): Promise<void> =>
  page.evaluate(`(async () => {
    const pane = document.querySelector('.toolslist')
    const frame = () => new Promise((done) => requestAnimationFrame(done))
    const step = pane.clientHeight * 4
    for (let at = 0; at < pane.scrollHeight; at += step) { pane.scrollTop = at; await frame() }
    for (let at = pane.scrollHeight; at > 0; at -= step * 4) { pane.scrollTop = at; await frame() }
  })()`)

async function filter(page: Page): Promise<void> {
  const search = page.getByRole('searchbox', { name: 'Find a tool' })
  await search.focus()
  await page.keyboard.type('number 43')
  await page.locator('.tool-filters [role=status]').filter({ hasText: ' of 5,000 tools' }).waitFor()
  await search.fill('')
  await page
    .locator('.tool-filters [role=status]')
    .filter({ hasText: /^5,000 tools/ })
    .waitFor()
}

/** As many rows as there are tools, by the markup of those that are drawn, in a list beside; a filter hides what does not fit. */
const plainList = (page: Page): Promise<void> =>
  page.evaluate(`(async () => {
    const list = document.querySelector('.tool-links')
    const row = list.querySelector('.tool-link')
    const frame = () => new Promise((done) => requestAnimationFrame(done))
    const names = Array.from({ length: 5000 }, (_, n) => 'tool_' + String(n).padStart(4, '0'))
    const plain = document.createElement('div')
    plain.className = 'tool-links'
    const draw = (shown) => plain.replaceChildren(...shown.map((name) => {
      const copy = row.cloneNode(true)
      copy.querySelector('.mono').textContent = name
      return copy
    }))
    draw(names)
    list.replaceWith(plain)
    await frame()
    for (const typed of ['4', '43', '']) { draw(names.filter((name) => name.includes(typed))); await frame() }
    const pane = document.querySelector('.toolslist')
    const step = pane.clientHeight * 4
    for (let at = 0; at < pane.scrollHeight; at += step) { pane.scrollTop = at; await frame() }
  })()`)

export async function benchToolsPage(): Promise<object> {
  await buildIfNeeded()
  const folder = mkdtempSync(join(tmpdir(), 'assent-bench-tools-page-'))
  const dataDir = join(folder, 'profile')
  await approveAll(dataDir, { 'many-tools': { ...manyTools, start: 'launch' } })
  const browser = await chromium.launch({ executablePath: findBrowser().executablePath, args: [...browserArgs] })
  try {
    const shell = await openWebShell({ dataDir, browser })
    const { page } = shell
    try {
      await page.goto(`${new URL(page.url()).origin}/#/library/tools`)
      await page
        .locator('.tool-filters [role=status]')
        .filter({ hasText: /^5,000 tools/ })
        .waitFor()
      const scrolled = await tasksOf(page, () => scroll(page))
      const filtered = await tasksOf(page, () => filter(page))
      const rows = await page.evaluate<number>("document.querySelectorAll('.tool-link').length")
      const plain = await tasksOf(page, () => plainList(page))
      return {
        'scrolled, longest task, ms': { promised, measured: scrolled.longest },
        'filtered with typing, longest task, ms': { promised, measured: filtered.longest },
        'tasks over 50 ms': { promised: 0, measured: scrolled.over + filtered.over },
        'rows in the page': { promised: 100, measured: rows },
        'all 5,000 rows in the page, longest task, ms': { promised: '', measured: plain.longest },
        'all 5,000 rows in the page, tasks over 50 ms': { promised: '', measured: plain.over },
      }
    } finally {
      await shell.close()
    }
  } finally {
    await browser.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}
