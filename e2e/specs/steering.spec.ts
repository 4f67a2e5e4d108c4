import { axeFindsNothing } from '../fixtures/axe.ts'
import { expect, test } from '../fixtures/model.ts'
import { originOf } from '../fixtures/shells.ts'
import { allow, call, card, composer, pickModel, send, turnEnds } from '../fixtures/steps.ts'

const invoices = { call: [{ tool: 'demo__list_invoices', input: {} }] }

test('what is written while it works is read at the next step, under the chat’s own settings; at the limit it waits to go on', async ({
  app,
  model,
}) => {
  model.setRules([
    { when: 'be brief', steps: [{ say: 'In short: three.' }] },
    { when: 'once more', steps: [invoices, { say: 'The same again.' }] },
    { when: 'invoices', steps: [invoices] },
  ])
  const { page } = app
  await pickModel(page, /Claude Large 1/)
  await page.locator('.composer').getByTitle('Model', { exact: true }).click()
  await page.getByRole('menuitem', { name: 'Settings of new chats' }).click()
  const settings = page.getByRole('dialog')
  await settings.getByLabel('System prompt').fill('Answer in rhyme.')
  await settings.getByLabel('Longest answer').fill('900')
  await axeFindsNothing(page)
  await settings.getByRole('button', { name: 'Save' }).click()
  await expect(settings).toHaveCount(0)

  await send(page, 'List the invoices')
  await expect(card(page)).toHaveCount(1)
  await send(page, 'and be verbose')
  await page.getByRole('button', { name: 'Remove' }).click()
  // Its words are there again to be written otherwise.
  await expect(composer(page)).toHaveValue('and be verbose')
  await send(page, 'and be brief')
  await axeFindsNothing(page)
  await page.reload()
  await expect(page.getByText('Queued.')).toHaveCount(1)
  await allow(card(page))
  await turnEnds(page)
  await expect(page.getByText('In short: three.')).toBeVisible()
  await expect(page.getByText('Queued.')).toHaveCount(0)
  const { system, max_tokens, messages } = model.requests()[1]?.body ?? {}
  expect([JSON.stringify(system).includes('Answer in rhyme.'), max_tokens]).toEqual([true, 900])
  expect((messages as unknown[]).at(-1)).toMatchObject({
    role: 'user',
    content: [{ type: 'tool_result' }, { type: 'text', text: 'and be brief' }],
  })

  await page.goto(`${originOf(page)}/#/settings/permissions`)
  await page.getByLabel(/^Steps/).fill('1')
  await page.getByLabel(/^Steps/).press('Enter')
  await page.goBack()
  await send(page, 'Once more')
  await allow(card(page))
  await turnEnds(page)
  await page.getByRole('button', { name: 'Go on' }).click()
  await expect(page.getByText('The same again.')).toBeVisible()
  await expect(call(page, 'list_invoices')).toHaveCount(2)
})
