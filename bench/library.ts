// The library with fifty thousand resources of one server (tools: `tools-page.ts`): how long the page is busy at a
// stretch while it is scrolled through and filtered letter by letter. Beside it, in the same run and the same Chromium, the list that one
// would write first: every row in the page, filtered at once. And what they cost the loop of the host that lists and keeps them.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { browserArgs, findBrowser } from '../scripts/browser.ts'
import { buildIfNeeded } from '../scripts/build-if-needed.ts'
import { scrollThrough, type Tasks, tasksWhile } from './library/frames.ts'
import { strainOnHost } from './library/host-strain.ts'
import { approveAll } from './many/profile.ts'
import { openWebShell } from './web-shell.ts'

/** Milliseconds that one task has on the processor at most. */
const promised = { longestMs: 50 }
const program = (path: string) => ({ command: process.execPath, args: [join(import.meta.dirname, path)], start: 'launch' })
const servers = { archive: program('library/many-resources.mjs') }

interface Shelf {
  readonly hash: string
  /** Its search field. */
  readonly field: string
  /** What scrolls. */
  readonly box: string
  readonly row: string
  /** Fits all of them, and one. */
  readonly all: string
  readonly one: string
  /** What stands in the row of that one. */
  readonly found: string
}

const resources: Shelf = {
  hash: '#/library/resources/archive',
  field: 'Search',
  box: '.section-tree',
  row: '.section-row.resource',
  all: 'scan',
  one: '43211 box',
  found: 'scan-43211',
}

async function measure(
  browser: Browser,
  page: Page,
  { hash, field, box, row, all, one, found }: Shelf,
): Promise<{ scroll: Tasks; filter: Tasks; shownMs: number; nodes: number }> {
  const begun = performance.now()
  await page.goto(`${new URL(page.url()).origin}/${hash}`)
  const search = page.getByRole('searchbox', { name: field })
  await search.fill(all)
  // Its last row is of those that fit: all of the list is there.
  const rows = page.locator(row)
  await page.getByRole('treeitem', { name: /50,000$/ }).waitFor({ timeout: 120_000 })
  const shownMs = Math.round(performance.now() - begun)
  const nodes = await page.evaluate<number>('document.querySelectorAll("*").length')
  const scroll = await tasksWhile(browser, page, () => scrollThrough(page, box))
  const filter = await tasksWhile(browser, page, async () => {
    await search.fill('')
    await search.pressSequentially(one, { delay: 60 })
    await rows.filter({ hasText: found }).waitFor()
    for (let left = one.length; left > 0; left -= 1) await search.press('Backspace', { delay: 30 })
  })
  return { scroll, filter, shownMs, nodes }
}

/** Every row in the page. */
async function plainList(browser: Browser, count: number): Promise<{ scroll: Tasks; filter: Tasks }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  try {
    const page = await context.newPage()
    await page.setContent('<input type="search"><div id="box" style="height:700px;overflow:auto"></div>')
    await page.evaluate(`(() => {
      const box = document.querySelector('#box')
      const names = Array.from({ length: ${count} }, (_, n) => 'scan-' + n + '.pdf archive://20' + n % 25 + '/box-' + n % 400)
      const show = (words) => box.replaceChildren(...names.filter((name) => words.every((word) => name.includes(word))).map((name) => {
        const row = document.createElement('div')
        row.textContent = name
        row.style.height = '28px'
        return row
      }))
      document.querySelector('input').addEventListener('input', (event) => show(event.target.value.split(' ')))
      show([])
    })()`)
    const scroll = await tasksWhile(browser, page, () => scrollThrough(page, '#box'))
    const filter = await tasksWhile(browser, page, async () => {
      const search = page.getByRole('searchbox')
      await search.pressSequentially('43', { delay: 60, timeout: 0 })
      for (let left = 2; left > 0; left -= 1) await search.press('Backspace', { delay: 30, timeout: 0 })
    })
    return { scroll, filter }
  } finally {
    await context.close()
  }
}

export async function benchLibrary(): Promise<object> {
  await buildIfNeeded()
  const folder = mkdtempSync(join(tmpdir(), 'assent-bench-library-'))
  const browser = await chromium.launch({ executablePath: findBrowser().executablePath, args: [...browserArgs] })
  try {
    const dataDir = join(folder, 'profile')
    await approveAll(dataDir, servers)
    const host = await strainOnHost(dataDir, 'archive')
    const shell = await openWebShell({ dataDir, browser })
    try {
      return {
        promised,
        host,
        '50,000 resources': await measure(browser, shell.page, resources),
        '50,000 rows, every one in the page': await plainList(browser, 50_000),
      }
    } finally {
      await shell.close()
    }
  } finally {
    await browser.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}
