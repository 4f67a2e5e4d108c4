// What the app has on the desktop beside its windows: tray, badge, quick entry, launch menus and the start at login, all of which follow
// the settings. A safe start has none of it.

import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { app, Menu, Notification, shell } from 'electron'
import type { ShellCommand } from '#app/contract/channels.ts'
import { t } from '#app/i18n/translate.ts'
import { orElse } from '#app/or-else.ts'
import { isBundleFile } from '#app/server/bundle/bundle-download.ts'
import { writeFileAtomically } from '#main/base/atomic-write.ts'
import type { Clock } from '#main/base/clock.ts'
import { type Log, logFailure } from '#main/base/host-log.ts'
import type { Host } from '#main/host.ts'
import type { IncomingLink } from '#main/install/deep-link-queue.ts'
import type { Platform } from '#main/platform.ts'
import { type openFailureLog, watchQuit } from '../quit.ts'
import { hasStartCommand, type StartCommand, startSwitch } from '../start-options.ts'
import { followSetting } from '../window/follow-settings.ts'
import { createQuickEntry, followKeys } from './quick-entry.ts'
import { createBadge, followStatus, openTray, showsTray } from './tray.ts'

interface DesktopOptions {
  readonly host: Pick<Host, 'snapshot' | 'onEvent' | 'request'>
  readonly os: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  readonly log: Log
  readonly preload: string
  /** Folder of the tray's icons. */
  readonly icons: string
  /** Arguments that every start of this profile needs. */
  readonly profileArgs: readonly string[]
  readonly safe: boolean
  readonly spelling: () => boolean
  readonly openWindow: () => void
  readonly show: () => void
  readonly run: (command: ShellCommand) => void
}

type QuickEntry = ReturnType<typeof createQuickEntry>

/** Id among the dismissed suggestions: the person knows that the app goes on in the tray. */
const trayKnown = 'goes-on-in-tray'

export function openDesktop(options: DesktopOptions) {
  const { host, os, env, clock, log, preload, safe, spelling, show, run } = options
  const go = (hash: string): void => run({ kind: 'go', hash })
  const isQuitting = watchQuit()
  const quickEntry = createQuickEntry({ preload, os, clock, log, spelling, go, isQuitting })
  const shown = safe ? undefined : followDesktop(options, quickEntry, go)
  const canTray = showsTray(os, env)
  const goesOn = (): boolean => os === 'darwin' || (canTray && shown?.hasTray() === true)
  /** Kept while it is shown: one that is garbage-collected disappears. */
  let notice: Notification | undefined
  return {
    /** Goes on where the tray can be seen, and says so the first time; else quits. */
    onLastClosed(): void {
      if (isQuitting()) return
      if (!goesOn()) {
        app.quit()
        return
      }
      const { dismissed } = host.snapshot().settings
      if (os === 'darwin' || dismissed.includes(trayKnown) || !Notification.isSupported()) return
      notice = new Notification({ title: t`${app.name} goes on in the tray.`, body: '' })
      notice.show()
      host.request('settings.set', { dismissed: [...dismissed, trayKnown].slice(-200) }).catch((error: unknown) => {
        log.error('It could not be noted that the tray is known', error)
      })
    },
    /**
     * Carries out what a start asks for. A start at login, `isFirst` of its run, shows no window where the app goes on without one; one for
     * agents never does.
     */
    start(args: readonly string[], isFirst: boolean): void {
      if (hasStartCommand(args, 'for-agents')) return
      if (hasStartCommand(args, 'quick-entry')) quickEntry.toggle()
      else if (hasStartCommand(args, 'new-chat')) go('#/chat')
      else if (!(isFirst && (hasStartCommand(args, 'hidden') || wasOpenedAtLogin(os)) && goesOn())) show()
    },
    platform: (failures: ReturnType<typeof openFailureLog>): NonNullable<Platform['desktop']> => ({
      state: () => ({
        tray: canTray,
        keys: shown?.keys() ?? 'off',
        failures: failures.list(),
        folder: failures.folder,
      }),
      hideQuickEntry: quickEntry.hide,
      pasteQuickEntry: quickEntry.paste,
      showCrashes: () => void shell.openPath(failures.folder),
    }),
  }
}

/** Keeps tray, badge, keys, launch menus and the start at login as the settings and the host say. */
function followDesktop(options: DesktopOptions, quickEntry: QuickEntry, go: (hash: string) => void) {
  const { host, os, env, clock, log, icons, profileArgs, openWindow, show } = options
  const badge = createBadge(os)
  const stopServers = (names: readonly string[]): void => {
    for (const name of names) host.request('server.stop', { name }).catch((error: unknown) => log.error(`${name} was not stopped`, error))
  }
  const actions = { open: show, go, quickEntry: quickEntry.toggle, stopServers }
  let tray: ReturnType<typeof openTray> | undefined
  let tell = (): void => undefined
  followStatus(host, clock, (status) => {
    tell = () => tray?.show(status)
    tell()
    badge(status.count)
  })
  followSetting(host, 'tray', (on) => {
    tray?.close()
    tray = undefined
    logFailure(log, 'The tray could not be opened', () => {
      if (on) tray = openTray({ os, icons, actions })
    })
    tell()
  })
  const keys = followKeys(host, { os, env, log, press: quickEntry.toggle })
  const program = process.execPath
  const run = (command: StartCommand): void => (command === 'quick-entry' ? quickEntry.toggle() : go('#/chat'))
  followSetting(host, 'language', () => {
    tell()
    showLaunchMenu({ os, program, args: profileArgs, openWindow, run })
  })
  // Off at the start is nothing to do: whoever put the app among the login items by hand keeps it there.
  let atLogin: boolean | undefined
  followSetting(host, 'startAtLogin', (on) => {
    if (on || atLogin) setStartAtLogin(on, { os, env, home: homedir(), program, args: profileArgs, isChosen: atLogin !== undefined })
    atLogin = on
  })
  return { hasTray: () => tray !== undefined, keys: keys.state }
}

interface LaunchMenuOptions {
  readonly os: NodeJS.Platform
  /** Program that the tasks start. */
  readonly program: string
  /** Arguments of this run that the tasks need too, like its profile. */
  readonly args: readonly string[]
  readonly openWindow: () => void
  readonly run: (command: StartCommand) => void
}

/** Sets the Dock's menu or the jump list, in the language of now. On Linux both are in the desktop file. */
function showLaunchMenu({ os, program, args, openWindow, run }: LaunchMenuOptions): void {
  const commands: readonly (readonly [StartCommand, string])[] = [
    ['new-chat', t`New chat`],
    ['quick-entry', t`Quick entry`],
  ]
  if (os === 'darwin') {
    const items = commands.map(([command, label]) => ({ label, click: () => run(command) }))
    app.dock?.setMenu(Menu.buildFromTemplate([...items, { label: t`New window`, click: openWindow }]))
  }
  // Run from its sources, the program is Electron, which would not find the app.
  if (os === 'win32' && app.isPackaged)
    app.setUserTasks(
      commands.map(([command, title]) => ({
        title,
        description: title,
        program,
        arguments: [...args, startSwitch(command)].map(quoteForWindows).join(' '),
        iconPath: program,
        iconIndex: 0,
      })),
    )
}

/** Quotes an argument as CommandLineToArgvW reads it. */
const quoteForWindows = (arg: string): string =>
  /^[\w:\\./=-]+$/.test(arg) && !arg.endsWith('\\') ? arg : `"${arg.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`

export interface LoginItemOptions {
  readonly os: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  readonly program: string
  readonly args: readonly string[]
  /** Whether the person turned the setting just now; else it is put right at a start, and what they turned off in the system stays so. */
  readonly isChosen: boolean
}

/** Name of the autostart file; that of the installed desktop file, so that the desktop knows them as one. */
const entryName = 'io.github.assent_desktop.assent.desktop'

/** Whether a Mac opened the app at login, which gives it no arguments (docs/api/app.md). */
const wasOpenedAtLogin = (os: NodeJS.Platform): boolean => os === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin

/** Starts the app at login, hidden, or no longer. Run from its sources it does nothing: Electron itself would be started. */
export function setStartAtLogin(on: boolean, { os, env, home, program, args, isChosen }: LoginItemOptions): void {
  if (!app.isPackaged) return
  const all = [...args, startSwitch('hidden')]
  if (os !== 'linux' && !isChosen) {
    // Set again it would be approved again, whatever Task Manager says (`Browser::SetLoginItemSettings`, shell/browser/browser_win.cc).
    const { openAtLogin, status } = app.getLoginItemSettings(os === 'win32' ? { args: all } : {})
    if (openAtLogin || status === 'requires-approval') return
  }
  // `setLoginItemSettings` knows a Mac and Windows alone (docs/api/app.md). It quotes by itself (`FormatCommandLineString`, shell/browser/browser_win.cc).
  if (os !== 'linux') {
    app.setLoginItemSettings({ openAtLogin: on, ...(os === 'win32' && { args: all }) })
    return
  }
  const folder = join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'autostart')
  const file = join(folder, entryName)
  if (!on) {
    rmSync(file, { force: true })
    return
  }
  // As desktops turn an entry off (Desktop Application Autostart Specification; GNOME).
  if (!isChosen && /^(Hidden=true|X-GNOME-Autostart-enabled=false)$/m.test(orElse(() => readFileSync(file, 'utf8'), ''))) return
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // An AppImage runs from a folder that is gone after it; the variable has the file itself.
  writeFileAtomically(file, desktopEntry([env['APPIMAGE'] || program, ...all]))
}

/** Entry that starts a command (Desktop Entry Specification, “The Exec key”). */
const desktopEntry = (command: readonly string[]): string =>
  `[Desktop Entry]\nType=Application\nName=${app.name}\nExec=${command.map(quoteForExec).join(' ')}\nTerminal=false\nX-GNOME-Autostart-enabled=true\n`

/** Quotes an argument; its backslashes are read twice, first as those of a string. */
const quoteForExec = (arg: string): string =>
  `"${arg
    .replace(/[\\"`$]/g, '\\$&')
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')
    .replace(/[\n\r]/g, ' ')}"`

// Deep links and bundle files that are opened with Assent. On a Mac they come as events of the app, maybe before it is ready; elsewhere on
// the command line, of this instance or of a second one that then quits. Nothing else of a command line is read here: whoever can have a
// link opened can choose its words.
/** Scheme of `assent://install?…`. The page itself is served by another scheme, which no other program can open. */
export const linkScheme = 'assent'

/**
 * Returns the link or file in a command line, which is its last argument: Windows passes it there, and people open one at a time. A file's
 * path is relative to `folder`, in which the command was given.
 */
export function deepLinksInArguments(args: readonly string[], folder: string): IncomingLink | undefined {
  const last = args.at(-1)
  if (last === undefined || last.startsWith('-')) return undefined
  if (last.toLowerCase().startsWith(`${linkScheme}:`)) return { kind: 'link', text: last }
  return isBundleFile(last) ? { kind: 'file', path: resolve(folder, last) } : undefined
}

const mostEarly = 5

/** Listens for links and files; to be called before the app is ready. */
export function listenForDeepLinks() {
  const early: IncomingLink[] = []
  let take = (thing: IncomingLink): void => {
    if (early.length < mostEarly) early.push(thing)
  }
  let start = (_: readonly string[]): void => undefined
  app.on('second-instance', (_event, argv, folder) => {
    start(argv)
    const thing = deepLinksInArguments(argv.slice(1), folder)
    if (thing) take(thing)
  })
  app.on('open-url', (event, url) => {
    event.preventDefault()
    if (url.toLowerCase().startsWith(`${linkScheme}:`)) take({ kind: 'link', text: url })
  })
  app.on('open-file', (event, path) => {
    event.preventDefault()
    if (isBundleFile(path)) take({ kind: 'file', path })
  })
  return {
    deliver(to: (thing: IncomingLink) => void, onSecond: (argv: readonly string[]) => void): void {
      take = to
      start = onSecond
      for (const thing of early.splice(0)) to(thing)
    },
  }
}
