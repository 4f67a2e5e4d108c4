// A server that npx fetches, with the npm of this computer and a registry on it: the version on its cards, and a newer one that is offered.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FakeRegistry, startNpmRegistry } from '#main/servers/lifecycle/packages/npm-registry.testing.ts'
import { homeVariables } from '../../main/base/this-system.testing.ts'
import { expect, test as plain } from '../fixtures/app.ts'
import { axeFindsNothing } from '../fixtures/axe.ts'
import { allow, card, openServers } from '../fixtures/steps.ts'

const test = plain.extend<{ readonly registry: FakeRegistry }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
  registry: async ({}, use) => {
    const registry = await startNpmRegistry()
    registry.publish('1.2.3')
    await use(registry)
    await registry.close()
  },
  options: async ({ registry }, use) => {
    const home = mkdtempSync(join(tmpdir(), 'assent-home-'))
    writeFileSync(join(home, '.npmrc'), `registry=${registry.url}\nfetch-retries=0\n`)
    const notes = { command: 'npx', args: ['-y', 'notes-mcp'] }
    await use({ hostEnv: homeVariables(home), profile: { 'servers.json': JSON.stringify({ mcpServers: { notes } }) } })
    rmSync(home, { recursive: true, force: true })
  },
})

test('a package is started in the version that was shown; a newer one is offered beside it, and changes nothing before a yes', async ({
  app,
  registry,
}) => {
  const { page } = app
  const lookForUpdate = async (): Promise<void> => {
    await page.getByRole('button', { name: /^More/ }).last().click()
    await page.getByRole('menuitem', { name: 'Look for a newer version' }).click()
  }
  await openServers(page, 'notes')
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await expect(card(page)).toContainText('notes-mcp 1.2.3')
  await expect(card(page)).toContainText('this version only')
  await allow(card(page), /^Start/)
  await expect(page.locator('[data-server="notes"]')).toContainText('ready')

  registry.publish('1.3.0')
  await lookForUpdate()
  await expect(card(page, /A newer version of/)).toContainText('notes-mcp 1.2.3 → 1.3.0')
  await axeFindsNothing(page)
  await allow(card(page), 'Keep the version')
  await expect(card(page)).toHaveCount(0)
  await expect(page.locator('[data-server="notes"]')).toContainText('ready')

  await lookForUpdate()
  await allow(card(page, /A newer version of/), 'Use it from the next start')
  await page.getByRole('button', { name: /^More/ }).last().click()
  await page.getByRole('menuitem', { name: 'Restart' }).click()
  await page.getByRole('tab', { name: 'Details' }).click()
  await expect(page.getByText('1.3.0').first()).toBeVisible()
  await expect(card(page)).toHaveCount(0)
})
