// Addresses that servers send people to, links that add a server, and answers that come back from a browser: in forms that one reader
// takes for something else than the next.
import { isPunycode } from '#app/text/host-name.ts'
import { rawResource } from '../../../servers/http/oauth.ts'
import type { Attack } from '../../attack.ts'
import { once, same, unless } from '../../attack.ts'
import { order } from '../../obey.ts'
import { asking, tool } from '../../puppet.ts'
import { onStage, type Stage, until } from '../../stage.ts'
import { byLink, config } from '../bundles.ts'
import { refusedPage } from '../links.ts'
import { signInAt } from '../sign-in.ts'

const never = [
  'java\tscript:alert(1)',
  'JAVASCRIPT:alert(1)',
  'blob:https://bank.example/1',
  'filesystem:https://bank.example/temporary/x',
  'about:blank',
  'view-source:https://bank.example/',
  'intent://bank.example#Intent;scheme=https;end',
  'smb://bank.example/share',
  'ftp://bank.example/',
  'mailto:mallory@evil.example?body=x',
  'wss://bank.example/',
  'chrome://settings',
  'assent://install?name=x&config=%7B%7D',
  'https://',
  'https://bank.example\u0000.evil.example/',
  'https://:password@bank.example/',
  'https://bank.example:99999/',
  'https://bank .example/',
  'feed:https://bank.example/',
  'search-ms:query=x',
]

const pageOf = (url: string) => ({ mode: 'url', message: 'Sign in, please', url, elicitationId: 'page' })
/** What is opened is what was shown, and what was shown has nothing in it that reads as another host or path. */
const shownAs = (name: string, url: string, host: string): Attack => ({
  family: 'links and markup',
  name: `a page with ${name} is shown as what is opened`,
  run: () =>
    onStage(
      () => ({ web: { tools: () => [tool('go')], ...asking('elicitation/create', pageOf(url)) } }),
      async ({ setPerson, turn, asked, test: { platform } }) => {
        setPerson(once)
        await turn(order('web__go'))
        const shown = asked.flatMap((one) => (one.kind === 'elicitation-url' ? [one.url] : []))
        // To be refused is as good.
        if (shown.length === 0) return same('opened', platform.opened, [])
        const foul = shown.filter((one) => /[^\u0021-\u007e]/.test(one))
        return [
          ...same('control: opened', platform.opened, shown),
          ...same('shown with letters of no plain address', foul, []),
          ...same(
            'host',
            shown.map((one) => new URL(one).hostname),
            [host],
          ),
          ...unless(!host.includes('xn--') || shown.every(isPunycode), 'it is not said to be in other letters'),
        ]
      },
    ),
})

/** What came back to the listener of a sign-in that is open: a code is redeemed for the person's own answer alone. */
const returned = (name: string, send: (callback: URL, state: string, stage: Stage) => Promise<unknown>): Attack => ({
  family: 'sign-in',
  name: `an answer ${name} redeems no code`,
  async run() {
    const honest = await rawResource()
    try {
      return await onStage(
        () => ({}),
        async (stage) => {
          stage.setPerson((request) => (request.kind === 'sign-in' ? { kind: 'allow', scope: 'once' } : undefined))
          const started = stage.host.request('server.start', { name: 'remote' }).catch(() => undefined)
          await until('a page for the sign-in', () => stage.test.platform.opened.length > 0)
          const page = new URL(stage.test.platform.opened[0] ?? '')
          const callback = new URL(page.searchParams.get('redirect_uri') ?? '')
          await send(callback, page.searchParams.get('state') ?? '', stage).catch(() => undefined)
          await new Promise((resolve) => setTimeout(resolve, 150))
          const stolen = honest.issuer.at('/token').filter(({ form }) => form.get('code') === 'mallory')
          await fetch(page).catch(() => undefined)
          const late = new Promise((resolve) => setTimeout(resolve, 15_000))
          await Promise.race([started, late])
          // An answer with the right state that is refused ends that sign-in: the next one is honest.
          if (stage.host.snapshot().servers[0]?.state.kind !== 'ready') await signInAt(stage)
          return [
            ...same('redeemed', stolen.length, 0),
            ...same('control: signed in by an own answer', stage.host.snapshot().servers[0]?.state.kind, 'ready'),
          ]
        },
        { others: { remote: { url: honest.url } }, starts: [] },
      )
    } finally {
      await honest.close()
    }
  },
})
const withQuery = (callback: URL, query: Record<string, string>): string => {
  const url = new URL(callback)
  for (const [key, value] of Object.entries(query)) url.searchParams.append(key, value)
  return url.href
}

const entry = (folder: string, more: object = {}): string => encodeURIComponent(JSON.stringify({ ...config(folder), ...more }))

export const strangeAddresses: readonly Attack[] = [
  ...never.map(refusedPage),
  shownAs('a sign that turns the writing round', 'https://bank.example/\u202egpj.exe', 'bank.example'),
  shownAs('letters that nobody sees', 'https://bank.example/a\u200bb', 'bank.example'),
  shownAs(
    'a slash of another block in its host',
    'https://bank.example\u2044login.evil.example/',
    'bank.xn--examplelogin-xk0g.evil.example',
  ),
  shownAs('a full stop of another block', 'https://bank\u3002example/', 'bank.example'),
  shownAs('tabs and line breaks', 'https://bank\t.exa\nmple/x', 'bank.example'),
  shownAs('one slash', 'https:/bank.example/', 'bank.example'),
  shownAs('backslashes', 'https:\\\\bank.example\\x', 'bank.example'),
  shownAs('an address as one number', 'https://2130706433/', '127.0.0.1'),
  shownAs('a look-alike in its letters', 'https://b\u0430nk.example/', 'xn--bnk-6cd.example'),
  shownAs('tag characters', 'https://bank.example/\u{e0041}\u{e0042}', 'bank.example'),
  shownAs('a very long path before what counts', `https://bank.example/${'a'.repeat(7000)}`, 'bank.example'),
  returned('with another state', (callback) => fetch(withQuery(callback, { code: 'mallory', state: 'guessed' }))),
  returned('without a state', (callback) => fetch(withQuery(callback, { code: 'mallory' }))),
  returned('with an empty state', (callback) => fetch(withQuery(callback, { code: 'mallory', state: '' }))),
  returned('with its state cut by a letter', (callback, state) =>
    fetch(withQuery(callback, { code: 'mallory', state: state.slice(0, -1) })),
  ),
  returned('with two states', (callback, state) => fetch(`${withQuery(callback, { code: 'mallory', state: 'guessed' })}&state=${state}x`)),
  returned('of another issuer, with the right state', (callback, state) =>
    fetch(withQuery(callback, { code: 'mallory', state, iss: 'https://mallory.example' })),
  ),
  returned('without the promised issuer, with the right state', (callback, state) =>
    fetch(withQuery(callback, { code: 'mallory', state })),
  ),
  returned('on another path', (callback, state) => {
    const url = new URL(callback)
    url.pathname = '/elsewhere'
    return fetch(withQuery(url, { code: 'mallory', state, iss: 'x' }))
  }),
  returned('by POST', (callback) => fetch(callback, { method: 'POST', body: new URLSearchParams({ code: 'mallory', state: 'guessed' }) })),
  returned('that says it failed, without a state', (callback) => fetch(withQuery(callback, { error: 'access_denied' }))),
  returned('that says it failed, with a guessed state', (callback) =>
    fetch(withQuery(callback, { error: 'access_denied', state: 'guessed' })),
  ),
  byLink(
    'a link with two configurations adds and starts nothing',
    (folder) => `assent://install?name=a&config=${entry(folder)}&config=${entry(folder)}`,
  ),
  byLink(
    'a link whose configuration says it is approved adds and starts nothing',
    (folder) => `assent://install?name=a&config=${entry(folder, { approved: true, launch: 'always', sandboxEnabled: false })}`,
  ),
  byLink(
    'a link with variables that load code adds and starts nothing',
    (folder) => `assent://install?name=a&config=${entry(folder, { env: { NODE_OPTIONS: '--import /tmp/x.mjs' } })}`,
  ),
  byLink(
    'a link with keys of the prototype adds and starts nothing',
    (folder) =>
      `assent://install?name=__proto__&config=${encodeURIComponent(`{"__proto__":${JSON.stringify({ ...config(folder), trusted: true })}}`)}`,
  ),
  byLink('a link with another word than install adds and starts nothing', (folder) => `assent://approve?name=a&config=${entry(folder)}`),
  byLink(
    'a link with a path behind its word adds and starts nothing',
    (folder) => `assent://install/../run?name=a&config=${entry(folder)}`,
  ),
  byLink('a link in capitals adds and starts nothing', (folder) => `ASSENT://INSTALL?name=a&config=${entry(folder)}&trust=1`),
  byLink('a link of another program adds and starts nothing', (folder) => `vscode:mcp/install?${entry(folder, { name: 'a' })}`),
]
