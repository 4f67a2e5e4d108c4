import { expect, test } from '../fixtures/model.ts'
import { allow, call, card, composer, pickModel, send, turnEnds } from '../fixtures/steps.ts'

const totals = (when: string) => ({
  when,
  steps: [{ call: [{ tool: 'demo__total_invoices', input: { month: '2026-09' } }] }, { say: `That was ${when}.` }],
})

test('an answer for good makes a rule: the next call is not asked, and asks again once it is revoked', async ({ app, model }) => {
  const { page } = app
  model.setRules([totals('first'), totals('second'), totals('third')])
  await pickModel(page, /Claude Large 1/)
  await send(page, 'first')
  await card(page).getByRole('button', { name: 'Other ways to allow' }).click()
  await card(page)
    .getByText(/^Always, this tool/)
    .click()
  await allow(card(page), /^Allow and add this rule/)
  await expect(page.getByText('That was first.')).toBeVisible()

  await send(page, 'second')
  await expect(page.getByText('That was second.')).toBeVisible()
  await expect(call(page, 'total_invoices').last()).toContainText('your rule')

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Rules and record' }).click()
  await page.getByRole('button', { name: /^Revoke the rule for .*total_invoices/ }).click()
  await expect(page.getByText('You have no rules.')).toBeVisible()
  await page.getByRole('link', { name: /first/ }).click()
  await turnEnds(page)
  await send(page, 'third')
  await expect(card(page)).toContainText('2026-09')
})

test('edited arguments are what runs, and the model’s own are not', async ({ app, model }) => {
  const { page } = app
  model.setRules([totals('count')])
  await pickModel(page, /Claude Large 1/)
  await send(page, 'count')
  await card(page).getByRole('button', { name: /^Edit/ }).click()
  await card(page).getByText('JSON', { exact: true }).click()
  const editor = card(page).getByRole('textbox', { name: 'Arguments as JSON' })
  await editor.fill('{"month": "2026-10"')
  await card(page).getByRole('button', { name: 'Use these' }).click()
  await expect(card(page)).toContainText('This is not JSON')
  await editor.fill('{"month": "2026-10"}')
  await card(page).getByRole('button', { name: 'Use these' }).click()
  await expect(card(page)).toContainText('2026-10')
  await allow(card(page))
  await expect(page.getByText('That was count.')).toBeVisible()
  await call(page, 'total_invoices').getByRole('button').first().click()
  await expect(call(page, 'total_invoices')).toContainText('2026-10')
  await expect(call(page, 'total_invoices')).not.toContainText('2026-09')
})

test('a second page shows the same question; the first answer counts and both know it', async ({ app, model }) => {
  test.skip(app.shell === 'electron', 'the window is the only page of the Electron shell')
  const { page } = app
  model.setRules([totals('both')])
  await pickModel(page, /Claude Large 1/)
  await send(page, 'both')
  await expect(card(page)).toBeVisible()
  const second = await page.context().newPage()
  await second.goto(page.url())
  await expect(card(second)).toContainText('2026-09')
  await allow(card(second))
  await expect(card(page)).toHaveCount(0)
  for (const each of [page, second]) await expect(each.getByText('That was both.')).toBeVisible()
  expect(model.requests()).toHaveLength(2)
})

test('a step that fails says what happened and what to do, and nothing is lost', async ({ app, model }) => {
  const { page } = app
  model.setRules([{ when: 'busy', steps: [{ error: { status: 400, type: 'invalid_request_error' } }] }])
  await pickModel(page, /Claude Large 1/)
  await send(page, 'busy')
  const notice = page.locator('.notice.bad')
  await expect(notice).toBeVisible()
  model.setRules([{ when: 'busy', steps: [{ say: 'Now it works.' }] }])
  await notice.getByRole('button').click()
  await expect(page.getByText('Now it works.')).toBeVisible()
  await expect(composer(page)).toBeEnabled()
})
