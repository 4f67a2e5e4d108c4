import { axeFindsNothing } from '../fixtures/axe.ts'
import { test as base, expect } from '../fixtures/model.ts'
import { allow, call, card, send, turnEnds } from '../fixtures/steps.ts'

const key = 'sk-ant-test-0000000000000000q7Rw'
/** The API is there, also where models on this computer are looked for; it wants a key. */
const test = base.extend({
  options: async ({ model }, use) => use({ hostEnv: { ASSENT_LOCAL_MODEL_PORTS: new URL(model.server.url).port }, profile: {} }),
})

test('an endpoint that is added in Settings chats and calls a tool; what is wrong with it is said before', async ({ app, model }) => {
  const { page } = app
  model.setRules([
    { when: 'invoices', steps: [{ think: 'Hm.', call: [{ tool: 'demo__list_invoices', input: {} }] }, { say: 'That is the list.' }] },
  ])
  await page.getByRole('link', { name: 'Add a model' }).click()
  await page.getByRole('button', { name: 'Add address' }).click()
  const form = page.getByRole('form', { name: 'Add an address' })
  await form.getByLabel('Name').fill('Test lab')
  const address = form.getByLabel('Address')
  await address.fill('http://10.0.0.1/v1')
  await expect(form.getByText(/http is not encrypted/)).toBeVisible()
  await address.fill(`${model.server.url}/wrong`)
  await form.getByLabel('Key').fill('sk-wrong')
  await form.getByRole('button', { name: 'Check and save' }).click()
  await expect(form.locator('.err').first()).toContainText(/refused/)
  await form.getByLabel('Key').fill(key)
  await form.getByRole('button', { name: 'Check and save' }).click()
  await expect(form.locator('.err').first()).toContainText(/404/)
  await address.fill(model.server.url)
  await axeFindsNothing(page)
  await form.getByRole('button', { name: 'Check and save' }).click()
  await expect(page.getByText(/^2 models · /)).toBeVisible()
  await expect(page.locator('body')).not.toContainText(key)

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'New chat' }).click()
  await page
    .locator('.composer')
    .getByRole('button', { name: /Practice model/ })
    .click()
  await page.getByRole('menuitemradio', { name: /claude-small-1.*Test lab/ }).click()
  await send(page, 'list the invoices')
  await allow(card(page).first())
  await turnEnds(page)
  await expect(call(page, 'list_invoices')).toContainText('you, once')
  await expect(page.getByText('That is the list.')).toBeVisible()
  expect(app.stderr()).not.toContain(key)
})
