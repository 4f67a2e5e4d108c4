import { beforeEach, expect, test, vi } from 'vitest'
import { silentLog } from '#main/base/host-log.ts'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import { BrowserWindow, resetElectron } from '../../../../e2e/electron-fake/electron.ts'
import { fakeEvent } from '../../../../e2e/electron-fake/emitter.ts'
import { callsOf } from '../../../../e2e/electron-fake/record.ts'
import { createQuickEntry } from './quick-entry.ts'

vi.mock('electron', () => import('../../../../e2e/electron-fake/electron.ts'))
beforeEach(resetElectron)

test('pastes right after a press in it, and at nothing else', () => {
  const clock = manualClock()
  const entry = createQuickEntry({
    preload: '/app/preload.cjs',
    os: 'linux',
    clock,
    log: silentLog,
    spelling: () => false,
    go: () => undefined,
    isQuitting: () => false,
  })
  const pastesAfter = (type?: string): number => {
    if (type) BrowserWindow.open[0]?.webContents.fire('input-event', fakeEvent(), { type })
    entry.paste()
    return callsOf('contents.paste').length
  }
  const closed = pastesAfter()
  entry.toggle()
  const shown = [pastesAfter(), pastesAfter('mouseMove'), pastesAfter('mouseUp'), pastesAfter('rawKeyDown')]
  clock.advance(1001)
  const late = pastesAfter()
  entry.hide()
  expect([closed, shown, late, pastesAfter('mouseUp')]).toEqual([0, [0, 0, 1, 2], 2, 2])
})
