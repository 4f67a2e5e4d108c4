// The way to a first answer: a fresh profile, a pasted key, a server of another app, and a call of its tool. Clicks are counted;
// the paste and what is typed are not.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { homeVariables } from '../../main/base/this-system.testing.ts'
import { expect, test } from '../fixtures/model.ts'
import { allow, call, card, composer, turnEnds } from '../fixtures/steps.ts'

const home = mkdtempSync(join(tmpdir(), 'assent-home-'))
const program = resolve(import.meta.dirname, '../servers/raw/tools.ts')
mkdirSync(join(home, '.cursor'))
writeFileSync(join(home, '.cursor/mcp.json'), JSON.stringify({ mcpServers: { notes: { command: process.execPath, args: [program] } } }))
test.afterAll(() => rmSync(home, { recursive: true, force: true }))

test.use({
  serves: { models: [{ id: 'claude-sonnet-9', display_name: 'Claude Sonnet 9' }] },
  options: async ({ model }, use) => {
    const places = { ...homeVariables(home), APPDATA: home, XDG_CONFIG_HOME: join(home, '.config') }
    await use({ hostEnv: { ...places, ANTHROPIC_BASE_URL: model.server.url }, profile: {} })
  },
})

test('a pasted key and one review lead to an answer with a tool of an imported server, in at most six clicks', async ({ app, model }) => {
  const { page } = app
  model.setRules([
    {
      when: 'What does the note say?',
      steps: [{ call: [{ tool: 'notes__echo', input: { text: 'first light' } }] }, { say: 'The note says: first light.' }],
    },
  ])
  // A press of Enter in a form clicks its button without a pointer.
  await page.evaluate("window.clicks = 0; addEventListener('click', (event) => { if (event.detail > 0) window.clicks++ }, true)")
  await page.getByPlaceholder('Paste API key').click()
  await page.keyboard.insertText('sk-ant-test-0000000000000000q7Rw')
  await page.getByRole('button', { name: 'Connect' }).click()
  await expect(page.getByRole('heading', { name: /Model: Claude Sonnet 9/ })).toBeVisible()
  await page.getByRole('button', { name: 'Import 1 server' }).click()
  await expect(card(page)).toContainText(program)
  await allow(card(page), /^Import 1 server/)
  await expect(page.getByRole('heading', { name: /Servers: notes/ })).toBeVisible()
  await expect(composer(page)).toBeFocused()
  await page.keyboard.type('What does the note say?')
  await page.keyboard.press('Enter')
  await allow(card(page).filter({ hasText: 'echo' }))
  await turnEnds(page)
  await expect(page.getByText('The note says: first light.')).toBeVisible()
  await expect(call(page, 'echo')).toContainText('You, once')
  // The tool ran in the model of the key, and no start was asked about again.
  expect(model.requests().map(({ body }) => body['model'])).toEqual(['claude-sonnet-9', 'claude-sonnet-9'])
  const clicks = await page.evaluate<number>('window.clicks')
  expect(clicks).toBeLessThanOrEqual(6)
})
