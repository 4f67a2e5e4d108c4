import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { imageSize } from '#app/chat/attachments/image-header.ts'
import type { JsonObject } from '#app/json.ts'
import { axeFindsNothing } from '../fixtures/axe.ts'
import { expect, test } from '../fixtures/model.ts'
import { plainPng } from '../fixtures/png.ts'
import { allow, call, card, composer, openServers, pickModel, send, turnEnds } from '../fixtures/steps.ts'
import { json, rawHttp, result } from '../servers/http/raw-http.ts'

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const pdf = Buffer.from('%PDF-1.4 << /Type /Pages /Count 2 >>')

/** A passage of that file, as the API says where an answer has something from. */
const cited = (cited_text: string, at: number): object => ({
  type: 'page_location',
  cited_text,
  document_index: 0,
  document_title: 'report.pdf',
  start_page_number: at,
  end_page_number: at + 1,
  file_id: null,
})

/** Of the person's messages, as they went over the wire. */
const blocksOf = (body: JsonObject = {}, type = ''): JsonObject[] =>
  (body['messages'] as readonly { readonly content: string | readonly JsonObject[] }[]).flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.filter((block) => block['type'] === type),
  )

test('files by picker, an image by paste, a resource by @ and a prompt by / go with one message, outlive a reload before, and are cited under the answer', async ({
  app,
  model,
}) => {
  const { page } = app
  const passages = [
    { text: ' The rent is 900', cites: [cited('Rent is 900.', 1)] },
    { text: ', as ' },
    { text: 'it was before', cites: [cited('Rent is 900.', 1), cited('No change.', 2)] },
    { text: '.' },
  ]
  model.setRules([{ when: 'Write a short', steps: [{ say: 'I have read all of it.', passages }] }])
  await openServers(page, 'demo')
  await expect(page.locator('[data-server="demo"]')).toContainText('ready')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'New chat' }).click()
  await pickModel(page, /Claude Large 1/)
  const attached = page.getByRole('list', { name: 'Attachments' })

  await page.locator('input[data-attach]').setInputFiles([
    { name: 'notes.weird', mimeType: '', buffer: Buffer.from('Buy milk.') },
    { name: 'report.pdf', mimeType: 'application/pdf', buffer: pdf },
  ])
  await expect(attached).toContainText('2 pages')
  await page.evaluate(`{
    const transfer = new DataTransfer()
    transfer.items.add(new File([Uint8Array.from(atob('${png}'), (c) => c.charCodeAt(0))], 'dot.png', { type: 'image/png' }))
    document.querySelector('textarea').dispatchEvent(new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true }))
  }`)
  await expect(attached).toContainText('dot.png')

  await composer(page).pressSequentially('@0417')
  await expect(page.getByRole('option').first()).toContainText('0417')
  await axeFindsNothing(page)
  await composer(page).press('Enter')
  await expect(attached.getByRole('listitem')).toHaveCount(4)
  await expect(composer(page)).toHaveValue('')

  await composer(page).pressSequentially('/chase')
  await composer(page).press('Enter')
  await page.getByRole('dialog').getByRole('combobox').fill('Holm & Aster Print')
  await page.getByRole('button', { name: 'Preview' }).click()
  await expect(page.getByRole('dialog')).toContainText('Write a short, friendly letter')
  await axeFindsNothing(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Attach', exact: true }).click()
  await page.reload()
  await expect(attached.getByRole('listitem')).toHaveCount(5)
  await page.getByRole('button', { name: 'Send', exact: true }).click()

  await expect(page.getByText('I have read all of it. The rent is 900, as it was before.')).toBeVisible()
  await turnEnds(page)
  await page.getByText('2 sources').click()
  const sources = page.locator('.answer').getByRole('group').getByRole('listitem')
  await expect(sources).toHaveText([/^report\.pdf, page 1: “Rent is 900\.”$/, /^report\.pdf, page 2: “No change\.”$/])
  await expect(page.getByText('From the prompt chase_payment of demo')).toBeVisible()
  expect(blocksOf(model.requests().at(-1)?.body, 'document')).toEqual([
    {
      type: 'document',
      title: 'report.pdf',
      citations: { enabled: true },
      source: { type: 'base64', media_type: 'application/pdf', data: pdf.toString('base64') },
    },
  ])
  await page.getByRole('button', { name: /notes\.weird/ }).click()
  await expect(page.getByRole('dialog')).toContainText('Buy milk.')
  await axeFindsNothing(page)
})

test('a file that is dropped, a long paste, a template’s resource and a large image are attached; a tool’s large image goes smaller', async ({
  app,
  model,
}) => {
  const { page, dataDir } = app
  const photo = plainPng(3000, 2000)
  const complete = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
  const server = await rawHttp(({ verb, message }, response) => {
    if (verb !== 'POST') return false
    if (message.method === 'server/discover')
      json(response, result(message, { ...complete, supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }))
    else if (message.method === 'tools/list')
      json(response, result(message, { ...complete, tools: [{ name: 'photo', inputSchema: { type: 'object' } }] }))
    else
      json(response, result(message, { ...complete, content: [{ type: 'image', mimeType: 'image/png', data: photo.toString('base64') }] }))
    return true
  })
  const servers = { demo: { builtin: 'demo' }, cam: { url: server.url } }
  writeFileSync(join(dataDir, 'servers.json'), JSON.stringify({ mcpServers: servers }))
  model.setRules([{ when: 'Take a photo', steps: [{ call: [{ tool: 'cam__photo', input: {} }] }, { say: 'It is grey.' }] }])
  await openServers(page, 'cam')
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await allow(card(page), /^Connect/)
  await expect(page.locator('[data-server="cam"]')).toContainText('1 tool')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'New chat' }).click()
  await pickModel(page, /Claude Large 1/)
  const attached = page.getByRole('list', { name: 'Attachments' })

  await page.evaluate(`{
    const transfer = new DataTransfer()
    transfer.items.add(new File(['Buy milk.'], 'dropped.md', { type: 'text/markdown' }))
    for (const name of ['dragenter', 'dragover', 'drop'])
      document.body.dispatchEvent(new DragEvent(name, { dataTransfer: transfer, bubbles: true, cancelable: true }))
  }`)
  await expect(attached).toContainText('dropped.md')
  await page.evaluate(`{
    const transfer = new DataTransfer()
    transfer.setData('text/plain', 'Once more, with feeling. '.repeat(500))
    document.querySelector('textarea').dispatchEvent(new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true }))
  }`)
  await expect(attached).toContainText('Pasted text.txt')
  await expect(composer(page)).toHaveValue('')
  await page.locator('input[data-attach]').setInputFiles([{ name: 'wall.png', mimeType: 'image/png', buffer: photo }])
  await expect(attached).toContainText('made smaller for the model')

  await composer(page).pressSequentially('@number')
  await page.getByRole('option', { name: /Invoice by number/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox').fill('0417')
  await expect(dialog).toContainText('invoice://0417')
  await axeFindsNothing(page)
  await dialog.getByRole('button', { name: 'Attach', exact: true }).click()
  // A message waits for what is still being read.
  await expect(attached).toContainText('demo · 105 B')
  await expect(attached.getByRole('listitem')).toHaveCount(4)

  await send(page, 'Take a photo')
  await allow(card(page))
  await turnEnds(page)
  await expect(page.getByText('It is grey.')).toBeVisible()
  const widthOf = ({ source }: JsonObject): number | undefined =>
    imageSize(Buffer.from(String((source as JsonObject)['data']), 'base64'), String((source as JsonObject)['media_type']))?.width
  const last = model.requests().at(-1)?.body
  const given = blocksOf(last, 'tool_result').flatMap(({ content }) => content as readonly JsonObject[])
  expect([blocksOf(last, 'image').map(widthOf), given.filter(({ type }) => type === 'image').map(widthOf)]).toEqual([[1568], [1568]])
  await call(page, 'photo').getByRole('button').first().click()
  await expect(call(page, 'photo')).toContainText('made smaller for the model')
  await server.close()
})
