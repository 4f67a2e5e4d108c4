// What Assent itself asks before it does something, through the ways that docs/consent-matrix.md does not cite from walks
// of their own: each as it reaches a server, the disk or an issuer, with two windows.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator } from '@playwright/test'
import { expect, test } from '../fixtures/app.ts'
import { at, cellsOf, listed, type Matrix, nameOf, noted, nothingWaits, openListed, press, skipInElectron } from '../fixtures/matrix.ts'
import { call, card, composer, turnEnds } from '../fixtures/steps.ts'
import { asksForTitle } from '../model-server/rules.ts'
import { type Era, eras } from '../servers/raw/asker.ts'

test.describe.configure({ mode: 'default' })
skipInElectron()

const fileOf = ({ app }: Matrix): string => join(app.dataDir, 'servers.json')
const goTo = async ({ first }: Matrix, hash: string): Promise<void> => {
  await first.bringToFront()
  await first.goto(at(first, hash))
}

/** What the model was asked in the course of turns. */
const turns = ({ model }: Matrix) => model.requests.filter((request) => !asksForTitle(request))
let before = 0

const wants = (era: Era): RegExp => new RegExp(`^${nameOf[era]} wants to`)

/** The model calls `note` in a new chat. */
async function callNote(matrix: Matrix, era: Era): Promise<Locator> {
  const { first } = matrix
  matrix.asker(era).forget()
  before = turns(matrix).length
  await goTo(matrix, '#/chat')
  await composer(first).fill(`use ${nameOf[era]}`)
  await composer(first).press('Enter')
  return card(first, wants(era))
}

test.describe('a call of a tool', () => {
  for (const era of eras)
    test.describe(era, () => {
      const cell = cellsOf(0, era)
      const begin = async (matrix: Matrix): Promise<Locator> => {
        const asked = await callNote(matrix, era)
        await expect(asked).toBeVisible()
        await expect(listed(matrix)).toHaveCount(1)
        return asked
      }
      const ran = async (matrix: Matrix, how: string, args: object): Promise<void> => {
        await expect(matrix.first.getByText('That was it.')).toBeVisible()
        expect(JSON.stringify(matrix.asker(era).calls)).toBe(JSON.stringify([{ name: 'note', arguments: args }]))
        await expect(call(matrix.first, 'note')).toHaveCount(1)
        await expect(call(matrix.first, 'note')).toContainText(how)
        expect(turns(matrix).length - before).toBe(2)
        await nothingWaits(matrix)
      }
      const neverRan = async (matrix: Matrix): Promise<void> => {
        await turnEnds(matrix.first)
        await nothingWaits(matrix)
        expect(matrix.asker(era).calls).toEqual([])
      }

      test('runs as it was shown, byte for byte', cell(), async ({ matrix }) => {
        await press(await begin(matrix), /^Allow once/)
        await ran(matrix, 'You, once', noted)
      })

      test('runs as it was edited, byte for byte', cell(), async ({ matrix }) => {
        const asked = await begin(matrix)
        await asked.getByRole('button', { name: /^Edit/ }).click()
        const editor = asked.getByRole('textbox', { name: 'Arguments as JSON' })
        await editor.fill('{"path": "b"')
        await asked.getByRole('button', { name: 'Apply' }).click()
        await expect(asked).toContainText('This is not JSON')
        const edited = { z: '  "quoted"\n', a: [1e21, { é: '\\n' }] }
        await editor.fill(JSON.stringify(edited, null, 3))
        await asked.getByRole('button', { name: 'Apply' }).click()
        await expect(asked).toContainText('quoted')
        await press(asked, /^Allow once/)
        await ran(matrix, 'You, once', edited)
        const row = call(matrix.first, 'note')
        await row.getByRole('button').first().click()
        await expect(row).toContainText('quoted')
        await expect(row).not.toContainText(noted.path)
      })

      test('that is denied never reaches the server, and the model reads of it', cell(), async ({ matrix }) => {
        const asked = await begin(matrix)
        await asked.getByRole('button', { name: /^Deny/ }).first().click()
        await expect(matrix.first.getByText('That was it.')).toBeVisible()
        await neverRan(matrix)
        expect(JSON.stringify(turns(matrix).at(-1)?.body)).toContain('is_error')
      })

      test('is withdrawn from both windows as the turn is stopped', cell(), async ({ matrix }) => {
        await begin(matrix)
        await matrix.first.getByRole('button', { name: 'Stop the answer' }).click()
        await neverRan(matrix)
      })

      test('is there after a reload, and runs as it was shown', cell(), async ({ matrix }) => {
        const asked = await begin(matrix)
        await matrix.first.reload()
        await expect(asked).toHaveCount(1)
        await expect(asked).toContainText(noted.path)
        await press(asked, /^Allow once/)
        await ran(matrix, 'You, once', noted)
      })

      test('is answered in the second window, and runs once', cell(), async ({ matrix }) => {
        await begin(matrix)
        const { first, second } = matrix
        const asked = await openListed(second, wants(era))
        await expect(asked).toContainText(noted.path)
        await second.goto(first.url())
        await press(card(second, wants(era)), /^Allow once/)
        await expect(second.getByText('That was it.')).toBeVisible()
        await second.goto(at(second, '#/requests'))
        await ran(matrix, 'You, once', noted)
      })
    })
})

test.describe('a changed definition', () => {
  for (const era of eras)
    test.describe(era, () => {
      const cell = cellsOf(1, era)
      const title = new RegExp(`^${nameOf[era]} changed the tool note`)
      // What is allowed for good is what may not become another thing unseen.
      test.beforeAll(async ({ matrix }) => {
        const asked = await callNote(matrix, era)
        await asked.getByRole('button', { name: 'Other ways to allow' }).click()
        await asked.getByText('any arguments, until the tool changes').click()
        await press(asked, /^Always allow/)
        await turnEnds(matrix.first)
      })
      const goesOn = async (ask: Locator): Promise<void> => {
        await ask.getByText(/^Apply to the new version/).click()
        await press(ask, /^Approve the new version/)
      }

      test('goes as it was, and the question with it, in both windows', cell(), async ({ matrix }) => {
        await goTo(matrix, '#/requests')
        matrix.asker(era).redescribe('note', 'Another.')
        await openListed(matrix.first, title)
        await expect(listed(matrix)).toHaveCount(1)
        matrix.asker(era).redescribe('note', 'Keeps a note.')
        for (const page of [matrix.first, matrix.second])
          await expect(page.locator('.ended-line', { hasText: `${nameOf[era]} changed the tool note` }).last()).toContainText('withdrawn')
        await nothingWaits(matrix)
      })

      test('is there after a reload, and its rule goes on once it is accepted', cell(), async ({ matrix }) => {
        matrix.asker(era).redescribe('note', 'The second.')
        await expect(listed(matrix)).toHaveCount(1)
        await goTo(matrix, '#/requests')
        await matrix.first.reload()
        await expect(card(matrix.first, title)).toContainText('The second.')
        await goesOn(card(matrix.first, title))
        await nothingWaits(matrix)
      })

      test('is accepted in the second window, and the first says so', cell(), async ({ matrix }) => {
        await goTo(matrix, '#/requests')
        matrix.asker(era).redescribe('note', 'The third.')
        await expect(await openListed(matrix.first, title)).toContainText('The third.')
        await goesOn(await openListed(matrix.second, title))
        await expect(matrix.first.locator('.ended-line').last()).toContainText('in another window')
        await nothingWaits(matrix)
      })

      test('is blocked: the tool never runs again', cell(), async ({ matrix }) => {
        matrix.asker(era).redescribe('note', 'The fourth.')
        await goTo(matrix, '#/requests')
        const asked = await openListed(matrix.first, title)
        await asked.getByRole('button', { name: /^Block the tool/ }).click()
        await nothingWaits(matrix)
        await callNote(matrix, era)
        await expect(call(matrix.first, 'note')).toContainText('denied · Rule')
        await turnEnds(matrix.first)
        expect(matrix.asker(era).calls).toEqual([])
      })
    })
})

test.describe('the start of a program', () => {
  test.beforeAll(({ matrix }) => matrix.addServers())

  const start = async (matrix: Matrix, name: string): Promise<Locator> => {
    await goTo(matrix, `#/servers/${name}`)
    await matrix.first.getByRole('button', { name: /^(Start|Ask again)$/ }).click()
    const asked = card(matrix.first, new RegExp(`^Start ${name}`))
    await expect(asked).toBeVisible()
    await expect(listed(matrix)).toHaveCount(1)
    return asked
  }
  const runs = async (matrix: Matrix, name: string, times: number): Promise<void> => {
    await expect(matrix.first.locator(`[data-server="${name}"]`)).toContainText('ready')
    expect(matrix.started()).toBe(times)
    await nothingWaits(matrix)
  }

  test('is refused, and nothing runs', async ({ matrix }) => {
    const asked = await start(matrix, 'program-a')
    await asked.getByRole('button', { name: /^Don’t start/ }).click()
    await nothingWaits(matrix)
    expect(matrix.started()).toBe(0)
  })

  test('is withdrawn as another program takes its place in the file, and asked for anew', async ({ matrix }) => {
    await start(matrix, 'program-a')
    const text = readFileSync(fileOf(matrix), 'utf8')
    writeFileSync(fileOf(matrix), text.replace('"first"', '"other"'))
    const ended = matrix.second.locator('.ended-line', { hasText: 'Start program-a' }).last()
    await expect(ended).toContainText('withdrawn')
    expect(matrix.started()).toBe(0)
    const asked = card(matrix.first, /^Start program-a/)
    await expect(asked).toContainText('other')
    await asked.getByRole('button', { name: /^Don’t start/ }).click()
    await nothingWaits(matrix)
  })

  test('is there after a reload, and runs what was shown', async ({ matrix }) => {
    const asked = await start(matrix, 'program-a')
    await matrix.first.reload()
    await press(asked, /^Start/)
    await runs(matrix, 'program-a', 1)
  })

  test('is allowed in the second window, and runs once', async ({ matrix }) => {
    await start(matrix, 'program-b')
    await press(await openListed(matrix.second, /^Start program-b/), /^Start/)
    await runs(matrix, 'program-b', 2)
  })
})

test.describe('a sign-in', () => {
  test.beforeAll(({ matrix }) => matrix.addServers())

  const start = async (matrix: Matrix, name: string): Promise<Locator> => {
    await goTo(matrix, `#/servers/${name}`)
    await matrix.first.getByRole('button', { name: /^(Start|Sign in)$/ }).click()
    const connect = card(matrix.first, new RegExp(`^${name} wants to connect`))
    const asked = card(matrix.first, new RegExp(`^${name} wants you to sign in`))
    await expect(connect.or(asked)).toBeVisible()
    if (await connect.count()) await press(connect, /^Connect/)
    await expect(asked).toBeVisible()
    await expect(listed(matrix)).toHaveCount(1)
    return asked
  }
  const opened = async (matrix: Matrix, press: () => Promise<void>): Promise<void> => {
    const page = matrix.first.context().waitForEvent('page')
    await press()
    await expect(await page).toHaveTitle('Sign-in complete')
    await (await page).close()
  }

  test('is refused, and the issuer hears of nobody', async ({ matrix }) => {
    const asked = await start(matrix, 'tracker-a')
    await asked.getByRole('button', { name: /^Don’t sign in/ }).click()
    await nothingWaits(matrix)
    expect(matrix.tracker.issuer.at('/authorize')).toEqual([])
  })

  test('is withdrawn from both windows as its server is stopped', async ({ matrix }) => {
    await start(matrix, 'tracker-a')
    await matrix.first.getByRole('button', { name: 'More about tracker-a' }).click()
    await matrix.first.getByRole('menuitem', { name: 'Stop', exact: true }).click()
    await nothingWaits(matrix)
    await expect(matrix.second.locator('.ended-line', { hasText: 'tracker-a wants you to sign in' }).last()).toContainText('withdrawn')
    expect(matrix.tracker.issuer.at('/authorize')).toEqual([])
  })

  test('is there after a reload, and leads to the issuer', async ({ matrix }) => {
    const asked = await start(matrix, 'tracker-a')
    await matrix.first.reload()
    await opened(matrix, () => press(asked, /^Open in browser/))
    await expect(matrix.first.locator('[data-server="tracker-a"]')).toContainText('2 tools')
    expect(matrix.tracker.issuer.at('/authorize')).toHaveLength(1)
    await nothingWaits(matrix)
  })

  test('is done from the second window, once', async ({ matrix }) => {
    await start(matrix, 'tracker-b')
    const asked = await openListed(matrix.second, /^tracker-b wants you to sign in/)
    await opened(matrix, () => press(asked, /^Open in browser/))
    await expect(matrix.first.locator('[data-server="tracker-b"]')).toContainText('2 tools')
    expect(matrix.tracker.issuer.at('/authorize')).toHaveLength(2)
    await nothingWaits(matrix)
  })
})

test.describe('servers of another program', () => {
  const title = /from (Cursor|Windsurf)/
  const begin = async (matrix: Matrix, program = /^Cursor/): Promise<Locator> => {
    await goTo(matrix, '#/servers//add')
    await matrix.first.getByRole('button', { name: program }).click()
    const asked = card(matrix.first, title)
    await expect(asked).toBeVisible()
    await expect(listed(matrix)).toHaveCount(1)
    return asked
  }
  const written = (matrix: Matrix): string[] =>
    Object.keys((JSON.parse(readFileSync(fileOf(matrix), 'utf8')) as { mcpServers: object }).mcpServers).filter((name) =>
      name.startsWith('imported'),
    )

  test('are refused, and nothing is written', async ({ matrix }) => {
    const asked = await begin(matrix)
    await asked.getByRole('button', { name: /^Don’t import/ }).click()
    await nothingWaits(matrix)
    expect(written(matrix)).toEqual([])
  })

  test('are asked for anew where another choice takes the place of the first', async ({ matrix }) => {
    await begin(matrix)
    const asked = await begin(matrix)
    await expect(matrix.second.locator('.ended-line', { hasText: 'Cursor' }).last()).toContainText('withdrawn')
    await asked.getByRole('button', { name: /^Don’t import/ }).click()
    await nothingWaits(matrix)
    expect(written(matrix)).toEqual([])
  })

  test('are written by an answer after a reload', async ({ matrix }) => {
    await begin(matrix)
    await matrix.first.reload()
    await goTo(matrix, '#/requests')
    await press(card(matrix.first, title), /^Import 1 server/)
    await expect.poll(() => written(matrix)).toContain('imported')
    await nothingWaits(matrix)
  })

  test('are taken over from the second window', async ({ matrix }) => {
    await begin(matrix, /^Windsurf/)
    await press(await openListed(matrix.second, title), /^Import 1 server/)
    await expect.poll(() => written(matrix)).toContain('imported-too')
    await nothingWaits(matrix)
  })
})
