import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { makeBundle, makeManifest } from '../../main/install/bundles/bundles.testing.ts'
import { expect, test } from '../fixtures/app.ts'
import { axeFindsNothing } from '../fixtures/axe.ts'
import { allow, card, openServers } from '../fixtures/steps.ts'

const bundle = (version: string, tools: string[]): Buffer =>
  makeBundle(
    makeManifest({
      version,
      display_name: 'Notes',
      tools: tools.map((name) => ({ name, description: 'What it was told' })),
      compatibility: { platforms: ['darwin', 'linux', 'win32'] },
      server: {
        type: 'node',
        entry_point: 'server/index.mjs',
        mcp_config: { command: 'node', args: ['$' + '{__dirname}/server/index.mjs'], env: { NOTES_TOKEN: '$' + '{user_config.token}' } },
      },
      user_config: { token: { type: 'string', title: 'Token', description: 'From the notes’ settings', sensitive: true, required: true } },
    }),
  )
const choose = (page: Page, label: string, version: string, tools: string[]): Promise<void> =>
  page
    .getByLabel(label)
    .first()
    .setInputFiles({ name: `notes-${version}.mcpb`, mimeType: 'application/zip', buffer: bundle(version, tools) })

test('a bundle is looked at, installed with a secret, asked for, run, updated and removed', async ({ app }) => {
  const { page } = app
  const folders = (): string[] => readdirSync(join(app.dataDir, 'bundles')).filter((name) => name !== 'incoming')
  await openServers(page)
  await choose(page, 'Install a bundle', '1.0.0', ['told'])
  const dialog = page.getByRole('dialog', { name: 'Install a bundle' })
  await expect(dialog.getByRole('heading', { name: 'What it runs' })).toBeVisible()
  await axeFindsNothing(page)
  await dialog.getByRole('button', { name: 'Install', exact: true }).click()
  await dialog.getByLabel(/^Token/).fill('e2e-bundle-token')
  await dialog.getByRole('button', { name: 'Install', exact: true }).click()
  await allow(card(page), /^Start/)
  await expect(page.locator('[data-server="notes"]')).toContainText('1 tool')
  expect(readFileSync(join(app.dataDir, 'servers.json'), 'utf8')).not.toContain('e2e-bundle-token')

  await page.getByRole('tab', { name: /^Details/ }).click()
  await expect(page.getByRole('button', { name: 'Update from a bundle' })).toBeVisible()
  await axeFindsNothing(page)
  await choose(page, 'Update from a bundle', '1.1.0', ['told', 'more'])
  const update = page.getByRole('dialog', { name: 'Update from a bundle' })
  await expect(update).toContainText('Tool more: new')
  await update.getByRole('button', { name: 'Update', exact: true }).click()
  await allow(card(page), /^Start/)
  await expect.poll(folders).toEqual([expect.stringContaining('1-1-0')])

  await page.getByRole('button', { name: 'More about notes' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await expect(page.locator('[data-server="notes"]')).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.locator('[data-server="notes"]')).toHaveCount(1)
  expect(folders()).toEqual([expect.stringContaining('1-1-0')])
})
