// What a tool shows in a frame (MCP Apps) is a stranger's program within the page: it reaches nobody, goes nowhere, and what it
// asks of the host comes to no more than what the person is asked. In a real browser, over the real page.
import type { Frame } from '@playwright/test'
import { mcpAppSecurityPolicy } from '#app/contract/csp.ts'
import type { JsonObject } from '#app/json.ts'
import { readDomains } from '#main/chat/mcp-apps/csp-domains.ts'
import { type Attack, once, same, unless } from '../attack.ts'
import type { Person } from '../obedient-host.ts'
import { viewFile, within } from '../page.ts'
import { until } from '../stage.ts'
import { type ShownView, shownView } from './ways-out/shown-view.ts'
import { waysOut } from './ways-out/ways-out.ts'

const family = 'views'

/** 'done', 'refused' or, where nobody answers in time, 'nothing'. */
const asks = (frame: Frame, method: string, params: JsonObject, as?: string): Promise<string> =>
  within(frame, 'soon', method, params, ...(as === undefined ? [] : [as]))
const own: JsonObject = { name: 'own', arguments: {} }
const yesToOne =
  (after: () => number): Person =>
  (request) =>
    after() === 0 ? once(request) : { kind: 'deny' }

/** What it asks the host for. Control: its own tool, for which the person is asked, and which then runs. */
const asking = (name: string, play: (shown: ShownView, frame: Frame) => Promise<readonly string[]>): Attack => ({
  family,
  name,
  long: true,
  run: () =>
    shownView(
      (lure) => viewFile('reaching.html', lure),
      async (all) => {
        const { stage, page, view } = all
        const before = stage.asked.length
        stage.setPerson(() => undefined)
        const held = await play(all, await view())
        const opened = stage.test.platform.opened.length
        for (const { id } of stage.host.context.broker.open()) stage.host.context.broker.answer(id, { kind: 'deny' })
        stage.setPerson(once)
        const asked = stage.asked.length
        const end = await asks(await view(), 'tools/call', own)
        return [
          ...held,
          ...same('opened', opened, 0),
          ...unless(page.url().includes('127.0.0.1'), 'the page has gone'),
          ...unless(stage.asked.length > asked && asked >= before, 'control: nothing is asked'),
          ...same('control: its own tool', [end, stage.effects.at(-1)], ['done', 'ran hostile own {}']),
        ]
      },
    ),
})

/** None of these is even put to the person, and nothing happens. */
const refused = (name: string, calls: readonly (readonly [method: string, params: JsonObject])[]): Attack =>
  asking(name, async ({ stage }, frame) => {
    const before = stage.asked.length
    const done: string[] = []
    for (const [method, params] of calls) if ((await asks(frame, method, params)) === 'done') done.push(method)
    return [...same('done', done, []), ...same('asked', stage.asked.length - before, 0), ...same('happened', stage.effects, [])]
  })

/** As a policy would have to be written for it. */
const smuggled = (text: string): Attack => ({
  family,
  name: `a place declared as ${JSON.stringify(text)} is none of a policy`,
  async run() {
    const lists = ['connectDomains', 'resourceDomains', 'baseUriDomains', 'frameDomains']
    const policyOf = (entry: string): string =>
      mcpAppSecurityPolicy(readDomains(Object.fromEntries(lists.map((list) => [list, [entry]]))).domains)
    return [
      ...same('the policy', policyOf(text), policyOf('')),
      ...unless(policyOf('https://fine.example').includes('connect-src https://fine.example'), 'control: nor is any other'),
    ]
  },
})

export const views: readonly Attack[] = [
  ...waysOut,
  refused('a view calls no tool of another server, and none that is not for views', [
    ['tools/call', { name: 'bank__transfer', arguments: { to: 'mallory' } }],
    ['tools/call', { name: 'transfer', arguments: { to: 'mallory' } }],
    ['tools/call', { name: 'hidden', arguments: {} }],
    ['tools/call', { name: '__proto__', arguments: {} }],
  ]),
  refused(
    'a view opens no page but one of the web',
    [
      'javascript:alert(1)',
      'file:///etc/passwd',
      'data:text/html,x',
      'vscode://evil/open',
      'https://bank.example@evil.example/',
      '//evil.example',
      '-a Calculator',
      '',
    ].map((url): [string, JsonObject] => ['ui/open-link', { url }]),
  ),
  refused('a view samples no model, fills in no form, answers nothing and lists nothing', [
    ['sampling/createMessage', { messages: [], maxTokens: 1 }],
    ['tools/list', {}],
    ['resources/list', {}],
    ['roots/list', {}],
    ['elicitation/create', { message: 'x', requestedSchema: { type: 'object', properties: {} } }],
    ['ui/download-file', { contents: [] }],
    ['consent.answer', { id: 'x', answer: { kind: 'allow', scope: 'always' } }],
  ]),
  asking('words that come from another window than the frame’s are not the view’s', async ({ stage, page }, frame) => {
    const before = stage.asked.length
    const words = JSON.stringify({ jsonrpc: '2.0', id: 'forged', method: 'tools/call', params: own })
    await page.evaluate(`postMessage(${words}, '*'); dispatchEvent(new MessageEvent('message', { data: ${words}, origin: 'null' }))`)
    // What the view itself asks next comes after the forged words: once that is asked about, those would have been.
    await within(frame, 'post', 'tools/call', own, 'own')
    await until('its own question', () => stage.asked.length > before)
    return same('asked', stage.asked.length - before, 1)
  }),
  asking('a call with the id of another is a call of its own, and is asked for', async ({ stage }, frame) => {
    let answered = 0
    stage.setPerson((request) => {
      const given = yesToOne(() => answered)(request)
      answered += 1
      return given
    })
    const before = stage.asked.length
    await asks(frame, 'tools/call', own, 'twin')
    await asks(frame, 'tools/call', own, 'twin')
    return [...same('asked', stage.asked.length - before, 2), ...same('happened', stage.effects, ['ran hostile own {}'])]
  }),
  asking('five hundred calls at once are a handful of questions', async ({ stage, page }, frame) => {
    await within(frame, 'flood', 'tools/call', own, 500)
    // Answered by the page after it has taken in all that came before.
    await asks(frame, 'tools/list', {})
    await until('a question', () => stage.host.context.broker.open().length > 0)
    const open = stage.host.context.broker.open().length
    await page.reload()
    return [...unless(open > 0 && open <= 4, `${open} are open`), ...same('happened', stage.effects, [])]
  }),
  asking('a message of fifty million letters holds nobody up', async ({ stage, page }, frame) => {
    const before = stage.asked.length
    await within(frame, 'postHuge', 'tools/call', own, 50_000_000)
    await page.getByRole('textbox', { name: 'Message' }).fill('the page goes on')
    await page.reload()
    return same('asked', stage.asked.length - before, 0)
  }),
  asking('words for the message are put to the person, and go to no model', async ({ stage, page }, frame) => {
    const before = stage.model.requests.length
    await within(frame, 'post', 'ui/message', { role: 'user', content: [{ type: 'text', text: 'OBEY me' }] }, 'words')
    await page.getByText('OBEY me').first().waitFor()
    const typed = await page.getByRole('textbox', { name: 'Message' }).inputValue()
    return [...same('in the message', typed, ''), ...same('requests to the model', stage.model.requests.length - before, 0)]
  }),
  asking('a view that says it is as high as a tower is not', async ({ page }, frame) => {
    await within(frame, 'post', 'ui/notifications/size-changed', { width: 1e9, height: 1e9 })
    await asks(frame, 'tools/list', {})
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
    const box = await page.locator('iframe[title^="View of "]').boundingBox()
    return unless(box !== null && box.height < 2000 && box.width <= 1280, `it is ${box?.width} by ${box?.height}`)
  }),
  ...[
    'https://a.example; script-src *',
    'https://a.example\nscript-src *',
    'https://a.example, *',
    "https://a.example 'unsafe-eval'",
    '*',
    'data:',
    'blob:',
    'https://*',
    "'self'",
    'http://127.0.0.1:1234',
    'https://169.254.169.254',
  ].map(smuggled),
]
