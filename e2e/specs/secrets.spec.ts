import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '../fixtures/app.ts'
import { allow, card, openServers } from '../fixtures/steps.ts'
import { handshake, json, type RawHttp, rawHttp } from '../servers/http/raw-http.ts'

let server: RawHttp
test.use({ alone: true })

test.beforeEach(async () => {
  server = await rawHttp(({ verb, message }, response) => {
    if (verb !== 'POST') return false
    if (message.id === undefined) response.writeHead(202).end()
    else json(response, handshake(message, '2025-06-18') ?? {})
    return true
  })
})
test.afterEach(() => server.close())

test('a header that is kept as a secret reaches the server, and the file only names it', async ({ app }) => {
  const { page } = app
  const fileText = (): string => readFileSync(join(app.dataDir, 'servers.json'), 'utf8')
  await openServers(page)
  await page.getByRole('link', { name: 'Add server' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add server' })
  await dialog.getByText('Fill in').click()
  await dialog.getByLabel(/^Name/).first().fill('vault')
  await dialog.getByText('Address', { exact: true }).click()
  await dialog.getByRole('textbox', { name: 'Address' }).fill(server.url)
  await dialog.getByRole('button', { name: 'Add header' }).click()
  await dialog.getByLabel('Header', { exact: true }).fill('Authorization')
  await dialog.getByRole('textbox', { name: 'Value of Authorization' }).fill('Bearer e2e-s3cret-token')
  // There is no keyring in this run, so nothing is kept unless the person asks for it.
  const keep = dialog.getByRole('switch', { name: /^Keep as a secret/ })
  if (!(await keep.isChecked())) await dialog.getByText('Keep as a secret').click()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(card(page)).toContainText('Authorization (kept secret: authorization)')
  await allow(card(page), /^Connect/)
  await expect(page.locator('[data-server="vault"]')).toContainText('2 tools')
  expect(server.seen[0]?.headers.authorization).toBe('Bearer e2e-s3cret-token')
  expect(fileText()).toContain('"Authorization": "Bearer $' + '{input:authorization}"')
  await expect(page.locator('body')).not.toContainText('e2e-s3cret-token')

  // Memory forgets with the run: the next one says what is missing, and starts when it is entered.
  await app.restart()
  await openServers(app.page, 'vault')
  await app.page.getByRole('button', { name: 'Start', exact: true }).click()
  const missing = app.page.getByRole('alert').getByLabel(/authorization/)
  await missing.fill('e2e-other-token')
  await app.page.getByRole('button', { name: 'Keep and start “vault”' }).click()
  await expect(app.page.locator('[data-server="vault"]')).toContainText('2 tools')
  await expect(missing).toHaveCount(0)
  expect(server.seen.at(-1)?.headers.authorization).toBe('Bearer e2e-other-token')
  expect(`${fileText()}${app.stderr()}`).not.toMatch(/e2e-(s3cret|other)-token/)
})
