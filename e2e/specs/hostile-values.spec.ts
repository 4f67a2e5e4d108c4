// Every character of every value can be brought into view, and what was not is said: 350 shapes of arguments and the texts of which they
// are made, on the real cards, at three widths. `npm test` takes twelve at the widest and the narrowest, and a few of the texts on each other
// kind of card.
import type { Page } from '@playwright/test'
import { seeded } from '#app/testing/seeded.ts'
import { findEngine } from '../../main/servers/process/sandbox/find-engine.ts'
import { expect, test } from '../fixtures/app.ts'
import { type Hides, narrowTo, widths } from '../fixtures/hides.ts'
import { type AskedCard, wrongOf } from '../fixtures/hostile-reading.ts'
import { type HostileShape, hostileShapes, hostileTexts, wordsWithin } from '../fixtures/hostile-shapes.ts'
import { cutFieldsOf, readByJump } from '../fixtures/in-view.ts'
import { openApp } from '../fixtures/open-app.ts'
import { allow, card, send } from '../fixtures/steps.ts'

const shapes = hostileShapes()
const eachTest = 14
const sampled = 12
/** `npm test` leaves the middle width to `npm run test:full`. */
const tagsAt = (width: number): { readonly tag: string[] } => ({ tag: width === 820 ? ['@full-cell'] : [] })

/** Opens each request of the list, oldest first. Returns what was wrong, by the name of its shape. */
async function readListed(page: Page, width: number, asked: readonly AskedCard[], yes: RegExp): Promise<Record<string, string[]>> {
  await narrowTo(page, 1280)
  await page.goto(`${page.url().split('#')[0]}#/requests`)
  const rows = page.locator('[data-listed]')
  await expect(rows).toHaveCount(asked.length)
  const listed = await rows.evaluateAll((all) => all.map((one) => ({ id: one.getAttribute('data-listed'), text: one.textContent })))
  await narrowTo(page, width)
  const wrong: Record<string, string[]> = {}
  for (const [at, one] of asked.entries()) {
    const { row } = one
    const id = (row === undefined ? listed[at] : listed.find(({ text }) => text.includes(row)))?.id
    await page.evaluate(`void (location.hash = '#/requests/${id}')`)
    const ask = page.locator(`section.ask[data-request="${id}"]`)
    await ask.waitFor()
    const all = wrongOf(await readByJump(ask, ask.getByRole('button', { name: yes }).first()), one)
    if (all.length > 0) wrong[one.name] = all
  }
  await narrowTo(page, 1280)
  return wrong
}

async function readShapes({ page, setRules }: Hides, width: number, some: readonly HostileShape[]): Promise<void> {
  const call = some.map(({ value }) => ({ tool: 'hides__run', inputText: JSON.stringify(value) }))
  setRules([{ when: 'go', steps: [{ call }, { say: 'Done.' }] }])
  await send(page, 'go')
  await expect(card(page, /^hides wants/).first()).toBeVisible()
  const asked = some.map(({ name, value }) => ({ name, texts: wordsWithin(value) }))
  expect(await readListed(page, width, asked, /^Allow once/)).toEqual({})
}

const evenly = <T>(all: readonly T[], count: number, first: number): readonly T[] =>
  Array.from({ length: count }, (_, at) => all[(first + Math.floor((at * all.length) / count)) % all.length] as T)

for (const [turn, width] of widths.entries()) {
  test(`twelve shapes of arguments are read to their end at ${width}`, tagsAt(width), async ({ hides }) => {
    await readShapes(hides, width, evenly(shapes, sampled, turn * 11))
  })
  for (let at = 0; at < shapes.length; at += eachTest)
    test(`shapes ${at + 1} to ${at + eachTest} of arguments at ${width}`, { tag: '@full-cell' }, async ({ hides }) => {
      await readShapes(hides, width, shapes.slice(at, at + eachTest))
    })
}

interface Question {
  readonly method: string
  readonly params: object
}

/** What a server asks that is made of one text. */
const questions: Readonly<Record<string, { readonly yes: RegExp; readonly of: (text: string) => Question }>> = {
  sampling: {
    yes: /^Send to/,
    of: (text) => ({
      method: 'sampling/createMessage',
      params: { systemPrompt: text, messages: [{ role: 'user', content: { type: 'text', text: `hear this: ${text}` } }], maxTokens: 100 },
    }),
  },
  forms: {
    yes: /^Send to/,
    of: (text) => {
      const short = [...text].slice(0, 400).join('')
      const properties = {
        proposed: { type: 'string', title: `a ${short}`, description: short, default: text },
        chosen: { type: 'string', enum: ['none', `b ${short}`], default: 'none' },
        several: { type: 'array', items: { type: 'string', enum: [`c ${short}`, 'd'] } },
      }
      return { method: 'elicitation/create', params: { message: text, requestedSchema: { type: 'object', properties } } }
    },
  },
  addresses: {
    yes: /^Open in browser/,
    of: (text) => {
      // The host takes addresses of at most 8,192 characters; one here becomes up to nine.
      const url = `https://good.example/${encodeURIComponent(text.slice(0, 800).toWellFormed())}`
      return { method: 'elicitation/create', params: { mode: 'url', message: text, url, elicitationId: crypto.randomUUID() } }
    },
  },
}

function textsOf(seed: number): [kind: string, text: string][] {
  const next = seeded(seed)
  return Object.entries(hostileTexts).map(([kind, text]) => [kind, text(next)])
}

for (const [kind, { yes, of }] of Object.entries(questions))
  for (const [turn, width] of widths.entries()) {
    const all = textsOf(turn)
    const read = async ({ page, setRules }: Hides, some: typeof all): Promise<void> => {
      const asked = some.map(([name, text]) => {
        const question = of(text)
        return { name, question, texts: wordsIn(question), suggested: text }
      })
      setRules([
        {
          when: 'go',
          steps: [{ call: [{ tool: 'hides__ask', input: { questions: asked.map(({ question }) => question) } }] }, { say: 'Done.' }],
        },
      ])
      await send(page, 'go')
      await allow(card(page, /^hides wants to/))
      expect(await readListed(page, width, asked, yes)).toEqual({})
    }
    test(`a few texts are read to their end in ${kind} at ${width}`, tagsAt(width), ({ hides }) =>
      read(hides, [...evenly(all, 3, turn * 3)]),
    )
    // A server has at most 20 requests open.
    for (const [part, some] of [all.slice(0, 18), all.slice(18)].entries())
      test(`all kinds of texts are read to their end in ${kind} at ${width}, ${part + 1} of 2`, { tag: '@full-cell' }, ({ hides }) =>
        read(hides, some),
      )
  }

/** The texts of a question that a card has to show. */
function wordsIn({ params }: Question): string[] {
  const shown = params as {
    message?: string
    url?: string
    systemPrompt?: string
    messages?: { content: { text: string } }[]
    requestedSchema?: {
      properties: Record<string, { title?: string; description?: string; default?: string; enum?: string[]; items?: { enum: string[] } }>
    }
  }
  const fields = Object.values(shown.requestedSchema?.properties ?? {})
  return [
    ...[shown.message, shown.url, shown.systemPrompt, shown.messages?.[0]?.content.text].filter((text) => text !== undefined),
    ...fields.flatMap(({ title = '', description = '', enum: choices = [], items, default: given = '' }) => [
      title,
      description,
      given,
      ...choices,
      ...(items?.enum ?? []),
    ]),
  ]
}

for (const [turn, width] of widths.entries()) {
  const all = textsOf(10 + turn)
  const read = async (browser: Parameters<typeof openApp>[0], some: typeof all): Promise<void> => {
    const hasSandbox = (await findEngine()).kind !== 'none'
    const asked = some.map(([name, text], at) => {
      const variables = at % 2 === 0 ? { NODE_OPTIONS: text } : {}
      // Grants are paths: as they are written where nothing of them is a folder of its own.
      const [read, write] = ['read', 'write'].map((list) => `/srv/${list} ${text.replaceAll(/[/*\p{Cc}]/gu, '_')}`) as [string, string]
      const sandbox = {
        sandboxEnabled: true,
        sandbox: {
          filesystem: { allowRead: [read], allowWrite: [write] },
          network: { allowedDomains: [`${'long-'.repeat(at)}a.example`] },
        },
      }
      const env = { [`OPTION_${'X'.repeat(at * 9)}`]: 'a', ...variables }
      const entry = { command: 'sh', args: ['-c', text, ''], env, start: 'launch', ...(at % 3 === 0 ? {} : sandbox) }
      const grants = at % 3 === 0 || !hasSandbox ? [] : [read, write, ...sandbox.sandbox.network.allowedDomains]
      return { name, texts: [text, ...Object.keys(entry.env), ...grants], plain: at % 2 === 0, row: `server-${at}?`, entry }
    })
    const mcpServers = Object.fromEntries(asked.map(({ entry }, at) => [`server-${at}`, entry]))
    const app = await openApp(browser, { hostEnv: {}, sandboxed: true, profile: { 'servers.json': JSON.stringify({ mcpServers }) } })
    const wrong = await readListed(app.page, width, asked, /^Start/)
    await app.close()
    expect(wrong).toEqual({})
  }
  test(`a few texts are read to their end in launches at ${width}`, tagsAt(width), async ({ browsers }) =>
    read(await browsers?.shared(), [...evenly(all, 4, turn * 3)]),
  )
  test(`all kinds of texts are read to their end in launches at ${width}`, { tag: '@full-cell' }, async ({ browsers }) =>
    read(await browsers?.shared(), all),
  )
}

test('what a schema proposes is shown whole where a tool is run by hand', async ({ hides: { page } }) => {
  await page.goto(`${page.url().split('#')[0]}#/library/tools/hides/propose`)
  const pane = page.locator('.tool-pane')
  await expect(pane.locator('textarea')).toHaveCount(Object.keys(hostileTexts).length)
  for (const width of widths) {
    await narrowTo(page, width)
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    // No line breaks in a character that has no end, which a field shows as it is.
    const cut = (await cutFieldsOf(pane)).filter((value) => !/^(?:\u1100|\u0915\u094d|\u{1F468}\u200d)/u.test(value))
    expect(cut, `at ${width}`).toEqual([])
  }
})
