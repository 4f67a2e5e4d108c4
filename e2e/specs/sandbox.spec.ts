// A server in its sandbox, as a person has it: the card of its launch is edited, and what it may do is exactly that; what was blocked stands
// at the call and on its page, and is allowed there.
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { findEngine } from '../../main/servers/process/sandbox/find-engine.ts'
import { axeFindsNothing } from '../fixtures/axe.ts'
import { test as base, expect } from '../fixtures/model.ts'
import { allow, allowAll, card, openServers, pickModel, send } from '../fixtures/steps.ts'

interface Computer {
  /** Folders with a file each. */
  readonly given: string
  readonly added: string
  readonly later: string
  readonly port: number
  /** Program in a folder of its own: all of its package may be read. */
  readonly program: string
}

const raw = resolve(import.meta.dirname, '../servers/raw')
const fileOf = (folder: string): string => join(folder, 'file.txt')

const test = base.extend<{ readonly computer: Computer }>({
  alone: true,
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
  computer: async ({}, use) => {
    // No temporary folder: where that is in memory, below `/dev`, nothing can be granted.
    mkdirSync('test-results', { recursive: true })
    const root = realpathSync(mkdtempSync(join('test-results', 'sandboxed-')))
    const [given, added, later] = ['given', 'added', 'later'].map((name) => {
      mkdirSync(join(root, name))
      writeFileSync(join(root, name, 'file.txt'), `what is ${name}`)
      return join(root, name)
    }) as [string, string, string]
    const program = join(root, 'program')
    mkdirSync(program)
    for (const name of ['reaches.ts', 'lines.ts']) copyFileSync(join(raw, name), join(program, name))
    writeFileSync(join(program, 'package.json'), '{ "type": "module" }')
    const server: Server = createServer((_request, response) => response.end('hello'))
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    await use({ given, added, later, port: (server.address() as AddressInfo).port, program: join(program, 'reaches.ts') })
    server.close()
    rmSync(root, { recursive: true, force: true })
  },
  options: async ({ options, computer }, use) => {
    const reader = { command: process.execPath, args: [computer.program, computer.given] }
    await use({ ...options, sandboxed: true, profile: { 'servers.json': JSON.stringify({ mcpServers: { reader } }) } })
  },
})

test.skip((await findEngine()).kind !== 'bubblewrap', 'there is no sandbox on this computer')

test('a server does what its card was edited to, what was blocked is allowed, and nothing else', async ({ app, model, computer }) => {
  test.slow()
  const { page } = app
  const { given, added, later, port } = computer
  const ask = {
    read: (of: string) => ({ tool: 'reader__read', input: { of } }),
    reach: (of: string) => ({ tool: 'reader__reach', input: { of } }),
  }
  model.setRules([
    {
      when: 'begin',
      steps: [{ call: [ask.read(fileOf(given)), ask.read(fileOf(added)), ask.reach(`127.0.0.1:${port}`)] }, { say: 'Begun.' }],
    },
    { when: 'beyond', steps: [{ call: [ask.read(fileOf(later)), ask.reach('blocked.example')] }, { say: 'Tried.' }] },
    { when: 'again', steps: [{ call: [ask.read(fileOf(later)), ask.reach('blocked.example')] }, { say: 'Tried again.' }] },
  ])
  await pickModel(page, /Claude Large 1/)
  await send(page, 'begin')

  const launch = card(page, /^Start reader/)
  await launch.getByRole('button', { name: 'Details' }).click()
  await expect(launch.getByRole('group', { name: 'Write folders' })).toContainText('from its arguments')
  await addTo(page, 'Read folders', added)
  await addTo(page, 'Reach hosts', `127.0.0.1:${port}`)
  await axeFindsNothing(page)
  await allow(launch, /^Start/)
  await allowAll(page)
  await says(page, 0, 'what is given')
  await says(page, 1, 'what is added')
  await says(page, 2, 'HTTP/1.1 200')

  await send(page, 'beyond')
  await allowAll(page)
  await says(page, 3, 'ENOENT')
  await says(page, 4, 'HTTP/1.1 403')

  await openServers(page, 'reader')
  await expect(page.locator('[data-server="reader"]')).toContainText(/sandboxed · \d blocked/)
  await page.getByRole('tab', { name: /^Permissions/ }).click()
  const blocked = page.getByRole('region', { name: /^Blocked/ })
  await expect(blocked).toContainText('blocked.example')
  await expect(page.getByRole('group', { name: 'Reach hosts' })).toContainText(`127.0.0.1:${port}`)
  await axeFindsNothing(page)
  await blocked.getByRole('button', { name: `Always ${later}` }).click()
  await expect(page.getByRole('group', { name: 'Read folders' })).toContainText(later)
  await expect(page.getByText(/^Changes apply when reader restarts/).first()).toBeVisible()
  await page.getByRole('button', { name: 'Restart', exact: true }).first().click()
  await expect(page.getByText(/^Changes apply when/)).toHaveCount(0)

  await page.goBack()
  await page.goBack()
  const atCall = page.getByRole('region', { name: 'Blocked by the sandbox' })
  await expect(atCall).toContainText('blocked.example')
  await axeFindsNothing(page)
  await atCall.getByRole('button', { name: 'Allow once blocked.example' }).click()
  await expect(atCall).toContainText('Allowed from the next call on')

  await send(page, 'again')
  await allowAll(page)
  await says(page, 5, 'what is later')
  // Let through: its name has no address, which only who may reach it is told.
  await says(page, 6, 'HTTP/1.1 502')
})

/** Adds to a list of grants by the keyboard. */
async function addTo(page: Page, list: string, value: string): Promise<void> {
  const row = page.getByRole('group', { name: list })
  await row.getByRole('button', { name: /^Add/ }).click()
  await page.keyboard.insertText(value)
  await page.keyboard.press('Enter')
  await expect(row.getByRole('listitem').filter({ hasText: value })).toBeVisible()
  await page.keyboard.press('Escape')
}

/** The result of the call at that place in the chat. */
async function says(page: Page, at: number, words: string): Promise<void> {
  const row = page.locator('.call-box').nth(at)
  await row.locator('button.call').click()
  await expect(row.locator('.call-more')).toContainText(words)
  await row.locator('button.call').click()
}
