// What a tool shows in a frame of its own (MCP Apps): the official SDK of views at work, asked for what it asks; and a hostile
// one, which reaches for everything and gets nothing.
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { FrameLocator, Page } from '@playwright/test'
import { expect, test } from '../fixtures/app.ts'
import { axeFindsNothing } from '../fixtures/axe.ts'
import { openLure, trapWorks } from '../fixtures/hostile-page.ts'
import type { AssentApp } from '../fixtures/open-app.ts'
import { allow, card, composer, openServers, send, turnEnds } from '../fixtures/steps.ts'

test.use({ alone: 'browser' })

const root = resolve(import.meta.dirname, '../..')
const frameOf = (page: Page, tool: string): FrameLocator => page.frameLocator(`iframe[title^="View of “${tool}” "]`)

async function start(app: AssentApp, ...args: readonly string[]): Promise<void> {
  const server = { command: process.execPath, args: [join(root, 'e2e/servers/raw/views.ts'), ...args] }
  writeFileSync(join(app.dataDir, 'servers.json'), JSON.stringify({ mcpServers: { views: server } }))
  await openServers(app.page, 'views')
  await app.page.getByRole('button', { name: 'Start', exact: true }).click()
  await allow(card(app.page), /^Start/)
  await expect(app.page.locator('[data-server="views"]')).toContainText('tools')
  await app.page.getByRole('link', { name: /^New chat/ }).click()
}

function draftExtrasIn(dataDir: string): string {
  using database = new DatabaseSync(join(dataDir, 'assent.db'), { readOnly: true })
  return database
    .prepare('SELECT body FROM draft_extras')
    .all()
    .map(({ body }) => String(body))
    .join('\n')
}

async function show(page: Page, tool: string): Promise<FrameLocator> {
  await send(page, `use views ${tool}`)
  await allow(card(page).first())
  await turnEnds(page)
  return frameOf(page, tool)
}

test('a view draws, is told of its call, asks for what it does, follows the page, and is there again after a reload', async ({ app }) => {
  const { page } = app
  await start(app, 'modern')
  const view = await show(page, 'plain')
  const answer = view.getByRole('status')
  await expect(view.locator('#result')).toContainText('Drawn with')
  await expect(view.locator('#input')).toHaveText('{}')
  await expect(view.locator('#theme')).toHaveText('light')

  await press(page, view, 'Refresh')
  await expect(card(page)).toContainText('not by the model')
  await allow(card(page))
  await expect(answer).toContainText('refreshed 1')
  await press(page, view, 'Secret')
  await expect(answer).toContainText('failed')

  await press(page, view, 'Open page')
  await card(page, /example\.com/)
    .getByRole('button', { name: /^Decline/ })
    .click()
  await expect(answer).toContainText('isError')

  await press(page, view, 'Say')
  await page.getByRole('button', { name: 'Insert' }).click()
  await expect(composer(page)).toHaveValue('Count on from here')
  // The host knows whose words these are, after a restart too.
  await expect.poll(() => draftExtrasIn(app.dataDir)).toContain('"servers":["')
  await press(page, view, 'Tell the model')
  await expect(page.getByRole('button', { name: /^Remove What plain shows/ })).toBeVisible()

  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(view.locator('#theme')).toHaveText('dark')
  await press(page, view, 'Full')
  await expect(view.locator('#mode')).toHaveText('fullscreen')
  // What it asks for from there brings the person back to where the question stands.
  await press(page, view, 'Refresh')
  await expect(view.locator('#mode')).toHaveText('inline')
  await card(page).getByRole('button', { name: /^Deny/ }).first().click()
  await expect(answer).toContainText('refused')
  await axeFindsNothing(page)

  await page.getByRole('button', { name: 'Continue with focus inside' }).press('Enter')
  const frame = page.locator('iframe[title^="View of “plain” "]')
  await expect(frame).toBeFocused()
  await expect(async () => {
    await page.keyboard.press('Tab')
    await expect(frame).not.toBeFocused({ timeout: 200 })
  }).toPass()
  await page.reload()
  await expect(view.locator('#result')).toContainText('Drawn with')

  await send(page, 'use views reaching')
  await allow(card(page).first())
  const asks = page.locator('section.ask').filter({ hasText: 'has a view for' })
  await expect(asks).toContainText('https://api.example.com')
  await expect(asks).toContainText('https://www.example.com')
  await axeFindsNothing(page)
  await allow(asks, /^Show it/)
  await expect(frameOf(page, 'reaching').getByText('It reaches')).toBeVisible()
})

/** The frame is inert until the pointer is over it. */
async function press(page: Page, view: FrameLocator, name: string): Promise<void> {
  // What moves under a pointer that stands still takes it out of the frame again.
  await expect(async () => {
    await page.mouse.move(5, 5)
    await page.locator('.app-stage').last().hover()
    await view.getByRole('button', { name }).click({ timeout: 1000 })
  }).toPass()
}

test('a hostile view reaches nothing, forges nothing, and holds nothing up', async ({ app }) => {
  const { page } = app
  const lure = await openLure()
  try {
    // Electron has no browser beside it for the control; what the trap hears is the same there.
    if (app.shell === 'web') await trapWorks(page, lure)
    await start(app, 'modern', lure.url)
    const view = await show(page, 'hostile')
    const log = view.locator('#log')
    await expect(log).toHaveText('speaks')
    const run = (name: string) =>
      log.evaluate((_, of) => void setTimeout((globalThis as unknown as Record<string, () => void>)[of] ?? String), name)
    await run('begin')
    await expect(log).toHaveText('got: nothing')
    await run('forge')
    await expect(log).toHaveText('forged: refused')
    expect(await card(page).count()).toBe(0)

    // What the person types goes where they type it.
    await page.mouse.move(640, 5)
    await composer(page).fill('mine')
    await run('steal')
    await expect(view.locator('#trap')).not.toBeFocused()
    await page.keyboard.type('!')
    await expect(composer(page)).toHaveValue('mine!')
    await expect(view.locator('#trap')).toHaveValue('')
    // A view that never comes to rest is a program of its own.
    await run('spin')
    await composer(page).fill('the page goes on')
    await page.getByRole('button', { name: 'Hide the view of “hostile”' }).click()
    await page.getByRole('button', { name: 'Show it' }).click()
    await expect(log).toHaveText('speaks')
    await run('flood')
    await expect(page.getByText('too many messages')).toBeVisible()
    await page.getByRole('button', { name: 'Show it' }).click()
    await expect(log).toHaveText('speaks')
    await run('leave')
    await expect(page.getByText('it tried to leave its page')).toBeVisible()
    expect([...lure.heard]).toEqual([])
  } finally {
    lure.server.close()
  }
})
