// The library's tools in the browser: found, read, and run by hand with the demo server and two that others wrote.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { axeFindsNothing } from '../fixtures/axe.ts'
import { test as base, expect } from '../fixtures/model.ts'
import { allow, card } from '../fixtures/steps.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'assent-tools-page-')))
mkdirSync(join(folder, 'notes'))
writeFileSync(join(folder, 'notes', 'a.txt'), 'What stands in the note.')
base.afterAll(() => rmSync(folder, { recursive: true, force: true }))

const program = (name: string) => resolve(import.meta.dirname, `../../node_modules/@modelcontextprotocol/${name}/dist/index.js`)
const mcpServers = {
  everything: { command: process.execPath, args: [program('server-everything'), 'stdio'] },
  filesystem: { command: process.execPath, args: [program('server-filesystem'), folder] },
  demo: { builtin: 'demo' },
}
const test = base.extend({
  options: async ({ options }, use) => use({ ...options, profile: { 'servers.json': JSON.stringify({ mcpServers }) } }),
})

async function start(page: Page, name: string): Promise<void> {
  await page.goto(`${page.url().split('#')[0]}#/servers/${name}`)
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await allow(card(page), /^(Start|Connect)/)
  await expect(page.locator(`[data-server="${name}"]`)).toContainText('ready')
}
const openTool = (page: Page, server: string, tool: string) => page.goto(`${page.url().split('#')[0]}#/library/tools/${server}/${tool}`)
const runs = (page: Page, kind: string) => page.locator(`[data-run="${kind}"]`)

async function axe(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await axeFindsNothing(page)
}

test('tools are found, read and run by hand: with a form, with progress and a cancel, and with a question of the server', async ({
  app,
  model,
}) => {
  test.slow()
  const { page } = app
  model.setRules([{ when: 'invoice', steps: [{ say: 'Holm & Aster is owed 187.40.' }] }])
  await start(page, 'everything')
  await start(page, 'filesystem')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Library' }).click()
  await page.getByText('Tools', { exact: true }).click()
  await page.getByRole('searchbox', { name: 'Find a tool' }).fill('filesystem read_text')
  await page.locator('[data-tool="filesystem__read_text_file"]').click()

  // A form, a result, and the same again from the history.
  await page.getByLabel(/^path/).fill(join(folder, 'notes', 'a.txt'))
  await page.getByRole('button', { name: 'Run read_text_file' }).click()
  await expect(runs(page, 'done')).toContainText('What stands in the note.')
  await expect(page.getByText('accepted', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Run again' }).click()
  await expect(runs(page, 'done')).toHaveCount(2)
  await axe(page)

  await openTool(page, 'everything', 'trigger-long-running-operation')
  await page.getByText('JSON', { exact: true }).click()
  await page.getByRole('textbox', { name: 'Arguments as JSON' }).fill('{"duration": 600, "steps": 6000}')
  await page.getByRole('button', { name: /^Run trigger/ }).click()
  await expect(page.getByRole('progressbar')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(runs(page, 'cancelled')).toBeVisible()

  await openTool(page, 'everything', 'trigger-elicitation-request')
  await page.getByRole('button', { name: /^Run trigger/ }).click()
  await card(page).getByRole('textbox').first().fill('Ada')
  await axe(page)
  await answer(card(page), /^Send to everything/, runs(page, 'done'), 'Ada')
  await runAllKinds(page)
})

const everyKind: readonly (readonly [server: string, tool: string, args: object, says: RegExp])[] = [
  ['filesystem', 'directory_tree', { path: folder }, /a\.txt/],
  ['filesystem', 'write_file', { path: join(folder, 'new.txt'), content: 'New.' }, /Successfully wrote/],
  ['filesystem', 'get_file_info', { path: '/etc/hostname' }, /error.*Access denied/s],
  ['everything', 'get-sum', { a: 2, b: 3 }, /is 5/],
  ['everything', 'get-structured-content', { location: 'Chicago' }, /temperature/],
  ['everything', 'get-resource-links', { count: 2 }, /Text Resource 2/],
  ['demo', 'list_invoices', { month: '2026-09' }, /6 invoices/],
]

async function runAllKinds(page: Page): Promise<void> {
  for (const [server, tool, args, says] of everyKind) {
    await runAsJson(page, server, tool, args)
    await expect(runs(page, 'done')).toContainText(says)
  }
  for (const [server, tool] of [
    ['everything', 'get-tiny-image'],
    ['demo', 'show_chart'],
  ] as const) {
    await runAsJson(page, server, tool, {})
    await expect
      .poll(() => page.locator('.result-image').evaluate((image) => (image as unknown as { readonly naturalWidth: number }).naturalWidth))
      .toBeGreaterThan(1)
  }

  await runAsJson(page, 'demo', 'book_room', { people: 5, day: 'Thursday' })
  await card(page)
    .getByLabel(/^Your name/)
    .fill('Maya')
  await card(page)
    .getByLabel(/^Starts at/)
    .selectOption('10:00')
  await answer(card(page), /^Send to demo/, runs(page, 'done'), 'Room Birch is booked')

  // The answer of a model is shown before its server has it, here as in a chat.
  await runAsJson(page, 'demo', 'summarize_invoice', { file: 'invoice-0417.txt' })
  const given = card(page, /wants to read/)
  await answer(card(page, /wants an answer/), /^Send to/, given, 'is owed 187.40')
  await axe(page)
  await answer(given, /^Send answer/, runs(page, 'done'), 'is owed 187.40')
}

/** A card is armed anew by each of its moves, and coming into sight is one. */
async function answer(asked: Locator, button: RegExp, then: Locator, says: string): Promise<void> {
  await expect(asked).toBeVisible()
  await expect(async () => {
    if (await asked.count()) await allow(asked, button)
    await expect(asked).toHaveCount(0, { timeout: 1000 })
  }).toPass()
  await expect(then).toContainText(says)
}

async function runAsJson(page: Page, server: string, tool: string, args: object): Promise<void> {
  await openTool(page, server, tool)
  await page.getByText('JSON', { exact: true }).click()
  await page.getByRole('textbox', { name: 'Arguments as JSON' }).fill(JSON.stringify(args))
  await page.getByRole('button', { name: `Run ${tool}` }).click()
}
