import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '../fixtures/app.ts'
import { allow, card, openServers, send } from '../fixtures/steps.ts'
import { json, type RawHttp, rawHttp, result } from '../servers/http/raw-http.ts'

const word = 'w'.repeat(200)
const field = { type: 'string', title: word, description: word }
const properties = { one: field, two: field, three: { ...field, enum: [word, 'b'] }, four: { ...field, type: 'boolean' } }
const form = { method: 'elicitation/create', params: { message: word, requestedSchema: { type: 'object', properties } } }

let server: RawHttp
test.beforeEach(async () => {
  const complete = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
  server = await rawHttp(({ verb, message }, response) => {
    if (verb !== 'POST') return false
    if (message.method === 'server/discover')
      json(response, result(message, { ...complete, supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }))
    else if (message.method === 'tools/list')
      json(response, result(message, { ...complete, tools: [{ name: 'survey', inputSchema: { type: 'object' } }] }))
    else json(response, result(message, { resultType: 'input_required', inputRequests: { form } }))
    return true
  })
})
test.afterEach(() => server.close())

test('words of a server that are longer than a line cover nothing of the form', async ({ app }) => {
  const { page } = app
  writeFileSync(join(app.dataDir, 'servers.json'), JSON.stringify({ mcpServers: { asker: { url: server.url } } }))
  await openServers(page, 'asker')
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await allow(card(page), /^Connect/)
  await expect(page.locator('[data-server="asker"]')).toContainText('1 tool')
  await page.getByRole('link', { name: /^New chat/ }).click()
  await send(page, 'use asker survey')
  await allow(card(page, /run survey/))
  const fields = page.locator('.form-fields')
  await expect(fields.getByText(word).first()).toBeVisible()
  const wider = await fields.evaluate((grid) =>
    [grid, ...grid.querySelectorAll('*')]
      .filter((part) => part.getBoundingClientRect().right > grid.getBoundingClientRect().right + 1)
      .map((part) => part.outerHTML.slice(0, 100)),
  )
  expect(wider).toEqual([])
})
