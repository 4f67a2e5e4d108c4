// Permissions that another program wrote into the profile while Assent runs and while it does not: they are not used, and the page lists them.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { axeFindsNothing } from '../fixtures/axe.ts'
import { expect, test } from '../fixtures/model.ts'
import { allow, call, card, composer, pickModel, send, turnEnds } from '../fixtures/steps.ts'

function write(dataDir: string, sql: string): void {
  const database = new DatabaseSync(join(dataDir, 'assent.db'))
  database.exec('PRAGMA busy_timeout = 5000')
  database.exec(sql)
  database.close()
}

test.use({ alone: true })

test('a rule that another program changed is not used; the notice lists it, and the person chooses', async ({ app, model }) => {
  const { page } = app
  const listInvoices = { call: [{ tool: 'demo__list_invoices', input: {} }] }
  model.setRules(['one', 'two', 'three', 'four'].map((when) => ({ when, steps: [listInvoices, { say: `That was ${when}.` }] })))
  await pickModel(page, /Claude Large 1/)
  await send(page, 'one')
  await card(page).getByRole('button', { name: 'Other ways to allow' }).click()
  await card(page)
    .getByText(/^Always/)
    .first()
    .click()
  await allow(card(page), /^Always allow/)
  await expect(page.getByText('That was one.')).toBeVisible()
  await send(page, 'two')
  await expect(page.getByText('That was two.')).toBeVisible()

  write(app.dataDir, `UPDATE rules SET body = json_set(body, '$.tool', '*')`)
  await send(page, 'three')
  await expect(card(page)).toBeVisible()
  const notice = page.locator('.notice').filter({ hasText: 'Another program changed the permissions of this profile.' })
  await expect(notice).toContainText('changed Rule (allow): demo')
  await axeFindsNothing(page)
  await allow(card(page))
  await expect(page.getByText('That was three.')).toBeVisible()
  await notice.getByRole('button', { name: 'Start with none' }).click()
  await expect(notice).toHaveCount(0)

  // With Assent closed, too; the answer is there after the next start.
  const next = await app.restart()
  await expect(composer(next)).toBeVisible()
  await expect(next.locator('.notice').filter({ hasText: 'permissions' })).toHaveCount(0)
  await pickModel(next, /Claude Large 1/)
  await send(next, 'four')
  await allow(card(next))
  await turnEnds(next)
  await expect(call(next, 'list_invoices')).toBeVisible()
})
