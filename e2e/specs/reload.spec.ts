import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures/model.ts'
import { allow, call, card, composer, pickModel, send, turnEnds } from '../fixtures/steps.ts'

test.use({ alone: true })

test('a reload in the middle of a streamed answer shows the same text, and the rest arrives', async ({ app, model }) => {
  const { page } = app
  model.setRules([{ when: 'tell me', steps: [{ say: 'The first half is here.', hold: 'rest', rest: 'And this is the second half.' }] }])
  await pickModel(page, /Claude Large 1/)
  await send(page, 'tell me')
  await expect(page.getByText('The first half is here.')).toBeVisible()
  await page.reload()
  await expect(page.getByText('The first half is here.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Stop the answer' })).toBeVisible()
  model.release('rest')
  await expect(page.getByText('And this is the second half.')).toBeVisible()
  await expect(page.getByText('The first half is here.')).toHaveCount(1)
  await turnEnds(page)
  expect(model.requests()).toHaveLength(1)
})

test('a draft survives a reload; one undo takes back more than the last key', async ({ app }) => {
  const { page } = app
  await composer(page).pressSequentially('half a word')
  await composer(page).press('ControlOrMeta+z')
  // How much was typed in one go is the browser's to say.
  await expect(composer(page)).toHaveValue(/^.{0,9}$/)
  await composer(page).fill('half a thought')
  // Which of the drafts of new chats is this window's is known a moment after the page is there.
  await page.reload()
  await expect(composer(page)).toHaveValue('half a thought')
})

test('in a form too, one undo takes back more than the last key', async ({ app }) => {
  const { page } = app
  await page.goto(page.url().replace(/#.*|$/, '#/servers//add'))
  const field = page.locator('textarea').first()
  await field.pressSequentially('npx some server')
  await expect(field).toHaveValue('npx some server')
  await field.press('ControlOrMeta+z')
  await expect(field).toHaveValue(/^.{0,13}$/)
})

test('a restart keeps the history, or takes what a backup of the person’s own machine had', async ({ app, model }) => {
  model.setRules([{ when: 'remember', steps: [{ say: 'It is written down.' }] }])
  await pickModel(app.page, /Claude Large 1/)
  await send(app.page, 'remember this')
  await expect(app.page.getByText('It is written down.')).toBeVisible()
  await turnEnds(app.page)
  // Elsewhere the system's own windows pick folders and files.
  const restores = app.shell === 'web'
  // Without a UTF-8 locale Chromium drops a chosen file whose path is not ASCII, as the folder of this test's output is, and no event comes.
  const folder = mkdtempSync(join(tmpdir(), 'assent-backup-'))
  if (restores) await restoreAfterChanges(app.page, join(folder, 'mine.db'))
  rmSync(folder, { recursive: true })
  const page = await app.restart()
  await page.getByRole('link', { name: /remember this/ }).click()
  await expect(page.getByText('It is written down.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Said later' })).toHaveCount(0)
})

/** `file`: where the person has the backup, out of the host's data folder. */
async function restoreAfterChanges(page: Page, file: string): Promise<void> {
  await page.goto(page.url().replace(/#.*/, '#/settings/data'))
  await page.getByRole('button', { name: 'Back up…' }).click()
  const path = page.locator('.mono').filter({ hasText: /assent-.*\.db$/ })
  const begun = page.waitForEvent('download')
  await page.getByRole('status').getByRole('button', { name: 'Download' }).click()
  await (await begun).saveAs(file)
  rmSync((await path.textContent()) ?? '')
  await page.getByRole('link', { name: /^New chat/ }).click()
  await send(page, 'Said later')
  await expect(page.getByRole('heading', { level: 1, name: 'Said later' })).toBeVisible()
  await turnEnds(page)
  await page.getByRole('link', { name: /remember this/ }).focus()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(page.getByRole('link', { name: /remember this/ })).toHaveCount(0)
  await page.goto(page.url().replace(/#.*/, '#/settings/data'))
  await page.getByLabel('Choose a backup…').setInputFiles(file)
  await page.getByRole('button', { name: 'Restore it at the next start' }).click()
  await expect(page.getByText('A backup is restored at the next start')).toBeVisible()
}

test('a host killed in mid-turn loses nothing that was done, runs nothing twice, and offers to go on', async ({ app, model }) => {
  model.setRules([
    {
      when: 'long',
      steps: [
        { say: 'As far as this.', call: [{ tool: 'demo__total_invoices', input: {} }] },
        { hold: 'second', rest: 'And here it goes on.' },
      ],
    },
  ])
  await pickModel(app.page, /Claude Large 1/)
  await send(app.page, 'a long one')
  await allow(card(app.page))
  await expect(call(app.page, 'total_invoices')).toContainText('You, once')
  await expect.poll(() => model.requests().length).toBe(2)
  const page = await app.restart('kill')
  await page.getByRole('link', { name: /a long one/ }).click()
  await expect(page.getByText('As far as this.')).toBeVisible()
  await expect(page.getByText('The turn was cut off.')).toBeVisible()
  await expect(call(page, 'total_invoices')).toContainText('You, once')
  model.release('second')
  await page.getByRole('button', { name: 'Go on' }).click()
  await expect(page.getByText('And here it goes on.')).toBeVisible()
  await expect(call(page, 'total_invoices')).toHaveCount(1)
  await expect(card(page)).toHaveCount(0)
})

test('stop ends the answer at once and keeps what came', async ({ app, model }) => {
  const { page } = app
  model.setRules([{ when: 'talk', steps: [{ say: 'Some of it.', hold: 'never' }] }])
  await pickModel(page, /Claude Large 1/)
  await send(page, 'talk')
  await expect(page.getByText('Some of it.')).toBeVisible()
  await page.getByRole('button', { name: 'Stop the answer' }).click()
  await turnEnds(page)
  await expect(page.getByText('Some of it.')).toBeVisible()
  await expect.poll(() => model.requests()[0]?.gone.aborted).toBe(true)
})
