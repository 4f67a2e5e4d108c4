import { expect, test } from '../fixtures/app.ts'
import { call, card, composer, send, turnEnds } from '../fixtures/steps.ts'

test('a request is reviewed beside its chat: the sheet survives a reload, closes undecided, and answers by its keys', async ({ app }) => {
  const { page } = app
  const sheet = page.locator('section.sheet')
  const heading = sheet.getByRole('heading', { level: 2 })
  await send(page, 'total of the invoices')
  await expect(card(page).first()).toBeVisible()
  await page.keyboard.press('Control+j')
  await page.keyboard.press('r')
  await expect(heading).toBeFocused()
  await expect(card(page)).toHaveCount(0)

  await page.reload()
  await expect(heading).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(card(page).first().getByRole('heading')).toBeFocused()
  await expect(sheet).toHaveCount(0)

  await page.setViewportSize({ width: 820, height: 700 })
  await expect(page.getByRole('navigation', { name: 'Main' })).toHaveCSS('width', '52px')
  await expect(card(page).first().getByRole('heading')).toBeFocused()
  await page.keyboard.press('r')
  await expect(heading).toBeFocused()
  await expect(composer(page)).toBeHidden()
  await expect(sheet.getByRole('button', { name: /^Allow once/ })).not.toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Control+Enter')
  await turnEnds(page)
  await expect(call(page, 'total_invoices')).toContainText('You, once')
  await expect(composer(page)).toBeFocused()
})
