import type { Session, WebFrameMain } from 'electron'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { silentLog } from '#main/base/host-log.ts'
import { app, resetElectron } from '../../../e2e/electron-fake/electron.ts'
import { fakeEvent } from '../../../e2e/electron-fake/emitter.ts'
import { FakeSession } from '../../../e2e/electron-fake/session.ts'
import { dialogAnswers } from '../../../e2e/electron-fake/system.ts'
import { FakeContents } from '../../../e2e/electron-fake/window.ts'
import {
  askWithoutSandbox,
  denyNetwork,
  denyPermissions,
  guardContents,
  guardEveryContents,
  lacksSandbox,
  refuseClientCertificates,
  removeSwitches,
} from './hardening.ts'
import { hostileUrls } from './navigation.test-corpus.ts'

vi.mock('electron', () => import('../../../e2e/electron-fake/electron.ts'))

beforeEach(resetElectron)

function guarded(): FakeContents {
  const contents = new FakeContents()
  guardContents(contents.asReal())
  return contents
}

const otherPages = ['https://example.org/', 'http://127.0.0.1/']

describe.each([...hostileUrls, ...otherPages])('the address %s', (url) => {
  test.each(['will-navigate', 'will-frame-navigate', 'will-redirect'])('does not get past %s', (name) => {
    const event = fakeEvent({ url, isMainFrame: true })
    guarded().fire(name, event)
    expect(event.defaultPrevented).toBe(true)
  })

  test('opens no window', () => {
    const details = { url, frameName: '', features: '', disposition: 'new-window' } as Electron.HandlerDetails
    expect(guarded().windowOpen?.(details)).toEqual({ action: 'deny' })
  })
})

test('the page may load itself again, in the top frame only', () => {
  const outcomes = [
    ['will-navigate', true],
    ['will-frame-navigate', true],
    ['will-frame-navigate', false],
    ['will-redirect', true],
  ].map(([name, isMainFrame]) => {
    const event = fakeEvent({ url: 'app://assent/#/chat', isMainFrame })
    guarded().fire(String(name), event)
    return event.defaultPrevented
  })
  expect(outcomes).toEqual([false, false, true, true])
})

test('a frame in the page may hold the document that draws diagrams, that of a view, and nothing else', () => {
  const urls = [
    'app://assent/diagram',
    `app://assent/view/${'v'.repeat(32)}`,
    `app://assent/view/${'v'.repeat(32)}/../../`,
    `app://assent/view/${'v'.repeat(32)}?x`,
    'app://assent/view/',
    `app://other/view/${'v'.repeat(32)}`,
    'app://assent/diagram?x',
    'app://assent/diagram#x',
    'app://assent/blob/x',
    'app://assent:1/diagram',
    'about:blank',
  ]
  const stopped = urls.map((url) => {
    const event = fakeEvent({ url, isMainFrame: false })
    guarded().fire('will-frame-navigate', event)
    return event.defaultPrevented
  })
  expect(stopped).toEqual([false, false, true, true, true, true, true, true, true, true, true])
})

test('a webview is never attached', () => {
  const event = fakeEvent()
  guarded().fire('will-attach-webview', event, {}, {})
  expect(event.defaultPrevented).toBe(true)
})

test('every page that is ever made is guarded, until that is undone', () => {
  const stop = guardEveryContents()
  const first = new FakeContents()
  app.fire('web-contents-created', fakeEvent(), first.asReal())
  stop()
  const second = new FakeContents()
  app.fire('web-contents-created', fakeEvent(), second.asReal())
  expect([first.windowOpen !== undefined, second.windowOpen]).toEqual([true, undefined])
})

const permissions = [
  'camera',
  'clipboard-read',
  'clipboard-sanitized-write',
  'display-capture',
  'fileSystem',
  'fullscreen',
  'geolocation',
  'hid',
  'idle-detection',
  'keyboardLock',
  'local-network',
  'media',
  'midi',
  'notifications',
  'openExternal',
  'pointerLock',
  'serial',
  'speaker-selection',
  'storage-access',
  'top-level-storage-access',
  'usb',
  'window-management',
  'unknown',
]

describe('a session', () => {
  function denied(): FakeSession {
    const session = new FakeSession()
    denyPermissions(session as unknown as Session) // the fake has the part that is used
    return session
  }
  // What the handlers are told beside the permission does not matter to them.
  const nobody = {} as never

  test.each(permissions)('grants no %s, asked or checked', (permission) => {
    const session = denied()
    const asked: boolean[] = []
    session.permissionRequest?.(nobody, permission as never, (granted) => asked.push(granted), nobody)
    expect([asked, session.permissionCheck?.(nobody, permission as never, 'app://assent', nobody)]).toEqual([[false], false])
  })

  test('hands out no device, no screen and no download', () => {
    const session = denied()
    const streams: unknown[] = []
    session.displayMedia?.(nobody, (stream) => streams.push(stream))
    const download = fakeEvent()
    session.fire('will-download', download)
    expect([session.devicePermission?.(nobody), streams, download.defaultPrevented]).toEqual([false, [null], true])
  })
})

describe('the network', () => {
  const app = 'v'.repeat(32)
  const frameAt = (url: string) => ({ url }) as WebFrameMain
  const inApp = frameAt(`app://assent/view/${app}`)
  function session(): FakeSession {
    const made = new FakeSession()
    denyNetwork(
      made.asReal(),
      (id) => (id === app ? '("https://api.example" "https://*.cdn.example" "http://live.example");redirects=allow' : undefined),
      silentLog,
    )
    return made
  }

  test.each<[string, string, WebFrameMain | null, boolean]>([
    ['the page', 'https://api.example/', frameAt('app://assent/'), true],
    ['the page, to this computer', 'http://127.0.0.1:8080/', frameAt('app://assent/'), true],
    ['the page, from a file', 'file:///etc/passwd', frameAt('app://assent/'), true],
    ['the page, by its own scheme', 'app://assent/blob/x', frameAt('app://assent/'), false],
    ['an app, to its host', 'https://api.example/v1?q', inApp, false],
    ['an app, to a host below its pattern', 'https://a.cdn.example/x.js', inApp, false],
    ['an app, to the pattern’s own host', 'https://cdn.example/x.js', inApp, true],
    ['an app, by a socket', 'ws://live.example/feed', inApp, false],
    ['an app, to another port', 'https://api.example:8443/', inApp, true],
    ['an app, to another host', 'https://other.example/', inApp, true],
    ['another app', 'https://api.example/', frameAt(`app://assent/view/${'w'.repeat(32)}`), true],
    ['the diagrams’ frame', 'https://api.example/', frameAt('app://assent/diagram'), true],
    ['a frame that is gone', 'https://api.example/', null, true],
    ['no address', 'https://', inApp, true],
  ])('asked for by %s: %s', (_, url, frame, cancelled) => {
    expect(session().cancels({ url, frame, webContentsId: 1 })).toBe(cancelled)
  })

  test('is open to Chromium’s own request for a dictionary, and to no other of its own', () => {
    const urls = ['https://redirector.gvt1.com/edgedl/chrome/dict/de.bdic', 'http://redirector.gvt1.com/', 'https://gvt1.com.example/']
    expect(urls.map((url) => session().cancels({ url }))).toEqual([false, true, true])
  })
})

test('no site is shown a certificate of the person', () => {
  refuseClientCertificates()
  const event = fakeEvent()
  const chosen: unknown[][] = []
  app.fire('select-client-certificate', event, null, 'https://example.org/', [{ subjectName: 'Ada' }], (...args: unknown[]) =>
    chosen.push(args),
  )
  expect([event.defaultPrevented, chosen]).toEqual([true, [[]]])
})

test('pages get no route for UDP around the proxy', () => {
  expect(guarded().webRtc).toBe('disable_non_proxied_udp')
})

describe('switches of Chromium', () => {
  test('that open the page to others are removed from the installed app, but for an empty profile, which tests use', () => {
    app.isPackaged = true
    app.switches = new Set(['remote-debugging-port', 'disable-web-security', 'lang'])
    const forTests = removeSwitches(true)
    const removed = removeSwitches(false)
    expect([forTests, removed, [...app.switches]]).toEqual([[], ['remote-debugging-port', 'disable-web-security'], ['lang']])
  })

  // Programs in place of Chromium's own, processes without a sandbox, sign-ins of the system sent to a site.
  test.each(['browser-subprocess-path', 'single-process', 'in-process-gpu', 'disable-gpu-sandbox', 'auth-server-allowlist'])(
    '%s is one of them',
    (name) => {
      app.isPackaged = true
      app.switches = new Set([name])
      expect(removeSwitches(false)).toEqual([name])
    },
  )

  test('stay in a checkout, whose owner debugs it', () => {
    app.switches = new Set(['remote-debugging-port', 'no-sandbox'])
    expect([removeSwitches(false), lacksSandbox()]).toEqual([[], false])
  })

  test.each([
    [0, false],
    [1, true],
  ])('that end the sandbox are asked about; button %s starts: %s', async (button, starts) => {
    app.isPackaged = true
    app.switches = new Set(['no-sandbox'])
    dialogAnswers.button = button
    expect([lacksSandbox(), await askWithoutSandbox()]).toEqual([true, starts])
  })
})
