import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../fixtures/app.ts'
import { axeFindsNothing } from '../fixtures/axe.ts'
import { allow, allowAll, call, card, composer, openServers, send, turnEnds } from '../fixtures/steps.ts'

const example = (page: Page, name: RegExp): Locator => page.getByRole('button', { name })

test('a first run has three steps, a practice model that says what it is, and examples that stay', async ({ app }) => {
  const { page } = app
  await expect(page.getByRole('heading', { name: 'Get your first answer' })).toBeVisible()
  await expect(page.getByText('0 of 3 done')).toBeVisible()
  await expect(page.getByText('not an AI').first()).toBeVisible()
  await axeFindsNothing(page)
  await page.getByRole('radio', { name: /Try without a key/ }).check({ force: true })
  await page.getByRole('button', { name: 'Use it' }).click()
  await expect(page.getByRole('heading', { name: /Model: Practice model/ })).toBeVisible()
  await example(page, /^Book a room/).click()
  await allow(card(page).filter({ hasText: 'book_room' }))
  await page
    .getByRole('link', { name: /^New chat/ })
    .first()
    .click()
  await expect(example(page, /^Book a room/)).toContainText('Done')
  await axeFindsNothing(page)
  await page.getByRole('button', { name: 'Hide setup' }).click()
  await expect(page.getByRole('heading', { name: 'What’s next?' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'What’s next?' })).toBeVisible()
  await axeFindsNothing(page)
  await openServers(page, 'demo')
  await expect(page.locator('[data-server="demo"]')).toContainText('ready')
  // The library counts the same as the server's page.
  await expect(page.getByRole('tab', { name: /^Resources/ })).toHaveText('Resources 12')
  await page.evaluate("location.hash = '#/library/resources'")
  await expect(page.getByRole('treeitem', { name: /^demo/ })).toContainText('12')
})

test('first run to a confirmed tool call: it asks, runs what was shown, and the result comes back', async ({ app }) => {
  const { page } = app
  await example(page, /^List the sample invoices/).click()
  const ask = card(page).first()
  await expect(ask).toContainText('demo')
  expect(await allowAll(page)).toBe(2)
  await expect(call(page, 'list_invoices').first()).toContainText('You, once')
  await expect(page.getByText('Holm & Aster Print').first()).toBeVisible()
})

test('rename: the write is shown before it happens, and has happened after', async ({ app }) => {
  const { page } = app
  await example(page, /^Rename invoice 0417/).click()
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
  await example(page, /^Book a room/).click()
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
