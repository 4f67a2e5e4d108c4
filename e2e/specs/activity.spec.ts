import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { axeFindsNothing } from '../fixtures/axe.ts'
import { expect, test } from '../fixtures/model.ts'
import type { AssentApp } from '../fixtures/open-app.ts'
import { allow, card, pickModel, send, turnEnds } from '../fixtures/steps.ts'

/** What is saved: by the browser, or in the folder that Electron's window is told to choose. */
async function exported({ page, choose, dataDir }: AssentApp): Promise<string> {
  const save = page.getByRole('button', { name: 'Export…' })
  if (!choose) {
    const saving = page.waitForEvent('download')
    await save.click()
    return readFileSync(await (await saving).path(), 'utf8')
  }
  const folder = join(dataDir, 'exported')
  mkdirSync(folder)
  await choose(folder)
  await save.click()
  await expect(page.getByText(/^Saved /)).toBeVisible()
  const [name = ''] = readdirSync(folder)
  return readFileSync(join(folder, name), 'utf8')
}

test('Activity tells by chat what was asked, decided and run; it is searched, filtered, opened, exported and verified; axe finds nothing', async ({
  app,
  model,
}) => {
  const { page } = app
  model.setRules([
    { when: 'first', steps: [{ call: [{ tool: 'demo__total_invoices', input: { month: '2026-09' } }] }, { say: 'That was it.' }] },
  ])
  await pickModel(page, /Claude Large 1/)
  await send(page, 'first')
  await allow(card(page))
  await turnEnds(page)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Activity' }).click()
  await expect(page.getByText(/^Intact · /)).toBeVisible()
  await expect(page.locator('.actt q')).toHaveText('first')
  const actions = page.locator('.actr')
  const total = actions.filter({ hasText: 'used total_invoices' })
  await expect(total.locator('.by')).toHaveText('You, once')
  // One line for the four rows of the call, one for both answers of the model.
  await expect(total).toHaveCount(1)
  await expect(actions.filter({ hasText: 'answered × 2' })).toHaveCount(1)
  await page.getByRole('combobox', { name: 'Decided by' }).selectOption('person')
  await expect(actions.filter({ hasText: 'answered' })).toHaveCount(0)
  await expect(total.locator('.res')).toHaveText(/ B$/)
  await page.getByRole('button', { name: 'Show all' }).click()
  await axeEverywhere(app)

  await page.getByText('Raw entries').click()
  const rows = page.locator('.record-open')
  await expect(rows.filter({ hasText: 'total_invoices' })).toHaveCount(4)
  await page.getByRole('searchbox').fill('first total')
  await page.getByRole('combobox', { name: 'Kind' }).selectOption('decision')
  await expect(page.getByText('1 entry fits')).toBeVisible()
  await expect(rows).toHaveCount(1)
  await rows.click()
  await expect(page.locator('.record-detail').getByText('Decided by')).toBeVisible()

  const lines = (await exported(app)).trimEnd().split('\n')
  expect(lines.map((line) => (JSON.parse(line) as { decision: string }).decision)).toEqual(['allowed'])

  await page.getByRole('button', { name: 'Show all' }).click()
  await expect(page.getByText('Last hash')).toBeVisible()
  await axeEverywhere(app)
})

async function axeEverywhere({ page }: AssentApp): Promise<void> {
  for (const [width, colorScheme] of [
    [1280, 'light'],
    [820, 'light'],
    [420, 'light'],
    [420, 'dark'],
    [820, 'dark'],
    [1280, 'dark'],
    [1280, 'light'],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 800 })
    expect(await page.evaluate('document.documentElement.scrollWidth > window.innerWidth')).toBe(false)
    await axeFindsNothing(page)
  }
}
