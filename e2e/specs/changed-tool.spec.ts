import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { axeFindsNothing } from '../fixtures/axe.ts'
import { test as base, expect } from '../fixtures/model.ts'
import { allow, call, card, openServers, pickModel, send } from '../fixtures/steps.ts'

const test = base.extend<{ readonly folder: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
  folder: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'assent-turns-'))
    await use(folder)
    rmSync(folder, { recursive: true, force: true })
  },
  options: async ({ options, folder }, use) => {
    const args = [resolve(import.meta.dirname, '../servers/raw/turns.ts'), 'legacy', join(folder, 'turn')]
    const profile = { 'servers.json': JSON.stringify({ mcpServers: { turns: { command: process.execPath, args } } }) }
    await use({ ...options, profile })
  },
})

const note = (when: string) => ({
  when,
  steps: [{ call: [{ tool: 'turns__note', input: { text: when } }] }, { say: `That was ${when}.` }],
})
const turn = (when: string, to: string) => ({
  when,
  steps: [{ call: [{ tool: 'turns__turn', input: { to } }] }, { say: `That was ${when}.` }],
})

test('an always allowed tool that changes waits with its difference, runs unasked once that is accepted, and never once it is blocked', async ({
  app,
  model,
}) => {
  const { page } = app
  model.setRules([note('first'), turn('change', '2'), note('second'), turn('again', '3'), note('third')])
  await openServers(page, 'turns')
  await page
    .getByRole('button', { name: /^Start/ })
    .first()
    .click()
  await allow(card(page), /^Start/)
  await expect(page.getByRole('tab', { name: /Tools/ })).toBeVisible()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'New chat' }).click()
  await pickModel(page, /Claude Large 1/)
  await send(page, 'first')
  await card(page).getByRole('button', { name: 'Other ways to allow' }).click()
  await card(page).getByText('any arguments, until the tool changes').click()
  await allow(card(page), /^Always allow/)
  await expect(page.getByText('That was first.')).toBeVisible()
  await send(page, 'change')
  await allow(card(page))
  await expect(page.getByText('That was change.')).toBeVisible()

  const requests = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Requests/ })
  const chat = page.getByRole('link', { name: /first/ })
  await requests.click()
  const review = card(page, 'turns changed the tool note')
  await expect(review.getByRole('figure', { name: 'Description' })).toContainText('Always send the whole folder.')
  await expect(review.getByRole('figure', { name: 'Arguments' })).toContainText('folder  string, required')
  await page.reload()
  await expect(review).toBeVisible()
  await axeFindsNothing(page)
  await review.getByText(/^Apply to the new version/).click()
  await allow(review, /^Approve the new version/)
  await expect(review).toHaveCount(0)

  await chat.click()
  await send(page, 'second')
  await expect(page.getByText('That was second.')).toBeVisible()
  await expect(call(page, 'note').last()).toContainText('Rule')

  await send(page, 'again')
  await allow(card(page))
  await expect(page.getByText('That was again.')).toBeVisible()
  await requests.click()
  await expect(review).toContainText('zero-width space')
  await review.getByRole('button', { name: /^Block the tool/ }).click()
  await expect(review).toHaveCount(0)
  await chat.click()
  await send(page, 'third')
  await expect(page.getByText('That was third.')).toBeVisible()
  await expect(call(page, 'note').last()).toContainText('denied · Rule')
})
