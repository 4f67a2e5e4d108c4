import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { defaultSettings } from '#app/settings.ts'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import type { Platform } from '#main/platform.ts'
import type { serveAgent } from '#main/shell/mcp/serve-agent.ts'
import { app, resetElectron } from '../../../e2e/electron-fake/electron.ts'
import { fakeEvent } from '../../../e2e/electron-fake/emitter.ts'
import { FakeProcess } from '../../../e2e/electron-fake/process.ts'
import { callsOf } from '../../../e2e/electron-fake/record.ts'
import { Notification } from '../../../e2e/electron-fake/system.ts'
import { BrowserWindow } from '../../../e2e/electron-fake/window.ts'
import { serveAgentHere, stayForAgents } from './agent.ts'
import { stayOutOfDock } from './dock.ts'
import { createPlatform, runShell } from './shell.ts'
import { withoutScreen } from './start-options.ts'

vi.mock('electron', () => import('../../../e2e/electron-fake/electron.ts'))
const nothing = { consentRequests: [], overdueCalls: [], servers: [], settings: defaultSettings }
vi.mock('#main/host.ts', () => ({
  createHost({ platform }: { platform: Platform }) {
    did.platforms.push(platform)
    const none = async () => undefined
    return { onEvent: () => () => undefined, snapshot: () => nothing, request: none, dispose: none, listenForAgents: none }
  },
}))
vi.mock('#main/shell/socket/listen-for-commands.ts', () => ({ listenForCommands: async () => ({ close: async () => undefined }) }))
const did = vi.hoisted(() => ({
  started: [] as (readonly string[])[],
  with: [] as unknown[],
  served: [] as Parameters<typeof serveAgent>[0][],
  platforms: [] as Platform[],
}))
vi.mock('#main/shell/mcp/serve-agent.ts', async (actual) => ({
  ...(await actual<object>()),
  startProgram(args: readonly string[], options: unknown) {
    did.started.push(args)
    did.with.push(options)
  },
  async serveAgent(options: Parameters<typeof serveAgent>[0]) {
    did.served.push(options)
    options.startHost()
  },
}))

let root: string
beforeEach(() => {
  resetElectron()
  did.started.length = 0
  did.with.length = 0
  did.served.length = 0
  root = mkdtempSync(join(tmpdir(), 'assent-agent-'))
  mkdirSync(join(root, 'dist', 'renderer'), { recursive: true })
})
afterEach(() => rmSync(root, { recursive: true, force: true, maxRetries: 3 }))

/** What agents pass on (DEFAULT_INHERITED_ENV_VARS of the MCP SDK). */
const bare = { HOME: '/home/p', PATH: '/bin', USER: 'p' }
const session = 'DISPLAY=:1\nHOME=/home/q\nXDG_CURRENT_DESKTOP=KDE\nDBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/7/bus\n'
/** Serves an agent; what it needs of the process is returned. */
const serve = async (args: readonly string[], os: NodeJS.Platform, env: Record<string, string>, found = session) => {
  const agent = { env, process: new FakeProcess(), stderr: new PassThrough({ encoding: 'utf8' }), openStdin: () => new PassThrough() }
  await serveAgentHere(args, os, { ...agent, readSession: () => found })
  return agent
}

describe('Assent mcp', () => {
  test.each([
    [['mcp'], true, ['--for-agents']],
    [['--ozone-platform=headless', 'mcp'], true, ['--for-agents']],
    [['--ozone-platform=wayland', 'mcp'], true, ['--ozone-platform=wayland', '--for-agents']],
    [['mcp', '--data-dir', '/a b'], true, ['--data-dir', '/a b', '--for-agents']],
    [['.', 'mcp'], false, ['.', '--for-agents']],
  ])('%j (installed: %s) starts the app on the same profile, without a window: %j', async (args, packaged, expected) => {
    app.isPackaged = packaged
    await serve(args, 'linux', { DISPLAY: ':0' })
    expect([did.started, did.with, callsOf('app.exit'), callsOf('app.requestSingleInstanceLock')]).toEqual([
      [expected],
      [{ env: {}, program: undefined, windowsHide: false }],
      [[0]],
      [],
    ])
  })

  test('needs no display itself, and starts the app on the one of the person’s session', async () => {
    app.isPackaged = true
    await serve(['mcp'], 'linux', { ...bare, XDG_RUNTIME_DIR: '/run/user/7', APPIMAGE: '/opt/a.AppImage' })
    const variables = { DISPLAY: ':1', XDG_CURRENT_DESKTOP: 'KDE', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/7/bus' }
    expect([withoutScreen('linux'), withoutScreen('darwin'), did.with]).toEqual([
      ['--ozone-platform=headless'],
      [],
      [{ env: { ...variables, XDG_RUNTIME_DIR: '/run/user/7' }, program: '/opt/a.AppImage', windowsHide: false }],
    ])
  })

  test('starts no app where nobody has a display, and says so', async () => {
    const { stderr } = await serve(['mcp'], 'linux', bare, 'HOME=/home/p\n')
    expect([did.started, stderr.read()]).toEqual([[], 'assent: Open Assent, or run “assent serve”.\n'])
  })

  test('keeps Chromium’s files out of the profile, and takes no graphics card', async () => {
    await serve(['mcp', '--data-dir', '/a b'], 'darwin', {})
    expect([callsOf('app.setPath'), callsOf('app.disableHardwareAcceleration')]).toEqual([[['userData', '/a b.agents']], [[]]])
  })

  test('shows no box when something fails, also once the agent’s pipes are gone', async () => {
    const agent = await serve(['mcp'], 'win32', {})
    agent.stderr.emit('error', new Error('EPIPE'))
    agent.process.emit('uncaughtException', new Error('broken'))
    expect([agent.stderr.read(), callsOf('app.exit'), callsOf('dialog.showErrorBox')]).toEqual(['assent: broken\n', [[0], [1]], []])
  })

  test('on a Mac is not in the Dock, and opens the app, with a link or a bundle too, when the person does', async () => {
    app.isPackaged = true
    stayOutOfDock(['mcp'], 'darwin')
    stayOutOfDock(['mcp'], 'linux')
    await serve(['mcp'], 'darwin', {})
    const event = fakeEvent()
    app.fire('activate')
    app.fire('open-url', event, 'assent://install?x')
    app.fire('open-file', event, '/a.mcpb')
    expect([callsOf('app.setActivationPolicy'), did.started, event.defaultPrevented]).toEqual([
      [['prohibited']],
      [['--for-agents'], [], ['assent://install?x'], ['/a.mcpb']],
      true,
    ])
  })

  test('on Windows reads what the agent writes, where Electron’s own stdin is at its end', async () => {
    await serve(['mcp'], 'win32', {})
    await serve(['mcp'], 'linux', bare)
    expect(did.served.map(({ stdin }) => stdin instanceof PassThrough)).toEqual([true, false])
  })
})

describe('the app that an agent started', () => {
  const start = async (args: readonly string[]): Promise<void> => {
    const running = runShell({
      ...{ dist: join(root, 'dist'), icon: undefined, os: 'linux', args, folder: root, onShown: () => undefined },
      ...{ env: { ASSENT_NO_KEYRING: '1' }, stderr: new PassThrough(), process: new FakeProcess(), places: { dataDir: root } },
    })
    app.ready.resolve()
    await running
  }

  test('has no window, whatever other agents start; the person’s own start shows one', async () => {
    await start(['--for-agents'])
    app.secondInstance(['/app', '--for-agents'])
    const before = BrowserWindow.open.length
    app.secondInstance(['/app'])
    expect([before, BrowserWindow.open.length]).toEqual([0, 1])
  })

  test('is named to other programs as one that needs no display', async () => {
    app.isPackaged = true
    await start(['--for-agents'])
    expect(did.platforms.at(-1)?.commandLine('mcp').slice(1)).toEqual(['--ozone-platform=headless', 'mcp'])
  })

  test('is named by the place where the person moves it, while Gatekeeper runs it from another', async () => {
    app.isPackaged = true
    const program = vi.spyOn(process, 'execPath', 'get').mockReturnValue('/private/AppTranslocation/0A/d/Assent.app/Contents/MacOS/Assent')
    await start(['--for-agents'])
    expect(did.platforms.at(-1)?.commandLine('mcp')[0]).toBe('/Applications/Assent.app/Contents/MacOS/Assent')
    program.mockRestore()
  })

  test('tells what waits by a notification, which shows the window when it is clicked', () => {
    const shown: unknown[] = []
    const platform = createPlatform({ showConversation: (id: string | undefined) => shown.push(id) } as never)
    platform.notify({ title: '“files” waits for your answer', body: '' })
    Notification.shown.at(-1)?.fire('click')
    expect([Notification.shown.length, shown]).toEqual([1, [undefined]])
  })

  // Its icon was there until the host was open, seconds later.
  test.each([
    [['--for-agents'], 'darwin', 1],
    [['--hidden'], 'darwin', 0],
    [['--for-agents'], 'win32', 0],
  ] as const)('started by %j on %s is kept out of the Dock at once: %s', (args, os, times) => {
    stayOutOfDock(args, os)
    expect([callsOf('dock.hide').length, callsOf('app.setActivationPolicy')]).toEqual([times, []])
  })

  test.each([
    ['after the last agent has left', ['--for-agents'], [1, 2, 1, 0], false, 1],
    ['when none came', ['--for-agents'], [0], false, 1],
    ['not while one is connected', ['--for-agents'], [0, 1], false, 0],
    ['not once the person has a window', ['--for-agents'], [1, 0], true, 0],
    ['not when the person started it', [], [1, 0], false, 0],
  ])('ends seconds later: %s', (_, args, counts, window, ends) => {
    const clock = manualClock()
    let ended = 0
    const end = (): void => {
      ended += 1
    }
    const onConnections = stayForAgents(args, clock, end, () => false)
    for (const count of counts) onConnections?.(count)
    if (window) app.fire('browser-window-created')
    clock.advance(60_000)
    expect([ended, callsOf('dock.show').length]).toEqual([ends, window ? 1 : 0])
  })

  test('stays while a task of an agent runs', () => {
    const clock = manualClock()
    const [ended, running] = [[] as true[], new Set(['task'])]
    const onConnections = stayForAgents(
      ['--for-agents'],
      clock,
      () => ended.push(true),
      () => running.size > 0,
    )
    onConnections?.(0)
    clock.advance(60_000)
    expect(ended).toEqual([])
    running.clear()
    clock.advance(5000)
    expect(ended).toEqual([true])
  })
})
