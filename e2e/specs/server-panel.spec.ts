import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { axeFindsNothing } from '../fixtures/axe.ts'
import { test as base, expect } from '../fixtures/model.ts'
import { allow, allowAll, card, openServers, pickModel, send, turnEnds } from '../fixtures/steps.ts'

const raw = (name: string, ...args: string[]) => ({
  command: process.execPath,
  args: [resolve(import.meta.dirname, `../servers/raw/${name}.ts`), ...args],
})
const configured = (mcpServers: object) =>
  base.extend({
    options: async ({ options }, use) => use({ ...options, profile: { 'servers.json': JSON.stringify({ mcpServers }) } }),
  })
const row = (page: Page, name: string) => page.locator(`[data-server="${name}"]`)

async function start(page: Page, name: string): Promise<void> {
  await openServers(page, name)
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await allow(card(page), /^(Start|Connect)/)
}
const tab = (page: Page, name: RegExp) => page.getByRole('tab', { name }).click()
const fact = (page: Page, name: string) => page.locator('dt', { hasText: new RegExp(`^${name}$`) }).locator('+ dd')

async function axe(page: Page, ...schemes: readonly ('light' | 'dark')[]): Promise<void> {
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await axeFindsNothing(page)
  }
}

const chatty = configured({ ledger: raw('chatty') })

chatty('a log is searched, followed, copied and saved, in the program’s own colours', async ({ app }) => {
  base.slow()
  const { page } = app
  await start(page, 'ledger')
  await tab(page, /^Log/)
  const log = page.getByRole('region', { name: 'Log', exact: true })
  await expect(log.locator('.ansi-red')).toHaveText('cannot find book.db')
  await expect(log).toContainText('entry 7 has no date')
  const levels = page.getByRole('radiogroup', { name: 'What to show' })
  await levels.getByText('Errors').click()
  await expect(log.locator('.log-line')).toHaveCount(1)
  await levels.getByText('All').click()
  await page.getByRole('searchbox', { name: 'Search' }).fill('12 ENTRIES')
  await expect(log.locator('mark')).toHaveText('12 entries')
  await page.getByRole('searchbox', { name: 'Search' }).fill('')
  if (app.shell === 'electron') return
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const more = page.getByRole('button', { name: 'Copy, save or clear' })
  await more.click()
  await page.getByRole('menuitem', { name: 'Copy all' }).click()
  await expect(page.getByText('Copied', { exact: true })).toBeVisible()
  const copied = await page.evaluate<string>('navigator.clipboard.readText()')
  expect([copied.includes('cannot find book.db, making one'), copied.includes('\u001b')]).toEqual([true, false])
  await more.click()
  const coming = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Save as a file' }).click()
  const saved = await coming
  expect([saved.suggestedFilename(), readFileSync(await saved.path(), 'utf8').trimEnd()]).toEqual(['ledger log.txt', copied])
})

chatty('a flood of lines keeps the page painting, and only what is in view is in it', async ({ app }) => {
  base.slow()
  const { page } = app
  await start(page, 'ledger')
  await tab(page, /^Log/)
  const level = page.getByRole('combobox', { name: 'Log level' })
  await level.selectOption('debug')
  await expect(page.getByText(/lines were left out/)).toBeVisible()
  // It paints on meanwhile, and what is in the page does not grow with what is said.
  const most = await page.evaluate<number>(`new Promise((resolve) => {
    let [frames, lines] = [0, 0]
    const paint = () => {
      frames += 1
      lines = Math.max(lines, document.querySelectorAll('.log-line').length)
      if (frames < 30) requestAnimationFrame(paint)
      else resolve(lines)
    }
    requestAnimationFrame(paint)
  })`)
  expect(most).toBeLessThan(150)
  const follow = page.getByRole('button', { name: 'Follow' })
  await follow.click()
  await expect(follow).toHaveAttribute('aria-pressed', 'false')
  await level.selectOption('warning')
  await expect(page.getByRole('button', { name: /new lines?$/ })).toBeVisible()
  await follow.click()
  await expect(page.getByRole('region', { name: 'Log', exact: true }).getByText('the noise is over')).toBeVisible()
})

chatty('the panel tells how a server is, and axe finds nothing on any of its tabs', async ({ app, model }) => {
  base.slow()
  const { page } = app
  const calls = [
    {
      call: [
        { tool: 'ledger__works', input: {} },
        { tool: 'ledger__breaks', input: {} },
      ],
    },
    { say: 'So it is.' },
  ]
  model.setRules([{ when: 'work', steps: calls }])
  await start(page, 'ledger')
  await expect(row(page, 'ledger')).toContainText('ready')
  await page
    .getByRole('link', { name: /New chat/ })
    .first()
    .click()
  await pickModel(page, /Claude Large 1/)
  await send(page, 'work')
  await allowAll(page)
  await turnEnds(page)
  await openServers(page, 'ledger')
  await tab(page, /^Details/)
  await expect(fact(page, 'State')).toContainText('ready')
  await expect(fact(page, 'Protocol')).toContainText('older protocol')
  await expect(fact(page, 'In this run')).toHaveText('started 1 time')
  await expect(fact(page, 'Calls, this run')).toHaveText(/^2, 1 failed · p50 .+ · p95 .+$/)
  await expect(fact(page, 'Last error')).toContainText('breaks')
  await expect(fact(page, 'Tokens of tools')).toContainText('tokens')
  const cells = page.getByRole('table', { name: 'Processes' }).locator('tbody tr').first().locator('td')
  await expect(cells.nth(0)).toContainText('chatty.ts')
  await expect(cells.nth(2)).toHaveText(/^\d.* MB$/)
  await expect(cells.nth(3)).toHaveText(/^\d.* %$/)
  for (const [name, ...schemes] of [
    [/^Tools/, 'dark'],
    [/^Resources/, 'light'],
    [/^Prompts/, 'light'],
    [/^Permissions/, 'dark', 'light'],
    [/^Log/, 'dark'],
    [/^Details/, 'dark', 'light'],
  ] as const) {
    await tab(page, name)
    await axe(page, ...schemes)
  }
  await page.getByRole('button', { name: 'More about ledger' }).click()
  await page.getByRole('menuitem', { name: 'Restart' }).click()
  await expect(fact(page, 'In this run')).toHaveText('started 2 times')
  await expect(row(page, 'ledger')).toContainText('ready')
  await tab(page, /^Messages/)
  await page.getByRole('button', { name: 'Record messages' }).click()
  await page.getByRole('button', { name: 'Restart', exact: true }).click()
  await page.getByRole('option', { name: /initialize request/ }).click()
  const message = page.getByRole('region', { name: 'Message' })
  await expect(message).toContainText('"clientInfo"')
  await message.getByRole('button', { name: 'Result' }).click()
  await expect(message).toContainText('"serverInfo"')
  await axe(page, 'dark')
  if (app.shell === 'web') await savesMessages(page)
})

/** As JSON Lines, the greeting first, each line a value of its own. */
async function savesMessages(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Copy, save or clear' }).click()
  const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'Save as a file' }).click()])
  const lines = readFileSync(await saved.path(), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const [first] = lines.filter(({ kind }) => kind === 'request')
  expect([saved.suggestedFilename(), first.direction, first.message.method]).toEqual(['ledger messages.jsonl', 'sent', expect.any(String)])
  expect(lines.find(({ kind, method }) => kind === 'result' && method === 'initialize').message.result.serverInfo).toBeTruthy()
}

const slow = configured({ slow: { ...raw('chatty', '4000'), startTimeout: 1000 } })

slow('a server that fails again and again waits for the person, says why, and starts once its remedy is pressed', async ({ app }) => {
  base.slow()
  const { page } = app
  await start(page, 'slow')
  const notice = page.getByRole('alert').filter({ hasText: 'slow' })
  await expect(notice).toContainText('no longer starts automatically', { timeout: 30_000 })
  await expect(page.getByRole('tab', { name: 'The last start' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.locator('.steps')).toContainText('Start the process')
  await axe(page, 'dark', 'light')
  if (app.shell === 'web') {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy report' }).click()
    await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
    const report = await page.evaluate<string>('navigator.clipboard.readText()')
    expect(['slow: did not answer', 'too-slow', 'chatty.ts', 'find command'].filter((words) => !report.includes(words))).toEqual([])
  }
  await notice.getByRole('button', { name: /^Wait up to/ }).click()
  await expect(row(page, 'slow')).toContainText('ready', { timeout: 30_000 })
  expect(readFileSync(join(app.dataDir, 'servers.json'), 'utf8')).toContain('60000')
  await expect(page.getByText('works', { exact: true })).toBeVisible()
})

// No connection can be made to an address of many: the system says that there is no way there, as it does when offline.
const offline = configured({ far: { url: 'http://224.0.0.1/mcp' } })

offline('a server that no network leads to is offline, which is no alarm', async ({ app }) => {
  base.slow()
  const { page } = app
  await start(page, 'far')
  await expect(row(page, 'far')).toContainText('offline')
  await expect(row(page, 'far')).toContainText('offline')
  await expect(page.locator('.headline')).toContainText('offline')
  await expect(page.locator('.notice.warn')).toContainText('far: no network')
  await expect(page.getByRole('region', { name: 'Not running' }).locator('[data-server="far"]')).toBeVisible()
  await expect(page.getByText('a server failed')).toHaveCount(0)
  await axe(page, 'dark')
})
