// Focus in a request never falls to the body of the page (WAI-ARIA APG, "Developing a Keyboard Interface": focus is not lost
// when what held it goes; WCAG 2.4.3): the keys of a request work only while it is inside.
import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../fixtures/model.ts'
import { card, pickModel, send } from '../fixtures/steps.ts'

const focused = (page: Page): Promise<string> =>
  page.evaluate(`(() => {
    const at = document.activeElement
    const where = at.closest('section[data-request]') ? 'request' : at === document.body ? 'body' : 'elsewhere'
    return where + ': ' + (at.ariaLabel ?? at.labels?.[0]?.textContent ?? at.textContent ?? '').trim().slice(0, 40)
  })()`)

/** Presses by keyboard, then says where focus is once the page has drawn. */
async function press(page: Page, button: Locator, key = 'Enter'): Promise<string> {
  await button.focus()
  await page.keyboard.press(key)
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  return focused(page)
}

test('focus stays in a card and its sheet while its arguments are edited, scopes unfolded and a reason begun', async ({ app, model }) => {
  const { page } = app
  const calls = ['total', 'list'].map((verb) => ({ tool: `demo__${verb}_invoices`, input: { month: '2026-09' } }))
  model.setRules([{ when: 'go', steps: [{ call: calls }, { say: 'Done.' }] }])
  await pickModel(page, /Claude Large 1/)
  await send(page, 'go')
  await expect(page.locator('.dock .pager')).toHaveText('1 of 2')
  const first = card(page)
  const inside = async (place: Locator): Promise<string[]> => {
    const by = (name: string | RegExp): Locator => place.getByRole('button', { name })
    const went: string[] = []
    const walk = async (name: string | RegExp): Promise<void> => void went.push(`${String(name)} → ${await press(page, by(name).first())}`)
    await walk(/^Edit/)
    await walk('Apply')
    await walk(/^Edit/)
    await walk('Cancel')
    await walk(/^Deny with a reason/)
    await walk('Back')
    if ((await by('Other ways to allow').count()) > 0) {
      await walk('Other ways to allow')
      await walk('Other ways to allow')
    }
    await by(/^Edit/).click()
    await place.getByRole('radio', { name: 'JSON' }).check({ force: true })
    await place.getByRole('textbox', { name: 'Arguments as JSON' }).fill('{"month":"2026-12"}')
    await walk('Apply')
    await walk('Undo')
    return went
  }
  expect((await inside(first)).filter((one) => !one.includes('→ request: '))).toEqual([])
  await first.getByRole('button', { name: 'Open full size' }).click()
  const sheet = page.locator('section.sheet')
  expect((await inside(sheet)).filter((one) => !one.includes('→ request: '))).toEqual([])
  await sheet.getByRole('button', { name: 'Decide later' }).click()
  // Answered: the next of the chat, then the composer.
  expect(await press(page, first.getByRole('button', { name: /^Deny/ }).first())).not.toContain('body')
  await expect(card(page)).toHaveCount(1)
  expect(await focused(page)).not.toContain('body')
})

test('arguments that were opened and used as they were are not said to be edited', async ({ app, model }) => {
  const { page } = app
  model.setRules([{ when: 'go', steps: [{ call: [{ tool: 'demo__total_invoices', input: { month: '2026-09' } }] }, { say: 'Done.' }] }])
  await pickModel(page, /Claude Large 1/)
  await send(page, 'go')
  const ask = card(page)
  const use = async (text?: string): Promise<void> => {
    await ask.getByRole('button', { name: /^Edit/ }).click()
    if (text !== undefined) {
      await ask.getByRole('radio', { name: 'JSON' }).check({ force: true })
      await ask.getByRole('textbox', { name: 'Arguments as JSON' }).fill(text)
    }
    await ask.getByRole('button', { name: 'Apply' }).click()
    await expect(ask.getByRole('button', { name: 'Apply' })).toHaveCount(0)
  }
  await use()
  await expect(ask.getByText('edited by you')).toHaveCount(0)
  await use('{"month":"2026-12"}')
  await expect(ask.getByText('edited by you')).toBeVisible()
  await use('{ "month" : "2026-09" }')
  await expect(ask.getByText('edited by you')).toHaveCount(0)
})
