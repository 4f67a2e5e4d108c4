// The meter of the context and a summary by hand: what fills it, what stands for it, and the way back.
import { axeFindsNothing } from '../fixtures/axe.ts'
import { expect, test } from '../fixtures/model.ts'
import { pickModel, send, turnEnds } from '../fixtures/steps.ts'

const long = 'Nothing of this matters in the end. '.repeat(200)

test('the meter says what fills the context; the older part is summed up, read, and brought back', async ({ app, model }) => {
  const { page } = app
  model.setRules([
    { when: 'Write that summary now', steps: [{ say: '## Open tasks\n\nFeed the cat.' }] },
    { when: 'fill it', steps: [{ say: long }] },
    { when: '', steps: [{ say: 'Very well.' }] },
  ])
  /** Until it is answered. */
  const say = async (words: string): Promise<void> => {
    await send(page, words)
    await expect(page.locator('.said').last()).toContainText(words)
    await expect(page.locator('.answer').last()).toContainText(/Nothing of this|Very well/)
    await turnEnds(page)
  }
  await pickModel(page, /Claude Large 1/)
  await say('Fill it, and call me Ishmael')
  await say('What now?')

  const meter = page.getByRole('button', { name: /^Context:/ })
  await meter.focus()
  await page.keyboard.press('Enter')
  const pane = page.getByRole('dialog', { name: 'Context' })
  await expect(pane.getByRole('table', { name: 'Tokens' })).toContainText('System prompt')
  await axeFindsNothing(page)
  await pane.getByLabel('What to keep (optional)').fill('the cat')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect(meter).toBeFocused()

  const summary = page.getByRole('region', { name: /^Summary of 3 messages/ })
  await summary.getByRole('button', { name: /^Summary of/ }).click()
  await expect(summary).toContainText('Feed the cat.')
  const first = page.locator('.said', { hasText: 'Ishmael' })
  await expect(first).toHaveCount(0)
  await axeFindsNothing(page)
  await say('And then?')
  const asked = (): string => JSON.stringify(model.server.requests.findLast(({ body }) => JSON.stringify(body).includes('And then?'))?.body)
  expect([asked().includes('Feed the cat.'), asked().includes('call me Ishmael'), asked().includes('Nothing of this matters')]).toEqual([
    true,
    true,
    false,
  ])

  await summary.getByRole('button', { name: 'Undo' }).click()
  await expect(first).toBeVisible()
  await say('And then? Go back')
  expect([asked().includes('Feed the cat.'), asked().includes('Nothing of this matters')]).toEqual([false, true])
})
