import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { defaultSettings } from '#app/settings.ts'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import type { serveAgent } from '#main/shell/mcp/serve-agent.ts'
import { app, resetElectron } from '../../../e2e/electron-fake/electron.ts'
import { FakeProcess } from '../../../e2e/electron-fake/process.ts'
import { callsOf } from '../../../e2e/electron-fake/record.ts'
import { Notification } from '../../../e2e/electron-fake/system.ts'
import { BrowserWindow } from '../../../e2e/electron-fake/window.ts'
import { serveAgentHere, stayForAgents } from './agent.ts'
import { createPlatform, runShell } from './shell.ts'

vi.mock('electron', () => import('../../../e2e/electron-fake/electron.ts'))
const nothing = { consentRequests: [], overdueCalls: [], servers: [], settings: defaultSettings }
vi.mock('#main/host.ts', () => ({
  createHost: () => ({
    onEvent: () => () => undefined,
    snapshot: () => nothing,
    request: async () => undefined,
    dispose: async () => undefined,
  }),
}))
vi.mock('#main/shell/socket/listen-for-commands.ts', () => ({ listenForCommands: async () => ({ close: async () => undefined }) }))
const did = vi.hoisted(() => ({ started: [] as (readonly string[])[], served: [] as Parameters<typeof serveAgent>[0][] }))
vi.mock('#main/shell/mcp/serve-agent.ts', async (actual) => ({
  ...(await actual<object>()),
  startProgram: (args: readonly string[]) => void did.started.push(args),
  async serveAgent(options: Parameters<typeof serveAgent>[0]) {
    did.served.push(options)
    options.startHost()
  },
}))

let root: string
beforeEach(() => {
  resetElectron()
  did.started.length = 0
  did.served.length = 0
  root = mkdtempSync(join(tmpdir(), 'assent-agent-'))
  mkdirSync(join(root, 'dist', 'renderer'), { recursive: true })
})
afterEach(() => rmSync(root, { recursive: true, force: true, maxRetries: 3 }))

describe('Assent mcp', () => {
  test.each([
    [['mcp'], true, ['--for-agents']],
    [['--ozone-platform=headless', 'mcp'], true, ['--ozone-platform=headless', '--for-agents']],
    [['mcp', '--data-dir', '/a b'], true, ['--data-dir', '/a b', '--for-agents']],
    [['.', 'mcp'], false, ['.', '--for-agents']],
  ])('%j (installed: %s) starts the app on the same profile, without a window: %j', async (args, packaged, expected) => {
    app.isPackaged = packaged
    await serveAgentHere(args, 'linux')
    expect([did.started, callsOf('app.exit'), callsOf('app.requestSingleInstanceLock')]).toEqual([[expected], [[0]], []])
  })

  test('on a Mac is not in the Dock, and opens the app when the person does', async () => {
    app.isPackaged = true
    await serveAgentHere(['mcp'], 'darwin')
    app.fire('activate')
    expect([callsOf('app.setActivationPolicy'), did.started]).toEqual([[['prohibited']], [['--for-agents'], []]])
  })

  test('on Windows reads what the agent writes, where Electron’s own stdin is at its end', async () => {
    const stdin = new PassThrough()
    await serveAgentHere(['mcp'], 'win32', () => stdin)
    await serveAgentHere(['mcp'], 'linux', () => stdin)
    expect(did.served.map((options) => options.stdin === stdin)).toEqual([true, false])
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

  test('tells what waits by a notification, which shows the window when it is clicked', () => {
    const shown: unknown[] = []
    const platform = createPlatform({ showConversation: (id: string | undefined) => shown.push(id) } as never)
    platform.notify({ title: '“files” waits for your answer', body: '' })
    Notification.shown.at(-1)?.fire('click')
    expect([Notification.shown.length, shown]).toEqual([1, [undefined]])
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
    const onConnections = stayForAgents(args, clock, () => {
      ended += 1
    })
    for (const count of counts) onConnections?.(count)
    if (window) app.fire('browser-window-created')
    clock.advance(60_000)
    expect([ended, callsOf('dock.hide').length, callsOf('dock.show').length]).toEqual([ends, args.length, window ? 1 : 0])
  })
})
