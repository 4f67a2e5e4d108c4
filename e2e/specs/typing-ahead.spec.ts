// What is typed right after a shortcut, faster than the page can draw what it opens. The keys go to Chromium's own protocol
// without a wait between them, as they come from a keyboard while the page is busy.
import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures/app.ts'
import { composer, send, turnEnds } from '../fixtures/steps.ts'

interface Key {
  readonly key: string
  readonly modifiers?: number
}
const ALT = 1
const CONTROL = 2
const SHIFT = 8

const codeOf = (key: string): object =>
  key.length === 1
    ? { code: `Key${key.toUpperCase()}`, windowsVirtualKeyCode: key.toUpperCase().charCodeAt(0) }
    : { code: key, windowsVirtualKeyCode: 13 }

/** `slowness`: how many times slower the page's processor is. */
async function typeAtOnce(page: Page, slowness: number, chord: Required<Key>, text: string, last?: string): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowness })
  const keys: Key[] = [chord, ...[...text].map((key) => ({ key })), ...(last === undefined ? [] : [{ key: last }])]
  await Promise.all(
    keys.flatMap(({ key, modifiers = 0 }) => {
      const typed = modifiers > 0 ? {} : { text: key === 'Enter' ? '\r' : key }
      return [
        session.send('Input.dispatchKeyEvent', { type: 'keyDown', key, modifiers, ...codeOf(key), ...typed }),
        session.send('Input.dispatchKeyEvent', { type: 'keyUp', key, modifiers, ...codeOf(key) }),
      ]
    }),
  )
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
}

/** The code of a page comes so late after a reload. */
async function delay(page: Page, chunk: string, ms: number): Promise<void> {
  await page.route(`**/assets/${chunk}-*.js`, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, ms))
    await route.continue()
  })
  await page.reload()
}

test.use({ alone: true })
test.skip(process.env['ASSENT_SHELL'] === 'electron', 'keys without a wait go through Chromium’s protocol')

for (const [how, slowness, late] of [
  ['over a slow page, ', 6, 0],
  ['over code that is late, ', 1, 1000],
  ['over a slow page and code that is late, ', 20, 1000],
] as const) {
  test(`${how}what is typed after the shortcut is the command menu’s, with Enter and all`, async ({ app }) => {
    const { page } = app
    if (late > 0) await delay(page, 'command-menu', late)
    await expect(composer(page)).toBeFocused()
    await page.keyboard.type('a draft')
    await typeAtOnce(page, slowness, { key: 'k', modifiers: CONTROL }, 'models')
    const field = page.getByRole('combobox', { name: 'Commands, chats and servers' })
    await expect(field).toHaveValue('models')
    await expect(field).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(field).toHaveCount(0)
    await expect(composer(page)).toBeFocused()
    await expect(composer(page)).toHaveValue('a draft')
    await typeAtOnce(page, slowness, { key: 'k', modifiers: CONTROL }, 'models', 'Enter')
    await expect(page).toHaveURL(/#\/settings\/models$/)
  })
}

test('Enter that comes before the menu runs what is typed before it', async ({ app }) => {
  const { page } = app
  await delay(page, 'command-menu', 1000)
  await expect(composer(page)).toBeFocused()
  await typeAtOnce(page, 6, { key: 'k', modifiers: CONTROL }, 'models', 'Enter')
  await expect(page).toHaveURL(/#\/settings\/models$/)
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a menu whose code cannot be had is closed, says so, and gives the focus back', async ({ app }) => {
  const { page } = app
  await page.route('**/assets/command-menu-*.js', (route) => route.abort())
  await page.reload()
  await expect(composer(page)).toBeFocused()
  await page.keyboard.press('Control+k')
  await expect(page.getByText('The page could not be loaded.')).toBeVisible()
  await expect(composer(page)).toBeFocused()
})

for (const late of [0, 1000])
  test(`what is typed after the shortcut of the search is searched for${late > 0 ? ', with code that is late' : ''}`, async ({ app }) => {
    const { page } = app
    if (late > 0) await delay(page, 'search-page', late)
    await expect(composer(page)).toBeFocused()
    await typeAtOnce(page, 6, { key: 'f', modifiers: CONTROL + SHIFT }, 'kestrel')
    await expect(page.getByRole('searchbox', { name: 'Search in all chats' })).toHaveValue('kestrel')
    await expect(page).toHaveURL(/#\/search\/kestrel$/)
  })

test('what is typed after the shortcut of a new chat is the new one’s, and none of it the old one’s', async ({ app }) => {
  const { page } = app
  await send(page, 'hello')
  await expect(page).toHaveURL(/#\/chat\/.+/)
  await turnEnds(page)
  const url = page.url()
  await composer(page).pressSequentially('for the old one')
  await typeAtOnce(page, 20, { key: 'n', modifiers: CONTROL + ALT }, 'forthenew')
  await expect(page).toHaveURL(/#\/chat$/)
  await expect(composer(page)).toHaveValue('forthenew')
  // In place already, the shortcut gives the focus.
  await page.getByRole('button', { name: 'Send' }).focus()
  await typeAtOnce(page, 6, { key: 'n', modifiers: CONTROL + ALT }, 'one')
  await expect(composer(page)).toHaveValue('forthenewone')
  await page.goto(url)
  await expect(composer(page)).toHaveValue('for the old one')
})
