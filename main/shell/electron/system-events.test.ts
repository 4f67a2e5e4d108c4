// What the system tells the running app: that it may restart into an update, that a notification was clicked, that the computer woke.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { defaultSettings } from '#app/settings.ts'
import { powerMonitor } from '../../../e2e/electron-fake/desktop.ts'
import { app, resetElectron } from '../../../e2e/electron-fake/electron.ts'
import { FakeProcess } from '../../../e2e/electron-fake/process.ts'
import { callsOf } from '../../../e2e/electron-fake/record.ts'
import { Notification } from '../../../e2e/electron-fake/system.ts'
import { BrowserWindow } from '../../../e2e/electron-fake/window.ts'
import type { Leave } from './quit.ts'
import { runShell } from './shell.ts'

vi.mock('electron', () => import('../../../e2e/electron-fake/electron.ts'))
const did = vi.hoisted(() => ({ steps: [] as string[], leave: undefined as Leave | undefined }))
vi.mock('#main/host.ts', () => ({
  createHost() {
    const none = async (): Promise<undefined> => undefined
    const snapshot = () => ({ consentRequests: [], overdueCalls: [], servers: [], settings: defaultSettings })
    const dispose = async (): Promise<void> => void did.steps.push('closed')
    return { onEvent: () => () => undefined, snapshot, request: none, dispose, listenForAgents: none }
  },
}))
vi.mock('#main/shell/socket/listen-for-commands.ts', () => ({ listenForCommands: async () => ({ close: async () => undefined }) }))
vi.mock('./updates.ts', () => ({
  createUpdates({ leave }: { readonly leave: Leave }) {
    did.leave = leave
  },
}))

let root: string
beforeEach(() => {
  resetElectron()
  did.steps.length = 0
  root = mkdtempSync(join(tmpdir(), 'assent-system-'))
  mkdirSync(join(root, 'dist', 'renderer'), { recursive: true })
})
afterEach(() => rmSync(root, { recursive: true, force: true, maxRetries: 3 }))

async function start(os: NodeJS.Platform = 'linux'): Promise<BrowserWindow> {
  const running = runShell({
    ...{ dist: join(root, 'dist'), icon: undefined, os, args: [], folder: root, onShown: () => undefined },
    ...{ env: { ASSENT_NO_KEYRING: '1' }, stderr: new PassThrough(), process: new FakeProcess(), places: { dataDir: root } },
  })
  app.ready.resolve()
  await running
  const [window] = BrowserWindow.open
  if (!window) throw new Error('no window was opened')
  return window
}

test('a restart into an update takes its step once all is closed, and before the app is gone', async () => {
  await start()
  if (did.leave) did.leave.atQuit = () => did.steps.push(callsOf('app.exit').length === 0 ? 'installed' : 'too late')
  app.quit()
  await expect.poll(() => callsOf('app.exit')).toEqual([[0]])
  expect(did.steps).toEqual(['closed', 'installed'])
})

// A notification's object ends with the run that made it; a click may also start the app (docs/api/notification.md, `handleActivation`).
test.each([
  ['win32', 'click', true],
  ['win32', 'reply', false],
  ['darwin', 'click', false],
] as const)('a notification of an earlier run on %s shows the window at a %s: %s', async (os, type, shows) => {
  const window = await start(os)
  const before = window.focusCount
  Notification.activate(type)
  expect(window.focusCount > before).toBe(shows)
})

test('what Electron registered for clicks on notifications goes with the app', async () => {
  await start('win32')
  const uninstaller = readFileSync(join(import.meta.dirname, '../../../resources/installer.nsh'), 'utf8')
  expect(uninstaller).toContain(`DeleteRegKey HKCU "Software\\Classes\\CLSID\\${callsOf('app.setToastActivatorCLSID')[0]}"`)
})

test('a second start shows a window that is hidden; a new one waits until it is painted', async () => {
  const window = await start()
  const unpainted = window.shown
  window.fire('ready-to-show')
  window.hide()
  app.secondInstance(['/app'])
  expect([unpainted, window.shown]).toEqual([false, true])
})

test('a window that comes back from sleep, or from the lock screen, is painted anew', async () => {
  await start()
  powerMonitor.fire('resume')
  powerMonitor.fire('unlock-screen')
  expect(callsOf('contents.invalidate').length).toBe(2)
})
