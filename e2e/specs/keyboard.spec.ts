import { expect, test } from '../fixtures/app.ts'
import { axeFindsNothing } from '../fixtures/axe.ts'
import { call, card, composer, turnEnds } from '../fixtures/steps.ts'

const focusedText = (page: import('@playwright/test').Page): Promise<string> =>
  page
    .locator('*:focus')
    .last()
    .textContent()
    .then((text) => text ?? '')

async function tabTo(page: import('@playwright/test').Page, name: RegExp): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    if (name.test(await focusedText(page))) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`no focus on ${name}`)
}

test('a tool call by keyboard alone, from the first word to the answer', async ({ app }) => {
  const { page } = app
  await expect(composer(page)).toBeFocused()
  await page.keyboard.type('total of the invoices')
  await page.keyboard.press('Enter')
  const ask = card(page).first()
  await expect(ask).toBeVisible()
  await expect(composer(page)).toBeFocused()
  // Enter in the composer decides nothing, however long one waits.
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+Enter')
  await expect(ask.getByRole('button', { name: /^Allow once/ })).not.toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('button', { name: /^Allow once/ })).toBeVisible()
  await expect(call(page, 'total_invoices')).toContainText('waits for you')

  await page.keyboard.press('Control+j')
  await expect(ask.getByRole('heading')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: /^Allow once/ })).toBeVisible()
  await expect(call(page, 'total_invoices')).toContainText('waits for you')
  await tabTo(page, /^Allow once/)
  await expect(ask.getByRole('button', { name: /^Allow once/ })).not.toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Enter')
  await turnEnds(page)
  await expect(call(page, 'total_invoices')).toContainText('You, once')
  await expect(composer(page)).toBeFocused()
})

test('a key pressed as the card appears approves nothing', async ({ app }) => {
  const { page } = app
  await expect(composer(page)).toBeFocused()
  await page.keyboard.type('total of the invoices')
  await page.keyboard.press('Enter')
  const button = card(page)
    .first()
    .getByRole('button', { name: /^Allow once/ })
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: /^Allow once/ })).toBeVisible()
  await expect(call(page, 'total_invoices')).toContainText('waits for you')
})

test('the command menu goes anywhere, and gives the focus back', async ({ app }) => {
  const { page } = app
  await expect(composer(page)).toBeFocused()
  await page.keyboard.type('a draft')
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Commands, chats and servers' })
  await expect(field).toBeFocused()
  await page.keyboard.type('re')
  await expect(page.getByRole('option', { name: 'Requests' })).toBeVisible()
  await axeFindsNothing(page)
  await page.keyboard.press('Escape')
  await expect(field).toHaveCount(0)
  await expect(composer(page)).toBeFocused()

  await page.keyboard.press('Control+k')
  await page.keyboard.type('restart')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('combobox', { name: 'Restart server' })).toBeFocused()
  await page.keyboard.press('Backspace')
  await expect(field).toBeFocused()
  await page.keyboard.type('shortcuts')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Commands, chats and servers')).toBeVisible()
  await page.goBack()
  await expect(composer(page)).toHaveValue('a draft')
})

test('who chooses with the mouse writes on; who chooses with keys is where they were', async ({ app }) => {
  const { page } = app
  await expect(composer(page)).toBeFocused()
  await page.keyboard.type('half a')
  const model = page.locator('.composer').getByRole('button', { name: /Practice model/ })
  await model.click()
  await page.getByRole('menuitemradio').first().click()
  await expect(composer(page)).toBeFocused()
  await page.getByRole('button', { name: /^How this chat asks/ }).click()
  // A key that comes before the menu has the focus is not the menu's.
  await expect(page.locator('[role="menu"]:focus, [role="menu"] :focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(composer(page)).toBeFocused()
  await page.keyboard.type(' word')
  await expect(composer(page)).toHaveValue('half a word')
  await model.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitemradio').first()).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await expect(model).toBeFocused()
})
