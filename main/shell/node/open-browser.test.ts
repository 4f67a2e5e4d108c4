// Which file the opener is given, and where. The reports that the table of browsers rests on: jupyter/notebook#5479 and #4500
// (a Chromium snap reads no hidden folder), RobotLocomotion/drake#24071 (a Firefox snap reads no /tmp), jupyter/jupyter_core#191
// (Chrome of ChromeOS reads nothing of the Linux guest), snapcraft.io/docs/home-interface (what a snap reads).

import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import { modeOf } from '#main/base/this-system.testing.ts'
import { type BrowserOpenerOptions, createBrowserOpener, folderFor, plainFileUrl } from './open-browser.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assent-browser-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const url = 'https://auth.example/authorize?state=s3cret&redirect_uri=http%3A%2F%2F127.0.0.1%2F%22'

function made(system: BrowserOpenerOptions['system'] = {}) {
  const given: string[] = []
  const clock = manualClock()
  const start = async (fileUrl: string) => given.push(fileUrl) > 0
  const base = { platform: 'linux', env: { DISPLAY: ':0' }, home: '/home/maya', htmlHandler: async () => 'firefox.desktop', start } as const
  const opener = createBrowserOpener({ folder, clock, system: { ...base, exists: () => false, ...system } })
  return { opener, clock, given, file: () => fileURLToPath(given[0] ?? '') }
}

describe('the address', () => {
  it('stands in a file that others cannot read, and not in what the opener is given', async () => {
    const { opener, given, file } = made()
    expect(await opener.open(url)).toBe('opened')
    expect([given.length, given.join().includes('s3cret')]).toEqual([1, false])
    expect([modeOf(file(), 0o600), modeOf(dirname(file()), 0o700)]).toEqual([0o600, 0o700])
    expect(readFileSync(file(), 'utf8')).toContain(`content="0; url=${url.replace('&', '&amp;')}"`)
    opener.dispose()
  })

  it.each<[string, (one: ReturnType<typeof made>) => void]>([
    ['when it was used', ({ opener }) => opener.used(url)],
    ['after two minutes', ({ clock }) => clock.advance(120_000)],
    ['at the end', ({ opener }) => opener.dispose()],
  ])('goes from there %s', async (_when, end) => {
    const one = made()
    await one.opener.open(url)
    expect(existsSync(one.file())).toBe(true)
    end(one)
    expect(readdirSync(folder)).toEqual([])
  })

  it('that a crash left goes at the next start, and one of a process that runs stays', async () => {
    const gone = 2 ** 22 + 1 // Above the largest process id of Linux.
    for (const pid of [gone, process.ppid]) {
      mkdirSync(join(folder, `assent-open-${pid}-abcdef`))
      writeFileSync(join(folder, `assent-open-${pid}-abcdef`, 'page.html'), url)
    }
    made()
    expect(readdirSync(folder)).toEqual([`assent-open-${process.ppid}-abcdef`])
  })

  // In a container every start has the same process id; elsewhere ids come around again (psutil compares the time of the start as well).
  it.each<[string, number, number]>([
    ['an earlier process of this very id left', process.pid, 0],
    ['a process left whose id another one has by now', process.ppid, 300],
  ])('that %s goes at the next start', (_which, pid, secondsAgo) => {
    const left = join(folder, `assent-open-${pid}-abcdef`)
    mkdirSync(left)
    writeFileSync(join(left, 'page.html'), url)
    const then = Date.now() / 1000 - secondsAgo
    utimesSync(left, then, then)
    made()
    expect(readdirSync(folder)).toEqual([])
  })

  it('stays when this process makes another opener', async () => {
    const { opener, file } = made()
    await opener.open(url)
    made()
    expect(existsSync(file())).toBe(true)
    opener.dispose()
  })

  it('that cannot be removed hinders nothing, and is tried again at the end', async () => {
    mkdirSync(join(folder, `assent-open-${2 ** 22 + 1}-abcdef`))
    const tried: string[] = []
    const remove = (path: string): void => {
      tried.push(path)
      throw Object.assign(new Error('EACCES, Permission denied'), { code: 'EACCES' })
    }
    const { opener, clock, file } = made({ remove })
    expect(await opener.open(url)).toBe('opened')
    tried.length = 0
    opener.used(url)
    clock.advance(120_000)
    opener.dispose()
    expect(tried).toEqual([dirname(file()), dirname(file())])
  })

  it.each([
    ['nothing opens pages', { start: async () => false }, 'no-browser'],
    ['there is no display', { env: {} }, 'no-browser'],
    ['the browser is outside of this Linux', { htmlHandler: async () => 'garcon_host_browser.desktop' }, 'unreadable'],
  ] as const)('is written nowhere when %s', async (_what, system, opened) => {
    const { opener } = made(system)
    expect([await opener.open(url), readdirSync(folder)]).toEqual([opened, []])
  })

  it('lies in the snap’s own folder for a snap', async () => {
    const own = join(folder, 'snap/firefox/common')
    mkdirSync(own, { recursive: true })
    const { opener, file } = made({ home: folder, htmlHandler: async () => 'firefox_firefox.desktop', exists: () => true })
    expect(await opener.open(url)).toBe('opened')
    expect(dirname(dirname(file()))).toBe(own)
    opener.dispose()
  })
})

describe('a browser', () => {
  const [snaps, flatpaks] = ['/var/lib/snapd/desktop/applications', '/var/lib/flatpak/exports/share/applications']
  const firefox = '/home/maya/snap/firefox/common'
  it.each<[string, { platform?: NodeJS.Platform; handler?: string; browser?: string; there?: string[] }, string | undefined]>([
    ['of macOS', { platform: 'darwin' }, 'any'],
    ['of Windows', { platform: 'win32' }, 'any'],
    ['that nothing is known of', {}, 'any'],
    ['of the distribution', { handler: 'firefox-esr.desktop' }, 'any'],
    ['named like a snap, but none', { handler: 'firefox_firefox.desktop' }, 'any'],
    ['that is a snap', { handler: 'firefox_firefox.desktop', there: [`${snaps}/firefox_firefox.desktop`, firefox] }, firefox],
    ['that is a snap without a folder', { handler: 'firefox_firefox.desktop', there: [`${snaps}/firefox_firefox.desktop`] }, undefined],
    ['of $BROWSER that is a snap', { browser: '/snap/bin/firefox', there: [firefox] }, firefox],
    ['of $BROWSER that is a snap without a folder', { browser: '/snap/bin/chromium', there: [firefox] }, undefined],
    ['of $BROWSER of the distribution', { browser: '/usr/bin/firefox' }, 'any'],
    [
      'that is a flatpak',
      {
        handler: 'org.mozilla.firefox.desktop',
        there: [`${flatpaks}/org.mozilla.firefox.desktop`, '/home/maya/.var/app/org.mozilla.firefox/cache'],
      },
      '/home/maya/.var/app/org.mozilla.firefox/cache',
    ],
    [
      'that is a flatpak of the person without a folder',
      {
        handler: 'com.google.Chrome.desktop',
        there: ['/home/maya/.local/share/flatpak/exports/share/applications/com.google.Chrome.desktop'],
      },
      undefined,
    ],
    ['of Windows under WSL', { browser: '/mnt/c/Program Files (x86)/Microsoft/Edge/Application/msedge.exe' }, undefined],
    ['of ChromeOS', { handler: 'garcon_host_browser.desktop' }, undefined],
    ['whose entry leads elsewhere', { handler: '../../x.desktop', there: [`${snaps}/../../x.desktop`] }, 'any'],
  ])('%s reads where it can', (_what, { platform = 'linux', handler = '', browser, there = [] }, expected) => {
    const exists = (path: string): boolean => there.includes(path)
    expect(folderFor({ platform, handler, home: '/home/maya', exists, env: { BROWSER: browser } })).toBe(expected)
  })
})

it('nothing in the file’s address means anything to a shell', () => {
  expect(plainFileUrl("/home/o'brien & co/$(x);`y`(1)!/a b.html")).toBe(
    'file:///home/o%27brien%20%26%20co/%24%28x%29%3B%60y%60%281%29%21/a%20b.html',
  )
})
