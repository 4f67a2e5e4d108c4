import { expect, test } from '../fixtures/app.ts'
import { allow, allowAll, call, card, composer, openServers, send, turnEnds } from '../fixtures/steps.ts'

test('a first run offers the demo server, the practice model and three examples', async ({ app }) => {
  const { page } = app
  await expect(page.getByRole('heading', { name: 'What should we work on?' })).toBeVisible()
  await expect(page.locator('.examples button')).toHaveCount(3)
  await expect(page.getByText('no AI').first()).toBeVisible()
  await expect(page.getByText('The practice model is not an AI.')).toBeVisible()
  await openServers(page, 'demo')
  await expect(page.locator('[data-server="demo"]')).toContainText('2026-07-28')
})

test('first run to a confirmed tool call: it asks, runs what was shown, and the result comes back', async ({ app }) => {
  const { page } = app
  await page.getByRole('button', { name: /List the sample invoices/ }).click()
  const ask = card(page).first()
  await expect(ask).toContainText('demo')
  expect(await allowAll(page)).toBe(2)
  await expect(call(page, 'list_invoices').first()).toContainText('You, once')
  await expect(page.getByText('Holm & Aster Print').first()).toBeVisible()
})

test('rename: the write is shown before it happens, and has happened after', async ({ app }) => {
  const { page } = app
  await page.getByRole('button', { name: /Rename invoice 0417/ }).click()
  const rename = card(page).filter({ hasText: 'rename_invoice' })
  await allow(card(page).filter({ hasText: 'list_invoices' }))
  await expect(rename).toContainText('newName')
  await expect(rename).toContainText('0417')
  await allow(rename)
  await turnEnds(page)
  await expect(call(page, 'rename_invoice').last()).toContainText('You, once')
})

test('book a room: the server asks for the missing details in a form', async ({ app }) => {
  const { page } = app
  await page.getByRole('button', { name: /Book a room for four/ }).click()
  await allow(card(page).filter({ hasText: 'book_room' }))
  const form = card(page).filter({ has: page.getByRole('textbox') })
  await expect(form).toBeVisible()
  await form.getByRole('textbox', { name: /Your name/ }).fill('Maya Lind')
  await form.getByRole('combobox', { name: /Starts at/ }).selectOption({ index: 1 })
  await allow(form, /^Send to demo/)
  await turnEnds(page)
  await expect(call(page, 'book_room')).toContainText('You, once')
})

test('deny, with a word: nothing runs, and the model reads the word', async ({ app }) => {
  const { page } = app
  await send(page, 'Rename invoice 0417 to start with its date')
  const ask = card(page).first()
  await ask
    .getByRole('button', { name: 'Other ways to deny' })
    .or(ask.getByRole('button', { name: /Deny with a reason/ }))
    .first()
    .click()
  await ask.getByRole('textbox').fill('wrong year')
  await ask.getByRole('textbox').press('Enter')
  await turnEnds(page)
  await expect(page.locator('.call-box').first()).toContainText('denied · You: “wrong year”')
  await expect(composer(page)).toBeFocused()
})
