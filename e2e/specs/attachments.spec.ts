import { AxeBuilder } from '@axe-core/playwright'
import type { JsonObject } from '#app/json.ts'
import { expect, test } from '../fixtures/model.ts'
import { composer, openServers, pickModel } from '../fixtures/steps.ts'

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const pdf = Buffer.from('%PDF-1.4 << /Type /Pages /Count 2 >>')

/** Of the person's messages, as they went over the wire. */
const blocksOf = (body: JsonObject = {}, type = ''): JsonObject[] =>
  (body['messages'] as readonly { readonly content: string | readonly JsonObject[] }[]).flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.filter((block) => block['type'] === type),
  )

test('files by picker, an image by paste, a resource by @ and a prompt by / go with one message, and outlive a reload before', async ({
  app,
  model,
}) => {
  const { page } = app
  model.setRules([{ when: 'Write a short', steps: [{ say: 'I have read all of it.' }] }])
  await openServers(page, 'demo')
  await expect(page.locator('[data-server="demo"]')).toContainText('2026-07-28')
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
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
  await composer(page).press('Enter')
  await expect(attached.getByRole('listitem')).toHaveCount(4)
  await expect(composer(page)).toHaveValue('')

  await composer(page).pressSequentially('/chase')
  await composer(page).press('Enter')
  await page.getByRole('dialog').getByRole('combobox').fill('Holm & Aster Print')
  await page.getByRole('button', { name: 'Show what it says' }).click()
  await expect(page.getByRole('dialog')).toContainText('Write a short, friendly letter')
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
  await page.getByRole('button', { name: 'Put it into the message' }).click()
  await page.reload()
  await expect(attached.getByRole('listitem')).toHaveCount(5)
  await page.getByRole('button', { name: 'Send', exact: true }).click()

  await expect(page.getByText('I have read all of it.')).toBeVisible()
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
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
})
