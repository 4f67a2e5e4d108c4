import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '../fixtures/app.ts'
import type { AssentApp } from '../fixtures/open-app.ts'
import { allow, card, openServers, send } from '../fixtures/steps.ts'
import { json, type RawHttp, rawHttp, result } from '../servers/http/raw-http.ts'

const word = 'w'.repeat(200)
const field = { type: 'string', title: word, description: word }
const properties = { one: field, two: field, three: { ...field, enum: [word, 'b'] }, four: { ...field, type: 'boolean' } }
const form = { method: 'elicitation/create', params: { message: word, requestedSchema: { type: 'object', properties } } }

const email = { type: 'object', properties: { email: { type: 'string', title: 'Email', format: 'email' } }, required: ['email'] }
const step = (message: string) => ({ method: 'elicitation/create', params: { message, requestedSchema: email } })

let server: RawHttp
let given: unknown
test.beforeEach(async () => {
  const complete = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
  server = await rawHttp(({ verb, message }, response) => {
    if (verb !== 'POST') return false
    if (message.method === 'server/discover')
      json(response, result(message, { ...complete, supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }))
    else if (message.method === 'tools/list')
      json(
        response,
        result(message, { ...complete, tools: ['survey', 'steps'].map((name) => ({ name, inputSchema: { type: 'object' } })) }),
      )
    else if (message.params?.['inputResponses'] !== undefined) {
      given = message.params['inputResponses']
      json(response, result(message, { ...complete, content: [{ type: 'text', text: 'Thanks' }] }))
    } else if (message.params?.['name'] === 'steps')
      json(response, result(message, { resultType: 'input_required', inputRequests: { one: step('First'), two: step('Second') } }))
    else json(response, result(message, { resultType: 'input_required', inputRequests: { form } }))
    return true
  })
})
test.afterEach(() => server.close())

async function begin({ page, dataDir }: AssentApp): Promise<void> {
  writeFileSync(join(dataDir, 'servers.json'), JSON.stringify({ mcpServers: { asker: { url: server.url } } }))
  await openServers(page, 'asker')
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await allow(card(page), /^Connect/)
  await expect(page.locator('[data-server="asker"]')).toContainText('2 tools')
  await page.getByRole('link', { name: /^New chat/ }).click()
}

test('words of a server that are longer than a line cover nothing of the form', async ({ app }) => {
  const { page } = app
  await begin(app)
  await send(page, 'use asker survey')
  await allow(card(page, /survey/))
  const fields = page.locator('.form-fields')
  await expect(fields.getByText(word).first()).toBeVisible()
  const wider = await fields.evaluate((grid) =>
    [grid, ...grid.querySelectorAll('*')]
      .filter((part) => part.getBoundingClientRect().right > grid.getBoundingClientRect().right + 1)
      .map((part) => part.outerHTML.slice(0, 100)),
  )
  expect(wider).toEqual([])
})

test('forms that come together are steps, sent as one; Escape leaves them waiting, and Cancel gives no answer', async ({ app }) => {
  const { page } = app
  await begin(app)
  await send(page, 'use asker steps')
  await allow(card(page, /steps/))
  const form = card(page, /asks you/)
  await expect(form).toContainText('1 of 2')
  await form.getByLabel(/^Email/).fill('anna@books')
  await expect(form.getByLabel(/^Email/)).toHaveAttribute('aria-invalid', 'true')
  await form.getByLabel(/^Email/).fill('anna@books.example')
  await form.getByRole('button', { name: 'Next' }).click()
  await expect(form).toContainText('2 of 2')
  await form.getByLabel(/^Email/).fill('ben@books.example')
  await form.getByRole('button', { name: 'Back' }).click()
  await expect(form.getByLabel(/^Email/)).toHaveValue('anna@books.example')
  await form.getByRole('button', { name: 'Next' }).click()
  expect(given).toBeUndefined()
  await allow(form, /^Send to asker/)
  await expect(form).toHaveCount(0)
  const accepted = (address: string) => ({ action: 'accept', content: { email: address } })
  await expect.poll(() => given).toEqual({ one: accepted('anna@books.example'), two: accepted('ben@books.example') })
  given = undefined
  await send(page, 'use asker steps')
  await allow(card(page, /steps/))
  await expect(page.getByRole('link', { name: /^Requests/ })).toContainText('2')
  await form.getByRole('heading').press('Escape')
  await expect(form).toHaveCount(0)
  await expect(page.locator('.dock-line')).toContainText('1 request waits')
  expect(given).toBeUndefined()
  await page.getByRole('button', { name: /^Review/ }).click()
  await form.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => given).toEqual({ one: { action: 'cancel' }, two: { action: 'cancel' } })
})
