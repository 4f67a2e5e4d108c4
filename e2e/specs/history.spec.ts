// The history: chats exported, put into a folder, archived, deleted and brought back, by keyboard and in the list of all chats.
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { exportedConversation } from '#app/chat/export-format.ts'
import { expect, test } from '../fixtures/app.ts'
import { axeFindsNothing } from '../fixtures/axe.ts'
import { send, turnEnds } from '../fixtures/steps.ts'

/** The text of the file that the chat which is open is exported to. */
async function exported(page: Page, as: string): Promise<string> {
  const begun = page.waitForEvent('download')
  await page.getByRole('button', { name: 'More about this chat' }).click()
  await page.getByRole('menuitem', { name: as }).click()
  return readFile(await (await begun).path(), 'utf8')
}

test('chats are exported, put into a folder, archived and deleted, and all of it has a way back', async ({ app }) => {
  const { page } = app
  for (const text of ['First words', 'Second words']) {
    await page.getByRole('link', { name: /^New chat/ }).click()
    await send(page, text)
    await expect(page.getByRole('heading', { level: 1, name: text })).toBeVisible()
    await turnEnds(page)
  }
  // Elsewhere the system's own window picks where a file goes.
  if (app.shell === 'web') {
    const answer = ((await page.locator('.answer .prose').first().textContent()) ?? '').slice(0, 20)
    const markdown = await exported(page, 'Export as Markdown')
    expect([markdown.includes('Second words'), markdown.includes('First words'), markdown.includes(answer)]).toEqual([true, false, true])
    const { items } = JSON.parse(await exported(page, 'Export as JSON')) as { items: readonly unknown[] }
    const [chat] = items.map((item) => exportedConversation.parse(item))
    expect([items.length, chat?.conversation.title, chat?.messages.map(({ message }) => message.role)]).toEqual([
      1,
      'Second words',
      ['user', 'assistant'],
    ])
    expect(JSON.stringify(chat?.messages)).toContain(answer)
  }
  const chats = page.getByRole('grid', { name: 'Chats' })
  await chats.getByRole('link', { name: 'First words' }).focus()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Move to folder …' }).click()
  await expect(page.getByRole('textbox', { name: 'Folder name' })).toBeFocused()
  await page.keyboard.type('Work')
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
