import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { silentLog } from '#main/base/host-log.ts'
import { app, resetElectron } from '../../../../e2e/electron-fake/electron.ts'
import { fakeEvent } from '../../../../e2e/electron-fake/emitter.ts'
import { FakeProcess } from '../../../../e2e/electron-fake/process.ts'
import { callsOf } from '../../../../e2e/electron-fake/record.ts'
import { dialogAnswers } from '../../../../e2e/electron-fake/system.ts'
import { BrowserWindow } from '../../../../e2e/electron-fake/window.ts'
import { countCrashes, openFailureLog, spareGraphics, startsSafely } from '../quit.ts'

vi.mock('electron', () => import('../../../../e2e/electron-fake/electron.ts'))

let folder: string
beforeEach(() => {
  resetElectron()
  folder = mkdtempSync(join(tmpdir(), 'assent-failures-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('failures', () => {
  test('are listed and stay here: crashes of the host and of pages, hangs; reports are sent to nobody', () => {
    const process = new FakeProcess()
    const failures = openFailureLog({ dataDir: folder, version: '1.2.3', now: () => 5, log: silentLog, process })
    const window = new BrowserWindow()
    window.webContents.fire('unresponsive')
    window.webContents.fire('render-process-gone', fakeEvent(), { reason: 'clean-exit', exitCode: 0 })
    window.webContents.fire('render-process-gone', fakeEvent(), { reason: 'oom', exitCode: 9 })
    app.fire('child-process-gone', fakeEvent(), { type: 'GPU', reason: 'crashed', exitCode: 139 })
    process.emit('uncaughtException', 'no stack')
    expect([failures.list().map(({ kind, detail }) => [kind, detail]), callsOf('crashReporter.start')]).toEqual([
      [
        ['hang', ''],
        ['page', 'page: oom (9)'],
        ['process', 'GPU: crashed (139)'],
        ['host', 'no stack'],
      ],
      [[{ uploadToServer: false }]],
    ])
    expect(callsOf('app.setPath')).toContainEqual(['crashDumps', failures.folder])
  })

  test('are kept up to a number, also after a list that cannot be read', () => {
    const failures = openFailureLog({ dataDir: folder, version: '1.2.3', now: () => 5, log: silentLog, process: new FakeProcess() })
    writeFileSync(join(failures.folder, 'failures.json'), '[{')
    for (let count = 1; count <= 52; count += 1) failures.add('page', String(count))
    expect([failures.list().length, failures.list().at(-1)?.detail]).toEqual([50, '52'])
  })

  test('of two runs in a row offer a safe start; a run that ended in order is none', async () => {
    const process = new FakeProcess()
    const failures = openFailureLog({ dataDir: folder, version: '1.2.3', now: () => Date.now() + 1000, log: silentLog, process })
    const start = (): number => countCrashes(folder, failures, silentLog, 'linux').before
    const starts = [start(), start()]
    // A crash that its run could list is listed once.
    process.emit('uncaughtException', 'no stack')
    starts.push(start())
    app.fire('will-quit', fakeEvent())
    expect([starts, start(), failures.list().map(({ kind, detail }) => [kind, detail])]).toEqual([
      [0, 1, 2],
      0,
      [
        ['host', ''],
        ['host', 'no stack'],
      ],
    ])
    dialogAnswers.button = 0
    const fromSources = await startsSafely(false, 2)
    app.isPackaged = true
    const offered = [await startsSafely(false, 1), await startsSafely(false, 2), await startsSafely(true, 0)]
    dialogAnswers.button = 1
    expect([fromSources, offered, await startsSafely(false, 3), callsOf('dialog.showMessageBox').length]).toEqual([
      false,
      [false, true, true],
      false,
      2,
    ])
  })

  test.each([
    [true, 0, true, 1],
    [false, 2, true, 1],
    [false, 1, true, 0],
    [false, 2, false, 0],
  ])(
    '(asked: %s, crashes: %s, installed: %s) draw without the graphics card where a safe start may come: %s',
    (asked, crashes, packaged, times) => {
      app.isPackaged = packaged
      spareGraphics(asked, crashes)
      expect(callsOf('app.disableHardwareAcceleration').length).toBe(times)
    },
  )

  test.each<[string, NodeJS.Platform, () => void, number]>([
    ['Linux’s session takes the display away', 'linux', () => app.loseDisplay(), 0],
    ['it is ended after an error', 'linux', () => app.exit(1), 1],
    ['Windows ends its session, with a window', 'win32', () => BrowserWindow.open[0]?.fire('session-end', fakeEvent()), 0],
    ['Windows ends its session, when the last window is closed', 'win32', () => BrowserWindow.open[0]?.close(), 0],
    ['it is killed with a window', 'win32', () => undefined, 1],
  ])('a run: %s', (_, os, end, crashes) => {
    const failures = openFailureLog({ dataDir: folder, version: '1.2.3', now: () => 5, log: silentLog, process: new FakeProcess() })
    const runs = countCrashes(folder, failures, silentLog, os)
    runs.settle()
    new BrowserWindow()
    end()
    app.restart()
    expect(countCrashes(folder, failures, silentLog, os).before).toBe(crashes)
  })

  test('a run without a window on Windows counts as ended in order once it has started', () => {
    const failures = openFailureLog({ dataDir: folder, version: '1.2.3', now: () => 5, log: silentLog, process: new FakeProcess() })
    const crashedAtStart = countCrashes(folder, failures, silentLog, 'win32').before
    countCrashes(folder, failures, silentLog, 'win32').settle()
    expect([crashedAtStart, countCrashes(folder, failures, silentLog, 'win32').before]).toEqual([0, 0])
  })
})
