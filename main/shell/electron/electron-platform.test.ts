import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { silentLog } from '#main/base/host-log.ts'
import { createMemorySecrets } from '#main/base/secret-store.ts'
import type { ApprovedUrl } from '#main/consent/approved.ts'
import type { Platform } from '#main/platform.ts'
import { resetElectron } from '../../../e2e/electron-fake/electron.ts'
import { callsOf } from '../../../e2e/electron-fake/record.ts'
import { dialogAnswers, Notification } from '../../../e2e/electron-fake/system.ts'
import { BrowserWindow } from '../../../e2e/electron-fake/window.ts'
import { hostileUrls } from './navigation.test-corpus.ts'
import { createPlatform, type PlatformOptions } from './shell.ts'

vi.mock('electron', () => import('../../../e2e/electron-fake/electron.ts'))
// The broker mints approvals for http(s) only; here the opener must hold by itself, whatever it is handed.
const minted = vi.hoisted(() => new WeakSet<object>())
vi.mock('#main/consent/approved.ts', () => ({
  spend(approval: object) {
    if (!minted.delete(approval)) throw new Error('not approved')
    return approval
  },
}))
function approve(url: unknown): ApprovedUrl {
  const approval = { url }
  minted.add(approval)
  return approval as ApprovedUrl
}

let shown: (string | undefined)[]
let platform: Platform
const made = (os: NodeJS.Platform, browser: PlatformOptions['browser']): Platform =>
  createPlatform({
    os,
    browser,
    secrets: createMemorySecrets(),
    updates: { state: { kind: 'none' }, follow: () => undefined, act: async () => undefined },
    launchBuiltin: () => {
      throw new Error('not in this test')
    },
    speak: () => undefined,
    log: silentLog,
    openWindow: () => undefined,
    commandLine: (command) => ['assent', command],
    showConversation: (id) => shown.push(id),
    desktop: () => ({
      state: () => ({ tray: true, keys: 'off', failures: [], folder: '' }),
      hideQuickEntry: () => undefined,
      pasteQuickEntry: () => undefined,
      showCrashes: () => undefined,
    }),
  })
beforeEach(() => {
  resetElectron()
  shown = []
  platform = made('linux', undefined)
})

describe('an address', () => {
  test('that was approved is opened in the browser, once', async () => {
    const approval = approve('https://example.org/a?b#c')
    expect(await platform.openUrl(approval)).toBe('host')
    await expect(platform.openUrl(approval)).rejects.toThrow()
    expect(callsOf('shell.openExternal')).toEqual([['https://example.org/a?b#c']])
  })

  // On Linux Electron starts `xdg-open` with what it is given (electron/electron, shell/common/platform_util_linux.cc).
  const address = 'https://auth.example/authorize?state=s'
  test.each([
    ['opened', 0, []],
    ['unreadable', 0, [['clipboard.writeText', address]]],
    ['unreadable', 1, []],
    ['no-browser', 0, [['clipboard.writeText', address]]],
  ] as const)('goes by a file that the browser reads; where that is %s, the person is asked (answer %s)', async (end, button, done) => {
    const asked: string[] = []
    const open = async (url: string) => {
      asked.push(url)
      return end
    }
    dialogAnswers.button = button
    expect(await made('linux', { open }).openUrl(approve(address))).toBe('host')
    const did = ['clipboard.writeText', 'shell.openExternal'].flatMap((name) => callsOf(name).map((args) => [name, ...args]))
    expect([asked, callsOf('dialog.showMessageBox').length, did]).toEqual([[address], end === 'opened' ? 0 : 1, done])
  })

  test('that nobody approved is not opened', async () => {
    await expect(platform.openUrl({ url: 'https://example.org/' } as ApprovedUrl)).rejects.toThrow()
    expect(callsOf('shell.openExternal')).toEqual([])
  })

  test.each(hostileUrls)('that is not http(s) is not opened even when approved: %s', async (url) => {
    await expect(platform.openUrl(approve(url))).rejects.toMatchObject({ code: 'contract.invalid' })
    expect(callsOf('shell.openExternal')).toEqual([])
  })
})

test('a folder or a file is chosen by the person, or none is', async () => {
  const none = await platform.chooseFolder('Where to')
  dialogAnswers.folder = '/home/maya/invoices'
  expect([none, await platform.chooseFolder('Where to')]).toEqual([null, '/home/maya/invoices'])
  expect(await platform.chooseFile('Which')).toBe('/home/maya/invoices')
  expect(callsOf('dialog.showOpenDialog').map(([options]) => options)).toEqual([
    { title: 'Where to', properties: ['openDirectory', 'createDirectory'] },
    { title: 'Where to', properties: ['openDirectory', 'createDirectory'] },
    { title: 'Which', properties: ['openFile', 'showHiddenFiles'] },
  ])
})

describe('a notification', () => {
  test('is shown when no window is in front; a click leads to its conversation', () => {
    platform.notify({ title: 'files waits for you', body: 'It wants to run a tool.', conversationId: 'c1' })
    const [notification] = Notification.shown
    expect(notification?.options).toEqual({ title: 'files waits for you', body: 'It wants to run a tool.' })
    notification?.fire('click')
    expect(shown).toEqual(['c1'])
  })

  // Windows keeps it in its list of notifications.
  test('can be clicked after its time is over, and not after the person took it away', async () => {
    platform.notify({ title: 'a', body: 'b', conversationId: 'c1' })
    const notification = new WeakRef(Notification.shown.pop() ?? {}) as WeakRef<Notification>
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    const isThere = async (reason: string): Promise<boolean> => {
      notification.deref()?.fire('close', { reason })
      // What was looked at stays until the turn is over.
      await new Promise(setImmediate)
      collect()
      return notification.deref() !== undefined
    }
    expect([await isThere('timedOut'), await isThere('userCanceled')]).toEqual([true, false])
  })

  test('is not shown over a window in front, nor where there are none', () => {
    BrowserWindow.focused = new BrowserWindow()
    platform.notify({ title: 'a', body: 'b' })
    BrowserWindow.focused = null
    Notification.supported = false
    platform.notify({ title: 'a', body: 'b' })
    expect(Notification.shown).toEqual([])
  })
})
