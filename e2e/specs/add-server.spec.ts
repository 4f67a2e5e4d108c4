// Adding a server by hand, as a person does: what was pasted is understood, set up and tried; the doctor says what is
// wrong; it is put right, tried again, and saved. Then the same as text.
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from '../fixtures/app.ts'
import { axeFindsNothing } from '../fixtures/axe.ts'
import { allow, card, openServers } from '../fixtures/steps.ts'

const root = resolve(import.meta.dirname, '../..')
const [program, wrong] = [join(root, 'e2e/servers/raw/tools.ts'), join(root, 'e2e/servers/raw/crash-on-start.ts')]

test('a server is pasted, tried, put right, tried again and saved, and edited as text', async ({ app }) => {
  const { page } = app
  const fileText = (): string => readFileSync(join(app.dataDir, 'servers.json'), 'utf8')
  await openServers(page)
  await page.getByRole('link', { name: 'Add server' }).click()
  const dialog = page.getByRole('dialog')
  await dialog
    .getByRole('textbox', { name: /Paste anything/ })
    .fill(`"notes": ${JSON.stringify({ command: process.execPath, args: [wrong] })}`)
  await expect(dialog.getByText('Found 1 server')).toBeVisible()

  await dialog.getByRole('button', { name: 'Set up “notes”' }).click()
  await dialog.getByRole('button', { name: 'Test', exact: true }).click()
  await expect(card(page)).toContainText(wrong)
  await allow(card(page), /^Start/)
  const run = dialog.getByRole('region', { name: 'Test run' })
  await expect(run.getByRole('alert')).toBeVisible()
  await expect(run).toContainText('cannot find the ledger')
  await axeFindsNothing(page)

  await dialog.getByRole('textbox', { name: 'Arguments' }).fill(program)
  await dialog.getByRole('button', { name: 'Test', exact: true }).click()
  await allow(card(page), /^Start/)
  await expect(run).toContainText('It works.')
  expect(fileText()).not.toContain('notes')

  // Another argument: that was not what was agreed to.
  await dialog.getByRole('textbox', { name: 'Arguments' }).fill(`${program}\n--more`)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(card(page)).toContainText('--more')
  await allow(card(page), /^Start/)
  await expect(page.locator('[data-server="notes"]')).toContainText('tools')
  expect(fileText()).toContain('--more')

  // A link that is pasted starts nothing: the same screen, and the same question about exactly what it carries.
  const carried = { command: process.execPath, args: [program, '--linked'] }
  const links = {
    linked: `assent://install?name=linked&config=${encodeURIComponent(JSON.stringify(carried))}`,
    coded: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: 'coded', ...carried }))}`,
  }
  for (const [name, link] of Object.entries(links)) {
    await page.getByRole('link', { name: 'Add server' }).click()
    await dialog.getByRole('textbox', { name: /Paste anything/ }).fill(link)
    await dialog.getByRole('button', { name: `Set up “${name}”` }).click()
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await expect(card(page)).toContainText('--linked')
    await allow(card(page), /^Start/)
    await expect(page.locator(`[data-server="${name}"]`)).toContainText('tools')
  }

  // The same as text: what can be written is offered, what is wrong is said at its line, and another's edit is kept apart.
  await page.getByRole('link', { name: 'Edit servers.json' }).click()
  const editor = page.getByRole('textbox', { name: 'servers.json' })
  await editor.press('ControlOrMeta+a')
  await page.keyboard.insertText('{\n  // mine\n  "mcpServers": { "notes": { "command": "x", "theirs": 1,  } }\n}')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('End')
  for (const _step of ' } }') await page.keyboard.press('ArrowLeft')
  await page.keyboard.type('"sta')
  await page
    .getByRole('option', { name: /^start\b/ })
    .first()
    .click()
  await expect(editor).toContainText('"start": "needed"')
  await axeFindsNothing(page)
  // The way back would lose it: it is asked first, from where the text still is.
  const here = page.url()
  for (let time = 1; time <= 2; time++) {
    await page.evaluate('history.back()')
    await expect(page.getByRole('alertdialog').getByRole('button', { name: 'Stay here' })).toBeFocused()
    expect(page.url()).toBe(here)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    expect(await page.evaluate('document.documentElement.scrollHeight - innerHeight')).toBe(0)
  }
  const theirs = fileText().replace('--more', '--less')
  writeFileSync(join(app.dataDir, 'servers.json'), theirs)
  await expect(page.getByText('The file was changed elsewhere.')).toBeVisible()
  await expect(editor).toContainText('// mine')
  await page.getByRole('button', { name: 'Keep my text' }).click()
  await editor.press('ControlOrMeta+s')
  await expect.poll(fileText).toContain('"theirs": 1')
  expect(fileText()).toContain('// mine')
  await page.keyboard.press('Tab')
  await expect(editor).not.toBeFocused()

  await editor.press('ControlOrMeta+a')
  await page.keyboard.insertText('{}')
  await page.evaluate('history.back()')
  await page.getByRole('button', { name: 'Leave without saving' }).click()
  await expect(page).toHaveURL(/#\/servers\/coded/)
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
})
