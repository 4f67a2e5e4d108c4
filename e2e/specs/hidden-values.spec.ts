// What a card asks for cannot be hidden on it. The shapes are those of published reports: text behind a sideways scroll bar
// (Invariant Labs, "WhatsApp MCP Exploited"; automic-vault/automic-vault#157), a payload after filler that fills the dialog
// (Checkmarx, "Lies-in-the-Loop"; openai/codex#41732), only the first lines shown (zed-industries/zed#40570), a harmless
// beginning cut after 117 characters (Growth-Circle/cadis#435), blanks before the command (google-gemini/gemini-cli#25836).
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '#app/json.ts'
import { expect, test } from '../fixtures/app.ts'
import { narrowTo, widths, yes } from '../fixtures/hides.ts'
import { payload } from '../fixtures/hostile-shapes.ts'
import { isReadBeforeItIsFilled, readThrough } from '../fixtures/in-view.ts'
import { allow, card, openServers, send } from '../fixtures/steps.ts'

const many = (count: number): JsonObject => Object.fromEntries(Array.from({ length: count }, (_, at) => [`option${at}`, `harmless ${at}`]))
const nested = (depth: number, inside: JsonObject): JsonObject => (depth === 0 ? inside : { level: nested(depth - 1, inside) })

const shapes: Readonly<Record<string, JsonObject>> = {
  'a name of 100 characters': { [`${'n'.repeat(100)}`]: payload, note: 'add two numbers' },
  'a name of 100 words': { [`${'please '.repeat(100)}`]: payload },
  '60 line ends before it': { command: `ls${'\n'.repeat(60)}${payload}`, note: 'list the folder' },
  '60 lines of blanks before it': { command: `ls${'\n   \t'.repeat(60)}\n${payload}` },
  '2,000 blanks before it': { command: `ls${' '.repeat(2000)}; ${payload}` },
  '40 harmless arguments before it': { ...many(40), command: payload },
  'a list of 300 before it': { files: Array.from({ length: 300 }, (_, at) => `a${at}.txt`), command: payload },
  '60 levels around it': { options: nested(60, { command: payload }) },
  'a word of 5,000 letters before it': { token: `${'x'.repeat(5000)}${payload}` },
  '80 lines of text before it': { script: `${Array.from({ length: 80 }, (_, at) => `# step ${at}`).join('\n')}\n${payload}` },
}

for (const [title, input] of Object.entries(shapes)) {
  test(`a payload is not hidden by ${title}`, async ({ hides }) => {
    const { page } = hides
    hides.setRules([{ when: 'go', steps: [{ call: [{ tool: 'hides__run', input }] }, { say: 'Done.' }] }])
    await send(page, 'go')
    const ask = card(page, /^hides wants/)
    for (const width of widths) {
      await narrowTo(page, width)
      await expect(ask).toContainText('evil.example')
      expect(await readThrough(ask), `at ${width}`).toMatchObject({ missed: 0, first: '' })
    }
    for (const width of widths) await isReadBeforeItIsFilled(ask, yes(ask, /^Allow once/), width)
    const review = ask.getByRole('button', { name: 'Open full size' })
    await narrowTo(page, 1000)
    await review.click()
    const sheet = page.locator('section.sheet')
    for (const width of widths) await isReadBeforeItIsFilled(sheet, yes(sheet, /^Allow once/), width)
  })
}

const launches: Readonly<Record<string, readonly string[]>> = {
  'a long argument': [`--note=${'harmless '.repeat(700)}`, '-c', payload],
  '60 line ends': ['-c', `ls${'\n'.repeat(60)}${payload}`],
  '80 arguments': [...Array.from({ length: 80 }, (_, at) => `--option-${at}`), payload],
  'names of 100 variables': ['-c', payload],
}
for (const [title, args] of Object.entries(launches)) {
  test(`the command of a first start is not hidden by ${title}`, async ({ app }) => {
    const { page } = app
    const env = title.includes('variables')
      ? Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`OPTION_${'X'.repeat(20)}_${at}`, 'a']))
      : {}
    writeFileSync(join(app.dataDir, 'servers.json'), JSON.stringify({ mcpServers: { hides: { command: 'sh', args, env } } }))
    await openServers(page, 'hides')
    await page.getByRole('button', { name: 'Start', exact: true }).click()
    const ask = card(page, /^Start hides/)
    await expect(ask).toContainText('evil.example')
    for (const width of widths) {
      await narrowTo(page, width)
      expect(await readThrough(ask), `at ${width}`).toMatchObject({ missed: 0, first: '' })
    }
    for (const width of widths) await isReadBeforeItIsFilled(ask, yes(ask, /^Start/), width)
  })
}

for (const [tool, allowed] of [
  ['sample', /^Send to/],
  ['form', /^Send to/],
] as const) {
  test(`what a server asks by ${tool} is in view before its yes is filled`, async ({ hides }) => {
    const { page } = hides
    hides.setRules([{ when: 'go', steps: [{ call: [{ tool: `hides__${tool}`, input: {} }] }, { say: 'Done.' }] }])
    await send(page, 'go')
    await allow(card(page, /^hides wants to use/))
    const ask = card(page, tool === 'form' ? /asks you/ : /wants an answer/)
    await expect(ask).toContainText('evil.example')
    for (const width of widths) {
      await narrowTo(page, width)
      expect(await readThrough(ask), `at ${width}`).toMatchObject({ missed: 0, first: '' })
      // A proposed value is as long as it is: no field hides its end.
      const cut = (all: { scrollWidth: number; clientWidth: number; scrollHeight: number; clientHeight: number }[]): number =>
        all.filter((one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1).length
      expect(await ask.locator('input, textarea').evaluateAll(cut)).toBe(0)
    }
    for (const width of widths) await isReadBeforeItIsFilled(ask, yes(ask, allowed), width)
  })
}

test('calls that are longer than a row are no one question', async ({ hides }) => {
  const { page } = hides
  const input = { ...many(40), command: payload }
  hides.setRules([
    { when: 'go', steps: [{ call: [1, 2].map((at) => ({ tool: 'hides__run', input: { ...input, at } })) }, { say: 'Done.' }] },
  ])
  await send(page, 'go')
  await expect(page.locator('.dock .pager')).toHaveText('1 of 2')
  const yesHere = card(page).getByRole('button', { name: /^Allow once/ })
  await expect(yesHere).toHaveAccessibleDescription(/lines below$/)
  const jump = card(page).getByRole('button', { name: /lines? below$/ })
  while ((await jump.count()) > 0) await jump.click()
  await expect(yesHere).toHaveAccessibleDescription('')
})
