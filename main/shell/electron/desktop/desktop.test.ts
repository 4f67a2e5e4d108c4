import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { HostEvent } from '#app/contract/events.ts'
import { defaultSettings, type Settings } from '#app/settings.ts'
import { silentLog } from '#main/base/host-log.ts'
import { keyboard, pressAnywhere, Tray } from '../../../../e2e/electron-fake/desktop.ts'
import { app, resetElectron } from '../../../../e2e/electron-fake/electron.ts'
import { fakeEvent } from '../../../../e2e/electron-fake/emitter.ts'
import { FakeProcess } from '../../../../e2e/electron-fake/process.ts'
import { callsOf } from '../../../../e2e/electron-fake/record.ts'
import { Notification } from '../../../../e2e/electron-fake/system.ts'
import { BrowserWindow, lockedPage } from '../../../../e2e/electron-fake/window.ts'
import { openFailureLog } from '../quit.ts'
import { openDesktop } from './open-desktop.ts'
import { showsTray } from './tray.ts'

vi.mock('electron', () => import('../../../../e2e/electron-fake/electron.ts'))

let folder: string
beforeEach(() => {
  resetElectron()
  app.ready.resolve()
  folder = mkdtempSync(join(tmpdir(), 'assent-desktop-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Timers that run when the test says so. */
function manualClock() {
  const timers = new Set<() => void>()
  return {
    now: () => 0,
    after(_ms: number, run: () => void) {
      timers.add(run)
      return () => timers.delete(run)
    },
    tick(): void {
      for (const run of timers) {
        timers.delete(run)
        run()
      }
    },
  }
}

const request = (id: string, tool: string) => ({ id, kind: 'tool-call', server: 'files', tool, conversationId: 'c1' })
const ready = { kind: 'ready' }

interface Opened {
  readonly os?: NodeJS.Platform
  readonly env?: Record<string, string>
  readonly settings?: Partial<Settings>
  readonly waiting?: readonly ReturnType<typeof request>[]
  readonly safe?: boolean
}

function open({ os = 'linux', env = {}, settings: own = {}, waiting = [], safe = false }: Opened = {}) {
  const listeners = new Set<(event: HostEvent) => void>()
  let settings: Settings = { ...defaultSettings, ...own }
  const clock = manualClock()
  const did: unknown[] = []
  const host = {
    snapshot: () => ({ settings, consentRequests: waiting, overdueCalls: [], servers: [{ name: 'files', state: ready }] }),
    onEvent(listener: (event: HostEvent) => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async request(name: string, params: unknown) {
      did.push([name, params])
    },
  }
  const tell = (name: string, payload: unknown): void => {
    for (const listener of listeners) listener({ name, revision: 1, payload } as HostEvent)
    clock.tick()
  }
  const desktop = openDesktop({
    host: host as unknown as Parameters<typeof openDesktop>[0]['host'], // the part that is used
    ...{ os, env, clock, safe },
    log: silentLog,
    preload: '/app/preload.cjs',
    icons: resolve(import.meta.dirname, '../../../../resources/tray'),
    profileArgs: ['--data-dir', '/a folder'],
    spelling: () => false,
    openWindow: () => did.push('window'),
    show: () => did.push('show'),
    run: (command) => did.push(command),
  })
  const set = (patch: Partial<Settings>): void => {
    settings = { ...settings, ...patch }
    tell('settings.changed', { settings })
  }
  return { desktop, tell, set, did }
}

const tray = (): Tray => {
  const [first] = Tray.open
  if (!first) throw new Error('no tray')
  return first
}
const labels = () => tray().menu.flatMap(({ label }) => (label === undefined ? [] : [label]))
function click(label: string): void {
  const item = tray().menu.find((one) => one.label === label)
  item?.click?.(...([] as unknown as Parameters<NonNullable<typeof item.click>>))
}
const failuresOf = () => openFailureLog({ dataDir: folder, version: '1.2.3', now: () => 5, log: silentLog, process: new FakeProcess() })

describe('the tray', () => {
  test('lists what waits, what runs, and quitting; on Linux its menu is set again at each change', () => {
    const { tell } = open({ waiting: [request('r1', 'move_file')] })
    const first = labels()
    tell('consent.opened', { request: request('r2', 'a&b') })
    const second = labels()
    tell('consent.closed', { id: 'r1' })
    tell('consent.closed', { id: 'r2' })
    tell('server.changed', { server: { name: 'files', state: { kind: 'stopped' } } })
    expect([first, second[2], labels()]).toEqual([
      [
        'Waiting for you',
        '“files” wants to use “move_file”',
        'New chat',
        'Quick entry',
        'Open “Assent”',
        '1 server',
        'Stop all servers',
        'Quit',
      ],
      // An ampersand would underline the next letter.
      '“files” wants to use “a&&b”',
      ['New chat', 'Quick entry', 'Open “Assent”', 'Quit'],
    ])
    expect(callsOf('tray.setContextMenu').length).toBeGreaterThanOrEqual(5)
  })

  test('leads to the request, a new chat, the window; stops servers, and quits', () => {
    const { did } = open({ waiting: [request('r/1', 'move_file')] })
    for (const label of ['“files” wants to use “move_file”', 'New chat', 'Open “Assent”', 'Stop all servers', 'Quit']) click(label)
    expect([did, callsOf('app.quit').length]).toEqual([
      [{ kind: 'go', hash: '#/requests/r%2F1' }, { kind: 'go', hash: '#/chat' }, 'show', ['server.stop', { name: 'files' }]],
      1,
    ])
  })

  test('lists five requests at most, and says where the others are', () => {
    open({ waiting: ['1', '2', '3', '4', '5', '6'].map((id) => request(id, `tool_${id}`)) })
    expect([labels().filter((label) => label.includes('tool_')).length, labels()[6]]).toEqual([5, 'Requests'])
  })

  test.each([
    ['darwin', 'trayTemplate.png', '2', 0],
    ['win32', 'tray.png', '', 1],
    ['linux', 'tray.png', '', 1],
  ] as const)('on %s has its own picture, and opens the window where a click does not open the menu', (os, picture, title, shows) => {
    const { did } = open({ os, waiting: [request('1', 'a'), request('2', 'b')] })
    tray().fire('click')
    const [[image] = []] = callsOf('tray.new')
    expect([String(image).endsWith(picture), tray().title, tray().toolTip, did.length]).toEqual([true, title, 'Assent: 2 waiting', shows])
  })

  test('follows its setting', () => {
    const { set } = open({ settings: { tray: false } })
    const before = Tray.open.length
    set({ tray: true })
    const during = labels().length
    set({ tray: false })
    expect([before, during > 0, Tray.open.length]).toEqual([0, true, 0])
  })

  test.each([
    ['linux', 'GNOME', false],
    ['linux', 'ubuntu:GNOME', true],
    ['linux', 'sway', false],
    ['linux', undefined, false],
    ['win32', 'GNOME', true],
  ] as const)('on %s with %s can be seen: %s', (os, XDG_CURRENT_DESKTOP, expected) => {
    expect(showsTray(os, { XDG_CURRENT_DESKTOP })).toBe(expected)
  })
})

describe('the last window', () => {
  // GNOME shows no tray: who closed the window could not come back (kamhix/todoist-linux issue 37).
  test.each([
    [{ XDG_CURRENT_DESKTOP: 'KDE' }, {}, 0, 1],
    [{ XDG_CURRENT_DESKTOP: 'GNOME' }, {}, 1, 0],
    [{}, {}, 1, 0],
    [{ XDG_CURRENT_DESKTOP: 'KDE' }, { tray: false }, 1, 0],
    [{ XDG_CURRENT_DESKTOP: 'KDE' }, { dismissed: ['goes-on-in-tray'] }, 0, 0],
  ])('with %j and %j quits or goes on, which is said once', (env, settings, quits, said) => {
    const { desktop, did } = open({ env, settings })
    desktop.onLastClosed()
    expect([callsOf('app.quit').length, Notification.shown.length, did.length]).toEqual([quits, said, said])
  })
})

describe('the badge', () => {
  test.each(['darwin', 'linux'] as const)('on %s is the number of what waits', (os) => {
    const { tell } = open({ os, waiting: [request('r1', 'a')] })
    tell('overdueCalls.changed', { overdueCalls: [{}, {}] })
    tell('consent.closed', { id: 'r1' })
    expect(callsOf('app.setBadgeCount')).toEqual([[1], [3], [2]])
  })

  test('on Windows is drawn over each window, and again when one is shown', () => {
    const first = new BrowserWindow()
    const { tell } = open({ os: 'win32', waiting: [request('r1', 'a')] })
    new BrowserWindow().show()
    tell('consent.closed', { id: 'r1' })
    first.destroy()
    tell('overdueCalls.changed', { overdueCalls: [] })
    expect(callsOf('window.setOverlayIcon').map(([image, words]) => [image === null, words])).toEqual([
      [false, '1 waiting'],
      [false, '1 waiting'],
      [true, ''],
      [true, ''],
      [true, ''],
    ])
    expect(callsOf('app.setBadgeCount')).toEqual([])
  })
})

describe('the start at login', () => {
  test('is off, and is not touched until the person turns it on', () => {
    app.isPackaged = true
    const { set } = open({ os: 'win32' })
    const before = callsOf('app.setLoginItemSettings').length
    set({ startAtLogin: true })
    set({ startAtLogin: false })
    const args = ['--data-dir', '/a folder', '--hidden']
    expect([before, callsOf('app.setLoginItemSettings')]).toEqual([0, [[{ openAtLogin: true, args }], [{ openAtLogin: false, args }]]])
  })

  test.each(['win32', 'darwin'] as const)(
    'on %s stays off where the person turned it off in the system, until they turn it on here',
    (os) => {
      app.isPackaged = true
      const { set } = open({ os })
      set({ startAtLogin: true })
      if (app.loginItem) app.loginItem.isOff = true
      const again = open({ os, settings: { startAtLogin: true } })
      const atStart = app.loginItem?.isOff
      again.set({ startAtLogin: false })
      again.set({ startAtLogin: true })
      expect([atStart, app.loginItem?.isOff]).toEqual([true, false])
    },
  )

  test('shows no window at first where the app goes on without one; a second start shows it', () => {
    const { desktop, did } = open({ os: 'win32' })
    desktop.start(['--hidden'], true)
    const before = did.length
    desktop.start(['--hidden'], false)
    expect([before, did]).toEqual([0, ['show']])
    const gnome = open({ env: { XDG_CURRENT_DESKTOP: 'GNOME' } })
    gnome.desktop.start(['--hidden'], true)
    expect(gnome.did).toEqual(['show'])
    app.openedAtLogin = true
    const mac = open({ os: 'darwin' })
    mac.desktop.start([], true)
    expect(mac.did).toEqual([])
  })
})

describe('launch menus', () => {
  test('on Windows are tasks that start this profile, in the language of now', () => {
    app.isPackaged = true
    open({ os: 'win32' })
    const [[tasks] = []] = callsOf('app.setUserTasks')
    expect((tasks as Electron.Task[]).map(({ title, arguments: words }) => [title, words])).toEqual([
      ['New chat', '--data-dir "/a folder" --new-chat'],
      ['Quick entry', '--data-dir "/a folder" --quick-entry'],
    ])
  })

  test('of a start are carried out in the running app', () => {
    const { desktop, did } = open()
    desktop.start(['/app', '--new-chat'], false)
    desktop.start(['/app', '--quick-entry'], false)
    expect([did, BrowserWindow.open.map(({ shown }) => shown)]).toEqual([[{ kind: 'go', hash: '#/chat' }], [true]])
  })

  test('on a Mac are the Dock’s; elsewhere there is none', () => {
    open({ os: 'darwin' })
    open({ os: 'linux' })
    expect([callsOf('dock.setMenu').length, callsOf('app.setUserTasks').length]).toEqual([1, 0])
  })
})

describe('the quick entry', () => {
  const quick = (os: NodeJS.Platform = 'linux') => {
    const opened = open({ os })
    opened.desktop.start(['--quick-entry'], false)
    const [window] = BrowserWindow.open
    if (!window) throw new Error('no window')
    return { ...opened, window }
  }

  test('has a page as locked down as the main window’s, by our own scheme, over other apps and away from the taskbar', () => {
    const { window } = quick('darwin')
    const { preload, enablePreferredSizeMode, ...locked } = window.options.webPreferences ?? {}
    expect([locked, preload, enablePreferredSizeMode]).toEqual([lockedPage, '/app/preload.cjs', true])
    const { frame, alwaysOnTop, skipTaskbar, type, show } = window.options
    expect([{ frame, alwaysOnTop, skipTaskbar, type, show }, callsOf('window.loadURL')]).toEqual([
      { frame: false, alwaysOnTop: true, skipTaskbar: true, type: 'panel', show: false },
      [['app://assent/#/quick']],
    ])
  })

  test('on a Mac is seen over a full screen, and leaves the app in the Dock', () => {
    quick('darwin').desktop.start(['--quick-entry'], false)
    expect([callsOf('window.setVisibleOnAllWorkspaces'), callsOf('dock.hide')]).toEqual([[[true, true]], []])
  })

  test('is as high as its page, up to a limit, and stands on the screen with the pointer', () => {
    const { window } = quick()
    const sizes = [60, 300, 9000].map((height) => {
      window.webContents.fire('preferred-size-changed', fakeEvent(), { width: 200, height })
      return [window.bounds.width, window.bounds.height]
    })
    expect([sizes, window.bounds.x, window.bounds.y]).toEqual([
      [
        [640, 96],
        [640, 300],
        [640, 560],
      ],
      640,
      208,
    ])
  })

  test('is hidden by the same keys or by its page, kept for the next time, and gone at a quit', () => {
    const { window, desktop } = quick()
    desktop.platform(failuresOf()).hideQuickEntry()
    const shown = [window.shown]
    desktop.start(['--quick-entry'], false)
    window.close()
    shown.push(window.shown)
    for (const _ of [1, 2]) {
      desktop.start(['--quick-entry'], false)
      shown.push(window.shown)
    }
    expect([shown, BrowserWindow.open.length, callsOf('window.new').length]).toEqual([[false, false, true, false], 1, 1])
    app.quit()
    expect([window.destroyed, callsOf('app.ended').length]).toEqual([true, 1])
  })

  test('shows every other page in the main window, and is itself again', () => {
    const { window, did } = quick()
    window.webContents.fire('did-navigate-in-page', fakeEvent(), 'app://assent/#/quick/c1', true)
    window.webContents.fire('did-navigate-in-page', fakeEvent(), 'app://assent/#/chat/c1', true)
    window.webContents.fire('did-navigate-in-page', fakeEvent(), 'https://example.org/#/chat/c2', true)
    expect([did, window.shown, callsOf('contents.loadURL')[0]]).toEqual([
      [{ kind: 'go', hash: '#/chat/c1' }],
      false,
      ['app://assent/#/quick'],
    ])
  })
})

describe('its keys', () => {
  const keys = 'CmdOrCtrl+Shift+Space'

  test('are nobody’s until they are turned on; then they open it from every app', () => {
    const { set, desktop } = open()
    const before = callsOf('globalShortcut.register').length
    set({ quickEntryKeys: true })
    pressAnywhere(keys)
    expect([before, desktop.platform(failuresOf()).state().keys, BrowserWindow.open.length]).toEqual([0, 'on', 1])
    set({ quickEntryKeys: false })
    pressAnywhere(keys)
    expect([BrowserWindow.open[0]?.shown, desktop.platform(failuresOf()).state().keys]).toEqual([true, 'off'])
  })

  test('that another app has are said to be taken', () => {
    keyboard.taken.add(keys)
    const { desktop } = open({ settings: { quickEntryKeys: true } })
    expect(desktop.platform(failuresOf()).state().keys).toBe('taken')
  })

  test('can be changed; under Wayland, whose desktop decides and goes on to send those of before, these do nothing', () => {
    keyboard.portal = true
    const { set, desktop } = open({ env: { XDG_SESSION_TYPE: 'wayland' }, settings: { quickEntryKeys: true } })
    set({ shortcuts: { quickEntry: { key: 'j', alt: true } } })
    pressAnywhere(keys)
    const before = BrowserWindow.open.length
    pressAnywhere('Alt+J')
    expect([before, BrowserWindow.open.length, desktop.platform(failuresOf()).state().keys]).toEqual([0, 1, 'asked'])
    // `unregisterAll` would end Electron at the next press; the fake has none.
    expect(callsOf('globalShortcut.unregister')).toEqual([[keys]])
  })
})

test('a safe start has no tray, no badge and no keys, and can still be asked', () => {
  const { desktop } = open({ safe: true, settings: { quickEntryKeys: true, startAtLogin: true } })
  expect([
    Tray.open,
    callsOf('app.setBadgeCount'),
    callsOf('globalShortcut.register'),
    desktop.platform(failuresOf()).state().keys,
  ]).toEqual([[], [], [], 'off'])
})
