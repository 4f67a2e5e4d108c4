// A server from the registry: found, filled in by its own descriptions, and brought to the screen that adds it, where
// nothing runs yet. A bundle of it, fetched after a yes, and refused where it is not what is listed. Then the same without a
// network.
import { createHash } from 'node:crypto'
import { makeBundle, makeManifest } from '../../main/install/bundles/bundles.testing.ts'
import { test as base, expect } from '../fixtures/app.ts'
import { axeFindsNothing } from '../fixtures/axe.ts'
import { bytes, startFileServer } from '../servers/registry/file-server.ts'
import { manyServers, type RegistryServer, startRegistryServer, wireServer } from '../servers/registry/registry-server.ts'

const bundle = makeBundle(makeManifest({ display_name: 'Drawings' }))
const sha256 = createHash('sha256').update(bundle).digest('hex')
const other = 'b'.repeat(64)

const test = base.extend<{ registry: RegistryServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern.
  registry: async ({}, use) => {
    const stdio = { transport: { type: 'stdio' } }
    const folder = { type: 'positional', valueHint: 'folder', description: 'What it may read', isRequired: true }
    const token = { name: 'NOTES_TOKEN', description: 'From your account', isRequired: true, isSecret: true }
    const pack = {
      registryType: 'npm',
      identifier: '@acme/notes',
      version: '2.1.0',
      packageArguments: [folder],
      environmentVariables: [token],
    }
    const files = await startFileServer()
    files.files.set('/drawings.mcpb', bytes(bundle))
    const listed = (name: string, fileSha256: string) =>
      wireServer({ name, packages: [{ registryType: 'mcpb', identifier: `${files.url}/drawings.mcpb`, fileSha256, ...stdio }] })
    const registry = await startRegistryServer([
      ...manyServers(148),
      listed('org.drawings/good', sha256),
      listed('org.drawings/other', other),
      wireServer({
        name: 'com.acme/notes',
        title: 'Acme Notes',
        description: 'Notes of the team\u200b',
        packages: [{ ...pack, ...stdio }],
      }),
    ])
    await use(registry)
    await Promise.all([registry.close(), files.close()])
  },
})

// Nobody leaves this computer: the official registry is out of reach.
test.use({ alone: true, options: { hostEnv: { HTTPS_PROXY: 'http://127.0.0.1:9' }, profile: {} } })

test('a server of the registry is found, filled in and brought to where it is added, also from what was kept', async ({
  app,
  registry,
}) => {
  const { page } = app
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: /^Servers/ })
    .click()
  await page
    .getByRole('link', { name: /in the registry/ })
    .first()
    .click()
  await expect(page.getByText(/modelcontextprotocol\.io could not be reached/)).toBeVisible()
  await page.getByRole('button', { name: 'Change' }).click()
  await page.getByLabel('Address', { exact: true }).fill(registry.url)
  await page.getByRole('button', { name: 'Use it' }).click()
  const rows = page.getByRole('navigation', { name: 'Servers' }).getByRole('link')
  await expect(rows.first()).toBeVisible()
  await expect(page.getByText('100 so far')).toBeVisible()
  await page.locator('.registry-list').evaluate((box) => box.scrollTo(0, 1_000_000))
  await expect(page.getByText('150 so far')).toBeVisible()
  expect(await rows.count()).toBeLessThan(60)

  await page.getByRole('searchbox', { name: 'Find a server' }).fill('acme')
  await expect(rows).toHaveCount(1)
  await rows.first().click()
  const shown = page.getByRole('region', { name: 'com.acme/notes' })
  await expect(shown.getByText('zero-width space')).toBeVisible()
  await shown.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(shown.getByText('Required', { exact: true })).toBeVisible()
  await axeFindsNothing(page)
  await shown.getByLabel(/folder/).fill('/srv/notes of all')
  await expect(shown.locator('.cmdline')).toContainText('@acme/notes@2.1.0')
  await shown.getByRole('button', { name: 'Add', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Add server' })
  await expect(dialog.getByText('From the registry.')).toBeVisible()
  await expect(dialog).toContainText('npx -y @acme/notes@2.1.0 "/srv/notes of all"')
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  const fetched = async (name: string, hash: string): Promise<void> => {
    await page.evaluate(`location.hash = '#/registry/org.drawings%2F${name}'`)
    await page.getByRole('button', { name: 'Download' }).click()
    const question = page.getByRole('dialog', { name: 'Download this bundle?' })
    await expect(question).toContainText(hash)
    await question.getByRole('button', { name: 'Download', exact: true }).click()
  }
  await fetched('good', sha256)
  const install = page.getByRole('dialog', { name: 'Install a bundle' })
  await expect(install).toContainText('Drawings')
  await expect(install).toContainText('127.0.0.1')
  await install.getByRole('button', { name: 'Cancel' }).click()
  await fetched('other', other)
  await page.getByRole('dialog', { name: 'This bundle was refused' }).getByRole('button', { name: 'Close' }).first().click()

  registry.manners = 'down'
  await page.evaluate(`location.hash = '#/registry'`)
  await expect(rows.first()).toBeVisible()
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByText('as it was')).toBeVisible()
  await axeFindsNothing(page)
})
