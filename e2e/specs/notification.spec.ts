// The browser's own notifications: who looks elsewhere is called when a long turn ends, and led to it.
import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures/model.ts'
import { pickModel, send, turnEnds } from '../fixtures/steps.ts'

/** Another window comes in front. The browser is not to act as if each of its pages had the focus, as it does for tests. */
async function lookElsewhere(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setFocusEmulationEnabled', { enabled: false })
  const other = await page.context().newPage()
  await other.bringToFront()
  await expect.poll(() => page.evaluate('document.hasFocus()')).toBe(false)
}

test.use({ alone: true })

test('who looks elsewhere is told once that a long turn ended, without a word of the chat', async ({ app, model }) => {
  test.skip(app.shell !== 'web', 'Electron’s host shows it, outside of the page')
  const { page } = app
  await page.context().grantPermissions(['notifications'])
  // What the browser says that it has shown.
  await page.addInitScript(`{
    window.shown = []
    window.Notification = class extends Notification {
      constructor(title, options) {
        super(title, options)
        this.addEventListener('show', () => window.shown.push(title + ' ' + options.body))
      }
    }
  }`)
  await page.reload()
  model.setRules([{ when: 'tell me', steps: [{ say: 'The first half.', hold: 'rest', rest: 'The second half.' }] }])
  await pickModel(page, /Claude Large 1/)
  await send(page, 'tell me')
  await expect(page.getByText('The first half.')).toBeVisible()
  await lookElsewhere(page)
  await page.clock.setFixedTime(Date.now() + 60_000)
  model.release('rest')
  await turnEnds(page)
  await expect.poll(() => page.evaluate('window.shown')).toEqual([expect.stringMatching(/1 min/)])
  expect(await page.evaluate('window.shown.join()')).not.toMatch(/tell me|half/)
})
