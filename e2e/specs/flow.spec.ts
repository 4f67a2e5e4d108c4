import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect } from '../fixtures/model.ts'
import { allow, call, card, openServers, pickModel, send } from '../fixtures/steps.ts'

const program = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js')
const sentence = 'Lindgren is below the threshold, Anna confirmed by phone.'

/** Two servers, each with a folder of its own. */
const test = base.extend<{ readonly root: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
  root: async ({}, use) => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'assent-flow-')))
    for (const folder of ['notes', 'shared']) mkdirSync(join(root, folder))
    writeFileSync(join(root, 'notes/vendors.md'), `Vendors\n\n${sentence}\n`)
    await use(root)
    rmSync(root, { recursive: true, force: true })
  },
  options: async ({ options, root }, use) => {
    const server = (folder: string) => ({ command: process.execPath, args: [program, join(root, folder)], start: 'launch' })
    await use({
      ...options,
      profile: { 'servers.json': JSON.stringify({ mcpServers: { notes: server('notes'), shared: server('shared') } }) },
    })
  },
})

test('what one server gave is asked for before another gets it, whatever is always allowed, and runs as it was edited in the form', async ({
  app,
  model,
  root,
}) => {
  const { page } = app
  const step = (when: string, tool: string, input: Record<string, string>) => ({
    when,
    steps: [{ call: [{ tool, input }] }, { say: `That was ${when}.` }],
  })
  model.setRules([
    step('hello', 'shared__write_file', { path: join(root, 'shared/a.txt'), content: 'hello' }),
    step('reading', 'notes__read_text_file', { path: join(root, 'notes/vendors.md') }),
    step('passing', 'shared__write_file', { path: join(root, 'shared/b.txt'), content: `From the notes:\n${sentence}` }),
  ])
  for (const name of ['notes', 'shared']) {
    await openServers(page, name)
    await allow(card(page), /Start|Allow|Run/)
    await expect(page.locator(`[data-server="${name}"]`)).toContainText('ready', { timeout: 45_000 })
  }
  await page
    .getByRole('link', { name: /New chat/ })
    .first()
    .click()
  await pickModel(page, /Claude Large 1/)
  await send(page, 'hello')
  await card(page, /write_file/)
    .getByRole('button', { name: 'Other ways to allow' })
    .click()
  await card(page).getByText('any arguments, until the tool changes').click()
  await allow(card(page), /^Always allow/)
  await expect(page.getByText('That was hello.')).toBeVisible()
  await send(page, 'reading')
  await allow(card(page, /read_text_file/))
  await expect(page.getByText('That was reading.')).toBeVisible()

  await send(page, 'passing')
  const ask = card(page, /write_file/)
  const words = ask.locator('.flow').filter({ hasText: 'Lindgren is below the threshold' })
  await expect(words).toHaveCount(1)
  await expect(ask.locator('.flownote').first()).toHaveText('notes was read in this chat, and shared can send data out.')
  await page.reload()
  await expect(words).toHaveCount(1)
  await ask.getByRole('button', { name: /^Edit/ }).click()
  await ask.getByLabel(/^content/).fill('From the notes:\nNo VAT number.')
  await ask.getByRole('button', { name: 'Apply' }).click()
  await expect(words).toHaveCount(0)
  await allow(ask)
  await expect(page.getByText('That was passing.')).toBeVisible()
  await expect(call(page, 'write_file').last()).toContainText('You, once')
  expect(readFileSync(join(root, 'shared/b.txt'), 'utf8')).toBe('From the notes:\nNo VAT number.')
})
