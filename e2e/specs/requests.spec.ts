// The queue as a whole: several calls answered together, two windows, a server that dies with a question open, and all
// of it by keyboard.
import { resolve } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { axeFindsNothing } from '../fixtures/axe.ts'
import { expect, test } from '../fixtures/model.ts'
import { allow, call, card, composer, openServers, pickModel, send, turnEnds } from '../fixtures/steps.ts'

const withAsker = test.extend<{ readonly profile: Record<string, string> }>({
  profile: [{}, { option: true }],
  options: async ({ options, profile }, use) => use({ ...options, profile }),
})

const months = ['2026-09', '2026-10', '2026-11']
const three = {
  when: 'all three',
  steps: [{ call: months.map((month) => ({ tool: 'demo__list_invoices', input: { month } })) }, { say: 'Those were three.' }],
}
const listed = (page: Page): Locator => page.locator('[data-listed]')
const wide = { width: 1280, height: 800 }

test('three calls of one answer are one question, read as a list and allowed together, by keyboard alone', async ({ app, model }) => {
  const { page } = app
  model.setRules([three])
  await pickModel(page, /Claude Large 1/)
  await send(page, 'all three')
  const dock = page.locator('.dock')
  await expect(dock.getByRole('heading')).toHaveText('demo wants to use list_invoices 3 times')
  for (const [index, month] of months.entries()) await expect(dock.locator('.alike > li').nth(index)).toContainText(month)
  for (const width of [1280, 820, 420]) {
    await page.setViewportSize({ width, height: 800 })
    await axeFindsNothing(page)
  }
  await page.setViewportSize(wide)

  await page.keyboard.press('Control+j')
  await expect(dock.getByRole('heading')).toBeFocused()
  await page.keyboard.press('Tab')
  while ((await page.locator('input:focus').count()) === 0) await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  const button = page.getByRole('button', { name: 'Allow 2' })
  await expect(button).toBeVisible()
  await expect(page.getByRole('button', { name: 'Deny 2' })).toBeVisible()
  // What was ticked is not yet allowed by a key that was meant for something else.
  await page.keyboard.press('Space')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('button', { name: 'Allow 3' })).not.toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Control+Enter')
  await expect(dock).toHaveCount(0)
  await expect(composer(page)).toBeFocused()

  await turnEnds(page)
  await expect(call(page, 'list_invoices')).toHaveCount(3)
  for (const row of await call(page, 'list_invoices').all()) await expect(row).toContainText('You, 3 at once')
})

const behind = `{
  Object.assign(document, { hasFocus: () => false, shown: [] })
  dispatchEvent(new Event('blur'))
  window.Notification = class extends Notification {
    constructor(title, options) {
      super(title, options)
      this.addEventListener('show', () => document.shown.push(title + '. ' + options.body))
    }
  }
}`

/** The page stands in a window that is not in front; returns what its browser has shown since. */
async function sendToBack(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(behind)
  return () => page.evaluate('document.shown')
}

test('what waits calls the person to a window that is not in front; what another window answers first says so at once, and how', async ({
  app,
  model,
}) => {
  test.skip(app.shell === 'electron', 'the window is the only page of the Electron shell')
  const { page } = app
  await page.context().grantPermissions(['notifications'])
  const notices = await sendToBack(page)
  model.setRules([three])
  await pickModel(page, /Claude Large 1/)
  await send(page, 'all three')
  await expect(card(page)).toHaveCount(1)
  await expect.poll(notices).toEqual([1, 2, 3].map(() => '“demo” waits for your answer. '))
  await page
    .getByRole('link', { name: /^Requests/ })
    .first()
    .click()
  await expect(listed(page)).toHaveCount(3)
  const first = await listed(page).first().getAttribute('data-listed')
  await listed(page).first().getByRole('link').click()
  const second = await page.context().newPage()
  await second.goto(`${page.url().split('#')[0]}#/requests/${first}`)
  await card(second).getByRole('button', { name: /^Deny/ }).first().click()
  await expect(page.locator('.b .ended-line')).toContainText('denied in another window')
  await expect(card(page)).toHaveCount(0)
  await expect(listed(page)).toHaveCount(2)
  await expect(second.locator('.ended-line')).toHaveCount(0)
  await second.getByRole('link', { name: /Answer together/ }).click()
  await second.getByRole('button', { name: 'Deny 2' }).click()
  await expect(listed(page)).toHaveCount(0)
})

test.describe('a server that a chat starts', () => {
  const args = [resolve(import.meta.dirname, '../servers/raw/elicits.ts')]
  const profile = { 'servers.json': JSON.stringify({ mcpServers: { asker: { command: process.execPath, args } } }) }
  withAsker.use({ profile })

  withAsker('is asked for there, and a question that is open as it dies leaves a line where it stood', async ({ app, model }) => {
    const { page } = app
    model.setRules([
      { when: 'hello', steps: [{ say: 'Hello to you.' }] },
      { when: 'book', steps: [{ call: [{ tool: 'asker__form', input: {} }] }, { say: 'It is gone.' }] },
    ])
    await pickModel(page, /Claude Large 1/)
    await send(page, 'hello')
    const link = page.getByRole('link', { name: /hello/ })
    await expect(link).toContainText('waits for you')
    await allow(card(page, /^Start asker/), /^Start/)
    // The turn waited for it.
    await expect(page.getByText('Hello to you.')).toBeVisible()
    await openServers(page, 'asker')
    await expect(page.locator('[data-server="asker"]')).toContainText('tools', { timeout: 30_000 })
    await link.click()
    await send(page, 'book')
    await allow(card(page))
    await expect(card(page, /asks you/)).toBeVisible()
    await expect(call(page, 'form')).toContainText('waits for you')

    await openServers(page, 'asker')
    await page.getByRole('button', { name: 'More about asker' }).click()
    await page.getByRole('menuitem', { name: 'Stop', exact: true }).click()
    await link.click()
    await expect(page.locator('.call-and-cards .ended-line')).toContainText('the server stopped')
    await expect(card(page)).toHaveCount(0)
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await expect(page.locator('.ended-line')).toHaveCount(0)
  })
})
