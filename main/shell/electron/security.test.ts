import type { Session } from 'electron'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { app, resetElectron } from '../../../e2e/electron-fake/electron.ts'
import { fakeEvent } from '../../../e2e/electron-fake/emitter.ts'
import { FakeSession } from '../../../e2e/electron-fake/session.ts'
import { FakeContents } from '../../../e2e/electron-fake/window.ts'
import { hostileUrls } from './navigation.test-corpus.ts'
import { denyPermissions, guardContents, guardEveryContents } from './shell.ts'

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
