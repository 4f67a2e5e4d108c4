// What a server asks in the course of a call, in both eras, through every way it can end: docs/consent-matrix.md. The run
// is made by hand in the first window; what counts is what came back to the server.
import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Locator } from '@playwright/test'
import { expect, test } from '../fixtures/app.ts'
import { at, cellsOf, listed, type Matrix, nameOf, nothingWaits, openListed, press, skipInElectron } from '../fixtures/matrix.ts'
import { card } from '../fixtures/steps.ts'
import { type Era, eras } from '../servers/raw/asker.ts'

test.describe.configure({ mode: 'default' })
skipInElectron()

interface Kind {
  readonly tool: string
  readonly title: RegExp
  readonly yes: RegExp
  readonly no: RegExp
  /** What has to be answered before it is asked. */
  readonly before?: (matrix: Matrix) => Promise<void>
  /** Says yes, and what follows before the server has its answer; default: presses it. */
  readonly allow?: (matrix: Matrix, asked: Locator) => Promise<void>
  /** What the server gets; undefined: nothing, the call ends. */
  readonly allowed: (matrix: Matrix) => unknown
  readonly denied: (era: Era) => unknown
  readonly edit?: { readonly write: (ask: Locator) => Promise<void>; readonly given: unknown; readonly asked?: string }
  readonly setAside?: unknown
}

async function run(matrix: Matrix, era: Era, kind: Kind): Promise<Locator> {
  const { first } = matrix
  await first.bringToFront()
  const page = at(first, `#/library/tools/${nameOf[era]}/${kind.tool}`)
  if (first.url() !== page) await first.goto(page)
  matrix.asker(era).forget()
  await first.getByRole('button', { name: `Run ${kind.tool}` }).click()
  await kind.before?.(matrix)
  const asked = card(first, kind.title)
  await expect(asked).toBeVisible()
  await expect(listed(matrix)).toHaveCount(1)
  return asked
}

const lastRun = ({ first }: Matrix): Locator => first.locator('[data-run]').first()
const ends = (matrix: Matrix, how: string | RegExp): Promise<void> => expect(lastRun(matrix)).toHaveAttribute('data-run', how)
const given = (matrix: Matrix, era: Era) => expect.poll(() => matrix.asker(era).given, { intervals: [10, 20, 50] })

let kinds = 0

function outcomes(kind: Kind): void {
  const number = kinds++
  const allow = kind.allow ?? ((_matrix: Matrix, asked: Locator) => press(asked, kind.yes))
  for (const era of eras)
    test.describe(era, () => {
      const cell = cellsOf(number, era)
      const gives = async (matrix: Matrix, what: unknown): Promise<void> => {
        if (what === undefined) {
          await ends(matrix, /^(failed|denied)$/)
          return nothingGiven(matrix)
        }
        await given(matrix, era).toEqual([what])
        await nothingWaits(matrix)
      }
      const nothingGiven = async (matrix: Matrix): Promise<void> => {
        await nothingWaits(matrix)
        expect(matrix.asker(era).given).toEqual([])
      }
      const saysWhy = async (matrix: Matrix, words: RegExp): Promise<void> => {
        const line = lastRun(matrix).locator('.ended-line')
        await expect(line).toContainText(words)
        // Lines of earlier requests may stand below it.
        const id = await line.getAttribute('data-ended')
        await expect(matrix.second.locator(`.ended-line[data-ended="${id}"]`).first()).toContainText(words)
      }

      test('is allowed, and the server gets just that', cell(), async ({ matrix }) => {
        const asked = await run(matrix, era, kind)
        await allow(matrix, asked)
        await gives(matrix, kind.allowed(matrix))
      })

      if (kind.edit)
        test('is edited, and what was written is what goes out', cell(), async ({ matrix }) => {
          const asked = await run(matrix, era, kind)
          await kind.edit?.write(asked)
          await allow(matrix, asked)
          await gives(matrix, kind.edit?.given)
          if (kind.edit?.asked) expect(JSON.stringify(matrix.model.requests.at(-1)?.body)).toContain(kind.edit.asked)
        })

      test('is denied, and the server learns no more than that', cell(), async ({ matrix }) => {
        const asked = await run(matrix, era, kind)
        await asked.getByRole('button', { name: kind.no }).click()
        await gives(matrix, kind.denied(era))
      })

      if (kind.setAside)
        test('is set aside, which is another answer than no', cell(), async ({ matrix }) => {
          const asked = await run(matrix, era, kind)
          await asked.getByRole('button', { name: 'Cancel' }).click()
          await gives(matrix, kind.setAside)
        })

      if (era === '2025-11-25')
        test('is taken back by the server, and both windows say so', async ({ matrix }) => {
          await run(matrix, era, kind)
          matrix.asker(era).takeBack('It was settled')
          await ends(matrix, 'done')
          await saysWhy(matrix, /withdrawn by the server “It was settled”/)
          await nothingGiven(matrix)
        })
      else
        test('ends with the call that asked, in both windows', async ({ matrix }) => {
          await run(matrix, era, kind)
          await lastRun(matrix).locator('button.danger', { hasText: 'Cancel' }).click()
          await ends(matrix, 'cancelled')
          await saysWhy(matrix, /the call has ended/)
          await nothingGiven(matrix)
        })

      test('is there after a reload, and its answer arrives', cell(), async ({ matrix }) => {
        const asked = await run(matrix, era, kind)
        await matrix.first.reload()
        await allow(matrix, asked)
        await gives(matrix, kind.allowed(matrix))
      })

      test('is answered in the second window, and the first says so', cell(), async ({ matrix }) => {
        await run(matrix, era, kind)
        await allow(matrix, await openListed(matrix.second, kind.title))
        await expect(lastRun(matrix).locator('.ended-line').first()).toContainText('in another window')
        await gives(matrix, kind.allowed(matrix))
      })
    })
}

test.describe('a form', () =>
  outcomes({
    tool: 'form',
    title: /asks you for an answer/,
    yes: /^Send to/,
    no: /^Decline/,
    allowed: () => ({ action: 'accept', content: { name: 'Ada' } }),
    denied: () => ({ action: 'decline' }),
    setAside: { action: 'cancel' },
    edit: {
      write: (asked) => asked.getByLabel(/^Name/).fill('  Zoë “\\u0000” 🙂 '),
      given: { action: 'accept', content: { name: '  Zoë “\\u0000” 🙂 ' } },
    },
  }))

test.describe('a page to open', () =>
  outcomes({
    tool: 'page',
    title: /wants to open a page/,
    yes: /^Open in browser/,
    no: /^Decline/,
    async allow({ first, model }, asked) {
      const opened = first.context().waitForEvent('page')
      await press(asked, /^Open in browser/)
      const page = await opened
      expect(page.url()).toBe(`${model.url}/lease`)
      await page.close()
    },
    allowed: () => ({ action: 'accept' }),
    denied: () => ({ action: 'decline' }),
    setAside: { action: 'cancel' },
  }))

const answer = /wants to read your model/
const wants = /wants an answer from your model/
const said = (text: string) => ({ model: 'claude-large-1', role: 'assistant', content: { type: 'text', text }, stopReason: 'endTurn' })
const refused = (era: Era) => (era === '2025-11-25' ? { code: -1, message: 'User rejected sampling request' } : undefined)

test.describe('a prompt for the model', () =>
  outcomes({
    tool: 'sum',
    title: wants,
    yes: /^Send to/,
    no: /^Deny/,
    async allow({ first }, asked) {
      await press(asked, /^Send to/)
      await first.bringToFront()
      await press(card(first, answer), /^Send answer/)
    },
    allowed: () => said('This is the sum.'),
    denied: refused,
    edit: {
      async write(asked) {
        await asked.getByRole('button', { name: /^Edit the prompt/ }).click()
        await asked.getByLabel('Message to the model').fill('Sum “it” up\nbriefly')
      },
      given: said('This is the sum.'),
      asked: JSON.stringify('Sum “it” up\nbriefly'),
    },
  }))

test.describe('the model’s answer', () =>
  outcomes({
    tool: 'sum',
    title: answer,
    yes: /^Send answer/,
    no: /^Don’t send/,
    before: ({ first }) => press(card(first, wants), /^Send to/),
    allowed: () => said('This is the sum.'),
    denied: refused,
    edit: {
      async write(asked) {
        await asked.getByRole('button', { name: /^Edit the answer/ }).click()
        await asked.getByRole('textbox', { name: /^Answer/ }).fill('My  own\nwords')
      },
      given: said('My  own\nwords'),
    },
  }))

test.describe('the names of folders', () =>
  outcomes({
    tool: 'folders',
    title: /wants to know your folders/,
    yes: /^Share with/,
    no: /^Don’t share/,
    allowed: ({ folder }) => ({ roots: [{ uri: pathToFileURL(folder).href, name: basename(folder) }] }),
    denied: () => ({ roots: [] }),
  }))

test('what a server asked is withdrawn as it dies, whatever it was', async ({ matrix }) => {
  const { first, second } = matrix
  await first.bringToFront()
  const begin = async (era: Era, tool: string): Promise<void> => {
    await first.goto(at(first, `#/library/tools/${nameOf[era]}/${tool}`))
    await first.getByRole('button', { name: `Run ${tool}` }).click()
  }
  for (const era of eras) {
    await begin(era, 'sum')
    await press(card(first, wants), /^Send to/)
    for (const tool of ['sum', 'form', 'page', 'folders']) await begin(era, tool)
    await expect(listed(matrix)).toHaveCount(5)
    matrix.asker(era).forget()
    matrix.asker(era).raw.wire.exit(1)
    await expect(listed(matrix)).toHaveCount(0)
    const stopped = second.locator('.ended-line', { hasText: 'withdrawn: the server stopped' })
    await expect(stopped.filter({ hasText: nameOf[era] })).toHaveCount(5)
    expect(matrix.asker(era).given).toEqual([])
  }
  await nothingWaits(matrix)
})

test.describe('the reference server', () => {
  const everything = async ({ first }: Matrix, tool: string, args: Readonly<Record<string, string>> = {}): Promise<Locator> => {
    await first.bringToFront()
    await first.goto(at(first, `#/library/tools/everything/${tool}`))
    for (const [name, value] of Object.entries(args)) await first.getByLabel(new RegExp(`^${name}`)).fill(value)
    await first.getByRole('button', { name: `Run ${tool}` }).click()
    return card(first)
  }
  const came = (matrix: Matrix): Locator => matrix.first.locator('[data-run="done"]').first()

  test('gets a form as it was filled in', async ({ matrix }) => {
    const asked = await everything(matrix, 'trigger-elicitation-request')
    await asked
      .getByLabel(/^String/)
      .first()
      .fill('Grace')
    await press(asked, /^Send to/)
    await expect(came(matrix)).toContainText('Grace')
  })

  test('gets what the model said, as the person edited it', async ({ matrix }) => {
    await everything(matrix, 'trigger-sampling-request', { prompt: 'Sum it up' })
    await press(card(matrix.first, wants), /^Send to/)
    const asked = card(matrix.first, answer)
    await asked.getByRole('button', { name: /^Edit the answer/ }).click()
    await asked.getByRole('textbox', { name: /^Answer/ }).fill('My own words')
    await press(asked, /^Send answer/)
    await expect(came(matrix)).toContainText('My own words')
  })

  test('learns that a page was not opened', async ({ matrix }) => {
    const asked = await everything(matrix, 'trigger-url-elicitation', { url: 'https://example.com/pay' })
    await asked.getByRole('button', { name: /^Decline/ }).click()
    await expect(came(matrix)).toContainText('User declined')
  })

  test('knows the folders that it was told of', async ({ matrix }) => {
    await everything(matrix, 'get-roots-list')
    await expect(came(matrix)).toContainText(pathToFileURL(matrix.folder).href)
  })
})
