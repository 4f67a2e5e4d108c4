import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Clock } from '#main/base/clock.ts'
import { silentLog } from '#main/base/host-log.ts'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import { modeOf } from '#main/base/this-system.testing.ts'
import { nativeTheme, resetElectron } from '../../../../e2e/electron-fake/electron.ts'
import { fakeEvent } from '../../../../e2e/electron-fake/emitter.ts'
import { callsOf } from '../../../../e2e/electron-fake/record.ts'
import { dialogAnswers, menus } from '../../../../e2e/electron-fake/system.ts'
import { type BrowserWindow, lockedPage } from '../../../../e2e/electron-fake/window.ts'
import { openAppWindow } from './window.ts'

vi.mock('electron', () => import('../../../../e2e/electron-fake/electron.ts'))

let folder: string
let stateFile: string
let now = 0
let shown = 0
beforeEach(() => {
  resetElectron()
  folder = mkdtempSync(join(tmpdir(), 'assent-window-'))
  stateFile = join(folder, 'window.json')
  now = 0
  shown = 0
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const clock = { now: () => now, after: () => () => undefined }
const open = (os: NodeJS.Platform = 'linux', spelling = false, timers: Clock = clock): BrowserWindow =>
  openAppWindow({
    preload: '/app/preload.cjs',
    stateFile,
    icon: undefined,
    os,
    clock: timers,
    log: silentLog,
    spelling,
    onShown: () => (shown += 1),
  }) as unknown as BrowserWindow
// docs/api/web-contents.md, Event `render-process-gone`.
const crash = (window: BrowserWindow, reason = 'crashed'): boolean =>
  window.webContents.fire('render-process-gone', fakeEvent(), { reason, exitCode: 1 })

test('its page is sandboxed and isolated, without Node, webviews or a way around web security', () => {
  expect(open().options.webPreferences).toEqual({ preload: '/app/preload.cjs', ...lockedPage })
})

test('its spelling is checked only where that is wanted', () => {
  expect([open('linux', true), open('win32')].map(({ options }) => options.webPreferences?.spellcheck)).toEqual([true, false])
})

test('a menu opens under the pointer where there is something to do', () => {
  const window = open()
  const typed = { isEditable: false, misspelledWord: '', dictionarySuggestions: [], selectionText: '', editFlags: {} }
  window.webContents.fire('context-menu', fakeEvent(), typed)
  expect(callsOf('Menu.popup')).toEqual([])
  window.webContents.fire('context-menu', fakeEvent(), {
    ...typed,
    isEditable: true,
    misspelledWord: 'teh',
    dictionarySuggestions: ['the'],
  })
  expect(callsOf('Menu.popup')).toHaveLength(1)
  const click = menus.at(-1)?.[0]?.click
  click?.(undefined as never, undefined, undefined as never)
  expect(callsOf('contents.replaceMisspelling')).toEqual([['the']])
})

test('it loads the page by our own scheme, never from a file', () => {
  open()
  expect(callsOf('window.loadURL')).toEqual([['app://assent/']])
})

test('it is shown once there is something to show', () => {
  const window = open()
  const before = window.shown
  window.fire('ready-to-show')
  expect([window.options.show, before, window.shown, shown]).toEqual([false, false, true, 1])
})

// electron/electron issue 48859: under Wayland a hidden window is not painted, so nobody saw the app.
test.each([
  ['soon after its page was loaded', true, 400],
  ['in any case', false, 8000],
])('it is shown %s, when nothing says that it is painted', (_, loads, wait) => {
  const timers = manualClock()
  const window = open('linux', false, timers)
  if (loads) window.webContents.fire('did-finish-load')
  timers.advance(wait - 1)
  const before = window.shown
  timers.advance(1)
  const after = window.shown
  window.fire('ready-to-show')
  timers.advance(60_000)
  expect([before, after, shown]).toEqual([false, true, 1])
})

test.each([
  [false, '#fdfdfc'],
  [true, '#131518'],
])('before its first paint it has the page’s colour (dark: %s)', (dark, color) => {
  nativeTheme.shouldUseDarkColors = dark
  expect(open().options.backgroundColor).toBe(color)
})

test('on a Mac the page reaches to the edge, where its own sheet makes room; elsewhere there is the system’s title bar', () => {
  expect([open('darwin').options.titleBarStyle, open('win32').options.titleBarStyle]).toEqual(['hiddenInset', undefined])
})

test('a page’s title does not become the window’s', () => {
  const event = fakeEvent()
  open().fire('page-title-updated', event, 'Your bank')
  expect(event.defaultPrevented).toBe(true)
})

describe('its place', () => {
  test('is kept when it closes, for the person’s eyes alone, and used at the next start', () => {
    const window = open()
    window.bounds = { x: 40, y: 50, width: 900, height: 600 }
    window.maximized = true
    window.fire('close', fakeEvent())
    expect(JSON.parse(readFileSync(stateFile, 'utf8'))).toEqual({ x: 40, y: 50, width: 900, height: 600, maximized: true })
    expect(modeOf(stateFile, 0o600)).toBe(0o600)
    window.destroy()
    const again = open()
    expect([again.bounds, again.maximized]).toEqual([{ x: 40, y: 50, width: 900, height: 600 }, true])
  })

  test('is beside the one that is open already', () => {
    writeFileSync(stateFile, JSON.stringify({ x: 40, y: 50, width: 900, height: 600, maximized: true }))
    const first = open()
    const second = open()
    expect([first.bounds, second.bounds, second.maximized]).toEqual([
      { x: 40, y: 50, width: 900, height: 600 },
      { x: 68, y: 78, width: 900, height: 600 },
      false,
    ])
  })

  test('is the usual one when the file is broken', () => {
    writeFileSync(stateFile, '{"x":')
    expect(open().bounds).toMatchObject({ width: 1280, height: 800 })
  })

  test('costs nothing when it cannot be kept', () => {
    const window = open()
    rmSync(folder, { recursive: true })
    expect(() => window.fire('close', fakeEvent())).not.toThrow()
  })
})

describe('when the page crashes', () => {
  test('it is loaded again, once', () => {
    const window = open()
    crash(window)
    expect([window.webContents.reloads, callsOf('dialog.showMessageBox').length]).toEqual([1, 0])
  })

  test('twice within a minute, the person is asked and their word is done', async () => {
    const window = open()
    crash(window)
    now = 30_000
    crash(window)
    expect([window.webContents.reloads, callsOf('dialog.showMessageBox').length]).toEqual([1, 1])
    await expect.poll(() => window.webContents.reloads).toBe(2)
    dialogAnswers.button = 1
    now = 40_000
    crash(window)
    await expect.poll(() => window.destroyed).toBe(true)
  })

  test('again after a long time, it is loaded again', () => {
    const window = open()
    crash(window)
    now = 61_000
    crash(window)
    expect([window.webContents.reloads, callsOf('dialog.showMessageBox').length]).toEqual([2, 0])
  })

  test('a page that ended as it should is left alone', () => {
    const window = open()
    crash(window, 'clean-exit')
    expect(window.webContents.reloads).toBe(0)
  })
})

// A window is shown at `ready-to-show`, which a page that fails never comes to: without a listener there is an app without
// a window, and nothing says why (docs/api/web-contents.md: did-fail-load, preload-error, unresponsive).
describe('a page that', () => {
  const failed = (window: BrowserWindow, code: number, isMainFrame = true): boolean =>
    window.webContents.fire('did-fail-load', fakeEvent(), code, 'ERR_FILE_NOT_FOUND', 'app://assent/', isMainFrame, 1, 1)
  const questions = (): number => callsOf('dialog.showMessageBox').length

  test.each<[string, (window: BrowserWindow) => void]>([
    ['was not loaded', (window) => failed(window, -6)],
    ['has no bridge to the host', (window) => window.webContents.fire('preload-error', fakeEvent(), '/app/preload.cjs', new Error('no'))],
  ])('%s is asked about, in a window that can be seen, and the person’s word is done', async (_, fail) => {
    const window = open()
    fail(window)
    fail(window)
    expect([window.shown, questions()]).toEqual([true, 1])
    await expect.poll(() => window.webContents.reloads).toBe(1)
    dialogAnswers.button = 1
    fail(window)
    await expect.poll(() => window.destroyed).toBe(true)
  })

  test('a page that stays where it is, or a frame in it that is not loaded, is no failure', () => {
    const window = open()
    failed(window, -3)
    failed(window, -6, false)
    expect(questions()).toBe(0)
  })

  test('does not answer can be waited for, or ended and so loaded again', async () => {
    const window = open()
    dialogAnswers.button = 1
    window.webContents.fire('unresponsive')
    await expect.poll(questions).toBe(1)
    await Promise.resolve()
    dialogAnswers.button = 0
    window.webContents.fire('unresponsive')
    await expect.poll(() => [callsOf('contents.forcefullyCrashRenderer').length, window.webContents.reloads]).toEqual([1, 1])
  })
})
