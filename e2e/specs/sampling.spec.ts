// A server asks for answers of the model: the prompt edited, the answer edited or kept back, a rule that answers up to its
// limit and is revoked, and the budget of the day.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '../fixtures/app.ts'
import { allow, card, openServers, send } from '../fixtures/steps.ts'
import { json, type RawHttp, rawHttp, result } from '../servers/http/raw-http.ts'

const params = { messages: [{ role: 'user', content: { type: 'text', text: 'Sum up' } }], maxTokens: 200 }
let server: RawHttp
let heard: unknown[]
test.beforeEach(async () => {
  heard = []
  const complete = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
  server = await rawHttp(({ verb, message }, response) => {
    if (verb !== 'POST') return false
    const { inputResponses } = (message.params ?? {}) as { inputResponses?: { model: { content: { text: string } } } }
    if (message.method === 'server/discover')
      json(response, result(message, { ...complete, supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }))
    else if (message.method === 'tools/list')
      json(response, result(message, { ...complete, tools: [{ name: 'sum', inputSchema: { type: 'object' } }] }))
    else if (inputResponses === undefined)
      json(
        response,
        result(message, { resultType: 'input_required', inputRequests: { model: { method: 'sampling/createMessage', params } } }),
      )
    else {
      heard.push(inputResponses.model.content.text)
      json(response, result(message, { resultType: 'complete', content: [{ type: 'text', text: 'heard' }] }))
    }
    return true
  })
})
test.afterEach(() => server.close())

test('a server’s wish for an answer is edited, kept back, answered by a rule up to its limit, and asked again once that is revoked', async ({
  app,
}) => {
  const { page } = app
  writeFileSync(join(app.dataDir, 'servers.json'), JSON.stringify({ mcpServers: { summer: { url: server.url } } }))
  await openServers(page, 'summer')
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await allow(card(page), /^Connect/)
  await expect(page.locator('[data-server="summer"]')).toContainText('1 tool')
  await page.getByRole('link', { name: /^New chat/ }).click()
  const prompt = card(page, /wants an answer/)
  const answer = card(page, /wants to read/)
  const asks = async (): Promise<void> => {
    await send(page, 'use summer sum')
    await allow(card(page, /sum/).first())
  }

  await asks()
  await prompt.getByRole('button', { name: /^Edit the prompt/ }).click()
  await prompt.getByLabel('Message to the model').fill('Sum up briefly')
  await allow(prompt, /^Send to/)
  await answer.getByRole('button', { name: /^Edit the answer/ }).click()
  await answer.getByRole('textbox', { name: /^Answer/ }).fill('My own words')
  await allow(answer, /^Send answer/)
  await expect.poll(() => heard).toEqual(['My own words'])

  await asks()
  await allow(prompt, /^Send to/)
  await answer.getByRole('button', { name: /^Don’t send/ }).click()
  await expect(answer).toHaveCount(0)
  expect(heard).toHaveLength(1)

  await asks()
  await prompt.getByText(/, always$/).click()
  await prompt.getByText(/^Even while/).click()
  await allow(prompt, /^Send to/)
  await expect.poll(() => heard.length).toBe(2)
  await asks()
  await expect.poll(() => heard.length).toBe(3)

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Activity' }).click()
  await page.getByText('Rules', { exact: true }).click()
  await page.getByRole('button', { name: /^Revoke answers of your model/ }).click()
  await openServers(page, 'summer')
  await page.getByRole('tab', { name: /^Permissions/ }).click()
  const budget = page.getByLabel(/^Tokens a day/)
  await budget.fill('1')
  await budget.press('Enter')
  await page.getByRole('link', { name: /^New chat/ }).click()
  await asks()
  await expect(prompt).toContainText('exceeds the daily limit of “summer”')
  await prompt.getByRole('button', { name: /^Deny/ }).click()
  await expect(prompt).toHaveCount(0)
  expect(heard).toHaveLength(3)
})
