import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { channels } from '#app/contract/channels.ts'
import type { HostEvent } from '#app/contract/events.ts'
import type { Snapshot } from '#app/contract/snapshot.ts'
import { HostError } from '#app/errors.ts'
import { defined } from '#app/or-else.ts'
import { defaultSettings, type Settings } from '#app/settings.ts'
import type { HostOptions } from '#main/host/host-options.ts'
import type { createHost } from '#main/host.ts'
import { app, nativeTheme, resetElectron, session } from '../../../e2e/electron-fake/electron.ts'
import { fakeEvent } from '../../../e2e/electron-fake/emitter.ts'
import { FakeProcess } from '../../../e2e/electron-fake/process.ts'
import { calls, callsOf, indexOf } from '../../../e2e/electron-fake/record.ts'
import { applicationMenus, dialogAnswers, keyring, Notification, protocolHandlers } from '../../../e2e/electron-fake/system.ts'
import { BrowserWindow } from '../../../e2e/electron-fake/window.ts'
import { failToStart, runShell } from './shell.ts'

vi.mock('electron', () => import('../../../e2e/electron-fake/electron.ts'))
const hosts = vi.hoisted(() => ({ create: undefined as unknown as (options: HostOptions) => unknown }))
vi.mock('#main/host.ts', () => ({ createHost: (options: HostOptions) => hosts.create(options) }))
/** Data folders whose socket for commands is open. */
const joinable = vi.hoisted(() => new Set<string>())
vi.mock('#main/shell/socket/listen-for-commands.ts', () => ({
  async listenForCommands({ dataDir }: { readonly dataDir: string }) {
    joinable.add(dataDir)
    return { close: async () => void joinable.delete(dataDir) }
  },
}))
let root: string
let dataDir: string
let dist: string
let created: HostOptions[]
let disposals: number
let asked: (readonly [string, unknown])[]
let tell: (event: HostEvent) => void
let outside: unknown[]
let fakeProcess: FakeProcess
let own: Partial<Settings>
const nothing = { consentRequests: [], overdueCalls: [], servers: [] }
beforeEach(() => {
  resetElectron()
  fakeProcess = new FakeProcess()
  root = mkdtempSync(join(tmpdir(), 'assent-shell-'))
  dataDir = root
  created = []
  own = {}
  disposals = 0
  outside = []
  tell = () => undefined
  asked = []
  hosts.create = (options): Partial<ReturnType<typeof createHost>> => {
    created.push(options)
    return {
      onEvent(listener) {
        const before = tell
        tell = (event) => {
          before(event)
          listener(event)
        }
        return () => undefined
      },
      snapshot: () => ({ ...nothing, settings: { ...defaultSettings, theme: 'dark', ...own } }) as Partial<Snapshot> as Snapshot,
      // biome-ignore lint/suspicious/noExplicitAny: the host answers each request by its own type
      async request(name: string, params: unknown): Promise<any> {
        asked.push([name, params])
      },
      openDeepLink: (thing) => void outside.push(thing),
      listenForAgents: async () => undefined,
      async dispose() {
        disposals += 1
      },
    }
  }
  dist = join(dataDir, 'dist')
  cpSync(join(import.meta.dirname, '../../../resources/tray'), join(dataDir, 'resources/tray'), { recursive: true })
  mkdirSync(join(dist, 'renderer'), { recursive: true })
})
afterEach(() => rmSync(root, { recursive: true, force: true, maxRetries: 3 }))

const start = (os: NodeJS.Platform = 'linux', env: Record<string, string> = { ASSENT_NO_KEYRING: '1' }, former?: string): Promise<void> =>
  runShell({
    dist,
    icon: undefined,
    os,
    args: ['--data-dir', dataDir],
    folder: dataDir,
    env,
    stderr: new PassThrough(),
    process: fakeProcess,
    onShown: () => undefined,
    places: { dataDir, ...defined({ former }) },
  })

async function started(os: NodeJS.Platform = 'linux'): Promise<BrowserWindow> {
  const running = start(os, { ASSENT_NO_KEYRING: '1', XDG_CURRENT_DESKTOP: 'KDE' })
  app.ready.resolve()
  await running
  const [window] = BrowserWindow.open
  if (!window) throw new Error('no window was opened')
  return window
}

function clickMenu(label: string): void {
  const items = applicationMenus.at(-1)?.flatMap((item) => (Array.isArray(item.submenu) ? item.submenu : [])) ?? []
  const item = items.find((candidate) => candidate.label === label)
  item?.click?.(...([] as unknown as Parameters<NonNullable<typeof item.click>>))
}

describe('before the app is ready', () => {
  test('every page is sandboxed, the scheme is known and this is the only instance; no window, no host', () => {
    void start()
    expect([indexOf('app.enableSandbox') >= 0, indexOf('protocol.registerSchemesAsPrivileged') >= 0, created, BrowserWindow.open]).toEqual([
      true,
      true,
      [],
      [],
    ])
    expect(indexOf('app.requestSingleInstanceLock')).toBeLessThan(indexOf('app.enableSandbox'))
    expect(indexOf('app.enableSandbox')).toBeLessThan(indexOf('app.whenReady'))
  })

  test('Chromium’s files are kept apart from the profile’s, in place before the lock is asked for', () => {
    void start()
    expect(calls[0]).toEqual({ name: 'app.setPath', args: ['userData', join(dataDir, 'browser')] })
    expect(existsSync(join(dataDir, 'browser'))).toBe(true)
  })
})

describe('with a profile in the folder of an earlier version', () => {
  const moveAt = async (press = 0): Promise<string> => {
    const former = join(dataDir, 'former')
    dataDir = join(dataDir, 'local')
    mkdirSync(former)
    writeFileSync(join(former, 'assent.db'), 'rows')
    dialogAnswers.button = press
    const moving = start('win32', { ASSENT_NO_KEYRING: '1', XDG_STATE_HOME: join(dataDir, 'state') }, former)
    app.ready.resolve()
    await moving
    return former
  }

  test('it is moved before anything uses either folder, then the app starts again', async () => {
    const former = await moveAt()
    expect([existsSync(former), readFileSync(join(dataDir, 'assent.db'), 'utf8')]).toEqual([false, 'rows'])
    expect([created, BrowserWindow.open]).toEqual([[], []])
    expect([callsOf('app.relaunch').length, callsOf('app.exit')]).toEqual([1, [[0]]])
    const [[name, path] = []] = callsOf('app.setPath')
    expect([name, path]).toEqual(['userData', `${dataDir}.browser`])
  })

  test('where both places have one the person chooses; Cancel leaves both and ends the app', async () => {
    mkdirSync(join(dataDir, 'local'))
    writeFileSync(join(dataDir, 'local', 'assent.db'), 'other rows')
    const former = await moveAt(2)
    const [[box] = []] = callsOf('dialog.showMessageBox')
    expect(box).toMatchObject({ buttons: [dataDir, former, 'Cancel'], cancelId: 2 })
    expect([existsSync(former), callsOf('app.relaunch').length, callsOf('app.exit')]).toEqual([true, 0, [[0]]])
  })
})

test('a second instance of a profile leaves at once, and the first comes to the front', async () => {
  const window = await started()
  window.minimized = true
  const before = window.focusCount
  app.secondInstance(['/app'])
  expect([window.minimized, window.focusCount, BrowserWindow.open.length]).toEqual([false, before + 1, 1])

  app.hasLock = false
  await start()
  expect([callsOf('app.quit').length, created.length]).toEqual([1, 1])
})

test('once ready: permissions are denied before there is a window, the host has the profile, the page is served', async () => {
  const window = await started()
  const certificate = fakeEvent()
  app.fire('select-client-certificate', certificate, null, 'https://example.org/', [], () => undefined)
  expect([session.defaultSession.permissionRequest === null, certificate.defaultPrevented]).toEqual([false, true])
  expect(created.map((options) => [options.dataDir, options.version, options.platform.shell.kind])).toEqual([
    [dataDir, '9.9.9', 'electron'],
  ])
  expect([...protocolHandlers.keys()]).toEqual(['app'])
  expect(window.webContents.windowOpen).toBeDefined()
  expect(applicationMenus.length).toBe(1)
})

test('the menu is made anew in another language, and for nothing else', async () => {
  await started()
  tell({ name: 'settings.changed', revision: 1, payload: { settings: { ...defaultSettings, theme: 'light' } } })
  const before = applicationMenus.length
  tell({ name: 'settings.changed', revision: 2, payload: { settings: { ...defaultSettings, language: 'de' } } })
  expect([before, applicationMenus.length]).toEqual([1, 2])
})

test('light and dark follow the settings', async () => {
  const window = await started()
  const first = nativeTheme.themeSource
  tell({ name: 'settings.changed', revision: 1, payload: { settings: { ...defaultSettings, theme: 'light' } } })
  nativeTheme.shouldUseDarkColors = true
  nativeTheme.fire('updated')
  expect([first, nativeTheme.themeSource, window.background]).toEqual(['dark', 'light', '#131518'])
})

test('the menu changes the text size, which the pages follow', async () => {
  await started()
  clickMenu('Larger text')
  expect(asked).toEqual([['settings.set', { textSize: 110 }]])
})

test('a notification’s chat and the menu’s commands go to the window that is in front', async () => {
  await started()
  created[0]?.platform.openWindow?.()
  const [first, second] = BrowserWindow.open
  BrowserWindow.focused = second ?? null
  clickMenu('New chat')
  expect([first?.webContents.sent.length, second?.webContents.sent.length]).toEqual([0, 1])
})

describe('a command of the menu', () => {
  test('reaches the page', async () => {
    const window = await started()
    clickMenu('New chat')
    expect(window.webContents.sent).toEqual([{ channel: channels.command, args: [{ kind: 'go', hash: '#/chat' }] }])
  })

  test('opens a window when there is none, and waits until its page can hear', async () => {
    const first = await started('darwin')
    first.destroy()
    clickMenu('New chat')
    const [window] = BrowserWindow.open
    expect(window === first).toBe(false)
    if (!window) throw new Error('no window was opened')
    window.webContents.loading = true
    clickMenu('Settings…')
    const before = window.webContents.sent.length
    window.webContents.fire('did-finish-load')
    expect([before, window.webContents.sent.at(-1)?.args]).toEqual([1, [{ kind: 'go', hash: '#/settings' }]])
  })
})

test('a link or a bundle that is opened goes to the host, from whatever instance; the window comes to the front', async () => {
  app.isPackaged = true
  const window = await started()
  const before = window.focusCount
  app.secondInstance(['/app', 'assent://install?name=a'])
  app.secondInstance(['/app', '--flag'])
  app.secondInstance(['/app', 'here.mcpb'], '/home/m/inbox')
  app.fire('open-file', fakeEvent(), '/home/m/notes.mcpb')
  expect([outside, window.focusCount - before, callsOf('app.setAsDefaultProtocolClient')]).toEqual([
    [
      { kind: 'link', text: 'assent://install?name=a' },
      { kind: 'file', path: '/home/m/inbox/here.mcpb' },
      { kind: 'file', path: '/home/m/notes.mcpb' },
    ],
    3,
    [['assent']],
  ])
})

describe('leaving', () => {
  test.each([
    ['linux', false, 1],
    ['darwin', false, 0],
    ['linux', true, 0],
    ['win32', true, 0],
  ] as const)('with its last window on %s (tray: %s)', async (os, tray, quits) => {
    own = { tray }
    const window = await started(os)
    created[0]?.platform.openWindow?.()
    BrowserWindow.open.at(-1)?.close()
    window.close()
    expect([callsOf('app.quit').length, Notification.shown.length]).toEqual([quits, tray ? 1 : 0])
    await expect.poll(() => disposals).toBe(quits)
  })

  test('with the session of Windows, which tells the app by its window alone', async () => {
    await started('win32')
    BrowserWindow.endSession()
    await expect.poll(() => callsOf('app.exit')).toEqual([[0]])
    expect([disposals, callsOf('app.terminated')]).toEqual([1, []])
  })

  test('with unsaved text asks, and whoever stays has ended nothing', async () => {
    const window = await started()
    window.webContents.unsaved = true
    window.close()
    await expect.poll(() => callsOf('dialog.showMessageBox').length).toBe(1)
    expect([BrowserWindow.open, disposals, callsOf('app.exit')]).toEqual([[window], 0, []])
  })

  test('ends the host and its socket for commands first', async () => {
    await started()
    expect(joinable).toContain(dataDir)
    app.quit()
    await expect.poll(() => callsOf('app.exit')).toEqual([[0]])
    expect([disposals, joinable.has(dataDir)]).toEqual([1, false])
  })
})

// A keyring may ask the person for its password before it answers, for as long as they please.
describe('while the keyring does not answer', () => {
  const never = new Promise<void>(() => undefined)

  test('there is a window, and a link that another program opens meanwhile is not lost', async () => {
    keyring.answered = never
    void start('linux', {})
    app.secondInstance(['/app', 'assent://install?name=early'])
    app.ready.resolve()
    app.secondInstance(['/app', 'assent://install?name=late'])
    await expect.poll(() => BrowserWindow.open.length).toBe(1)
    expect(outside).toEqual([
      { kind: 'link', text: 'assent://install?name=early' },
      { kind: 'link', text: 'assent://install?name=late' },
    ])
  })
})

describe('what fails and nobody caught', () => {
  // Electron's own listener shows a stack trace in a box, and runs on, unless it is not the only one (lib/browser/init.ts).
  test('is said in our words, after everything was ended; the app goes', async () => {
    await started()
    fakeProcess.emit('uncaughtException', new Error('a stream broke'))
    await expect.poll(() => callsOf('app.exit')).toEqual([[1]])
    const boxes = callsOf('dialog.showErrorBox')
    expect([boxes.length, String(boxes[0]?.[0]).includes('JavaScript'), disposals]).toEqual([1, false, 1])
    expect(readFileSync(join(dataDir, 'logs', 'assent.log'), 'utf8')).toContain('a stream broke')
  })

  test('of a promise is logged, and nothing ends', async () => {
    await started()
    fakeProcess.emit('unhandledRejection', new Error('late news'))
    expect([callsOf('app.exit'), callsOf('dialog.showErrorBox')]).toEqual([[], []])
    expect(readFileSync(join(dataDir, 'logs', 'assent.log'), 'utf8')).toContain('late news')
  })

  test('of a process of Chromium’s is logged', async () => {
    await started()
    app.fire('child-process-gone', fakeEvent(), { type: 'GPU', reason: 'crashed', exitCode: 139 })
    app.fire('child-process-gone', fakeEvent(), { type: 'Utility', reason: 'clean-exit', exitCode: 0, name: 'quiet' })
    const log = readFileSync(join(dataDir, 'logs', 'assent.log'), 'utf8')
    expect([log.includes('GPU'), log.includes('139'), log.includes('quiet')]).toEqual([true, true, false])
  })
})

// Windows files toasts, and what is pinned to the taskbar, under the id of the installer's shortcut (NethServer/nethlink pull
// request 133); without an activator of its own Electron makes one up each time, and writes the shortcut anew.
describe('on Windows', () => {
  test.each([
    [true, 'io.github.assent-desktop.assent'],
    [false, 'io.github.assent-desktop.assent.checkout'],
  ])('alone, its ids are set before it is ready, and are the installer’s where it is installed: %s', (isPackaged, id) => {
    app.isPackaged = isPackaged
    void start('win32')
    void start('darwin')
    expect(callsOf('app.setAppUserModelId')).toEqual([[id]])
    expect(callsOf('app.setToastActivatorCLSID')).toEqual([[expect.stringMatching(/^\{[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}\}$/)]])
    expect(indexOf('app.setToastActivatorCLSID')).toBeLessThan(indexOf('app.whenReady'))
    const builder = readFileSync(join(import.meta.dirname, '../../../electron-builder.yml'), 'utf8')
    expect(/^appId: (.+)$/m.exec(builder)?.[1]).toBe('io.github.assent-desktop.assent')
  })
})

test('after two crashes it draws without the graphics card, before it offers a safe start', async () => {
  writeFileSync(join(dataDir, 'running.json'), '{"crashes":1}')
  app.isPackaged = true
  await started()
  expect([callsOf('app.disableHardwareAcceleration').length, created[0]?.safe]).toEqual([1, true])
})

describe('without Chromium’s sandbox', () => {
  test.each([
    ['quits', 0, 0],
    ['starts', 1, 1],
  ])('the installed app asks first, and %s', async (_, button, windows) => {
    app.isPackaged = true
    app.switches = new Set(['no-sandbox'])
    dialogAnswers.button = button
    const running = start()
    app.ready.resolve()
    await running
    expect([BrowserWindow.open.length, created.length, callsOf('app.quit').length]).toEqual([windows, windows, 1 - windows])
  })
})

test('a profile that cannot be opened is told in a box, and the app ends', async () => {
  hosts.create = () => {
    throw new HostError('profile.newer', 'This profile was written by a newer Assent.')
  }
  const running = start()
  app.ready.resolve()
  await running.catch(failToStart)
  expect([callsOf('dialog.showErrorBox')[0]?.[1], callsOf('app.exit'), BrowserWindow.open]).toEqual([
    'This profile was written by a newer Assent.',
    [[1]],
    [],
  ])
})
