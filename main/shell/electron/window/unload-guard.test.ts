// Electron shows no question for `beforeunload`: a page that holds on to its text makes a window that cannot be closed, and
// takes a quit back without a word (electron/electron issues 17364 and 26220; docs/api/web-contents.md, will-prevent-unload).
import { beforeEach, expect, test, vi } from 'vitest'
import { silentLog } from '#main/base/host-log.ts'
import { app, resetElectron } from '../../../../e2e/electron-fake/electron.ts'
import { callsOf } from '../../../../e2e/electron-fake/record.ts'
import { dialogAnswers } from '../../../../e2e/electron-fake/system.ts'
import { BrowserWindow } from '../../../../e2e/electron-fake/window.ts'
import { createUnloadGuard } from '../quit.ts'

vi.mock('electron', () => import('../../../../e2e/electron-fake/electron.ts'))

const stay = 0
const leave = 1
const questions = (): number => callsOf('dialog.showMessageBox').length
const ended = (): number => callsOf('app.ended').length

let open: () => BrowserWindow
beforeEach(() => {
  resetElectron()
  const guard = createUnloadGuard(silentLog)
  open = () => {
    const window = new BrowserWindow()
    guard(window as never) // the fake has the part that is used
    window.webContents.unsaved = true
    return window
  }
})

test.each([
  ['closing', (window: BrowserWindow) => window.close()],
  ['quitting', () => app.quit()],
  ['loading the page again', (window: BrowserWindow) => window.webContents.reload()],
])('%s asks, once, and whoever stays has lost nothing', async (_, go) => {
  const window = open()
  dialogAnswers.button = stay
  go(window)
  go(window)
  await expect.poll(questions).toBe(1)
  await Promise.resolve()
  expect([BrowserWindow.open, window.webContents.reloads, ended()]).toEqual([[window], 0, 0])
  go(window)
  await expect.poll(questions).toBe(2)
})

test('who leaves closes the window', async () => {
  const window = open()
  dialogAnswers.button = leave
  window.close()
  await expect.poll(() => window.destroyed).toBe(true)
  expect([BrowserWindow.open, questions()]).toEqual([[], 1])
})

test('who leaves when the app is to quit quits it; each window asks for itself', async () => {
  const first = open()
  open()
  dialogAnswers.button = leave
  app.quit()
  await expect.poll(ended).toBe(1)
  expect([first.destroyed, BrowserWindow.open, questions()]).toEqual([true, [], 2])
})

test('a quit that was taken back is over: the next window that closes is only a window', async () => {
  const first = open()
  dialogAnswers.button = stay
  app.quit()
  await expect.poll(questions).toBe(1)
  await Promise.resolve()
  dialogAnswers.button = leave
  first.close()
  await expect.poll(() => BrowserWindow.open).toEqual([])
  expect([callsOf('app.quit').length, ended()]).toEqual([1, 0])
})

test('who leaves has the page loaded again, and is asked again the next time', async () => {
  const window = open()
  dialogAnswers.button = leave
  window.webContents.reload()
  await expect.poll(() => window.webContents.reloads).toBe(1)
  window.webContents.fire('did-finish-load')
  dialogAnswers.button = stay
  window.webContents.reload()
  await expect.poll(questions).toBe(2)
  expect(window.webContents.reloads).toBe(1)
})
