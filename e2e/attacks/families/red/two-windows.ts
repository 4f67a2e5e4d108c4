// Two real windows of one browser before the same question: one decides, once, and what the other shows or clicks changes nothing of it.
// Written from SECURITY.md alone.
import type { Locator, Page } from '@playwright/test'
import { type Attack, bank, same, unless } from '../../attack.ts'
import { order, orderAs } from '../../obey.ts'
import { onPage } from '../../page.ts'
import { type Part, asking as serverAsks, tool } from '../../puppet.ts'
import { onStage, type Stage, until } from '../../stage.ts'
import { asking, ran } from './cards.ts'

const rest = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))
const button = (page: Page, name: RegExp): Locator => page.locator('section.ask').getByRole('button', { name }).first()
const allow = (page: Page): Locator => button(page, /^Allow once/)
const armed = (page: Page): Locator => allow(page).and(page.locator('button:not([aria-disabled="true"])'))
const deny = (page: Page): Locator => button(page, /^Deny/)
const open = (stage: Stage) => stage.host.context.broker.open()
const press = (one: Locator): Promise<unknown> => one.click({ timeout: 5000 }).catch(() => undefined)
const form: Part = {
  tools: () => [tool('ask')],
  ...serverAsks('elicitation/create', {
    message: 'Your name?',
    requestedSchema: { type: 'object', properties: { name: { type: 'string', title: 'Name', default: 'Ada' } } },
  }),
}

interface Windows {
  readonly stage: Stage
  readonly a: Page
  readonly b: Page
  readonly id: string
}
const longNote = JSON.stringify({ to: 'ada', note: Array.from({ length: 80 }, (_, at) => `line ${at}`).join('\n'), end: 'mallory' })

/** Row: both windows show the chat whose call waits; then, with a yes in the second window alone, another call runs. */
const windows = (name: string, play: (all: Windows) => Promise<readonly string[]>, json = '{"to":"ada"}'): Attack => ({
  family: 'two windows',
  name,
  long: true,
  run: () =>
    onStage(
      () => ({ bank, hostile: form }),
      async (stage) => {
        const id = await asking(stage, json)
        return onPage(stage, async ({ page: a, go, another }) => {
          const b = await another()
          await go(`#/chat/${id}`)
          await b.evaluate(`void (location.hash = ${JSON.stringify(`#/chat/${id}`)})`)
          for (const each of [a, b]) await allow(each).waitFor({ timeout: 30_000 })
          const wrong = await play({ stage, a, b, id })
          for (const one of open(stage)) stage.host.context.broker.answer(one.id, { kind: 'deny' })
          await stage.host.context.chat.idle(id)
          stage.effects.length = 0
          const next = await asking(stage, '{"to":"control"}')
          await b.bringToFront()
          await b.evaluate(`void (location.hash = ${JSON.stringify(`#/chat/${next}`)})`)
          await armed(b).waitFor({ timeout: 30_000 })
          for (let tries = 0; tries < 20 && ran(stage).length === 0; tries += 1) {
            await press(armed(b))
            await rest(250)
          }
          return [...wrong, ...same('control: a yes in the second window', ran(stage), ['ran bank transfer {"to":"control"}'])]
        })
      },
    ),
})
const bothArmed = async ({ a, b }: Windows): Promise<void> => {
  for (const each of [a, b]) {
    await each.bringToFront()
    await armed(each).waitFor({ timeout: 30_000 })
  }
}

export const twoWindows: readonly Attack[] = [
  windows('two yeses at once run it once', async (all) => {
    await bothArmed(all)
    await Promise.all([press(armed(all.a)), press(armed(all.b))])
    await rest(1000)
    return same('ran', ran(all.stage).length, 1)
  }),
  windows('a yes and a no at once are one of them, and the record says which', async (all) => {
    await bothArmed(all)
    const { id } = open(all.stage)[0] ?? { id: '' }
    const resolved: unknown[] = []
    all.stage.host.onEvent((event) => {
      if (event.name === 'consent.closed') resolved.push(event.payload)
    })
    await Promise.all([press(deny(all.a)), press(armed(all.b))])
    await rest(1000)
    const happened = ran(all.stage).length
    return [
      ...unless(happened <= 1, `it ran ${happened} times`),
      ...unless(!open(all.stage).some((one) => one.id === id), 'it is still open'),
      ...unless(resolved.length === 1, `it was closed ${resolved.length} times`),
    ]
  }),
  windows('a no in one window holds against a yes that was pressed before it was heard', async (all) => {
    await bothArmed(all)
    const { a, b, stage } = all
    await b.evaluate(`(() => { const end = performance.now() + 1500; setTimeout(() => { while (performance.now() < end); }, 0) })()`)
    await press(deny(a))
    await press(allow(b))
    await rest(2000)
    return same('ran', ran(stage), [])
  }),
  windows(
    'a card that was read in one window is not read in the other',
    async (all) => {
      const { a, b } = all
      await a.bringToFront()
      await a.locator('section.ask .body').first().evaluate('(body) => { body.scrollTop = body.scrollHeight }')
      for (let tries = 0; tries < 60; tries += 1) {
        const jump = a.locator('section.ask .unseen button').first()
        if (!(await jump.isVisible())) break
        await press(jump)
        await rest(300)
      }
      const readIn = async (page: Page) => (await allow(page).getAttribute('class'))?.includes('primary') ?? false
      return [
        ...unless(await readIn(a), 'control: it was not read in the first'),
        ...unless(!(await readIn(b)), 'it counts as read in the second'),
        ...same('ran', ran(all.stage), []),
      ]
    },
    longNote,
  ),
  windows('a yes in one window moves no yes of the other onto the next card', async (all) => {
    const { a, b, stage, id } = all
    await bothArmed(all)
    const box = await allow(b).boundingBox()
    await press(armed(a))
    await until('it ran', () => ran(stage).length === 1)
    void stage.host.request('chat.send', { text: orderAs('bank__transfer', '{"to":"mallory"}'), conversationId: id }).catch(() => undefined)
    await b.bringToFront()
    for (let at = 0; at < 40; at += 1) {
      const shown = await allow(b).isVisible()
      await b.mouse.click((box?.x ?? 0) + 10, (box?.y ?? 0) + 10)
      if (shown) break
      await rest(25)
    }
    await rest(800)
    return same('ran', ran(stage), ['ran bank transfer {"to":"ada"}'])
  }),
  windows('a window that was answered elsewhere shows no card of it', async (all) => {
    const { a, b } = all
    await bothArmed(all)
    await press(deny(a))
    await allow(b)
      .waitFor({ state: 'hidden', timeout: 5000 })
      .catch(() => undefined)
    return unless(!(await allow(b).isVisible()), 'it is still there after five seconds')
  }),
  windows('a window that closes answers nothing', async (all) => {
    await bothArmed(all)
    await all.a.close({ runBeforeUnload: true })
    await rest(1000)
    return [...same('ran', ran(all.stage), []), ...unless(open(all.stage).length === 1, 'the question is gone')]
  }),
  windows('a window that reloads while it is asked answers nothing', async (all) => {
    await bothArmed(all)
    await all.a.bringToFront()
    await allow(all.a).focus()
    await Promise.all([all.a.reload(), all.a.keyboard.press('Enter').catch(() => undefined)])
    await rest(1500)
    return unless(ran(all.stage).length <= 1, `it ran ${ran(all.stage).length} times`)
  }),
  windows('a rule that one window makes is made once, and a no of the other makes none', async (all) => {
    const { stage, b } = all
    await bothArmed(all)
    const key = open(stage)[0]?.id ?? ''
    const before = stage.host.snapshot().rules.length
    await Promise.all([
      stage.host.request('consent.answer', { id: key, answer: { kind: 'deny' } }).catch(() => undefined),
      ...Array.from({ length: 5 }, () =>
        stage.host.request('consent.answer', { id: key, answer: { kind: 'allow', scope: 'always' } }).catch(() => undefined),
      ),
      press(armed(b)),
    ])
    await rest(1000)
    const [rules, happened] = [stage.host.snapshot().rules.length - before, ran(stage).length]
    return unless((happened === 0 && rules === 0) || (happened === 1 && rules <= 1), `${happened} ran, ${rules} rules`)
  }),
  windows('a form that both windows send is sent once', async ({ stage, a, b, id }) => {
    for (const one of open(stage)) stage.host.context.broker.answer(one.id, { kind: 'deny' })
    await stage.host.context.chat.idle(id)
    stage.setPerson((request) =>
      request.kind === 'tool-call' && request.server === 'hostile' ? { kind: 'allow', scope: 'once' } : undefined,
    )
    void stage.host.request('chat.send', { text: order('hostile__ask'), conversationId: id }).catch(() => undefined)
    await until('the form', () => open(stage).some(({ kind }) => kind === 'elicitation-form'))
    for (const each of [a, b]) await each.getByLabel(/^Name/).first().waitFor({ timeout: 20_000 })
    await rest(1500)
    await Promise.all([a, b].map((each) => press(button(each, /^(?:Send|Accept|Submit)/))))
    await rest(1000)
    const told = stage.effects.filter((one) => one.startsWith('told hostile')).length
    stage.setPerson(() => undefined)
    return same('told', told, 1)
  }),
]
