import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { inputReference } from '#app/server/inputs/variable-references.ts'
import { expect } from '../fixtures/app.ts'
import { test } from '../fixtures/model.ts'
import type { AssentApp } from '../fixtures/open-app.ts'
import { allow, call, card, openServers, pickModel, send, turnEnds } from '../fixtures/steps.ts'
import { type RawResource, rawResource } from '../servers/http/oauth.ts'

let tracker: RawResource
test.beforeEach(async () => {
  tracker = await rawResource()
  tracker.behave.scope = 'read'
})
test.afterEach(() => tracker.close())

const file = ({ dataDir }: AssentApp): string => join(dataDir, 'servers.json')

async function add(app: AssentApp): Promise<void> {
  writeFileSync(file(app), JSON.stringify({ mcpServers: { tracker: { url: tracker.url } } }))
  await openServers(app.page, 'tracker')
}

async function start(app: AssentApp): Promise<void> {
  const { page } = app
  await add(app)
  await begin(page)
}

const ada = 'ada@work.example'
const bob = 'bob@home.example'
const isAccount = (email: string) => ({ sub: email, email })

async function begin(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await allow(card(page), /^Connect/)
  await expect(card(page, /wants you to sign in/)).toBeVisible()
}

/** What the page or the host opened, in the same browser. */
async function browserOpens(page: Page, press: () => Promise<void>): Promise<Page> {
  const opened = page.context().waitForEvent('page')
  await press()
  return opened
}
const row = (page: Page) => page.locator('[data-server="tracker"]')
const signIn = (page: Page): Promise<Page> => browserOpens(page, () => allow(card(page), /^Open in browser/))

test.beforeEach(({ app }) => {
  test.skip(app.shell === 'electron', 'the system’s browser opens the page, out of reach of a test')
})

test('a person signs in in their browser, sees as whom and for what, and signs out again', async ({ app }) => {
  const { page } = app
  tracker.issuer.behave.idToken = isAccount(ada)
  await start(app)
  const asked = card(page)
  for (const shown of [tracker.issuer.issuer, tracker.url, 'read', 'S256']) await expect(asked).toContainText(shown)
  expect(tracker.issuer.at('/authorize')).toEqual([])

  const browser = await signIn(page)
  await expect(browser).toHaveTitle('Sign-in complete')
  expect(tracker.issuer.at('/authorize').length).toBe(1)
  await expect(row(page)).toContainText('2 tools')

  await page.getByRole('tab', { name: 'Details' }).click()
  const section = page.getByRole('region', { name: 'Sign-in', exact: true })
  for (const shown of [tracker.issuer.issuer, 'read', 'renewed', ada, 'signed by the issuer']) await expect(section).toContainText(shown)
  const token = tracker.presented('tools/list')[0]?.replace('Bearer ', '') ?? ''
  expect([tracker.issuer.scopesOf(token), await page.content().then((html) => html.includes(token))]).toEqual([['read'], false])

  await section.getByRole('button', { name: 'Sign out' }).click()
  expect(tracker.issuer.at('/revoke')).toEqual([])
  await section.getByRole('button', { name: 'Sign out', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  expect([tracker.issuer.scopesOf(token), app.stderr().includes(token)]).toEqual([undefined, false])

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Activity' }).click()
  for (const told of ['Signed in', 'Signed out']) await expect(page.getByText(told, { exact: true }).first()).toBeVisible()
})

test('work and personal of one service stand side by side: each call says as whom, and a yes for one is none for the other', async ({
  app,
  model,
}) => {
  const { page } = app
  const url = tracker.url
  writeFileSync(file(app), JSON.stringify({ mcpServers: { tracker: { url }, home: { url } } }))
  for (const [name, email] of [
    ['home', bob],
    ['tracker', ada],
  ] as const) {
    tracker.issuer.behave.idToken = isAccount(email)
    await openServers(page, name)
    await begin(page)
    await signIn(page)
    await expect(page.locator(`[data-server="${name}"]`)).toContainText(`as ${email}`)
  }
  await expect.poll(() => new Set(tracker.presented('tools/list')).size).toBe(2)
  const tokens = new Set(tracker.presented('tools/list'))

  const calls = (text: string, server: string) => ({
    when: text,
    steps: [{ call: [{ tool: `${server}__other`, input: {} }] }, { say: 'Done.' }],
  })
  model.setRules([calls('at work', 'tracker'), calls('at home', 'home')])
  await page.getByRole('link', { name: /New chat/ }).click()
  await pickModel(page, /Claude Large 1/)
  await send(page, 'at work')
  await expect(card(page).getByRole('heading')).toContainText(`tracker as ${ada}`)
  await allow(card(page))
  await turnEnds(page)
  await send(page, 'at home')
  await expect(card(page).getByRole('heading')).toContainText(`home as ${bob}`)
  await allow(card(page))
  await turnEnds(page)
  expect(new Set(tracker.presented('tools/call'))).toEqual(tokens)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Activity' }).click()
  for (const email of [ada, bob]) await expect(page.getByText(email).first()).toBeVisible()
})

test('where the browser cannot come back, the address that it ended at is pasted', async ({ app }) => {
  const { page } = app
  tracker.issuer.behave.person = 'leaves'
  await start(app)
  const first = await signIn(page)
  const waiting = page.getByRole('region', { name: 'Sign-in: tracker' })
  await expect(row(page)).toContainText('Waits for the browser')
  const again = await browserOpens(page, () => waiting.getByRole('button', { name: 'Open again' }).click())
  expect(again.url()).toBe(first.url())

  tracker.issuer.behave.person = 'agrees'
  const { headers } = await fetch(first.url(), { redirect: 'manual' })
  await waiting.getByText(/^The browser runs on another computer/).click()
  const field = waiting.getByLabel(/^Paste the last address/)
  await field.fill(`${headers.get('location')}&state=another`)
  await waiting.getByRole('button', { name: 'Finish' }).click()
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await field.fill(headers.get('location') ?? '')
  await field.press('Enter')
  await expect(row(page)).toContainText('2 tools')
})

test('a no is a no, here and at the page of the issuer, and each time it can be begun again', async ({ app }) => {
  const { page } = app
  await start(app)
  await card(page)
    .getByRole('button', { name: /^Don’t sign in/ })
    .click()
  await expect(page.getByRole('alert')).toContainText('tracker: you didn’t sign in')
  expect(tracker.issuer.at('/authorize')).toEqual([])

  tracker.issuer.behave.person = 'refuses'
  await page.getByRole('alert').getByRole('button', { name: 'Sign in' }).click()
  await signIn(page)
  await expect(page.getByRole('alert')).toContainText('Access was denied')

  tracker.issuer.behave.person = 'leaves'
  await page.getByRole('alert').getByRole('button', { name: 'Sign in' }).click()
  await signIn(page)
  await page.getByRole('region', { name: 'Sign-in: tracker' }).getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('alert')).toContainText('tracker: you didn’t sign in')

  tracker.issuer.behave.person = 'agrees'
  await page.getByRole('alert').getByRole('button', { name: 'Sign in' }).click()
  await signIn(page)
  await expect(row(page)).toContainText('2 tools')
})

test('a call that needs more asks in the dock of its chat, and runs once that is granted', async ({ app, model }) => {
  const { page } = app
  tracker.behave.needs = { other: 'write' }
  await start(app)
  await signIn(page)
  await expect(row(page)).toContainText('2 tools')

  model.setRules([{ when: 'write', steps: [{ call: [{ tool: 'tracker__other', input: {} }] }, { say: 'It is written.' }] }])
  await page.getByRole('link', { name: /New chat/ }).click()
  await pickModel(page, /Claude Large 1/)
  await send(page, 'write')
  await allow(card(page))
  await expect(call(page, 'other')).toContainText('waits for you')
  const more = card(page)
  await expect(more).toContainText('wants more scopes')
  await expect(more.getByRole('listitem')).toHaveText(['writenew', 'readgranted'])
  await signIn(page)
  await expect(page.getByText('It is written.')).toBeVisible()
  expect(tracker.presented('tools/call').length).toBe(2)
})

test('a client that was registered beforehand is filled in; its secret reaches the issuer and never the file', async ({ app }) => {
  const { page } = app
  await add(app)
  await page.getByRole('button', { name: 'More about tracker' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit “tracker”' })
  await dialog.getByText(/^Sign-in/).click()
  await dialog.getByLabel(/^Client id/).fill('assent-desktop')
  await dialog.getByLabel(/^Client secret/).fill('e2e-client-s3cret')
  await dialog.getByLabel(/^Callback port/).fill('70000')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByLabel(/^Callback port/)).toBeFocused()
  await dialog.getByLabel(/^Callback port/).fill('')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
  expect(JSON.parse(readFileSync(file(app), 'utf8'))).toMatchObject({
    mcpServers: { tracker: { oauth: { clientId: 'assent-desktop', clientSecret: inputReference('oauth-clientsecret') } } },
  })

  await begin(page)
  await expect(card(page)).toContainText('by the client id of its settings')
  await signIn(page)
  await expect(row(page)).toContainText('2 tools')
  const [asked] = tracker.issuer.at('/token')
  const basic = `Basic ${Buffer.from('assent-desktop:e2e-client-s3cret').toString('base64')}`
  expect([tracker.issuer.at('/register'), asked?.headers.authorization]).toEqual([[], basic])
  expect(`${readFileSync(file(app), 'utf8')}${app.stderr()}${await page.content()}`).not.toContain('e2e-client-s3cret')
})
