// The dock in its chat, by geometry: nothing of the transcript moves for it, its keys are one row, and a form on the page of requests has
// all the room that there is.
import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures/model.ts'
import { allow, call, card, composer, pickModel, send, turnEnds } from '../fixtures/steps.ts'

const lines = Array.from({ length: 40 }, (_, at) => `Line ${at} of what was there before.`).join('\n\n')
const list = (month: string) => ({ tool: 'demo__list_invoices', input: { month } })

/** Notes in each frame where the call's row stands, how high the dock is, and how high the transcript is. */
const watch = (page: Page): Promise<void> =>
  page.evaluate(`{
    globalThis.frames_ = []
    const look = () => {
      const rows = [...document.querySelectorAll('.call-box')]
      const dock = document.querySelector('.dock')
      const column = document.querySelector('.scroll > .col')
      const written = column ? column.scrollHeight - parseFloat(getComputedStyle(column).paddingBottom) : 0
      frames_.push([rows.length, rows.at(-1)?.getBoundingClientRect().top ?? -1, dock?.offsetHeight ?? 0, written])
      requestAnimationFrame(look)
    }
    look()
  }`)
type Frame = readonly [rows: number, top: number, dock: number, written: number]
const frames = (page: Page): Promise<readonly Frame[]> => page.evaluate('globalThis.frames_')

test('the transcript stays where it is while the dock opens, grows, is put aside and is answered', async ({ app, model }) => {
  const { page } = app
  model.setRules([
    { when: 'before', steps: [{ say: lines }] },
    { when: 'go', steps: [{ say: 'I look.', call: [list('2026-09')] }, { say: 'There are three.' }] },
  ])
  await pickModel(page, /Claude Large 1/)
  await send(page, 'before')
  await turnEnds(page)
  await watch(page)
  await send(page, 'go')
  await expect(card(page)).toBeVisible()
  await card(page).getByRole('button', { name: 'Other ways to allow' }).click()
  await card(page).getByText('any arguments, until the tool changes').click()
  await expect(card(page).getByRole('button', { name: /^Always allow/ })).toBeVisible()
  await card(page).getByText('Once', { exact: true }).click()
  await page.getByRole('button', { name: /^Decide later/ }).click()
  await expect(page.locator('.dock-line')).toContainText('1 request waits')
  await page.getByRole('button', { name: /^Review/ }).click()
  await allow(card(page))
  await expect(page.getByText('There are three.')).toBeVisible()
  await turnEnds(page)
  await expect(call(page, 'list_invoices')).toContainText('You, once')
  const seen = await frames(page)
  // The row itself may still be measured as the dock opens: what moves then is what was written, by as much as it grew.
  const opens = seen.findIndex(([, , dock]) => dock > 0)
  const before = seen.slice(seen.findIndex(([rows]) => rows > 0) + 1, opens + 10)
  const moved = before.flatMap(([, top, , written], at) => {
    const [, topThen, , writtenThen] = before[at - 1] ?? [0, top, 0, written]
    return Math.abs(written - writtenThen) <= 1 && Math.abs(top - topThen) > 1 ? [[at, topThen, top]] : []
  })
  const tops = seen.slice(opens + 10).map(([, top]) => top)
  expect(moved).toEqual([])
  expect(new Set(seen.slice(opens).map(([, , dock]) => dock)).size).toBeGreaterThan(2)
  expect(Math.max(...tops) - Math.min(...tops)).toBeLessThanOrEqual(1)
})

test('the last line rests above the open dock', async ({ app, model }) => {
  const { page } = app
  model.setRules([{ when: 'go', steps: [{ say: lines, call: [list('2026-09')] }, { say: 'Done.' }] }])
  await pickModel(page, /Claude Large 1/)
  await send(page, 'go')
  await expect(card(page)).toBeVisible()
  const [row, dock] = await Promise.all([call(page, 'list_invoices').boundingBox(), page.locator('.dock').boundingBox()])
  expect((dock?.y ?? 0) - (row?.y ?? 0) - (row?.height ?? 0)).toBeGreaterThanOrEqual(0)
})

test('its keys are one row in any window, with the long names that other systems have', async ({ app, model }) => {
  const { page } = app
  model.setRules([{ when: 'go', steps: [{ call: [list('2026-09'), { tool: 'demo__total_invoices', input: {} }] }, { say: 'Done.' }] }])
  await pickModel(page, /Claude Large 1/)
  await send(page, 'go')
  await expect(page.locator('.dock .pager')).toHaveText('1 of 2')
  await expect(page.locator('.keys')).toContainText('Ctrl+Backspace')
  for (const width of [1280, 820, 640, 608]) {
    await page.setViewportSize({ width, height: 800 })
    const rows = await page.evaluate<{ keys: number; shown: number; answers: number }>(`(() => {
      const keys = document.querySelector('.keys')
      const box = keys.getBoundingClientRect()
      const shown = [...keys.children].filter((one) => one.getBoundingClientRect().top < box.bottom - 2)
      return { keys: box.height, shown: shown.length, answers: document.querySelector('.answers').offsetHeight }
    })()`)
    expect({ width, ...rows }).toEqual({ width, keys: 16, shown: width === 608 ? 5 : 6, answers: 30 })
  }
})

test('focus goes to the editor on Edit, back on Apply, and to where it was after the answer', async ({ app, model }) => {
  const { page } = app
  model.setRules([{ when: 'go', steps: [{ call: [list('2026-09')] }, { say: 'Done.' }] }])
  await pickModel(page, /Claude Large 1/)
  await send(page, 'go')
  await expect(card(page)).toBeVisible()
  await page.keyboard.press('Control+j')
  await expect(card(page).getByRole('heading')).toBeFocused()
  await page.keyboard.press('e')
  const editor = page.locator('.dock .field')
  await expect(editor.locator(':focus')).toHaveCount(1)
  await page.getByRole('button', { name: 'Apply' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.locator('.dock :focus')).toHaveCount(1)
  await expect(page.getByText('edited by you')).toHaveCount(0)
  await expect(card(page).getByRole('button', { name: /^Allow once/ })).not.toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Control+Enter')
  await turnEnds(page)
  await expect(composer(page)).toBeFocused()
})

test('a form on the page of requests is not cut while there is room for it', async ({ app }) => {
  const { page } = app
  await pickModel(page, /Practice model/)
  await send(page, 'Book a room for four on Thursday')
  await allow(card(page))
  await expect(card(page, /asks you/)).toBeVisible()
  await page
    .getByRole('link', { name: /^Requests/ })
    .first()
    .click()
  for (const width of [1280, 820, 470]) {
    await page.setViewportSize({ width, height: 800 })
    await page.evaluate(`void (location.hash = document.querySelector('[data-listed] a')?.getAttribute('href') ?? location.hash)`)
    await expect(card(page, /asks you/)).toBeVisible()
    const cut = await page.evaluate(`(() => {
      const body = document.querySelector('section.ask > .body')
      body.style.setProperty('--probe', '0')
      const filler = body.appendChild(document.createElement('div'))
      const free = innerHeight - document.querySelector('section.ask').getBoundingClientRect().bottom
      filler.style.height = Math.max(0, free - 60) + 'px'
      const result = [body.scrollHeight > body.clientHeight + 1, [...body.querySelectorAll('input, textarea, select, label')].filter((one) => one.getBoundingClientRect().right > body.getBoundingClientRect().right + 1).length]
      filler.remove()
      return result
    })()`)
    expect({ width, cut }).toEqual({ width, cut: [false, 0] })
  }
})
