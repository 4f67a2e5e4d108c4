import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { silentLog } from '#main/base/host-log.ts'
import { system32 } from '#main/base/powershell.ts'
import { onWindows } from '#main/base/this-system.testing.ts'
import { resetElectron } from '../../../e2e/electron-fake/electron.ts'
import { callsOf } from '../../../e2e/electron-fake/record.ts'
import { createPathCommand, pathFile } from './path-command.ts'

vi.mock('electron', () => import('../../../e2e/electron-fake/electron.ts'))

const local = 'C:\\Users\\Jörg\\AppData\\Local'
const apps = `${local}\\Microsoft\\WindowsApps\\assent.cmd`
const start = (program: string) => `exec '${program}' "$@"\n`

describe('the file of the command', () => {
  test.each<[string, NodeJS.Platform, Record<string, string>, string, string, string]>([
    ['a Mac app', 'darwin', {}, '/Applications/Assent.app/A', '/usr/local/bin/assent', start('/Applications/Assent.app/A')],
    [
      'one that Gatekeeper moved',
      'darwin',
      {},
      '/private/AppTranslocation/0/d/Assent.app/A',
      '/usr/local/bin/assent',
      start('/Applications/Assent.app/A'),
    ],
    ['one in a folder with a quote', 'darwin', {}, "/Users/m/it's/A", '/usr/local/bin/assent', start("/Users/m/it'\\''s/A")],
    // cmd.exe has no ö in the code page 437.
    [
      'Windows, for one person',
      'win32',
      { LOCALAPPDATA: local },
      `${local}\\Programs\\Assent\\Assent.exe`,
      apps,
      '@"%LOCALAPPDATA%\\Programs\\Assent\\Assent.exe" %*\r\n',
    ],
    [
      'Windows, in other letters',
      'win32',
      { LOCALAPPDATA: local },
      `${local.toUpperCase()}\\A.exe`,
      apps,
      '@"%LOCALAPPDATA%\\A.exe" %*\r\n',
    ],
    [
      'Windows, for everybody',
      'win32',
      {},
      'C:\\Program Files\\Assent\\A.exe',
      'H\\AppData\\Local\\Microsoft\\WindowsApps\\assent.cmd',
      '.\r\n@"C:\\Program Files\\Assent\\A.exe" %*\r\n',
    ],
    [
      'Windows, in a folder of other letters',
      'win32',
      { LOCALAPPDATA: local },
      'D:\\Größe\\50%\\A.exe',
      apps,
      '@chcp 65001 >nul\r\n@"D:\\Größe\\50%%\\A.exe" %*\r\n',
    ],
    [
      'an AppImage',
      'linux',
      { APPIMAGE: '/home/m/a b.AppImage' },
      '/tmp/.mount/assent',
      'H/.local/bin/assent',
      start('/home/m/a b.AppImage'),
    ],
  ])('of %s (%s)', (_, os, env, program, file, end) => {
    const made = pathFile({ os, env, home: 'H', program })
    expect([made?.file, made?.text.slice(-end.length)]).toEqual([file, end])
  })

  test('is the deb’s own on Linux', () => {
    expect(pathFile({ os: 'linux', env: {}, home: '/home/m', program: '/opt/Assent/assent' })).toBeUndefined()
  })

  test.skipIf(onWindows)('passes arguments and the exit code on', () => {
    const folder = mkdtempSync(join(tmpdir(), "assent it's "))
    const program = join(folder, 'A')
    writeFileSync(program, '#!/bin/sh\nprintf "%s|" "$@"\n', { mode: 0o755 })
    const file = join(folder, 'assent')
    writeFileSync(file, pathFile({ os: 'darwin', env: {}, home: '', program })?.text ?? '', { mode: 0o755 })
    expect(execFileSync(file, ['mcp', 'a b', '$x'], { encoding: 'utf8' })).toBe('mcp|a b|$x|')
    rmSync(folder, { recursive: true })
  })
})

// Never run by us: on Windows alone.
test.runIf(onWindows)('a real cmd.exe runs it, with arguments, and waits', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assent größe '))
  const file = join(folder, 'assent.cmd')
  writeFileSync(file, pathFile({ os: 'win32', env: { LOCALAPPDATA: 'C:\\nowhere' }, home: '', program: process.execPath })?.text ?? '')
  expect(execFileSync(system32('cmd.exe'), ['/d', '/c', file, '-p', '40+2'], { encoding: 'utf8' }).trim()).toBe('42')
  rmSync(folder, { recursive: true })
})

describe('the menu’s item', () => {
  let folder: string
  let asked: (readonly [string, readonly string[]])[]
  let changes: number
  beforeEach(() => {
    resetElectron()
    folder = mkdtempSync(join(tmpdir(), 'assent-path-'))
    asked = []
    changes = 0
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  const command = (file: string, fails?: Error, code?: string) => {
    const text = pathFile({ os: 'darwin', env: {}, home: '', program: '/Applications/Assent.app/A' })?.text ?? ''
    const appleScript = async (script: string, args: readonly string[]) => {
      asked.push([script, args])
      if (fails) throw fails
    }
    const write = (): void => {
      throw Object.assign(new Error('refused'), { code })
    }
    const options = { os: 'darwin', log: silentLog, onChange: () => (changes += 1), appleScript, ...(code && { write }) } as const
    return { text, ...createPathCommand({ file, text }, options) }
  }

  test('installs the command, says so, and removes it', async () => {
    const file = join(folder, 'bin', 'assent')
    const { text, label, toggle } = command(file)
    const labels = [label()]
    await toggle()
    labels.push(label())
    const written = readFileSync(file, 'utf8')
    await toggle()
    expect([labels, written, existsSync(file), changes, callsOf('dialog.showMessageBox').length]).toEqual([
      ['Install the command “assent”', 'Remove the command “assent”'],
      text,
      false,
      2,
      1,
    ])
    expect(asked).toEqual([])
  })

  test('leaves a program of that name alone, and says so', async () => {
    const file = join(folder, 'assent')
    writeFileSync(file, 'theirs')
    await command(file).toggle()
    expect([readFileSync(file, 'utf8'), callsOf('dialog.showErrorBox').length]).toEqual(['theirs', 1])
  })

  // `/usr/local/bin` is root's (microsoft/vscode issue 129884); who cancels the question for a password is told nothing.
  test.each([
    ['is done', 'EACCES', undefined, 1, 1, 0],
    ['is done', 'EPERM', undefined, 1, 1, 0],
    ['is cancelled', 'EACCES', '0:1: execution error: User canceled. (-128)', 1, 0, 0],
    ['fails', 'EACCES', '0:1: execution error: no administrator (1)', 1, 0, 1],
    ['is not asked for', 'ENOSPC', undefined, 0, 0, 1],
  ])('where it may not write asks an administrator of a Mac, which %s (%s)', async (_, code, stderr, asks, boxes, errors) => {
    const fails = stderr === undefined ? undefined : Object.assign(new Error('Command failed'), { stderr })
    const { text, toggle } = command('/usr/local/bin/assent-of-nobody', fails, code)
    await toggle()
    const [[script, args] = []] = asked
    expect([asked.length, callsOf('dialog.showMessageBox').length, callsOf('dialog.showErrorBox').length]).toEqual([asks, boxes, errors])
    if (!script) return
    expect(script).toMatch(/^on run argv\ndo shell script .* with administrator privileges\nend run$/)
    expect(args?.slice(0, 2)).toEqual(['/usr/local/bin/assent-of-nobody', text])
  })
})
