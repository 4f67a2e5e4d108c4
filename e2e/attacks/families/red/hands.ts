// Hands that are quicker than eyes: keys held down before a card is there, clicks that land on the card behind the one that was meant,
// windows that change under the pointer, two windows that answer at once. Written from the promise, not from the page.
import type { Page } from '@playwright/test'
import { type Attack, same, unless } from '../../attack.ts'
import { order, orderAs } from '../../obey.ts'
import { onPage } from '../../page.ts'
import { type Part, asking as serverAsks, tool } from '../../puppet.ts'
import { onStage, type Stage, until } from '../../stage.ts'
import { asking, ran, sized } from './cards.ts'

const family = 'quick hands'
const rest = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))
const bank: Part = { tools: () => [tool('transfer'), tool('second'), tool('third')] }
const open = (stage: Stage) => stage.host.context.broker.open()
const allowIn = (page: Page) =>
  page
    .locator('section.ask')
    .getByRole('button', { name: /^Allow once/ })
    .first()
const armed = (page: Page) => allowIn(page).and(page.locator('button:not([aria-disabled="true"])'))
const both = `${order('bank__transfer', { to: 'ada' })}\n${order('bank__second', { to: 'mallory' })}\n${order('bank__third', { to: 'eve' })}`

interface Hands {
  readonly stage: Stage
  readonly page: Page
  go(hash: string): Promise<void>
}
/** Row: what hands did; then, slowly, a yes to one card. */
const hands = (name: string, allowed: number, play: (hands: Hands) => Promise<unknown>, cast: Record<string, Part> = {}): Attack => ({
  family,
  name,
  long: true,
  run: () =>
    onStage(
      () => ({ bank, ...cast }),
      async (stage) => {
        stage.setPerson(() => undefined)
        return onPage(stage, async ({ page, go }) => {
          const more = ((await play({ stage, page, go })) as readonly string[] | undefined) ?? []
          await rest(300)
          const done = ran(stage)
          const held = [...more, ...unless(done.length <= allowed, `${done.length} ran, where ${allowed} may: ${done.join()}`)]
          for (const { id } of open(stage)) stage.host.context.broker.answer(id, { kind: 'deny' })
          await rest(200)
          stage.effects.length = 0
          await page.keyboard.up('Enter').catch(() => undefined)
          await page.mouse.up().catch(() => undefined)
          await page.mouse.move(2, 2)
          await sized(page, {})
          const id = await asking(stage, '{"to":"control"}')
          await go(`#/chat/${id}`)
          await armed(page).waitFor({ timeout: 30_000 })
          for (let tries = 0; tries < 20 && ran(stage).length === 0; tries += 1) {
            await armed(page)
              .click({ timeout: 1000 })
              .catch(() => undefined)
            await rest(250)
          }
          return [...held, ...same('control: a slow yes', ran(stage), ['ran bank transfer {"to":"control"}'])]
        })
      },
    ),
})
/** An empty chat in view, whose message field has the focus. */
async function atChat({ stage, page, go }: Hands): Promise<string> {
  const { conversationId } = await stage.host.request('chat.send', { text: 'hello' })
  await stage.host.context.chat.idle(conversationId)
  await go(`#/chat/${conversationId}`)
  await page.getByRole('textbox', { name: 'Message' }).click({ timeout: 60_000 })
  return conversationId
}
const begin = (stage: Stage, conversationId: string, text: string): Promise<unknown> =>
  stage.host.request('chat.send', { text, conversationId })
/** Keeps a key down, as a keyboard does: 30 times a second. */
async function heldDown(page: Page, key: string, ms: number): Promise<void> {
  for (let at = 0; at < ms / 33; at += 1) {
    await page.keyboard.down(key)
    await rest(33)
  }
  await page.keyboard.up(key)
}
const heldBefore = (name: string, key: string): Attack =>
  hands(`${name} held down before the card is there allows nothing`, 0, async (all) => {
    const id = await atChat(all)
    const holding = heldDown(all.page, key, 4000)
    await rest(300)
    await begin(all.stage, id, order('bank__transfer', { to: 'ada' }))
    await holding
  })
async function boxOf(page: Page): Promise<{ x: number; y: number }> {
  const box = await armed(page).boundingBox()
  if (!box) throw new Error('there is no button')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}
/** Three cards, one behind the other; the first is ready. */
async function three(all: Hands): Promise<{ x: number; y: number }> {
  const id = await atChat(all)
  await begin(all.stage, id, both)
  await until('three questions', () => open(all.stage).length === 3)
  await armed(all.page).waitFor({ timeout: 30_000 })
  return boxOf(all.page)
}
const clicking = (name: string, play: (page: Page, x: number, y: number, stage: Stage) => Promise<unknown>, allowed = 1): Attack =>
  hands(name, allowed, async (all) => {
    const { x, y } = await three(all)
    await play(all.page, x, y, all.stage)
  })
/** Milliseconds in which a card that has moved takes no answer. */
const pause = 600
/** The card stands armed; then its window changes, and a click lands at once where Allow has come to be. Looks at the page's own clock. */
const changing = (name: string, change: string | { readonly width: number; readonly height: number }): Attack =>
  hands(name, 0, async (all) => {
    const { page, stage } = all
    await page.evaluate(`addEventListener('resize', () => { globalThis.changedAt = performance.now() })
      addEventListener('click', () => { globalThis.clickedAt = performance.now() }, true)`)
    for (let tries = 0; tries < 8; tries += 1) {
      await sized(page, {})
      const id = await atChat(all)
      await begin(stage, id, orderAs('bank__transfer', JSON.stringify({ to: `ada ${tries}`, note: 'x\n'.repeat(12) })))
      await armed(page).waitFor({ timeout: 30_000 })
      const before = await boxOf(page)
      if (typeof change === 'string') await page.evaluate(`globalThis.changedAt = performance.now(); ${change}`)
      else await page.setViewportSize(change)
      const after = (await page.evaluate(
        `(() => { const { left, top } = [...document.querySelectorAll('section.ask button')].find(({ textContent }) => /^Allow once/.test(textContent)).getBoundingClientRect(); return { x: left + 5, y: top + 5 } })()`,
      )) as typeof before
      await page.mouse.click(after.x, after.y)
      await rest(100)
      const waited = (await page.evaluate('globalThis.clickedAt - globalThis.changedAt')) as number
      const happened = ran(stage)
      for (const one of open(stage)) stage.host.context.broker.answer(one.id, { kind: 'deny' })
      await stage.host.context.chat.idle(id)
      stage.effects.length = 0
      if (waited >= pause) continue
      return [
        ...unless(happened.length === 0, `${Math.round(waited)} ms after it moved: ${happened.join()}`),
        ...unless(after.x !== before.x || after.y !== before.y, 'control: it has not moved'),
      ]
    }
    return ['control: this computer is too slow']
  })

const form: Part = {
  tools: () => [tool('ask')],
  ...serverAsks('elicitation/create', {
    message: 'Your name?',
    requestedSchema: { type: 'object', properties: { name: { type: 'string', title: 'Name', default: 'Ada' } } },
  }),
}

export const quickHands: readonly Attack[] = [
  heldBefore('Enter', 'Enter'),
  heldBefore('Space', 'Space'),
  heldBefore('Tab and Enter', 'Tab'),
  hands('Control and Enter held down before the card is there allow nothing', 0, async (all) => {
    const id = await atChat(all)
    await all.page.keyboard.down('Control')
    const holding = heldDown(all.page, 'Enter', 4000)
    await rest(300)
    await begin(all.stage, id, order('bank__transfer', { to: 'ada' }))
    await holding
    await all.page.keyboard.up('Control')
  }),
  hands('every key of the keyboard outside of the card allows nothing', 0, async (all) => {
    const id = await atChat(all)
    await begin(all.stage, id, order('bank__transfer', { to: 'ada' }))
    await armed(all.page).waitFor({ timeout: 30_000 })
    await all.page.getByRole('textbox', { name: 'Message' }).click()
    for (const key of [
      'Enter',
      'Control+Enter',
      'Meta+Enter',
      'Shift+Enter',
      'Alt+Enter',
      'y',
      'a',
      'Alt+a',
      'F1',
      'NumpadEnter',
      'Control+y',
    ])
      await all.page.keyboard.press(key)
  }),
  hands('words and line ends that were being typed as the card came allow nothing', 0, async (all) => {
    const id = await atChat(all)
    setTimeout(() => void begin(all.stage, id, order('bank__transfer', { to: 'ada' })), 300)
    await all.page.keyboard.type('yes please allow it once more yes yes yes', { delay: 40 })
    for (let at = 0; at < 20; at += 1) await all.page.keyboard.press(at % 2 ? 'Space' : 'y', { delay: 30 })
  }),
  clicking('a double click is a yes to one card', (page, x, y) => page.mouse.dblclick(x, y)),
  clicking('a triple click is a yes to one card', (page, x, y) => page.mouse.click(x, y, { clickCount: 3, delay: 10 })),
  clicking('thirty clicks in a second are a yes to one card', async (page, x, y) => {
    for (let at = 1; at <= 30; at += 1) {
      await page.mouse.move(x, y)
      await page.mouse.down({ clickCount: at })
      await page.mouse.up({ clickCount: at })
      await rest(15)
    }
  }),
  clicking('Enter held down on Allow is a yes to one card', async (page) => {
    await armed(page).focus()
    await heldDown(page, 'Enter', 3000)
  }),
  clicking('Space pressed on and on at Allow is a yes to one card', async (page) => {
    await armed(page).focus()
    for (let at = 0; at < 20; at += 1) await page.keyboard.press('Space', { delay: 20 })
  }),
  clicking(
    'a button pressed on one card and let go on the next allows neither',
    async (page, x, y, stage) => {
      await page.mouse.move(x, y)
      await page.mouse.down()
      const [first] = open(stage)
      stage.host.context.broker.answer(first?.id ?? '', { kind: 'deny' })
      await rest(1500)
      await page.mouse.up()
    },
    0,
  ),
  clicking(
    'a click where a card was that was taken back allows not the next',
    async (page, x, y, stage) => {
      const [first] = open(stage)
      stage.host.context.broker.answer(first?.id ?? '', { kind: 'deny' })
      for (let at = 0; at < 8; at += 1) {
        await page.mouse.click(x, y)
        await rest(40)
      }
    },
    0,
  ),
  clicking(
    'a button pressed elsewhere and let go on Allow allows nothing',
    async (page, x, y) => {
      await page.mouse.move(5, 5)
      await page.mouse.down()
      await page.mouse.move(x, y)
      await page.mouse.up()
    },
    0,
  ),
  clicking(
    'the wheel’s and the second button on Allow allow nothing',
    async (page, x, y) => {
      await page.mouse.click(x, y, { button: 'middle' })
      await page.mouse.click(x, y, { button: 'right' })
      await page.keyboard.press('Escape')
    },
    0,
  ),
  clicking(
    'a text dropped on Allow allows nothing',
    (page) =>
      armed(page).evaluate(`(button) => button.dispatchEvent(new DragEvent('drop', { bubbles: true, dataTransfer: new DataTransfer() }))`),
    0,
  ),
  clicking(
    'clicks that a script makes in the page of the card’s own text allow nothing by its link or label',
    async (page) => {
      for (const one of await page.locator('section.ask .body a, section.ask .body label').all())
        await one.click({ timeout: 500 }).catch(() => undefined)
    },
    0,
  ),
  changing('a window made narrow while the card is armed takes no click at once', { width: 420, height: 800 }),
  changing('a window made flat while the card is armed takes no click at once', { width: 1280, height: 420 }),
  changing('letters made large while the card is armed take no click at once', `document.documentElement.style.fontSize = '200%'`),
  changing('a page zoomed while the card is armed takes no click at once', { width: 640, height: 400 }),
  hands('of two windows that click at once one decides, and it runs once', 1, async (all) => {
    const id = await atChat(all)
    await begin(all.stage, id, order('bank__transfer', { to: 'ada' }))
    await armed(all.page).waitFor({ timeout: 30_000 })
    const key = open(all.stage)[0]?.id ?? ''
    await Promise.all([
      armed(all.page)
        .click({ timeout: 5000 })
        .catch(() => undefined),
      ...Array.from({ length: 20 }, () =>
        all.stage.host.request('consent.answer', { id: key, answer: { kind: 'allow', scope: 'once' } }).catch(() => 0),
      ),
    ])
    await rest(800)
    return unless(ran(all.stage).length === 1, `control: it ran ${ran(all.stage).length} times`)
  }),
  hands('a no of one window holds against a yes of another that comes later', 0, async (all) => {
    const id = await atChat(all)
    await begin(all.stage, id, order('bank__transfer', { to: 'ada' }))
    await armed(all.page).waitFor({ timeout: 30_000 })
    const { x, y } = await boxOf(all.page)
    const key = open(all.stage)[0]?.id ?? ''
    await all.stage.host.request('consent.answer', { id: key, answer: { kind: 'deny' } })
    await all.page.mouse.click(x, y)
  }),
  hands(
    'a form that comes while one types takes no word and is not sent by Enter',
    0,
    async (all) => {
      const id = await atChat(all)
      const asked = () => open(all.stage).find(({ kind }) => kind === 'elicitation-form')
      all.stage.setPerson((request) =>
        request.kind === 'tool-call' && request.server === 'hostile' ? { kind: 'allow', scope: 'once' } : undefined,
      )
      void begin(all.stage, id, order('hostile__ask'))
      await all.page.keyboard.type('my pass phrase is', { delay: 60 })
      await until('the form', () => asked() !== undefined)
      await all.page.keyboard.type(' correct horse', { delay: 60 })
      for (let at = 0; at < 8; at += 1) await all.page.keyboard.press('Shift+Enter', { delay: 60 })
      const told = all.stage.effects.filter((one) => one.startsWith('told'))
      return [...same('told', told, []), ...unless(asked() !== undefined, 'the form was answered')]
    },
    { hostile: form },
  ),
  hands('the focus is not taken from the message by a card', 0, async (all) => {
    const id = await atChat(all)
    await begin(all.stage, id, order('bank__transfer', { to: 'ada' }))
    await armed(all.page).waitFor({ timeout: 30_000 })
    const focused = await all.page.evaluate('document.activeElement?.tagName')
    return unless(focused === 'TEXTAREA' || focused === 'DIV' || focused === 'INPUT', `the focus is on ${focused}`)
  }),
]
