import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { test as base, expect } from '../fixtures/app.ts'
import { axeFindsNothing } from '../fixtures/axe.ts'
import { originOf } from '../fixtures/shells.ts'
import { allow, card, openServers } from '../fixtures/steps.ts'

const root = resolve(import.meta.dirname, '../..')
const official = (name: string, ...args: string[]) => ({
  command: process.execPath,
  args: [join(root, 'node_modules/@modelcontextprotocol', name, 'dist/index.js'), ...args],
})
const folder = mkdtempSync(join(tmpdir(), 'assent-library-'))
const mcpServers = {
  shelf: { command: process.execPath, args: [join(root, 'e2e/servers/raw/contents.ts')] },
  everything: official('server-everything', 'stdio'),
  files: official('server-filesystem', folder),
  demo: { builtin: 'demo' },
}
const test = base.extend({
  options: async ({ options }, use) => use({ ...options, profile: { 'servers.json': JSON.stringify({ mcpServers }) } }),
})
test.afterAll(() => rmSync(folder, { recursive: true }))

const row = (page: Page, name: string | RegExp) => page.getByRole('treeitem', { name })
const shelf = (page: Page, name: 'Resources' | 'Prompts') =>
  page.getByRole('radiogroup', { name: 'What to show' }).getByText(name, { exact: true }).click()

test('what servers offer is read, followed, filled in and put into a chat', async ({ app }) => {
  test.slow()
  const { page } = app
  const away: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(originOf(page)) && !request.url().startsWith('data:')) away.push(request.url())
  })
  for (const name of ['shelf', 'everything', 'files']) {
    await openServers(page, name)
    await page.getByRole('button', { name: 'Start', exact: true }).click()
    await allow(card(page), /^Start/)
  }
  await page.getByRole('link', { name: 'Library' }).click()
  await expect(row(page, /^files/)).toBeVisible()
  await expect(row(page, /^everything/)).toContainText(/[1-9]\d*$/)

  await row(page, 'vendors.csv').click()
  await expect(page.getByRole('columnheader', { name: 'vendor' })).toBeVisible()
  await axeFindsNothing(page)
  await row(page, 'rules.json').click()
  await expect(page.getByRole('treeitem', { name: /currency/ })).toBeVisible()
  await row(page, 'rate.ts').click()
  await expect(page.locator('.code .hl-word').first()).toBeVisible()
  await row(page, 'stamp.png').click()
  await expect
    .poll(() => page.locator('.result-image').evaluate((image) => (image as unknown as { readonly naturalWidth: number }).naturalWidth))
    .toBe(8)
  await row(page, 'call.wav').click()
  await expect(page.locator('audio')).toHaveAttribute('src', /^\/blob\//)
  await row(page, 'raw.bin').click()
  await expect(page.getByRole('region', { name: 'Bytes' })).toContainText('00 01 02 ff 41')
  await row(page, 'contract.pdf').click()
  const pdf = page.getByRole('region', { name: 'Page 1 of 2' })
  await expect(pdf).toContainText('Page 1 of the contract')
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByRole('region', { name: 'Page 2 of 2' })).toContainText('Page 2 of the contract')

  await row(page, 'notes.md').click()
  await expect(page.getByRole('heading', { name: 'Notes', exact: true })).toBeVisible()
  await page.getByText('Subscribe').click()
  await page.getByRole('button', { name: 'What changed' }).click()
  await expect(page.getByRole('figure', { name: 'What changed' })).toContainText('times')
  await expect(row(page, /^notes.md/)).toContainText('live')

  await page.getByRole('searchbox', { name: 'Search', exact: true }).fill('any of year')
  await row(page, /^any of a year/).click()
  await page.getByRole('combobox', { name: 'year' }).fill('2026')
  await page.getByRole('combobox', { name: 'name' }).fill('rules.json')
  await page.getByRole('button', { name: 'Read' }).click()
  await expect(page.getByRole('treeitem', { name: /currency/ })).toBeVisible()
  await page.getByRole('button', { name: 'Attach to a new chat' }).click()
  await expect(page.getByRole('button', { name: 'Remove rules.json' })).toBeVisible()

  await page.getByRole('link', { name: 'Library' }).click()
  await shelf(page, 'Prompts')
  await row(page, 'close').click()
  await page.getByRole('combobox', { name: /month/ }).fill('2026-09')
  await page.getByRole('button', { name: 'Preview' }).click()
  await expect(page.getByText('Close 2026-09.')).toBeVisible()
  await expect(page.getByRole('button', { name: /rules.json/ })).toBeVisible()
  await axeFindsNothing(page)
  await page.getByRole('button', { name: 'Insert into a new chat' }).click()
  await expect(page.getByRole('button', { name: 'Remove close' })).toBeVisible()

  await page.getByRole('link', { name: 'Library' }).click()
  await followEverything(page)
  await followDemo(page, app.dataDir)
  await shelf(page, 'Prompts')
  await promptsOfOthers(page)
  expect(away).toEqual([])
})

const diff = (page: Page) => page.getByRole('figure', { name: 'What changed' })
const open = (page: Page, hash: string) => page.goto(`${page.url().split('#')[0]}#/library/${hash}`)

/** The reference server, of 2025-11-25: what it lists, makes of a template, refuses, and tells of. */
async function followEverything(page: Page): Promise<void> {
  await row(page, 'architecture.md').click()
  await expect(page.getByRole('heading', { name: /level Overview/ })).toBeVisible()
  await row(page, 'Dynamic Blob Resource').click()
  await page.getByRole('combobox', { name: 'resourceId' }).fill('x')
  await page.getByRole('button', { name: 'Read' }).click()
  await expect(page.locator('q')).toContainText('Unknown resource')
  await row(page, 'Dynamic Text Resource').click()
  await page.getByRole('combobox', { name: 'resourceId' }).fill('7')
  await expect(page.locator('datalist option')).toHaveAttribute('value', '7')
  await page.getByRole('button', { name: 'Read' }).click()
  await expect(page.getByLabel('Text', { exact: true })).toContainText('Resource 7: This is a plaintext resource')
  await page.getByText('Subscribe').click()
  await expect(page.getByRole('switch', { name: 'Subscribe' })).toBeChecked()
  const here = new URL(page.url()).hash
  await open(page, 'tools/everything/toggle-subscriber-updates')
  await page.getByRole('button', { name: 'Run toggle-subscriber-updates' }).click()
  await expect(page.locator('[data-run="done"]')).toContainText('Started simulated resource updated notifications')
  await open(page, here.replace('#/library/', ''))
  // It says when it was made, and is made anew every five seconds.
  await page.getByRole('button', { name: 'What changed' }).click()
  await expect(diff(page)).toContainText('created at')
}

/** Of 2026-07-28, on the official SDK: an invoice is written by somebody else while it is looked at. */
async function followDemo(page: Page, dataDir: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Search', exact: true }).fill('0414')
  await row(page, /Lindgren/).click()
  await expect(page.getByLabel('Text', { exact: true })).toContainText('36.50 EUR')
  await page.getByText('Subscribe').click()
  await expect(row(page, /Lindgren/)).toContainText('live')
  const file = join(dataDir, 'demo', 'invoice-0414.txt')
  writeFileSync(file, readFileSync(file, 'utf8').replace('36.50', '41.00'))
  await page.getByRole('button', { name: 'What changed' }).click()
  await expect(diff(page)).toContainText('36.50 EUR')
  await expect(diff(page)).toContainText('41.00 EUR')
  await axeFindsNothing(page)
}

async function promptsOfOthers(page: Page): Promise<void> {
  const shown = page.locator('.prompt-message')
  await row(page, /^Simple Prompt/).click()
  await expect(shown).toContainText('a simple prompt without arguments')
  // What the second may be follows from the first.
  await row(page, /^Team Management/).click()
  await page.getByRole('combobox', { name: /department/ }).fill('Sales')
  await page.getByRole('combobox', { name: /^name/ }).fill('E')
  await expect(page.locator('datalist option[value="Eve"]')).toHaveCount(1)
  await page.getByRole('combobox', { name: /^name/ }).fill('Eve')
  await page.getByRole('button', { name: 'Preview' }).click()
  await expect(shown).toContainText('promote Eve to the head of the Sales team')
  await row(page, /^Resource Prompt/).click()
  await page.getByRole('combobox', { name: /resourceType/ }).fill('Neither')
  await page.getByRole('combobox', { name: /resourceId/ }).fill('3')
  await page.getByRole('button', { name: 'Preview' }).click()
  await expect(page.locator('q')).toContainText('Invalid resourceType')
  await page.getByRole('combobox', { name: /resourceType/ }).fill('Text')
  await page.getByRole('button', { name: 'Preview' }).click()
  await expect(shown.last().getByRole('listitem')).toContainText('everything')
  await row(page, /^Chase a payment/).click()
  await page.getByRole('combobox', { name: /vendor/ }).fill('Maru Coffee')
  await page.getByRole('button', { name: 'Preview' }).click()
  await expect(shown).toContainText('0413 of 2026-09-18')
}
