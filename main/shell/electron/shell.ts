// The Electron shell: one instance a profile, one host, windows that show it. `runShell` does what must come before the app is ready,
// `open` the rest.
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { app, BrowserWindow, clipboard, dialog, Notification, session, shell } from 'electron'
import { HostError } from '#app/errors.ts'
import { formatWhen } from '#app/i18n/format-dates.ts'
import { t } from '#app/i18n/translate.ts'
import { defined, orElse } from '#app/or-else.ts'
import { wait } from '#main/base/abort.ts'
import { systemClock } from '#main/base/clock.ts'
import { type Log, openLogFile } from '#main/base/host-log.ts'
import { openSecretsFile } from '#main/base/secret-store.ts'
import { spend } from '#main/consent/approved.ts'
import type { HostOptions } from '#main/host/host-options.ts'
import { prepareFolder } from '#main/host/profile-check.ts'
import { createHost, type Host } from '#main/host.ts'
import type { IncomingLink } from '#main/install/deep-link-queue.ts'
import type { Platform } from '#main/platform.ts'
import { type ProfilePlaces, surroundings } from '#main/shell/node/data-dir.ts'
import { createSpeaker } from '#main/shell/node/languages.ts'
import { isMoveDue, moveProfile, type ProfileChoice, twoProfiles } from '#main/shell/node/move-profile.ts'
import { type BrowserOpener, createBrowserOpener } from '#main/shell/node/open-browser.ts'
import { createDiagramFrame } from '#main/shell/node/page-content.ts'
import { cliEntry } from '#main/shell/node/program-files.ts'
import { moveStateKey, openStateKey } from '#main/shell/node/state-key.ts'
import { takeOver } from '#main/shell/socket/join-host.ts'
import { listenForCommands } from '#main/shell/socket/listen-for-commands.ts'
import { stayForAgents } from './agent.ts'
import { createBuiltinLauncher } from './demo-server.ts'
import { deepLinksInArguments, linkScheme, listenForDeepLinks, openDesktop } from './desktop/open-desktop.ts'
import {
  askWithoutSandbox,
  denyNetwork,
  denyPermissions,
  guardEveryContents,
  lacksSandbox,
  refuseClientCertificates,
  removeSwitches,
} from './hardening.ts'
import { connectPages } from './ipc.ts'
import { followMenu } from './menu.ts'
import { openableUrl } from './navigation.ts'
import { createPathCommand, pathFile } from './path-command.ts'
import { registerScheme, servePage } from './protocol.ts'
import {
  countCrashes,
  disposeBeforeQuit,
  type HostProcess,
  type Leave,
  type OutputStream,
  openFailureLog,
  spareGraphics,
  startsSafely,
  watchFailures,
} from './quit.ts'
import { safeStorageCipher } from './safe-storage.ts'
import { dataDirOption, hasStartCommand, lastingProgram, sandboxOption, withoutScreen } from './start-options.ts'
import { createUpdates } from './updates.ts'
import { changeTextSize, followSpelling, followSystemProxy, followTheme } from './window/follow-settings.ts'
import { createWindows } from './window/window.ts'

export interface PlatformOptions
  extends Required<Pick<Platform, 'secrets' | 'launchBuiltin' | 'speak' | 'openWindow' | 'commandLine' | 'updates'>> {
  readonly os: NodeJS.Platform
  readonly log: Log
  /** Opens an address by a private file. Absent where other accounts cannot read a program's arguments. */
  readonly browser: Pick<BrowserOpener, 'open'> | undefined
  readonly showConversation: (conversationId: string | undefined) => void
  /** Called late: what it tells is made after the host. */
  readonly desktop: () => NonNullable<Platform['desktop']>
}

async function choose(options: Electron.OpenDialogOptions): Promise<string | null> {
  const owner = BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0]
  const { canceled, filePaths } = await (owner ? dialog.showOpenDialog(owner, options) : dialog.showOpenDialog(options))
  return canceled ? null : (filePaths[0] ?? null)
}

/** Offers an address for copying when the browser cannot read a file of ours: every account can read a program's arguments. */
async function offerAddress(url: string): Promise<void> {
  const { response } = await dialog.showMessageBox({
    type: 'info',
    message: t`The browser cannot be given this page safely.`,
    detail: t`Copy the address and paste it into the browser. Opened directly, other accounts of this computer could read it.`,
    buttons: [t`Copy address`, t`Cancel`],
    defaultId: 0,
    cancelId: 1,
  })
  if (response === 0) await clipboard.writeText(url)
}

export function createPlatform(options: PlatformOptions): Platform {
  const { os, secrets, launchBuiltin, speak, log, browser, openWindow, commandLine, showConversation, updates, desktop } = options
  /** Notifications that can be clicked: one that is garbage-collected does not answer. The oldest go. */
  const shown = new Set<Notification>()
  return {
    shell: {
      kind: 'electron',
      os: os === 'darwin' ? 'mac' : os === 'win32' ? 'windows' : 'linux',
      canChooseFolder: true,
      // Known once the keyring has answered.
      get secrets() {
        return secrets.kind
      },
    },
    secrets,
    launchBuiltin,
    speak,
    openWindow,
    commandLine,
    updates,
    desktop: {
      state: () => desktop().state(),
      hideQuickEntry: () => desktop().hideQuickEntry(),
      pasteQuickEntry: () => desktop().pasteQuickEntry(),
      showCrashes: () => desktop().showCrashes(),
    },
    async openUrl(approval) {
      const url = openableUrl(spend(approval).url)
      if (url === undefined) throw new HostError('contract.invalid', t`Only http and https addresses without a password are opened.`)
      if (browser === undefined) await shell.openExternal(url)
      else if ((await browser.open(url)) !== 'opened') await offerAddress(url)
      return 'host'
    },
    chooseFolder: (title) => choose({ title, properties: ['openDirectory', 'createDirectory'] }),
    chooseFile: (title) => choose({ title, properties: ['openFile', 'showHiddenFiles'] }),
    notify({ title, body, conversationId }) {
      if (BrowserWindow.getFocusedWindow() !== null || !Notification.isSupported()) return
      const notification = new Notification({ title, body })
      shown.add(notification)
      for (const oldest of [...shown].slice(0, -mostNotifications)) shown.delete(oldest)
      const forget = (): void => void shown.delete(notification)
      notification.on('click', () => {
        forget()
        showConversation(conversationId)
      })
      // Windows keeps a notification in its list after `close`, where it can still be clicked (docs/api/notification.md, `close`).
      notification.on('close', ({ reason }) => {
        if (reason !== 'timedOut') forget()
      })
      notification.on('failed', (_event, error) => {
        forget()
        log.warn(`A notification was not shown: ${error}`)
      })
      notification.show()
    },
  }
}

interface ShellOptions {
  /** Folder with main, preload, renderer and the script of the diagrams' frame. */
  readonly dist: string
  readonly icon: string | undefined
  readonly os: NodeJS.Platform
  readonly args: readonly string[]
  /** Folder in which the app was started. */
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stderr: OutputStream
  readonly process: HostProcess
  readonly onShown: () => void
  readonly places: ProfilePlaces
}

/** Id in electron-builder.yml, by which Windows knows toasts and pins on the taskbar. */
const appId = 'io.github.assent-desktop.assent'
/** CLSID in the shortcut, which Windows activates when a toast is clicked. It must never change. */
const toastActivator = '{7A6B7C52-3B0E-4C57-9F0A-2D1E5B8C64A3}'
const mostNotifications = 50
/** Milliseconds that the window, and its first page, wait for the keyring's answer. */
const keyringWait = 1500

/** Resolves once the first window is asked for, or at once when another instance has the profile. */
export async function runShell(options: ShellOptions): Promise<void> {
  const { dataDir } = options.places
  if (isMoveDue(options.places)) return moveThenRestart(options.places, options.env)
  if (options.places.former) orElse(() => rmSync(meanwhile(options.places), { recursive: true, force: true }), undefined)
  // A folder for Chromium's files. The single-instance lock is in it, so there is one instance a profile.
  const browserDir = join(dataDir, 'browser')
  prepareFolder(dataDir)
  mkdirSync(browserDir, { recursive: true, mode: 0o700 })
  app.setPath('userData', browserDir)
  if (options.os === 'win32') {
    // Run from its sources it has another id: with the same one it would overwrite the installed app's shortcut.
    app.setAppUserModelId(app.isPackaged ? appId : `${appId}.checkout`)
    app.setToastActivatorCLSID(toastActivator)
  }
  const without = removeSwitches(!existsSync(join(dataDir, 'assent.db')))
  if (!app.requestSingleInstanceLock()) return app.quit()

  // The system's language, until the profile with its settings is open.
  const speak = createSpeaker(() => app.getPreferredSystemLanguages())
  speak()
  const deepLinks = listenForDeepLinks()
  app.enableSandbox()
  registerScheme()
  guardEveryContents()
  refuseClientCertificates()
  options.stderr.on('error', () => undefined) // The terminal is closed; the log has its file.
  const logPath = join(dataDir, 'logs', 'assent.log')
  const log = openLogFile(logPath, { echo: options.stderr })
  const failures = openFailureLog({ dataDir, version: app.getVersion(), now: systemClock.now, log, process: options.process })
  const runs = countCrashes(dataDir, failures, log, options.os)
  if (without.length > 0) log.warn(`Started without these switches, which the installed app does not take: ${without.join(', ')}`)
  let dispose = async (): Promise<void> => undefined
  const leave = disposeBeforeQuit(() => dispose().finally(() => log.close()), { clock: systemClock, log })
  watchFailures({ process: options.process, log, logPath, leave })
  const opened = (host: Pick<Host, 'dispose'>): void => {
    dispose = () => host.dispose()
  }
  // Nobody sits before a start for agents, so it offers nothing.
  const safety = [hasStartCommand(options.args, 'safe'), hasStartCommand(options.args, 'for-agents') ? 0 : runs.before] as const
  spareGraphics(...safety)
  // Read while the app gets ready. A keyring that waits for the person does not hold the window back.
  const stateKey = openStateKey({ dataDir, where: { ...surroundings(), env: options.env } })
  const known = Promise.race([stateKey.then((key) => ({ stateKey: key })), wait(systemClock, keyringWait).then(() => ({ stateKey }))])
  const [, key] = await Promise.all([app.whenReady(), known])
  if (lacksSandbox() && !(await askWithoutSandbox())) return app.quit()
  const safe = await startsSafely(...safety)
  await takeOver(dataDir)
  open({ ...options, ...key, dataDir, log, deepLinks, speak, opened, leave, failures, safe })
  runs.settle()
}

/** Folder of Chromium's files while a profile is moved. */
const meanwhile = ({ dataDir }: ProfilePlaces): string => `${dataDir}.browser`

/** Moves the profile of an earlier version. Nothing else may use either folder meanwhile, so the app starts anew after it. */
async function moveThenRestart(places: Required<ProfilePlaces>, env: ShellOptions['env']): Promise<void> {
  // Chromium's own default is the former folder.
  app.setPath('userData', meanwhile(places))
  createSpeaker(() => app.getPreferredSystemLanguages())()
  await app.whenReady()
  const kept = await moveProfile(places, {
    ask: chooseProfile,
    moveKey: (from, to) => moveStateKey(from, to, { where: { ...surroundings(), env } }),
  })
  if (kept !== undefined) app.relaunch()
  app.exit(0)
}

async function chooseProfile(choices: readonly ProfileChoice[]): Promise<string | undefined> {
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message: twoProfiles(),
    detail: choices.map(({ path, used }) => `${path}: ${formatWhen(used, Date.now())}`).join('\n'),
    buttons: [...choices.map(({ path }) => path), t`Cancel`],
    cancelId: choices.length,
    noLink: true,
  })
  return choices[response]?.path
}

interface OpenOptions extends ShellOptions {
  readonly dataDir: string
  readonly log: Log
  readonly deepLinks: ReturnType<typeof listenForDeepLinks>
  readonly speak: ReturnType<typeof createSpeaker>
  readonly stateKey: NonNullable<HostOptions['stateKey']> | null
  readonly opened: (host: Pick<Host, 'dispose'>) => void
  readonly leave: Leave
  readonly failures: ReturnType<typeof openFailureLog>
  readonly safe: boolean
}

function open({ dist, icon, os, env, dataDir, log, deepLinks, speak, args, folder, ...options }: OpenOptions): void {
  const { stateKey, opened, leave, onShown, failures, safe } = options
  const clock = systemClock
  const preload = join(dist, 'preload', 'preload.cjs')
  denyPermissions(session.defaultSession)
  const { open, show, run } = createWindows({
    ...{ preload, icon, os, dataDir, clock, log, leave, onShown },
    spelling: () => checksSpelling(),
    onLastClosed: () => desktop.onLastClosed(),
  })
  const browser = os === 'linux' ? createBrowserOpener({ folder: dataDir, clock, system: { start: openFile } }) : undefined
  const cipher = env['ASSENT_NO_KEYRING'] ? undefined : safeStorageCipher(os)
  const secrets = openSecretsFile({ path: join(dataDir, 'secrets.json'), cipher, clock, log })
  const platform = createPlatform({
    os,
    browser,
    secrets,
    launchBuiltin: createBuiltinLauncher({ folder: join(dist, 'main'), env, clock, kill: (pid) => process.kill(pid, 'SIGKILL') }),
    speak,
    log,
    updates: createUpdates({ os, env, clock, log, leave, resources: process.resourcesPath ?? '', program: process.execPath }),
    openWindow: () => void open(),
    commandLine(command) {
      // Started from an AppImage, the executable is in a folder of this run.
      const program = app.isPackaged ? [env['APPIMAGE'] || lastingProgram(process.execPath), ...withoutScreen(os)] : ['node', cliEntry]
      return [...program, command, ...(dataDirOption(args) || env['ASSENT_DATA_DIR'] ? ['--data-dir', dataDir] : [])]
    },
    showConversation: (id) => (id === undefined ? void show() : run({ kind: 'go', hash: `#/chat/${encodeURIComponent(id)}` })),
    desktop: () => desktop.platform(failures),
  })
  followSystemProxy(session.defaultSession, clock)
  const host = createHost({
    ...{ dataDir, platform, stateKey, clock, log, env, safe },
    version: app.getVersion(),
    startServers: !safe,
    ...defined({ sandbox: sandboxOption(args) }),
  })
  denyNetwork(session.defaultSession, (id) => host.mcpApp(id)?.connections, log)
  const onConnections = stayForAgents(args, clock, () => leave(0), host.runsAgentTasks)
  const commands = listenForCommands({
    ...{ host: async () => host, dataDir, clock, log },
    version: app.getVersion(),
    ...defined({ onConnections }),
  })
  void host.listenForAgents(async (port, onOther) =>
    (await import('#main/shell/mcp/agent-http.ts')).listenForAgents({ host, port, version: app.getVersion(), log, clock, onOther }),
  )
  opened({
    async dispose() {
      await (await commands).close()
      await host.dispose().finally(() => browser?.dispose())
    },
  })
  const diagramFrame = createDiagramFrame(join(dist, 'diagram', 'frame.js'))
  servePage({ folder: join(dist, 'renderer'), diagramFrame, blob: (sha256) => host.blob(sha256), view: (id) => host.mcpApp(id) })
  const waited = new Promise<void>((resolve) => void clock.after(keyringWait, resolve))
  connectPages({
    host,
    log,
    contents: () => BrowserWindow.getAllWindows().map((window) => window.webContents),
    ready: Promise.race([secrets.opened, waited]),
  })
  followTheme(host)
  const checksSpelling = followSpelling(host, session.defaultSession, os)
  const inTerminals = app.isPackaged ? pathFile({ os, env, home: homedir(), program: process.execPath }) : undefined
  const setMenu = followMenu(host, {
    ...{ os, run, openWindow: () => void open(), size: changeTextSize(host, log) },
    openDataFolder: () => void shell.openPath(dataDir),
    pathCommand: inTerminals && createPathCommand(inTerminals, { os, log, onChange: () => setMenu() }),
  })
  const take = (thing: IncomingLink | undefined): void => {
    if (thing) host.openDeepLink(thing)
  }
  // Only the installed app registers the scheme: one run from its sources would take it over.
  if (app.isPackaged) app.setAsDefaultProtocolClient(linkScheme)
  const desktop = openDesktop({
    ...{ host, os, env, clock, log, preload, safe, run },
    icons: join(dist, '..', 'resources', 'tray'),
    profileArgs: dataDirOption(args) === undefined ? [] : ['--data-dir', dataDir],
    spelling: checksSpelling,
    openWindow: () => void open(),
    show: () => void show(),
  })
  app.on('activate', () => void show())
  // Without a listener Electron quits by itself; whether to go on is asked of `desktop` (docs/api/app.md, `window-all-closed`).
  app.on('window-all-closed', () => undefined)
  desktop.start(args, true)
  // One of an earlier run, whose object is gone.
  if (os === 'win32') Notification.handleActivation(({ type }) => void (type === 'click' && show()))
  deepLinks.deliver(take, (argv) => desktop.start(argv, false))
  take(deepLinksInArguments(args, folder))
}

async function openFile(fileUrl: string): Promise<boolean> {
  await shell.openExternal(fileUrl)
  return true
}

export function failToStart(error: unknown): void {
  dialog.showErrorBox(t`Assent could not start`, error instanceof Error ? error.message : String(error))
  app.exit(1)
}
