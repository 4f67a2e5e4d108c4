import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from '../fixtures/app.ts'
import { allow, card, openServers, send } from '../fixtures/steps.ts'

const root = resolve(import.meta.dirname, '../..')
const everything = {
  command: process.execPath,
  args: [resolve(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js'), 'stdio'],
}

test('a server added by JSON shows its exact command, starts when allowed, and its tools are there', async ({ app }) => {
  const { page } = app
  await openServers(page)
  await page.getByRole('link', { name: 'Add server' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add server' })
  await dialog.getByRole('textbox', { name: /Paste anything/ }).fill(JSON.stringify({ mcpServers: { everything } }))
  await expect(dialog.getByText('Found 1 server')).toBeVisible()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  const launch = card(page)
  await expect(launch).toContainText(everything.command)
  for (const argument of everything.args) await expect(launch).toContainText(argument)
  await expect(page.locator('.headline')).not.toContainText('2025')
  await allow(launch, /Start|Allow|Run/)
  await expect(page.locator('.headline')).toContainText('older protocol')
  await expect(page.getByRole('tab', { name: /Tools/ })).toBeVisible()
  await expect(page.getByText('echo', { exact: true }).first()).toBeVisible()
})

test('a launch that is refused starts nothing', async ({ app }) => {
  const { page } = app
  await openServers(page)
  await page.getByRole('link', { name: 'Add server' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add server' })
  await dialog.getByRole('textbox', { name: /Paste anything/ }).fill(JSON.stringify({ mcpServers: { everything } }))
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await card(page)
    .getByRole('button', { name: /^(Deny|Don’t)/ })
    .click()
  await expect(card(page)).toHaveCount(0)
  await expect(page.locator('[data-server="everything"]')).toContainText('not allowed')
})

test.describe('a server that crashes', () => {
  test.use({
    options: {
      hostEnv: {},
      profile: {
        'servers.json': JSON.stringify({
          mcpServers: {
            demo: { builtin: 'demo' },
            crasher: { command: process.execPath, args: ['-e', 'console.error("cannot open book.db"); process.exit(3)'] },
            missing: { command: 'no-such-program-anywhere' },
          },
        }),
      },
    },
  })

  test('says so, with its exit code and its last words', async ({ app }) => {
    const { page } = app
    await openServers(page, 'crasher')
    await page
      .getByRole('button', { name: /^Start/ })
      .first()
      .click()
    await allow(card(page), /Start|Allow|Run/)
    const notice = page.locator('.notice.bad')
    await expect(notice).toContainText('crasher')
    await expect(page.locator('.main')).toContainText('cannot open book.db')
    await expect(page.locator('.main')).toContainText('3')
  })

  test('a program that is not there is named, and the others work on', async ({ app }) => {
    const { page } = app
    await openServers(page, 'missing')
    await page
      .getByRole('button', { name: /^Start/ })
      .first()
      .click()
    await allow(card(page), /Start|Allow|Run/)
    await expect(page.locator('.notice.bad')).toContainText('no-such-program-anywhere')
    await page
      .getByRole('link', { name: /New chat/ })
      .first()
      .click()
    await send(page, 'List the sample invoices')
    // The crasher has not been allowed to start yet: the turn waits for that, or for this.
    await page.getByRole('button', { name: 'Answer without it' }).click()
    await expect(card(page).filter({ hasText: 'list_invoices' })).toBeVisible()
  })
})

test.describe('a broken config file', () => {
  const broken = '{\n  "mcpServers": {\n    "demo": { "builtin": "demo" },\n    "bad": { "args": "not a list" }\n  }\n}\n'
  test.use({ options: { hostEnv: {}, profile: { 'servers.json': broken } } })

  test('names file, line and remedy, keeps the file, and starts what can start', async ({ app }) => {
    const { page } = app
    await openServers(page)
    const notice = page.locator('.notices')
    await expect(notice).toContainText('servers.json, line 4')
    await expect(notice.getByRole('link', { name: 'Open the file' })).toBeVisible()
    await page.locator('[data-server="demo"]').click()
    await expect(page.locator('[data-server="demo"]')).toContainText('ready')
    expect(readFileSync(join(app.dataDir, 'servers.json'), 'utf8')).toBe(broken)
  })
})
