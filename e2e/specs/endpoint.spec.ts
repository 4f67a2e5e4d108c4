import type { Page } from '@playwright/test'
import { axeFindsNothing } from '../fixtures/axe.ts'
import { test as base, expect } from '../fixtures/model.ts'
import { allow, call, card, openSettings, send, turnEnds } from '../fixtures/steps.ts'
import type { RecordedRequest } from '../model-server/server.ts'

const lab = '/v1/chat/completions'
const claude = '/v1/messages'
const key = 'sk-ant-test-0000000000000000q7Rw'
/** The API is there, also where models on this computer are looked for; it wants a key. */
const test = base.extend({
  options: async ({ model }, use) =>
    use({ hostEnv: { ASSENT_LOCAL_MODEL_PORTS: new URL(model.server.url).port, ANTHROPIC_BASE_URL: model.server.url }, profile: {} }),
})

/** Of the chat that is open. */
async function changeModel(page: Page, from: RegExp, to: RegExp): Promise<void> {
  await page.locator('.composer').getByRole('button', { name: from }).click()
  await page.getByRole('menuitemradio', { name: to }).click()
}
/** What stands in a history: who called what, and which of the thoughts are in it. */
function historyOf(request: RecordedRequest | undefined): readonly string[] {
  const text = JSON.stringify(request?.body['messages'] ?? [])
  return [...text.matchAll(/"name":"(demo__\w+)"|"tool_(?:use_|call_)id":|(thought of \w+)/g)].map(
    ([whole, name, thought]) => name ?? thought ?? (whole.startsWith('"tool') ? 'result' : ''),
  )
}

test('an endpoint that is added in Settings chats and calls a tool; another model goes on with its chat, and it with that; a budget warns of what both used', async ({
  app,
  model,
}) => {
  const { page } = app
  model.setRules([
    {
      when: 'list the invoices',
      steps: [{ think: 'thought of lab', call: [{ tool: 'demo__list_invoices', input: {} }] }, { say: 'That is the list.' }],
    },
    {
      when: 'total of them',
      steps: [{ think: 'thought of claude', call: [{ tool: 'demo__total_invoices', input: {} }] }, { say: 'That is the total.' }],
    },
    { when: 'sum it up', steps: [{ say: 'A list and a total.' }] },
  ])
  await openSettings(page)
  await page.getByRole('button', { name: 'Add another provider' }).click()
  const form = page.getByRole('form', { name: 'Add another provider' })
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
  await expect(page.getByText(/^2 models$/)).toBeVisible()
  await expect(page.locator('body')).not.toContainText(key)

  // New chats begin with it: the practice model gives way.
  await expect(page.getByLabel('Default model')).toHaveValue('test-lab/claude-large-1')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'New chat' }).click()
  await changeModel(page, /claude-large-1/, /claude-small-1.*Test lab/)
  await send(page, 'list the invoices')
  await allow(card(page).first())
  await turnEnds(page)
  await expect(call(page, 'list_invoices')).toContainText('You, once')
  await expect(page.getByText('That is the list.')).toBeVisible()

  // Anthropic's goes on with it, and it with what that did: calls and results are read by both, thoughts by nobody else.
  const chat = page.url()
  await page.goto(chat.replace(/#.*/, '#/settings/models'))
  await page.getByLabel('Anthropic', { exact: true }).fill(key)
  await page.getByRole('button', { name: 'Connect' }).click()
  await expect(page.getByText(/^Connected · /)).toBeAttached()
  await page.goto(chat)
  await changeModel(page, /claude-small-1/, /Claude Large 1.*Anthropic/)
  await send(page, 'and the total of them')
  await allow(card(page).first())
  await turnEnds(page)
  await expect(page.getByText('That is the total.')).toBeVisible()
  await changeModel(page, /Claude Large 1/, /claude-small-1.*Test lab/)
  await send(page, 'sum it up')
  await expect(page.getByText('A list and a total.')).toBeVisible()
  await turnEnds(page)
  const asked = model.requests()
  expect(asked.map(({ path }) => path)).toEqual([lab, lab, claude, claude, lab])
  expect(historyOf(asked[2])).toEqual(['demo__list_invoices', 'result'])
  expect(historyOf(asked[3])).toEqual(['demo__list_invoices', 'result', 'thought of claude', 'demo__total_invoices', 'result'])
  expect(historyOf(asked[4])).toEqual(['demo__list_invoices', 'result', 'demo__total_invoices', 'result'])
  expect(app.stderr()).not.toContain(key)

  // What the two providers counted, against a budget: far below it nothing is said, past it every page says so.
  await page.goto(chat.replace(/#.*/, '#/settings/usage'))
  await page.getByLabel('Budget for a month').selectOption('Tokens')
  const most = page.getByLabel('At most')
  await expect(most).toHaveValue('10,000,000')
  const warning = page.getByRole('status').filter({ hasText: 'monthly budget is used up' })
  await expect(warning).toHaveCount(0)
  await most.fill('100')
  await most.press('Enter')
  await expect(warning).toContainText(/\d{3} tokens of 100 tokens/)
  await page.goto(chat)
  await expect(warning).toBeVisible()
})
