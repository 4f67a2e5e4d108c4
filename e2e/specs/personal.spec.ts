// What the person keeps for their chats: instructions, saved prompts with placeholders, assistants.
import { axeFindsNothing } from '../fixtures/axe.ts'
import { expect, test } from '../fixtures/model.ts'
import { composer, pickModel, send, turnEnds } from '../fixtures/steps.ts'

test('instructions, saved prompts and assistants are written once and used in chats', async ({ app, model }) => {
  const { page } = app
  model.setRules([{ when: '', steps: [{ say: 'Done.' }] }])
  await pickModel(page, /Claude Large 1/)
  await page.evaluate("location.hash = '#/settings/personal'")
  await page.getByLabel('For every chat').fill('Answer in one sentence.')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Saved', exact: true })).toBeVisible()

  await page.getByRole('button', { name: 'New prompt' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Release notes')
  await dialog.getByLabel('Text').fill('Write notes for {{version}}.\nTone: {{tone}}.')
  await expect(dialog).toContainText('Filled in at each use: version, tone.')
  await axeFindsNothing(page)
  await dialog.getByRole('button', { name: 'Save' }).click()

  await page.getByRole('button', { name: 'New assistant' }).click()
  await dialog.getByLabel('Name').fill('Clerk')
  await dialog.getByLabel('Instructions').fill('You file invoices.')
  await dialog.getByText('Of these servers only').click()
  await axeFindsNothing(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Duplicate Clerk' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Delete Clerk (copy)' }).click()
  await expect(page.getByRole('button', { name: 'Edit Clerk (copy)' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('button', { name: 'Edit Clerk (copy)' })).toBeVisible()
  await axeFindsNothing(page)

  await page.getByRole('link', { name: /^New chat/ }).click()
  await page.getByRole('button', { name: 'No assistant' }).click()
  await page.getByRole('menuitemradio', { name: 'Clerk', exact: true }).click()
  await composer(page).pressSequentially('/rel')
  await expect(page.getByRole('option', { name: /Release notes/ })).toBeVisible()
  await axeFindsNothing(page)
  await composer(page).press('Enter')
  await dialog.getByLabel('version').fill('2.1')
  await dialog.getByLabel('tone').fill('dry')
  await dialog.getByRole('button', { name: 'Put it into the message' }).click()
  await expect(composer(page)).toHaveValue('Write notes for 2.1.\nTone: dry.')
  await expect(composer(page)).toBeFocused()
  await composer(page).press('Enter')
  await expect.poll(() => model.requests().length).toBe(1)
  await turnEnds(page)
  const [request] = model.requests()
  const system = JSON.stringify(request?.body['system'])
  expect([system.includes('Answer in one sentence.'), system.includes('You file invoices.')]).toEqual([true, true])
  expect(JSON.stringify(request?.body['messages'])).toContain('Write notes for 2.1.')

  // A chat without it has the instructions for every chat alone.
  await page.getByRole('link', { name: /^New chat/ }).click()
  await send(page, 'plain')
  await turnEnds(page)
  const other = JSON.stringify(model.requests().at(-1)?.body['system'])
  expect([other.includes('Answer in one sentence.'), other.includes('You file invoices.')]).toEqual([true, false])
})
