// Opens an address in the person's browser. Every account of the machine can read a program's arguments, and an address may hold a secret
// (the web shell's one-time token, the `state` of a sign-in). So the opener gets a private file whose page redirects to the address. The
// file is removed when it was used, after two minutes, and with this process; the next start removes one that a crash left.
import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, lstatSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { spokenLanguage, t } from '#app/i18n/translate.ts'
import { orElse } from '#app/or-else.ts'
import { type Clock, systemClock } from '#main/base/clock.ts'
import { isAlive } from '#main/base/is-alive.ts'
import { system32 } from '#main/base/powershell.ts'

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Returns a page that redirects to an address without a script and without an entry in the history. */
export function leadingPage(address: string): string {
  const escaped = address.replace(/[&<>"']/g, (found) => escapes[found] ?? '')
  return `<!doctype html>
<html lang="${spokenLanguage()}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${escaped}">
<title>Assent</title>
<p><a href="${escaped}">${t`Continue`}</a></p>
</html>
`
}

/** `unreadable`: the browser runs where it cannot read a file of ours. */
type BrowserOpenResult = 'opened' | 'no-browser' | 'unreadable'

export type BrowserOpener = ReturnType<typeof createBrowserOpener>

interface System {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  readonly exists: (path: string) => boolean
  /** The desktop entry that opens HTML files, on Linux; empty: unknown. */
  readonly htmlHandler: () => Promise<string>
  /** Hands the file's address to the system. False: there is nothing that takes it. */
  readonly start: (fileUrl: string) => Promise<boolean>
  readonly remove: (path: string) => void
}

export interface BrowserOpenerOptions {
  readonly folder: string
  readonly clock?: Clock
  readonly system?: Partial<System>
}

/** Milliseconds that a file is kept for the browser. */
const keptMs = 120_000
const prefix = 'assent-open-'
const leftFolder = /^assent-open-(\d+)-/
/** Folders of this process, whichever opener made them. */
const ours = new Set<string>()

export function createBrowserOpener({ folder, clock = systemClock, system }: BrowserOpenerOptions) {
  const { platform, env, ...here }: System = { ...thisSystem, ...system }
  const files = new Map<string, () => void>()
  /** Removes a folder. False: it is held by another program or belongs to another account, which is no reason to fail. */
  const discard = (path: string): boolean =>
    orElse(() => {
      here.remove(path)
      return true
    }, false)
  sweep(folder, discard)
  const dispose = (): void => {
    for (const remove of [...files.values()]) remove()
    process.off('exit', dispose)
  }

  return {
    async open(url: string): Promise<BrowserOpenResult> {
      const hasDisplay = env['DISPLAY'] || env['WAYLAND_DISPLAY'] || env['BROWSER']
      if (platform === 'linux' && !hasDisplay) return 'no-browser'
      const handler = platform === 'linux' ? await here.htmlHandler() : ''
      const own = folderFor({ platform, env, handler, ...here })
      if (own === undefined) return 'unreadable'
      if (own !== 'any') sweep(own, discard)
      files.get(url)?.()
      const file = writePage(own === 'any' ? folder : own, url, platform)
      if (file === undefined) return 'no-browser'
      const stop = clock.after(keptMs, () => remove())
      const remove = (): void => {
        stop()
        if (!discard(dirname(file))) return
        ours.delete(dirname(file))
        if (files.get(url) === remove) files.delete(url)
      }
      files.set(url, remove)
      process.off('exit', dispose).once('exit', dispose)
      if (await here.start(plainFileUrl(file))) return 'opened'
      remove()
      return 'no-browser'
    },
    used: (url: string): void => files.get(url)?.(),
    dispose,
  }
}

/** Writes the page; undefined where nothing can be written, or others could read the folder. */
function writePage(parent: string, url: string, platform: NodeJS.Platform): string | undefined {
  let own: string | undefined
  try {
    own = mkdtempSync(join(parent, `${prefix}${process.pid}-`))
    if (platform !== 'win32' && (statSync(own).mode & 0o077) !== 0) throw new Error('others can read it')
    ours.add(own)
    const file = join(own, `${randomBytes(16).toString('hex')}.html`)
    writeFileSync(file, leadingPage(url), { mode: 0o600, flag: 'wx' })
    return file
  } catch {
    // The caller shows the address instead.
    if (own !== undefined) rmSync(own, { recursive: true, force: true })
    return undefined
  }
}

/**
 * Removes folders that an ended process left. Another process may have its id by now (in a container, this one): folders that are older
 * than any file is kept, or have this process's id and are not its own, are removed too.
 */
function sweep(parent: string, discard: (path: string) => boolean): void {
  // The folder may not exist yet.
  for (const name of orElse(() => readdirSync(parent), [])) {
    const [, pid] = leftFolder.exec(name) ?? []
    const path = join(parent, name)
    if (pid === undefined || ours.has(path)) continue
    if (Number(pid) === process.pid || !isAlive(Number(pid)) || isOld(path)) discard(path)
  }
}

/** Whether a folder is older than twice the time that a file is kept: its process ended, or was suspended. */
const isOld = (path: string): boolean => orElse(() => Date.now() - lstatSync(path).mtimeMs > 2 * keptMs, false)

/** Returns a file URL of plain characters, which no opener or shell can misread. */
export const plainFileUrl = (path: string): string =>
  pathToFileURL(path).href.replace(/[^A-Za-z0-9/._~:%-]/g, (found) => `%${found.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)

/**
 * Returns the folder in which this browser can read a file. A snap reads neither hidden folders nor `/tmp`, and a flatpak next to nothing:
 * each has a folder of its own in the person's home. A browser outside of this Linux (WSL, ChromeOS) reads no file: undefined.
 */
export function folderFor({ platform, env, home, exists, handler }: BrowserPlace): 'any' | (string & {}) | undefined {
  if (platform !== 'linux') return 'any'
  const chosen = env['BROWSER'] ?? ''
  if (/\.exe\b/i.test(chosen) || handler.startsWith('garcon_')) return undefined
  const known = /^[\w.-]+\.desktop$/.test(handler) ? handler : ''
  const has = (...folders: readonly string[]): boolean => known !== '' && folders.some((one) => exists(join(one, known)))
  const snap = /(?:^|\/)snap\/bin\/([a-z0-9-]+)/.exec(chosen)?.[1] ?? (has(snapEntries) ? known.split('_')[0] : undefined)
  const isFlatpak = has(flatpakEntries, join(home, '.local/share/flatpak/exports/share/applications'))
  if (snap === undefined && !isFlatpak) return 'any'
  const own = snap === undefined ? join(home, '.var/app', known.replace(/\.desktop$/, ''), 'cache') : join(home, 'snap', snap, 'common')
  return exists(own) ? own : undefined
}

type BrowserPlace = Pick<System, 'platform' | 'env' | 'home' | 'exists'> & { readonly handler: string }

const snapEntries = '/var/lib/snapd/desktop/applications'
const flatpakEntries = '/var/lib/flatpak/exports/share/applications'

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [command: string, ...args: string[]]>>> = {
  darwin: ['open'],
  win32: [system32('rundll32.exe'), 'url.dll,FileProtocolHandler'],
}

const thisSystem: System = {
  platform: process.platform,
  env: process.env,
  home: homedir(),
  exists: existsSync,
  htmlHandler: () =>
    new Promise((resolve) => {
      execFile('xdg-mime', ['query', 'default', 'text/html'], { timeout: 3000 }, (_error, stdout) => resolve(stdout.trim()))
    }),
  remove: (path) => rmSync(path, { recursive: true, force: true, maxRetries: 3 }),
  start: (fileUrl) =>
    new Promise((resolve) => {
      const [command, ...args] = openers[process.platform] ?? ['xdg-open']
      const child = spawn(command, [...args, fileUrl], { stdio: 'ignore', detached: true })
      child.once('error', () => resolve(false))
      child.once('spawn', () => {
        child.unref()
        resolve(true)
      })
    }),
}
