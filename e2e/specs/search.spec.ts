// Search: what was written, what a tool gave, and back to the search as it was left.
import { axeFindsNothing } from '../fixtures/axe.ts'
import { expect, test } from '../fixtures/model.ts'
import { allow, card, pickModel, send, turnEnds } from '../fixtures/steps.ts'

test('what was said and what a tool gave is found, opened at its place and in its chat, and left again', async ({ app, model }) => {
  const { page } = app
  model.setRules([
    {
      when: 'october',
      steps: [{ say: 'I will look.', call: [{ tool: 'demo__list_invoices', input: { month: '2026-10' } }] }, { say: 'That is all.' }],
    },
    { when: 'kestrel', steps: [{ say: 'A kestrel hovers; a sparrowhawk does not.' }] },
  ])
  await pickModel(page, /Claude Large 1/)
  await send(page, 'what came in october?')
  await allow(card(page))
  await expect(page.getByText('That is all.')).toBeVisible()
  await turnEnds(page)
  await page.getByRole('link', { name: /^New chat/ }).click()
  await pickModel(page, /Claude Large 1/)
  await send(page, 'Is this a kestrel?')
  await expect(page.getByText('A kestrel hovers')).toBeVisible()
  await turnEnds(page)

  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: /^Search/ })
    .click()
  const field = page.getByRole('searchbox', { name: 'Search in all chats' })
  const hits = page.locator('[data-hit]')
  await field.fill('sparrowh')
  await expect(hits).toHaveCount(1)
  await expect(hits.locator('mark')).toHaveText('sparrowhawk')
  await axeFindsNothing(page)
  await field.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/at\//)
  await expect(page.getByText('A kestrel hovers')).toBeVisible()
  await page.goBack()
  await expect(field).toHaveValue('sparrowh')

  await field.fill('tool:list_invoices 2026-10')
  await expect(hits.first()).toContainText('list_invoices')
  await hits.first().click()
  await expect(page.getByRole('heading', { level: 1, name: /october/ })).toBeVisible()

  // The chat folds what the tool gave; going to it opens it.
  const composer = page.locator('#composer')
  await composer.focus()
  await page.keyboard.press('ControlOrMeta+f')
  const bar = page.getByRole('search', { name: 'Find in this chat' })
  await page.keyboard.type('2026-10')
  await expect(bar.getByRole('status')).toHaveText(/^1 of [2-9]/)
  await page.keyboard.press('Enter')
  await expect(bar.getByRole('status')).toHaveText(/^2 of /)
  await expect(page.locator('.call-more')).toBeVisible()
  await expect.poll(() => page.evaluate(`[...CSS.highlights.get('found-now')].map(String).join()`)).toBe('2026-10')
  await axeFindsNothing(page)
  await page.keyboard.press('Escape')
  await expect(bar).toHaveCount(0)
  await expect(composer).toBeFocused()
  await page.goBack()
  await field.fill('nobody ever said "this')
  await expect(hits).toHaveCount(0)
  await expect(page.getByText('Nothing found', { exact: false }).first()).toBeVisible()
})
