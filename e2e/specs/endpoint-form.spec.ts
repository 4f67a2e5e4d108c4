import { axeFindsNothing } from '../fixtures/axe.ts'
import { test as base, expect } from '../fixtures/model.ts'
import { openSettings, send } from '../fixtures/steps.ts'

const key = 'sk-ant-test-0000000000000000q7Rw'
const secret = 'team-secret-9182736455'
/** Nothing leaves this computer: the proxy of the host is a port on which nobody listens. */
const hostEnv = { ASSENT_LOCAL_MODEL_PORTS: '', MISTRAL_API_KEY: 'from-the-environment', HTTPS_PROXY: 'http://127.0.0.1:9' }
const test = base.extend({ options: { hostEnv, profile: {} }, alone: true })

test('a service asks for what it needs beside the key, offers a key of the environment, and is kept where it cannot be reached', async ({
  app: { page },
}) => {
  await openSettings(page)
  await page.getByRole('button', { name: 'Add another provider' }).press('Enter')
  const form = page.getByRole('form', { name: 'Add another provider' })
  const service = form.getByLabel('Service')

  await service.selectOption('Mistral')
  const offered = form.getByRole('switch', { name: /MISTRAL_API_KEY/ })
  await expect(offered).not.toBeChecked()
  await offered.press('Space')
  await expect(form.getByLabel('Key', { exact: true })).toHaveCount(0)

  await service.selectOption('Google Vertex')
  await expect(form.getByRole('switch')).toHaveCount(0)
  await expect(form.getByLabel('Region')).toHaveValue('global')
  await form.getByLabel('Project').fill('lab-1')
  await axeFindsNothing(page)
  await form.getByRole('button', { name: 'Check and save' }).press('Enter')
  await expect(form.locator('.err').first()).toBeVisible()
  await form.getByRole('button', { name: 'Save anyway' }).press('Enter')
  await expect(page.getByText(/projects\/lab-1\/locations\/global/)).toBeVisible()
})

test('headers and query parameters go with each request; a secret one never comes back to the page', async ({ app, model }) => {
  const { page } = app
  model.setRules([{ when: 'hello', steps: [{ say: 'Hello from the gateway.' }] }])
  await openSettings(page)
  await page.getByRole('button', { name: 'Add another provider' }).click()
  const form = page.getByRole('form', { name: 'Add another provider' })
  await form.getByLabel('Name', { exact: true }).fill('Gateway')
  await form.getByLabel('Address').fill(model.server.url)
  await form.getByLabel('Key').fill(key)
  await form.getByRole('button', { name: 'Add header' }).press('Enter')
  await page.keyboard.type('X-Team-Token')
  await form.getByLabel('Value of X-Team-Token').fill(secret)
  await form.getByRole('button', { name: 'Add query parameter' }).press('Enter')
  await page.keyboard.type('tenant')
  await form.getByLabel('Value of tenant').fill('red')
  await axeFindsNothing(page)
  await form.getByRole('button', { name: 'Check and save' }).click()
  await expect(page.getByText(/^2 models$/)).toBeVisible()

  await page.reload()
  await page.getByRole('button', { name: 'More about Gateway' }).click()
  await page.getByRole('menuitem', { name: 'Change' }).click()
  const kept = page.getByRole('form', { name: 'Change Gateway' })
  await expect(kept.getByLabel('Value of X-Team-Token')).toHaveValue('')
  await expect(kept.getByLabel('Value of tenant')).toHaveValue('red')
  await expect(page.locator('body')).not.toContainText(secret)
  await kept.getByLabel('Name', { exact: true }).fill('Gateway 2')
  await kept.getByRole('button', { name: 'Check and save' }).click()
  await expect(page.getByRole('button', { name: 'More about Gateway 2' })).toBeVisible()

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'New chat' }).click()
  await send(page, 'hello')
  await expect(page.getByText('Hello from the gateway.')).toBeVisible()
  const asked = [...model.server.listings, ...model.requests()]
  expect(new Set(asked.map(({ headers }) => headers['x-team-token']))).toEqual(new Set([secret]))
  expect(app.stderr()).not.toContain(secret)
})
