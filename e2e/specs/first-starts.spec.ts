// A message sent while a server of the chat waits for its first start: the turn waits and says for what.
import { resolve } from 'node:path'
import { expect, test } from '../fixtures/app.ts'
import { allow, call, card, composer, send, turnEnds } from '../fixtures/steps.ts'

const program = resolve(import.meta.dirname, '../servers/raw/tools.ts')
const notes = { command: process.execPath, args: [program] }
test.use({ options: { hostEnv: {}, profile: { 'servers.json': JSON.stringify({ mcpServers: { notes } }) } } })

test('the turn waits for the first start, names the server, and its first answer has the tools', async ({ app }) => {
  const { page } = app
  await send(page, 'use notes echo')
  const bar = page.locator('.waitbar')
  await expect(bar).toContainText('Waits for notes to start.')
  await expect(bar.locator('b')).toHaveText('notes')
  await expect(card(page)).toContainText(program)
  await expect(page.getByRole('button', { name: 'Stop the answer' })).toBeVisible()
  await expect(page.locator('.answer')).toHaveCount(0)
  await allow(card(page), /Run it/)
  await expect(bar).toHaveCount(0)
  await allow(card(page).filter({ hasText: 'echo' }))
  await turnEnds(page)
  await expect(call(page, 'echo')).toContainText('You, once')
})

test('“Answer without it” answers at once, and no later turn of the chat is held', async ({ app }) => {
  const { page } = app
  await send(page, 'Hello')
  await page.getByRole('button', { name: 'Answer without it' }).click()
  await turnEnds(page)
  await expect(page.locator('.answer')).toHaveCount(1)
  await expect(composer(page)).toBeFocused()
  await send(page, 'Hello again')
  await turnEnds(page)
  await expect(page.locator('.answer')).toHaveCount(2)
  await expect(page.locator('.waitbar')).toHaveCount(0)
  // It is still asked, and can be allowed.
  await expect(card(page)).toContainText(program)
})

test('a start that is denied is an answer', async ({ app }) => {
  const { page } = app
  await send(page, 'Hello')
  await expect(page.locator('.waitbar')).toBeVisible()
  await card(page)
    .getByRole('button', { name: /^Don’t run/ })
    .click()
  await turnEnds(page)
  await expect(page.locator('.waitbar')).toHaveCount(0)
})

// WCAG 2.4.3, and WAI-ARIA APG, "Developing a Keyboard Interface": focus is not lost when what held it goes.
test('a turn that waits can be stopped, and focus is in the message then', async ({ app }) => {
  const { page } = app
  await send(page, 'Hello')
  await expect(page.locator('.waitbar')).toBeVisible()
  await page.getByRole('button', { name: 'Stop the answer' }).click()
  await turnEnds(page)
  await expect(page.locator('.waitbar')).toHaveCount(0)
  await expect(composer(page)).toBeFocused()
  await expect(card(page)).toContainText(program)
})
