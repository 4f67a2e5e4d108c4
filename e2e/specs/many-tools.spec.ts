// A server with a thousand tools: few go with a request, the model searches for the one that it needs, and the person is
// asked before it runs. What is switched off in the chat is not sent. Where the provider searches itself, all are held back.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { axeFindsNothing } from '../fixtures/axe.ts'
import { expect, test } from '../fixtures/model.ts'
import { allow, call, card, openServers, pickModel, send, turnEnds } from '../fixtures/steps.ts'
import { scriptedModels } from '../model-server/server.ts'
import { json, type RawHttp, rawHttp, result } from '../servers/http/raw-http.ts'

const inputSchema = { type: 'object', properties: { number: { type: 'string', description: 'What it is about, as it is written there' } } }
const tools = [
  { name: 'track_parcel', description: 'Track a parcel by its number.', inputSchema },
  ...Array.from({ length: 999 }, (_, n) => ({
    name: `thing_${n}`,
    description: `Does the thing that has the number ${n}, and says what came of it.`,
    inputSchema,
  })),
]

/** Its name says that it searches tools itself. */
const searching = { type: 'model', id: 'claude-sonnet-5', display_name: 'Claude Sonnet 5', max_input_tokens: 200_000, max_tokens: 8192 }
test.use({ serves: { models: [...scriptedModels, searching] } })

let server: RawHttp
test.beforeEach(async () => {
  const complete = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
  server = await rawHttp(({ verb, message }, response) => {
    if (verb !== 'POST') return false
    if (message.method === 'server/discover')
      json(response, result(message, { ...complete, supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }))
    else if (message.method === 'tools/list') json(response, result(message, { ...complete, tools }))
    else json(response, result(message, { ...complete, content: [{ type: 'text', text: 'In Lyon' }] }))
    return true
  })
})
test.afterEach(() => server.close())

test('of a thousand tools few are sent; the one that a search finds, the host’s or the provider’s own, asks before it runs', async ({
  app,
  model,
}) => {
  const { page, dataDir } = app
  const parcel = { tool: 'post__track_parcel', input: { number: '42' } }
  model.setRules([
    {
      when: 'shoes',
      steps: [
        { call: [{ tool: 'assent__find_tools', input: { query: 'track parcel' } }] },
        { call: [parcel] },
        { say: 'They are in Lyon.' },
      ],
    },
    {
      when: 'gloves',
      steps: [
        { search: { query: 'the thing 7', found: ['post__thing_7'] }, call: [{ tool: 'post__thing_7', input: { number: '7' } }] },
        { say: 'They are there too.' },
      ],
    },
    { when: 'again', steps: [{ call: [parcel] }, { say: 'I have no such tool.' }] },
  ])
  /** The titles of chats are asked for without tools. */
  const sent = (at: number): string[] =>
    model.server.requests
      .flatMap(({ body: { tools: offered } }) => (Array.isArray(offered) ? [offered.map((tool) => (tool as { name: string }).name)] : []))
      .at(at) ?? []
  writeFileSync(join(dataDir, 'servers.json'), JSON.stringify({ mcpServers: { post: { url: server.url } } }))
  await openServers(page, 'post')
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await allow(card(page), /^Connect/)
  await expect(page.locator('[data-server="post"]')).toContainText('tools')
  await page.getByRole('link', { name: /^New chat/ }).click()
  await pickModel(page, /Claude Large/)
  await expect(page.getByTitle('Tools of this chat')).toContainText('found by search')

  await send(page, 'where are my shoes?')
  await allow(card(page, /track_parcel/))
  await turnEnds(page)
  await expect(page.getByText('They are in Lyon.')).toBeVisible()
  await expect(call(page, 'looks for tools')).toContainText('1 found')
  expect([sent(0).includes(parcel.tool), sent(1).includes(parcel.tool)]).toEqual([false, true])
  expect(Math.max(sent(0).length, sent(1).length)).toBeLessThan(30)

  await page.getByTitle('Tools of this chat').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('searchbox', { name: 'Find a tool' }).fill('parcel')
  await expect(dialog.locator('[data-tool="post__track_parcel"]')).toContainText('sent')
  await dialog.getByText('track_parcel').locator('xpath=../..').getByRole('switch').press('Space')
  await expect(dialog.getByRole('switch', { name: /track_parcel/ })).not.toBeChecked()
  await axeFindsNothing(page, '[role="dialog"]')
  await dialog.getByRole('searchbox').press('Escape')
  await dialog.getByRole('searchbox').press('Escape')
  await expect(dialog).toHaveCount(0)

  await send(page, 'look again')
  await turnEnds(page)
  await expect(page.getByText('I have no such tool.')).toBeVisible()
  expect(sent(-1)).not.toContain(parcel.tool)
  await expect(card(page)).toHaveCount(0)

  // A model whose provider searches by itself: it has all of them, held back, and what it finds asks like any other.
  await pickModel(page, /Claude Sonnet/)
  await send(page, 'and my gloves?')
  await allow(card(page, /thing_7/))
  await turnEnds(page)
  await expect(page.getByText('They are there too.')).toBeVisible()
  const search = call(page, 'looks for tools').filter({ hasText: 'Anthropic' })
  await expect(search).toContainText('the thing 7')
  await expect(search).toContainText('1 found')
  await expect(call(page, 'thing_7')).toContainText('You, once')
  const last = model.requests().at(-1)?.body
  expect(sent(-1)).toEqual(expect.arrayContaining(['tool_search_tool_bm25', 'post__thing_7', 'post__thing_998']))
  expect(sent(-1)).not.toContain(parcel.tool)
  expect(JSON.stringify(last?.['messages'])).toContain('"tool_name":"post__thing_7"')
})
