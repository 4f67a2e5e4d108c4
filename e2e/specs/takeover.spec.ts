// Servers of other programs, found at their places in a home of the test's own: one file of them broken. One question,
// nothing started, the secret out of the file.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { homeVariables } from '../../main/base/this-system.testing.ts'
import { expect, test } from '../fixtures/app.ts'
import { axeFindsNothing } from '../fixtures/axe.ts'
import { allow, card, openServers, openSettings } from '../fixtures/steps.ts'

const home = mkdtempSync(join(tmpdir(), 'assent-home-'))
const started = join(home, 'started')
const program = { command: process.execPath, args: ['-e', `require('fs').writeFileSync(${JSON.stringify(started)}, '')`] }
const secret = 'hunter22-0123456789'
const files: Readonly<Record<string, string>> = {
  '.cursor/mcp.json': JSON.stringify({ mcpServers: { notes: { ...program, env: { API_TOKEN: secret }, autoApprove: ['*'] } } }),
  '.codeium/windsurf/mcp_config.json':
    '{\n  "mcpServers": {\n    "whole": { "serverUrl": "https://whole.example/mcp" },\n    "half": { "command": "npx", "args": [\n',
  '.continue/config.yaml': 'mcpServers:\n  - name: demo\n    command: other-demo\n',
}
for (const [path, text] of Object.entries(files)) {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  writeFileSync(join(home, path), text)
}
test.afterAll(() => rmSync(home, { recursive: true, force: true }))
test.use({ options: { hostEnv: { ...homeVariables(home), APPDATA: home, XDG_CONFIG_HOME: join(home, '.config') }, profile: {} } })

test('servers of other apps are imported by one answer, which also allows their starts and starts none', async ({ app }) => {
  const { page } = app
  const config = (): string => readFileSync(join(app.dataDir, 'servers.json'), 'utf8')
  await openServers(page)
  await page.getByRole('link', { name: 'Add server' }).click()
  await page.getByRole('button', { name: /^Windsurf/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Import servers' })
  await expect(dialog.getByText(/Line 4: /).first()).toBeVisible()
  await dialog.getByRole('button', { name: 'Show those of other apps too' }).click()
  await expect(dialog.getByRole('checkbox', { name: 'Import “notes”' })).toBeChecked()
  await expect(dialog.getByRole('checkbox', { name: 'Import “demo”' })).not.toBeChecked()
  await dialog.getByRole('checkbox', { name: 'Import “demo”' }).press(' ')
  const ask = dialog.locator(card(page))
  await expect(ask).toContainText('3 servers')
  await expect(ask).toContainText(program.command)
  await axeFindsNothing(page)
  expect(config()).not.toContain('notes')
  await allow(ask, /^Import 3 servers/)
  await expect(page).toHaveURL(/#\/servers\/(notes|whole)$/)
  await expect(page.locator('[data-server="demo-2"]')).toBeVisible()
  expect(config()).toContain('https://whole.example/mcp')
  expect(config()).not.toMatch(/hunter22|autoApprove|half/)
  expect(existsSync(started)).toBe(false)
  // The review allowed its start.
  await openServers(page, 'notes')
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await expect.poll(() => existsSync(started)).toBe(true)
  await expect(card(page)).toHaveCount(0)
})

test('Assent is put into the file of another app as the diff shows it, on yes, and taken out again byte for byte', async ({ app }) => {
  const { page } = app
  const path = join(home, '.cursor/mcp.json')
  const file = (): string => readFileSync(path, 'utf8')
  const before = file()
  await openSettings(page)
  await page.getByRole('radio', { name: 'Other apps' }).check({ force: true })
  const open = async (button: string) => {
    await page.getByRole('button', { name: button, exact: true }).click()
    const dialog = page.getByRole('dialog', { name: button })
    await expect(dialog.getByRole('figure', { name: 'What changed' })).toContainText('assent')
    return dialog
  }
  // No: nothing is written.
  const first = await open('Connect Cursor')
  await expect(first).toContainText('ASSENT_MCP_TOKEN')
  expect(await first.textContent()).not.toMatch(/assent_mcp_[\w-]{20}/)
  // What is cut out of a file would be lost with this run: without a keyring no server moves.
  await expect(first.getByText('Move to Assent')).toHaveCount(0)
  await axeFindsNothing(page)
  await first.getByRole('button', { name: 'Cancel' }).click()
  expect(file()).toBe(before)
  // Yes, and undone at once.
  await (await open('Connect Cursor')).getByRole('button', { name: 'Connect', exact: true }).click()
  await expect.poll(file).toMatch(/assent_mcp_[\w-]{20}/)
  expect(JSON.parse(file()).mcpServers).toMatchObject({
    ...JSON.parse(before).mcpServers,
    assent: { args: expect.arrayContaining(['mcp']) },
  })
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(file).toBe(before)
  // Yes, and disconnected later.
  await (await open('Connect Cursor')).getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(page.getByRole('button', { name: 'New token for Cursor' })).toBeVisible()
  const last = await open('Disconnect Cursor')
  await expect(last).toContainText('The file becomes what it was.')
  expect(file()).not.toBe(before)
  await last.getByRole('button', { name: 'Disconnect', exact: true }).click()
  await expect.poll(file).toBe(before)
})
