// A launch with the sandbox that every local server has by default: shown, allowed, and what the server can do there.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { findEngine } from '#main/servers/process/sandbox/find-engine.ts'
import { makeSceneFolder } from '#main/servers/process/sandbox/scene-folder.testing.ts'
import { expect, test } from '../fixtures/app.ts'
import { originOf } from '../fixtures/shells.ts'
import { allow, card, openServers } from '../fixtures/steps.ts'

const folder = makeSceneFolder()
const notes = join(folder, 'notes')
const program = resolve(import.meta.dirname, '../../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js')

test.use({
  options: {
    hostEnv: {},
    profile: { 'servers.json': JSON.stringify({ mcpServers: { files: { command: process.execPath, args: [program, notes] } } }) },
    sandboxed: true,
  },
})
test.beforeAll(() => mkdirSync(notes))
test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a local server starts in a sandbox with the folder that is suggested', async ({ app }) => {
  test.skip((await findEngine()).kind !== 'bubblewrap', 'no sandbox on this computer')
  const { page } = app
  await openServers(page, 'files')
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  const launch = card(page)
  await launch.getByRole('button', { name: 'Details' }).click()
  await expect(launch.getByText(notes, { exact: true }).first()).toBeVisible()
  await expect(launch).toContainText('from its arguments')
  await allow(launch, /Start|Allow|Run/)
  await expect(page.locator('[data-server="files"]')).toContainText('tools')
  await page.goto(`${originOf(page)}/#/library/tools/files/write_file`)
  const written = join(notes, 'written.txt')
  await page.getByLabel(/^path/).fill(written)
  await page.getByLabel(/^content/).fill('written in the sandbox')
  await page.getByRole('button', { name: /^Run/ }).first().click()
  await expect.poll(() => (existsSync(written) ? readFileSync(written, 'utf8') : '')).toBe('written in the sandbox')
})
