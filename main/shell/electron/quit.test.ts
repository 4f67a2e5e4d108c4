import { beforeEach, expect, test, vi } from 'vitest'
import { silentLog } from '#main/base/host-log.ts'
import { app, autoUpdater, resetElectron } from '../../../e2e/electron-fake/electron.ts'
import { fakeEvent } from '../../../e2e/electron-fake/emitter.ts'
import { callsOf } from '../../../e2e/electron-fake/record.ts'
import { BrowserWindow } from '../../../e2e/electron-fake/window.ts'
import { disposeBeforeQuit, watchQuit } from './quit.ts'

vi.mock('electron', () => import('../../../e2e/electron-fake/electron.ts'))

let timers: { ms: number; run: () => void; cancelled: boolean }[]
beforeEach(() => {
  resetElectron()
  timers = []
})
const clock = {
  now: () => 0,
  after(ms: number, run: () => void) {
    const timer = { ms, run, cancelled: false }
    timers.push(timer)
    return () => {
      timer.cancelled = true
    }
  },
}
const exits = (): number => callsOf('app.exit').length

test('the app waits for everything to be ended, then goes, and leaves no timer', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  disposeBeforeQuit(() => promise, { clock, log: silentLog })
  const event = fakeEvent()
  app.fire('will-quit', event)
  expect([event.defaultPrevented, exits()]).toEqual([true, 0])
  resolve()
  await expect.poll(exits).toBe(1)
  expect(timers.map(({ ms, cancelled }) => [ms, cancelled])).toEqual([[5000, true]])
})

test('it goes after five seconds, whatever still runs', async () => {
  disposeBeforeQuit(() => new Promise(() => undefined), { clock, log: silentLog })
  app.fire('will-quit', fakeEvent())
  timers[0]?.run()
  await expect.poll(exits).toBe(1)
})

test('it goes when closing fails', async () => {
  disposeBeforeQuit(() => Promise.reject(new Error('no')), { clock, log: silentLog })
  app.fire('will-quit', fakeEvent())
  await expect.poll(exits).toBe(1)
})

test('asked twice, it closes once', async () => {
  let disposals = 0
  const dispose = async (): Promise<void> => {
    disposals += 1
  }
  disposeBeforeQuit(dispose, { clock, log: silentLog })
  const second = fakeEvent()
  app.fire('will-quit', fakeEvent())
  app.fire('will-quit', second)
  await expect.poll(exits).toBe(1)
  expect([disposals, second.defaultPrevented]).toEqual([1, true])
})

test('a quit for an update is known before its windows are asked to close', () => {
  const isQuitting = watchQuit()
  const hidden = new BrowserWindow()
  hidden.on('close', (event: Electron.Event) => {
    if (!isQuitting()) event.preventDefault()
  })
  autoUpdater.fetched = Buffer.from('zipped')
  autoUpdater.quitAndInstall()
  expect([hidden.destroyed, callsOf('app.ended').length]).toEqual([true, 1])
})
