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
  await card(page).getByText('any arguments, until the tool changes').click()
  await allow(card(page), /^Always allow/)
  await expect(page.getByText('That was first.')).toBeVisible()

  await send(page, 'second')
  await expect(page.getByText('That was second.')).toBeVisible()
  await expect(call(page, 'total_invoices').last()).toContainText('Rule')

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Activity' }).click()
  await page.getByText('Rules', { exact: true }).click()
  await page.getByRole('button', { name: /^Revoke .*total_invoices/ }).click()
  await expect(page.getByText('No rules yet')).toBeVisible()
  await page.getByRole('link', { name: /first/ }).click()
  await turnEnds(page)
  await send(page, 'third')
  await expect(card(page)).toContainText('2026-09')
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
