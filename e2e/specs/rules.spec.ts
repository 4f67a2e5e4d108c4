import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect } from '../fixtures/model.ts'
import { allow, call, card, openServers, pickModel, send, turnEnds } from '../fixtures/steps.ts'

const server = {
  command: process.execPath,
  args: [join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js')],
  start: 'launch',
}

/** A folder with notes, one beside it, and a link from the first into the second. */
const test = base.extend<{ readonly root: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
  root: async ({}, use) => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'assent-rules-')))
    mkdirSync(join(root, 'notes'))
    mkdirSync(join(root, 'other'))
    symlinkSync(join(root, 'other'), join(root, 'notes/link'), 'junction')
    await use(root)
    rmSync(root, { recursive: true, force: true })
  },
  options: async ({ options, root }, use) => {
    const files = { ...server, args: [...server.args, root] }
    await use({ ...options, profile: { 'servers.json': JSON.stringify({ mcpServers: { files } }) } })
  },
})

test('a rule about a folder answers for what is really inside it, is tried, and is revoked', async ({ app, model, root }) => {
  const { page } = app
  const writes = (when: string, path: string) => ({
    when,
    steps: [{ call: [{ tool: 'files__write_file', input: { path, content: when } }] }, { say: `That was ${when}.` }],
  })
  model.setRules([
    writes('first', `${root}/notes/a.txt`),
    writes('inside', `${root}/notes/b.txt`),
    writes('upwards', `${root}/notes/../other/c.txt`),
    writes('linked', `${root}/notes/link/d.txt`),
    writes('closed', `${root}/other/e.txt`),
    writes('again', `${root}/notes/f.txt`),
  ])
  await openServers(page, 'files')
  await allow(card(page), /Start|Allow|Run/)
  await expect(page.locator('[data-server="files"]')).toContainText('ready')
  await page
    .getByRole('link', { name: /New chat/ })
    .first()
    .click()
  await pickModel(page, /Claude Large 1/)
  await send(page, 'first')
  await expect(card(page, /write_file/)).toBeVisible()
  await card(page).getByRole('button', { name: 'Other ways to allow' }).click()
  await card(page)
    .getByText(/^Always write_file where path is inside/)
    .click()
  await allow(card(page), /^Always allow/)
  await expect(page.getByText('That was first.')).toBeVisible()

  await send(page, 'inside')
  await expect(page.getByText('That was inside.')).toBeVisible()
  await expect(call(page, 'write_file').last()).toContainText('Rule')
  expect(readFileSync(join(root, 'notes/b.txt'), 'utf8')).toBe('inside')

  for (const when of ['upwards', 'linked']) {
    await send(page, when)
    await expect(card(page)).toContainText(when === 'linked' ? 'd.txt' : 'c.txt')
    await card(page).getByRole('button', { name: /^Deny/ }).first().click()
    await expect(page.getByText(`That was ${when}.`)).toBeVisible()
  }

  await page.getByRole('button', { name: /^How this chat asks/ }).click()
  await page.getByRole('menuitemradio', { name: /^Never ask/ }).click()
  await send(page, 'closed')
  await expect(page.getByText('That was closed.')).toBeVisible()
  await expect(call(page, 'write_file').last()).toContainText('denied · Chat mode')
  await page.getByRole('button', { name: /^How this chat asks/ }).click()
  await page.getByRole('menuitemradio', { name: /^Ask unless a rule decides/ }).click()

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Activity' }).click()
  await page.getByText('Rules', { exact: true }).click()
  const tried = page.getByRole('region', { name: /^Test a call/ })
  await tried.getByLabel('Tool').fill('write_file')
  await tried.getByLabel('Arguments').fill(JSON.stringify({ path: `${root}/notes/x`, content: '' }))
  await tried.getByRole('button', { name: 'Test', exact: true }).click()
  await expect(tried).toContainText('Allowed')
  await tried.getByLabel('Arguments').fill(JSON.stringify({ path: `${root}/notes/link/x`, content: '' }))
  await tried.getByRole('button', { name: 'Test', exact: true }).click()
  await expect(tried).toContainText('Ask: ')

  await page.getByRole('button', { name: /^Revoke “write_file”/ }).click()
  await expect(page.getByText('No rules yet')).toBeVisible()
  await page.getByRole('link', { name: /first/ }).click()
  await turnEnds(page)
  await send(page, 'again')
  await expect(card(page)).toContainText('f.txt')
})
