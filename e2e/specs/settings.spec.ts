import { test as base, expect } from '../fixtures/model.ts'
import { openSettings, pickModel, send } from '../fixtures/steps.ts'

const key = 'sk-ant-test-0000000000000000q7Rw'
/** The API is there, the key is not: the person brings it. */
const test = base.extend({
  options: async ({ model }, use) => use({ hostEnv: { ANTHROPIC_BASE_URL: model.server.url }, profile: {} }),
})

test('a key is checked against the API before it is kept, and what is wrong is said in words', async ({ app, model }) => {
  const { page } = app
  model.setRules([{ when: 'hello', steps: [{ say: 'Hello to you.' }] }])
  await openSettings(page)
  const field = page.getByLabel('Anthropic', { exact: true })
  await field.fill('sk-ant-wrong')
  await page.getByRole('button', { name: 'Connect' }).click()
  await expect(page.locator('.err, .notice.bad').first()).toContainText(/refused/i)

  await field.fill(key)
  await page.getByRole('button', { name: 'Connect' }).click()
  await expect(page.getByText(/^2 models/)).toBeVisible()
  await expect(page.locator('body')).not.toContainText(key)
  await expect(page.getByText(/this run only/).first()).toBeVisible()

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'New chat' }).click()
  await pickModel(page, /Claude Small 1/)
  await send(page, 'hello')
  await expect(page.getByText('Hello to you.')).toBeVisible()
  expect(app.stderr()).not.toContain(key)
})

test('the looks are applied at once, kept, and there at the first paint', async ({ app }) => {
  const { page } = app
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: /^Settings/ })
    .click()
  await page.getByRole('radiogroup', { name: 'Settings' }).getByText('Appearance').click()
  await page.getByText('Dark', { exact: true }).click()
  await page.getByText('Teal', { exact: true }).click()
  await page.getByLabel('Text size').fill('150')
  await page.getByLabel('Text size').press('Enter')
  const looks = (): Promise<unknown> =>
    page.evaluate(`[
      document.documentElement.dataset.theme,
      document.documentElement.dataset.accent,
      getComputedStyle(document.body).fontSize,
      document.querySelector('nav')?.offsetWidth,
    ]`)
  // At 150 % this window is as narrow as one with the rail.
  await expect.poll(looks).toEqual(['dark', 'teal', '19.5px', 78])
  const errors: string[] = []
  page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())))
  await page.addInitScript(
    `new PerformanceObserver(() => (window.first = { ...document.documentElement.dataset })).observe({ type: 'paint', buffered: true })`,
  )
  await page.reload()
  await expect.poll(looks).toEqual(['dark', 'teal', '19.5px', 78])
  expect(await page.evaluate('window.first')).toMatchObject({ theme: 'dark', accent: 'teal' })
  expect(errors).toEqual([])
})
