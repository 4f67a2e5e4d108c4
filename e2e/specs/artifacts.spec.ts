// What answers make, in the pane beside the chat: opened by the person alone, run in the isolation of views, with versions; and a hostile
// page, which reaches nothing of what it reaches without a policy.
import type { FrameLocator, Page } from '@playwright/test'
import { axeFindsNothing } from '../fixtures/axe.ts'
import { hostilePage, openLure, trapWorks } from '../fixtures/hostile-page.ts'
import { expect, test } from '../fixtures/model.ts'
import { card, composer, pickModel, send, turnEnds } from '../fixtures/steps.ts'

const fence = (info: string, text: string): string => `\`\`\`${info}\n${text}\n\`\`\``
const filler = Array.from({ length: 20 }, (_, index) => `<p>Line ${index}</p>`).join('\n')
const spend = (colour: string): string =>
  `<!doctype html>\n<title>Spend by vendor</title>\n<h1 style="color:${colour}">September</h1>\n<button onclick="this.textContent='pressed'">Press</button>\n${filler}`
const csv = ['vendor,amount', ...Array.from({ length: 20 }, (_, index) => `Vendor ${index},${index}`)].join('\n')

const pane = (page: Page) => page.getByRole('region', { name: /^Artifact “/ })
const frameOf = (page: Page): FrameLocator => pane(page).frameLocator('iframe')
const open = (page: Page, title: string, nth = 0) => page.locator('.artifact-card').filter({ hasText: title }).nth(nth).click()

test('a page of an answer opens beside the chat, has versions, is copied and saved, and takes no key that was not meant for it', async ({
  app,
  model,
}) => {
  const { page } = app
  model.setRules([
    { when: 'chart', steps: [{ say: `Here it is.\n\n${fence('html', spend('navy'))}` }] },
    { when: 'darker', steps: [{ say: `Done.\n\n${fence('html', spend('black'))}\n\n${fence('csv vendors.csv', csv)}` }] },
  ])
  await pickModel(page, /Claude Large 1/)
  await send(page, 'chart')
  await turnEnds(page)
  // Nothing runs before it is opened.
  expect(page.frames()).toHaveLength(1)
  await axeFindsNothing(page)
  await open(page, 'Spend by vendor')
  await expect(frameOf(page).getByRole('heading', { name: 'September' })).toBeVisible()
  await expect(pane(page).getByRole('heading', { name: 'Spend by vendor' })).toBeFocused()
  await frameOf(page).getByRole('button', { name: 'Press' }).click()
  await expect(frameOf(page).getByRole('button', { name: 'pressed' })).toBeVisible()

  // A later version waits.
  await send(page, 'darker')
  await turnEnds(page)
  await expect(pane(page).getByText('Version 1 of 2')).toBeVisible()
  await expect(frameOf(page).getByRole('button', { name: 'pressed' })).toBeVisible()
  await pane(page).getByRole('button', { name: 'Next version' }).click()
  await expect(frameOf(page).getByRole('heading', { name: 'September' })).toHaveCSS('color', 'rgb(0, 0, 0)')
  await expect(frameOf(page).getByRole('button', { name: 'Press', exact: true })).toBeVisible()

  await pane(page).getByText('Both', { exact: true }).click()
  await expect(pane(page).locator('pre')).toContainText('color:black')
  await axeFindsNothing(page)
  if (app.shell === 'web') {
    const download = page.waitForEvent('download')
    await pane(page).getByRole('button', { name: 'Save as Spend by vendor.html' }).click()
    expect((await download).suggestedFilename()).toBe('Spend by vendor.html')
  }

  await pane(page)
    .getByRole('tab', { name: /vendors\.csv/ })
    .click()
  await expect(pane(page).getByRole('columnheader', { name: 'vendor', exact: true })).toBeVisible()
  await expect(pane(page).locator('iframe')).toHaveCount(0)

  await page.setViewportSize({ width: 820, height: 800 })
  await expect(composer(page)).toBeHidden()
  await axeFindsNothing(page)
  await pane(page).getByRole('heading').press('Escape')
  await expect(pane(page)).toHaveCount(0)
  await expect(page.locator('.artifact-card').filter({ hasText: 'vendors.csv' })).toBeFocused()
})

test('a page of an answer says where it failed, and what it could not load', async ({ app, model }) => {
  const { page } = app
  const broken = `<title>Broken</title>\n<script src="https://cdn.example.com/chart.js"></script>\n<script>\nnew Chart()\n</script>\n${filler}`
  model.setRules([{ when: 'broken', steps: [{ say: fence('html', broken) }] }])
  await pickModel(page, /Claude Large 1/)
  await send(page, 'broken')
  await turnEnds(page)
  await open(page, 'Broken')
  await expect(pane(page).getByText('Error in line 4')).toBeVisible()
  await expect(pane(page).getByText('new Chart()')).toBeVisible()
  await expect(pane(page).getByText('cdn.example.com')).toBeVisible()
  await axeFindsNothing(page)
})

test('a hostile page of an answer reaches nothing, forges nothing, and holds nothing up', async ({ app, model }) => {
  const { page } = app
  const lure = await openLure()
  try {
    // Electron has no browser beside it for the control; what the trap hears is the same there.
    if (app.shell === 'web') await trapWorks(page, lure)
    model.setRules([
      {
        when: 'attack',
        steps: [
          {
            say: [
              // A policy of its own for the page around it (CherryHQ/cherry-studio issue 17500), and a drawing with a script.
              `<meta http-equiv="Content-Security-Policy" content="default-src 'none'"><script>parent.document.title = 'mine'</script>`,
              fence('html', hostilePage(lure.url)),
              fence(
                'svg',
                `<svg xmlns="http://www.w3.org/2000/svg" onload="fetch('${lure.url}svg')"><title>Drawing</title>\n${'<g/>\n'.repeat(20)}<image href="${lure.url}svg-image"/><script>parent.document.title='mine';fetch('${lure.url}svg-script')</script><text y="20">drawn</text></svg>`,
              ),
            ].join('\n\n'),
          },
        ],
      },
    ])
    await pickModel(page, /Claude Large 1/)
    await send(page, 'attack')
    await turnEnds(page)
    expect(page.frames()).toHaveLength(1)
    await open(page, 'Hostile')
    const log = frameOf(page).locator('#log')
    await expect(log).toHaveText('not begun')
    const run = (name: string) =>
      log.evaluate((_, of) => void setTimeout((globalThis as unknown as Record<string, () => void>)[of] ?? String), name)
    await run('begin')
    await expect(log).toHaveText('got: nothing')
    // Words of the protocol of views: there is no bridge that would hear them.
    await run('forge')
    await page.mouse.move(300, 5)
    await composer(page).fill('mine')
    await run('steal')
    await expect(frameOf(page).locator('#trap')).not.toBeFocused()
    await page.keyboard.type('!')
    await expect(composer(page)).toHaveValue('mine!')
    expect(await card(page).count()).toBe(0)
    await run('spin')
    await composer(page).fill('the page goes on')
    await pane(page).getByRole('button', { name: 'Close' }).click()
    await open(page, 'Hostile')
    await expect(log).toHaveText('not begun')
    await run('flood')
    await expect(pane(page).getByText('too many messages')).toBeVisible()
    await pane(page).getByRole('button', { name: 'Run again' }).click()
    await expect(log).toHaveText('not begun')
    await run('leave')
    await expect(pane(page).getByText('it tried to leave its page')).toBeVisible()
    await pane(page)
      .getByRole('tab', { name: /Drawing/ })
      .click()
    await expect(frameOf(page).getByText('drawn')).toBeVisible()
    expect([[...lure.heard], await page.title()]).toEqual([[], expect.not.stringMatching(/^mine/)])
  } finally {
    lure.server.close()
  }
})
