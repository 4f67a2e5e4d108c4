import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { app, resetElectron } from '../../../../e2e/electron-fake/electron.ts'
import { callsOf } from '../../../../e2e/electron-fake/record.ts'
import { type LoginItemOptions, setStartAtLogin } from './open-desktop.ts'
import { drawBadge } from './tray.ts'

vi.mock('electron', () => import('../../../../e2e/electron-fake/electron.ts'))

let folder: string
beforeEach(() => {
  resetElectron()
  folder = mkdtempSync(join(tmpdir(), 'assent-launch-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('the start at login', () => {
  const options: LoginItemOptions = {
    os: 'linux',
    env: {},
    home: '',
    program: '/opt/Assent/assent',
    args: ['--data-dir', '/a $b "c" 5%\\d'],
    isChosen: true,
  }
  const entry = (at: string): string => readFileSync(join(at, 'autostart', 'io.github.assent_desktop.assent.desktop'), 'utf8')

  test('on Linux is a desktop file, quoted as its specification says, that goes with it', () => {
    app.isPackaged = true
    const at = { ...options, env: { XDG_CONFIG_HOME: folder } }
    setStartAtLogin(true, at)
    expect(entry(folder)).toContain('Exec="/opt/Assent/assent" "--data-dir" "/a \\\\$b \\\\"c\\\\" 5%%\\\\\\\\d" "--hidden"\n')
    // An AppImage is mounted anew at each start.
    setStartAtLogin(true, { ...at, env: { ...at.env, APPIMAGE: '/home/m/assent.AppImage' } })
    expect(entry(folder)).toContain('Exec="/home/m/assent.AppImage" ')
    setStartAtLogin(false, at)
    expect(() => entry(folder)).toThrow()
    expect(callsOf('app.setLoginItemSettings')).toEqual([])
  })

  test.each([
    ['Hidden=true\n', false, true],
    ['X-GNOME-Autostart-enabled=false\n', false, true],
    ['X-GNOME-Autostart-enabled=true\n', false, false],
    ['Hidden=true\n', true, false],
  ])('of a desktop whose file says %j (chosen now: %s) stays as it is: %s', (line, isChosen, stays) => {
    app.isPackaged = true
    const file = join(folder, 'autostart', 'io.github.assent_desktop.assent.desktop')
    mkdirSync(join(folder, 'autostart'))
    writeFileSync(file, line)
    setStartAtLogin(true, { ...options, env: { XDG_CONFIG_HOME: folder }, isChosen })
    expect(readFileSync(file, 'utf8') === line).toBe(stays)
  })

  test('does nothing for an app that runs from its sources', () => {
    setStartAtLogin(true, { ...options, os: 'darwin' })
    expect(callsOf('app.setLoginItemSettings')).toEqual([])
  })
})

test('the badge of Windows is a digit on a disc, and 9+ for more', () => {
  const picture = (count: number): string[] => {
    const pixels = drawBadge(count)
    return Array.from({ length: 16 }, (_, y) =>
      Array.from({ length: 16 }, (_unused, x) => {
        const at = (y * 16 + x) * 4
        return pixels[at + 3] === 0 ? ' ' : pixels[at] === 255 ? '#' : '.'
      }).join(''),
    )
  }
  expect([picture(7)[4], picture(12)[4], picture(12)[7], picture(3)[0]?.trim().includes('#')]).toEqual([
    ' ....#####..... ',
    ' ..###......... ',
    '...####.#####...',
    false,
  ])
})
