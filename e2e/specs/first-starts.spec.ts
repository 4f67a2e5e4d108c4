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
  await expect(page.locator('.dock').getByRole('heading')).toHaveText('Start notes?')
  await expect(card(page)).toContainText(program)
  await expect(page.getByRole('button', { name: 'Stop the answer' })).toBeVisible()
  await expect(page.locator('.answer')).toHaveCount(0)
  await allow(card(page), /^Start/)
  await expect(card(page, /^Start /)).toHaveCount(0)
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
  // It is still asked, and can be allowed.
  await page.getByRole('button', { name: /^Review/ }).click()
  await expect(card(page)).toContainText(program)
  await expect(page.getByRole('button', { name: 'Answer without it' })).toHaveCount(0)
})

test('a start that is denied is an answer', async ({ app }) => {
  const { page } = app
  await send(page, 'Hello')
  await expect(card(page)).toBeVisible()
  await card(page)
    .getByRole('button', { name: /^Don’t start/ })
    .click()
  await turnEnds(page)
})

// WCAG 2.4.3, and WAI-ARIA APG, "Developing a Keyboard Interface": focus is not lost when what held it goes.
test('a turn that waits can be stopped, and focus is in the message then', async ({ app }) => {
  const { page } = app
  await send(page, 'Hello')
  await expect(card(page)).toBeVisible()
  await page.getByRole('button', { name: 'Stop the answer' }).click()
  await turnEnds(page)
  await expect(composer(page)).toBeFocused()
  await expect(card(page)).toContainText(program)
})

test.describe('several servers', () => {
  const mcpServers = Object.fromEntries(['files', 'notes', 'books'].map((name) => [name, notes]))
  test.use({ options: { hostEnv: {}, profile: { 'servers.json': JSON.stringify({ mcpServers }) } } })

  test('a first chat asks once for all of them, starts what is ticked, and answers with their tools', async ({ app }) => {
    const { page } = app
    await send(page, 'use notes echo')
    const dock = page.locator('.dock')
    await expect(dock.getByRole('heading')).toHaveText('Start 3 servers?')
    await expect(page.locator('.answer')).toHaveCount(0)
    await expect(dock.locator('.starts > li')).toHaveCount(3)
    await expect(dock.locator('.starts > li').first()).toContainText(program)
    await page.keyboard.press('Control+j')
    await expect(dock.getByRole('heading')).toBeFocused()
    await allow(card(page), 'Start 3 servers')
    await allow(card(page, /echo/))
    await turnEnds(page)
    await expect(call(page, 'echo')).toContainText('You, once')
    await expect(composer(page)).toBeFocused()
  })
})

test.describe('fifty servers', () => {
  const mcpServers = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`server-${at}`, notes]))
  test.use({ options: { hostEnv: {}, profile: { 'servers.json': JSON.stringify({ mcpServers }) } } })

  test('that never ran are one line, and the first message can go without them', async ({ app }) => {
    const { page } = app
    await send(page, 'Hello')
    const line = page.locator('.dock-line')
    await expect(line).toContainText('50 servers wait for their first start')
    await expect(page.locator('.dock')).toHaveCount(0)
    await line.getByRole('button', { name: 'Answer without them' }).click()
    await turnEnds(page)
    await expect(page.locator('.answer')).toHaveCount(1)
    await expect(line).toContainText('50 servers wait for their first start')
  })
})
