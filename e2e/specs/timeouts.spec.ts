import { resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { test as base, expect } from '../fixtures/model.ts'
import { allow, call, card, openServers, pickModel, send, turnEnds } from '../fixtures/steps.ts'

const holds = (timeout: number) =>
  base.extend({
    options: async ({ options }, use) => {
      const server = {
        command: process.execPath,
        args: [resolve(import.meta.dirname, '../servers/raw/holds.ts')],
        start: 'launch',
        timeout,
      }
      await use({ ...options, profile: { 'servers.json': JSON.stringify({ mcpServers: { post: server } }) } })
    },
  })
const steps = (tool: string, said: string) => [{ call: [{ tool: `post__${tool}`, input: {} }] }, { say: said }]
/** Lets the server start, and opens a new chat. */
async function begin(page: Page): Promise<void> {
  await openServers(page, 'post')
  await allow(card(page), /Start|Allow|Run/)
  await expect(page.locator('[data-server="post"]')).toContainText('ready')
  await page
    .getByRole('link', { name: /New chat/ })
    .first()
    .click()
  await pickModel(page, /Claude Large 1/)
}
const rules = [
  { when: 'fetch', steps: steps('hold', 'That took long.') },
  { when: 'let go', steps: steps('release', 'Released.') },
  { when: 'what now', steps: [{ say: 'I read it.' }] },
]

holds(5000)('a call that gives no word asks whether to wait, and goes on or is cancelled as the person says', async ({ app, model }) => {
  const { page } = app
  model.setRules(rules)
  await begin(page)
  await send(page, 'fetch')
  await allow(card(page))
  const choice = page.getByRole('group', { name: 'Still running: hold' })
  await expect(choice).toContainText('no response for')
  // It counts among what waits for the person, wherever they are.
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Requests/ })).toContainText('1')
  await choice.getByRole('button', { name: 'Wait longer' }).press('Enter')
  await expect(choice).toHaveCount(0)
  await expect(call(page, 'hold')).not.toContainText('error')
  await choice.getByRole('button', { name: 'Cancel' }).press('Enter')
  await turnEnds(page)
  await expect(call(page, 'hold')).toContainText('stopped')
  await expect(page.getByText('That took long.')).toBeVisible()
})

holds(1000)('a result that comes after its call timed out is on its row, and the model reads of it next', async ({ app, model }) => {
  const { page } = app
  model.setRules(rules)
  await begin(page)
  await send(page, 'fetch')
  await allow(card(page))
  await expect(call(page, 'hold')).toContainText('error')
  await expect(page.getByText('That took long.')).toBeVisible()
  await turnEnds(page)
  await send(page, 'let go')
  await allow(card(page))
  await expect(page.getByText('Released.')).toBeVisible()
  const row = call(page, 'hold')
  await expect(row).toContainText('its result came late')
  await row.getByRole('button').first().click()
  await expect(row).toContainText('The parcel is there.')
  await page.reload()
  await expect(call(page, 'hold')).toContainText('its result came late')
  await turnEnds(page)
  await send(page, 'what now')
  await expect(page.getByText('I read it.')).toBeVisible()
  const last = JSON.stringify(model.requests().at(-1)?.body['messages'])
  expect([last.includes('The parcel is there.'), last.split('had timed out').length]).toEqual([true, 2])
})
