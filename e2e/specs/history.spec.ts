// The history: chats put into a folder, archived, deleted and brought back, by keyboard and in the list of all chats.
import { expect, test } from '../fixtures/app.ts'
import { axeFindsNothing } from '../fixtures/axe.ts'
import { send, turnEnds } from '../fixtures/steps.ts'

test('chats are put into a folder, archived and deleted, and all of it has a way back', async ({ app }) => {
  const { page } = app
  for (const text of ['First words', 'Second words']) {
    await page.getByRole('link', { name: /^New chat/ }).click()
    await send(page, text)
    await expect(page.getByRole('heading', { level: 1, name: text })).toBeVisible()
    await turnEnds(page)
  }
  const chats = page.getByRole('grid', { name: 'Chats' })
  await chats.getByRole('link', { name: 'First words' }).focus()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Move to folder …' }).click()
  await page.getByRole('textbox', { name: 'Its name' }).fill('Work')
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  const folder = chats.getByRole('button', { name: 'Work', exact: true })
  await expect(folder).toBeVisible()
  await axeFindsNothing(page)
  await folder.focus()
  await page.keyboard.press('ArrowLeft')
  await expect(chats.getByRole('link', { name: 'First words' })).toHaveCount(0)
  await page.keyboard.press('ArrowRight')
  await expect(chats.getByRole('link', { name: 'First words' })).toBeVisible()

  await page.getByRole('link', { name: 'All chats' }).click()
  const list = page.getByRole('list', { name: 'Chats' })
  await expect(list.getByRole('listitem')).toHaveCount(2)
  await page.getByRole('checkbox', { name: 'All 2 chats' }).check({ force: true })
  await axeFindsNothing(page)
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(chats.getByRole('link')).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(chats.getByRole('link')).toHaveCount(2)
  await page.getByRole('checkbox', { name: 'First words' }).check({ force: true })
  await page.getByRole('button', { name: 'Archive', exact: true }).click()
  await expect(chats.getByRole('link')).toHaveCount(1)
  await page.getByText('Archived', { exact: true }).click()
  await expect(page.getByRole('list', { name: 'Archived' }).getByRole('link', { name: 'First words' })).toBeVisible()
})
