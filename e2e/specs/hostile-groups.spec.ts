// Where several questions stand together, or come from a view: calls of one step side by side in the chat, calls of an MCP App, forms of thirty
// fields, and several forms at once. Every character of every value can be brought into view, and Allow stays plain until then.
import type { Page } from '@playwright/test'
import type { JsonObject } from '#app/json.ts'
import { seeded } from '#app/testing/seeded.ts'
import { expect, test } from '../fixtures/app.ts'
import { type Hides, narrowTo, widths } from '../fixtures/hides.ts'
import { type AskedCard, wrongOf } from '../fixtures/hostile-reading.ts'
import { type HostileShape, hostileShapes, hostileTexts, payload, wordsWithin } from '../fixtures/hostile-shapes.ts'
import { readByJump } from '../fixtures/in-view.ts'
import { allow, card, send } from '../fixtures/steps.ts'

const shapes = hostileShapes(41)
const spread = <T>(all: readonly T[], count: number, first: number): readonly T[] =>
  Array.from({ length: count }, (_, at) => all[(first + Math.floor((at * all.length) / count)) % all.length] as T)

/** Reads the questions of the dock, one after the other, each at this width. What was wrong, by the name of the shape. */
async function readInChat(page: Page, width: number, asked: readonly AskedCard[], yes: RegExp): Promise<Record<string, string[]>> {
  await narrowTo(page, width)
  const ask = page.locator('.dock section.ask')
  const idsOf = async (): Promise<string[]> => ((await ask.getAttribute('data-request')) ?? '').split(' ')
  await expect(ask).toHaveCount(1)
  // All ids, in the order in which they were asked.
  const aside = page.getByRole('button', { name: /^Decide later/ })
  const review = page.getByRole('button', { name: /^Review/ })
  const opened = async (): Promise<string[]> => ((await review.getAttribute('data-opens', { timeout: 1000 })) ?? '').split(' ')
  // One that comes after the dock was put aside opens it again.
  await expect(async () => {
    if (await aside.isVisible()) await aside.click()
    expect((await opened()).length).toBe(asked.length)
  }).toPass()
  const ids = await opened()
  await review.click()
  const wrong: Record<string, string[]> = {}
  const read = new Set<string>()
  while (read.size < asked.length) {
    const shown = await idsOf()
    const all = shown.map((id) => asked[ids.indexOf(id)] as AskedCard)
    const [one] = all as [AskedCard, ...AskedCard[]]
    const together = { ...one, name: all.map(({ name }) => name).join(', '), texts: all.flatMap(({ texts }) => texts) }
    const isCut = (await ask.locator('[data-cut]').count()) > 0
    if (isCut) {
      await expect(ask.getByRole('button', { name: yes }).first()).not.toHaveClass(/primary/)
      await ask.locator('[data-cut]').click()
    }
    const place = isCut ? page.locator('section.sheet') : ask
    await place.waitFor()
    const faults = wrongOf(
      await readByJump(place, place.getByRole('button', { name: all.length > 1 ? /^Allow \d/ : yes }).first()),
      together,
    )
    if (faults.length > 0) wrong[together.name] = faults
    if (isCut) await page.getByRole('button', { name: 'Decide later' }).click()
    for (const id of shown) read.add(id)
    if (read.size === asked.length) break
    await ask.getByRole('button', { name: 'Next request' }).click()
    await expect.poll(idsOf).not.toEqual(shown)
  }
  return wrong
}
const askedOf = (some: readonly HostileShape[]): AskedCard[] => some.map(({ name, value }) => ({ name, texts: wordsWithin(value) }))

async function readGroup({ page, setRules }: Hides, width: number, some: readonly HostileShape[]): Promise<void> {
  const call = some.map(({ value }) => ({ tool: 'hides__run', inputText: JSON.stringify(value) }))
  setRules([{ when: 'go', steps: [{ call }, { say: 'Done.' }] }])
  await narrowTo(page, width)
  await send(page, 'go')
  await expect(card(page, /^hides wants/).first()).toBeVisible()
  expect(await readInChat(page, width, askedOf(some), /^Allow once/)).toEqual({})
}

for (const [turn, width] of widths.entries()) {
  test(`a group of five calls in the chat is read to its end at ${width}`, ({ hides }) =>
    readGroup(hides, width, spread(shapes, 5, turn * 17)))
  for (let at = 0; at < shapes.length; at += 14)
    test(`a group of shapes ${at + 1} to ${at + 14} in the chat at ${width}`, { tag: '@full-cell' }, ({ hides }) =>
      readGroup(hides, width, shapes.slice(at, at + 14)),
    )

  test(`calls of a view are read to their end at ${width}`, { tag: '@full-cell' }, async ({ hides: { page, setRules } }) => {
    const some = [
      ...spread(shapes, 3, 5 + turn * 23),
      ...shapes.filter(({ name }) => name.endsWith('under odd names')).slice(turn, turn + 1),
    ]
    const calls = some.map(({ value }) => JSON.stringify(value))
    setRules([{ when: 'go', steps: [{ call: [{ tool: 'hides__show', input: { calls } }] }, { say: 'Done.' }] }])
    await narrowTo(page, width)
    await send(page, 'go')
    await allow(card(page, /^hides wants/))
    await expect(page.locator('.dock .pager')).toHaveText(`1 of ${some.length}`)
    expect(await readInChat(page, width, askedOf(some), /^Allow once/)).toEqual({})
    await narrowTo(page, 1280)
    for (let left = some.length; left > 0; left -= 1) {
      const id = await card(page).getAttribute('data-request')
      await card(page).getByRole('button', { name: /^Deny/ }).first().click()
      await expect(page.locator(`section.ask[data-request="${id}"]`)).toHaveCount(0)
    }
    await expect(card(page)).toHaveCount(0)
  })

  test(`a form of thirty fields, and another beside it, are read to their end at ${width}`, { tag: '@full-cell' }, async ({
    hides: { page, setRules },
  }) => {
    const next = seeded(90 + turn)
    const kinds = Object.entries(hostileTexts)
    const asked = [0, 1].map((form) => {
      const texts: string[] = []
      const properties = Object.fromEntries(
        Array.from({ length: 30 }, (_, at): [string, JsonObject] => {
          const [, of] = kinds[(at + form * 7 + turn * 3) % kinds.length] as (typeof kinds)[number]
          const text = [...of(next)].slice(0, 160).join('').toWellFormed()
          texts.push(`T${at} ${text}`)
          if (at % 3 === 0) return [`f${at}`, { type: 'string', title: `T${at} ${text}`, description: `d${at} ${payload}` }]
          if (at % 3 === 1) return [`f${at}`, { type: 'string', title: `T${at} ${text}`, enum: ['a', `c${at} ${text}`], default: 'a' }]
          return [`f${at}`, { type: 'boolean', title: `T${at} ${text}`, description: `d${at} ${payload}` }]
        }),
      )
      return {
        name: `form ${form}`,
        texts,
        question: {
          method: 'elicitation/create',
          params: { message: `form ${form} ${payload}`, requestedSchema: { type: 'object', properties } },
        },
      }
    })
    setRules([
      {
        when: 'go',
        steps: [{ call: [{ tool: 'hides__ask', input: { questions: asked.map(({ question }) => question) } }] }, { say: 'Done.' }],
      },
    ])
    await narrowTo(page, width)
    await send(page, 'go')
    await allow(card(page, /^hides wants/))
    expect(await readInChat(page, width, asked, /^Send to/)).toEqual({})
  })
}

test('Allow of one of a group allows that one alone, and the others stay plain', async ({ hides: { page, setRules } }) => {
  const inputs = [
    { command: 'echo fine' },
    { command: `ls${'\n '.repeat(80)}x${'\n'.repeat(70)}${payload}`, list: Array.from({ length: 90 }, (_, at) => `entry ${at}`) },
  ]
  setRules([{ when: 'go', steps: [{ call: inputs.map((input) => ({ tool: 'hides__run', input })) }, { say: 'Done.' }] }])
  await send(page, 'go')
  const pager = page.locator('.dock .pager')
  await expect(pager).toHaveText('1 of 2')
  const second = card(page).filter({ hasText: 'entry 0' })
  await page.getByRole('button', { name: 'Next request' }).click()
  await expect(second.getByRole('button', { name: /^Allow once/ }).first()).not.toHaveClass(/primary/)
  await page.getByRole('button', { name: 'Previous request' }).click()
  await allow(card(page).filter({ hasText: 'echo fine' }))
  await expect(pager).toHaveCount(0)
  await expect(second.getByRole('button', { name: /lines? below$/ })).toBeVisible()
  // Control: once read to its end, it is filled.
  const read = await readByJump(second, second.getByRole('button', { name: /^Allow once/ }).first())
  expect({ missed: read.missed, filled: read.filled, tooEarly: read.tooEarly }).toEqual({ missed: 0, filled: true, tooEarly: '' })
})
