// The key of the web shell in a real browser: what another port of this machine is sent, and what it is not.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { WebSocket } from 'ws'
import { refusedHello } from '#app/contract/host-connection.ts'
import { expect, test } from '../fixtures/app.ts'
import { originOf } from '../fixtures/shells.ts'
import { composer } from '../fixtures/steps.ts'

test.use({ alone: true })
test.skip(({ app }) => app.shell === 'electron', 'Electron’s window has no address that another program could share')

const refused = (page: Page) => page.getByText('This page is signed out of Assent.')

test('the key leaves the address, and reloads and second tabs are let in by it', async ({ app }) => {
  const { page } = app
  await expect(composer(page)).toBeVisible()
  expect(page.url()).not.toContain('key=')
  await page.reload()
  await expect(composer(page)).toBeVisible()
  const second = await page.context().newPage()
  await second.goto(originOf(page))
  await expect(composer(second)).toBeVisible()
})

test('a page with the cookie but without its key, or with a wrong one, is signed out', async ({ app }) => {
  const { page } = app
  await expect(composer(page)).toBeVisible()
  await page.evaluate(() => {
    for (const name of Object.keys(localStorage)) localStorage.setItem(name, 'A'.repeat(43))
  })
  await page.reload()
  await expect(refused(page)).toBeVisible()
  await page.evaluate(() => localStorage.clear())
  await page.reload()
  await expect(refused(page)).toBeVisible()
})

test('another program on 127.0.0.1 is sent the cookie, and cannot open the link with it', async ({ app }) => {
  const { page } = app
  await expect(composer(page)).toBeVisible()
  const origin = originOf(page)
  const seen: IncomingHttpHeaders[] = []
  const other = createServer((request, response) => {
    seen.push(request.headers)
    response.setHeader('Content-Type', 'text/html').end('<title>another program</title>')
  }).listen(0, '127.0.0.1')
  await once(other, 'listening')
  const tab = await page.context().newPage()
  await tab.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`)
  const cookie = seen[0]?.cookie ?? ''
  // What the key is for: without it, this cookie would be enough.
  expect(cookie).toContain(`assent-${new URL(origin).port}=`)
  expect(await tab.evaluate(() => Object.keys(localStorage))).toEqual([])

  const socket = new WebSocket(`${origin.replace('http', 'ws')}/link`, { headers: { Cookie: cookie, Origin: origin } })
  await once(socket, 'open')
  const closed = once(socket, 'close')
  socket.send(JSON.stringify({ kind: 'request', id: 1, name: 'app.snapshot', params: {} }))
  const [code, reason] = await closed
  expect({ code, reason: String(reason) }).toEqual(refusedHello)
  other.close()
  other.closeAllConnections()
})
