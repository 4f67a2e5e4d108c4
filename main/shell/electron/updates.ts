// Updates of the installed app by electron-updater, which is loaded with the first check: asked before the download and before the restart, never
// while a chat or call runs. What the format of the installation cannot do is said instead.
import { execFile } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join, sep } from 'node:path'
import { app, dialog } from 'electron'
import type { AppUpdater, UpdateInfo } from 'electron-updater'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { orElse } from '#app/or-else.ts'
import type { UpdateAction, UpdateState } from '#app/profile-notice.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Log } from '#main/base/host-log.ts'
import { powershell } from '#main/base/powershell.ts'
import type { UpdatedHost, Updates } from '#main/platform.ts'
import type { Leave } from './quit.ts'

/** Milliseconds from the start to the first check, and between checks. */
const firstCheck = 30_000
const nextCheck = 24 * 3_600_000
const longestCheck = 60_000
/** UTF-16 units of release notes that are shown. */
const longestNotes = 20_000

interface UpdatesOptions {
  readonly os: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  /** Folder of the archive, with `app-update.yml`. */
  readonly resources: string
  /** File in which whoever runs the computer forbids updates: `{ "updates": false }`. Default: the system's place for it. */
  readonly policy?: string
  readonly program: string
  readonly clock: Clock
  readonly log: Log
  readonly leave: Leave
  /** Replaced in tests, which have none. */
  readonly powershellAnswers?: () => Promise<boolean>
}

type Format = Extract<UpdateState, { kind: 'manual' }>['format'] | 'nsis' | 'mac' | 'appimage'

const isWritable = (path: string): boolean =>
  orElse(() => {
    accessSync(path, constants.W_OK)
    return true
  }, false)

/** How this installation is updated. `APPIMAGE` counts only with the program inside its mount: programs that an AppImage started inherit it. */
export function installedFormat({ os, env, resources, program }: Pick<UpdatesOptions, 'os' | 'env' | 'resources' | 'program'>): Format {
  const config = orElse(() => readFileSync(join(resources, 'app-update.yml'), 'utf8'), undefined)
  if (!app.isPackaged) return 'checkout'
  if (os === 'win32') {
    if (env['PORTABLE_EXECUTABLE_FILE'] || config === undefined) return 'portable'
    // Without a publisher's name electron-updater verifies no signature.
    return /^publisherName:/m.test(config) ? 'nsis' : 'unsigned'
  }
  if (config === undefined) return 'package'
  // On a mounted image, or moved aside by Gatekeeper until the person moves it.
  if (os === 'darwin') return program.startsWith('/Volumes/') || program.includes('/AppTranslocation/') ? 'read-only' : 'mac'
  if (env['SNAP'] && program.startsWith(env['SNAP'] + sep)) return 'snap'
  const [image = '', mount = ''] = [env['APPIMAGE'], env['APPDIR']]
  if (existsSync(join(resources, 'package-type')) || !isAbsolute(image) || !isAbsolute(mount)) return 'package'
  if (!program.startsWith(mount + sep)) return 'package'
  return isWritable(image) && isWritable(dirname(image)) ? 'appimage' : 'read-only'
}

/** Place of the policy, which the person alone cannot write to where the system is set up as usual. */
const policyPath = ({ os, env }: Pick<UpdatesOptions, 'os' | 'env'>): string =>
  os === 'win32'
    ? join(env['ProgramData'] ?? 'C:\\ProgramData', 'Assent', 'policy.json')
    : os === 'darwin'
      ? '/Library/Application Support/Assent/policy.json'
      : '/etc/assent/policy.json'

/** Whether the policy forbids updates. One that cannot be read does: somebody wanted one. */
function forbidsUpdates(path: string, log: Log): boolean {
  if (!existsSync(path)) return false
  const policy = orElse(() => JSON.parse(readFileSync(path, 'utf8')) as { updates?: unknown } | null, undefined)
  if (policy === undefined) log.warn(`The policy ${path} cannot be read as JSON. Updates are off.`)
  return policy === undefined || policy?.updates === false
}

export function createUpdates(options: UpdatesOptions): Updates {
  const { os, env, clock, log, powershellAnswers = asksPowershell, policy = policyPath(options) } = options
  const isForbidden = Boolean(env['ASSENT_DISABLE_UPDATES']) || forbidsUpdates(policy, log)
  let host: UpdatedHost | undefined
  let format: Format | undefined
  let state: UpdateState = { kind: 'none' }
  let updater: AppUpdater | undefined
  let cancel: (() => void) | undefined
  let bytes = 0

  /** State that rules out every update now, if any does. */
  function obstacle(): UpdateState | undefined {
    if (isForbidden) return { kind: 'off', by: 'policy' }
    format ??= installedFormat(options)
    if (format !== 'nsis' && format !== 'mac' && format !== 'appimage') return { kind: 'manual', format }
    return host?.isWanted() === false ? { kind: 'off', by: 'setting' } : undefined
  }
  function enter(next: UpdateState): void {
    state = next
    host?.onChange()
  }

  async function load(): Promise<AppUpdater> {
    if (updater) return updater
    const made = await makeUpdater(os, log, powershellAnswers)
    made.on('error', (error) => {
      forgetInstall()
      if (state.kind === 'ready') enter({ kind: 'failed', version: state.version, error: updateError(error).toValue() })
    })
    made.on('download-progress', ({ percent }) => {
      if (obstacle()) cancel?.()
      if (state.kind === 'downloading' && Math.floor(percent) > state.percent) enter({ ...state, percent: Math.floor(percent) })
    })
    updater = made
    return made
  }

  /** `quiet`: nobody asked, so a failure is logged alone. */
  async function check(quiet: boolean): Promise<void> {
    if (obstacle() || !['none', 'available', 'failed'].includes(state.kind)) return
    const before = state
    enter({ kind: 'checking' })
    try {
      const result = await withinLimit((await load()).checkForUpdates(), clock)
      if (result?.isUpdateAvailable) {
        enter({ kind: 'available', ...acceptedUpdate(result.updateInfo) })
        bytes = Math.max(...result.updateInfo.files.map(({ size = 0 }) => size))
      } else enter({ kind: 'none', checkedAt: clock.now() })
    } catch (error) {
      log.warn(`The check for updates failed: ${error instanceof Error ? error.message : error}`)
      enter(quiet ? before : { kind: 'failed', error: updateError(error).toValue() })
    }
  }

  async function download(): Promise<void> {
    const { CancellationToken } = await electronUpdater()
    if (obstacle() || !updater || state.kind !== 'available') return
    const { version, notes } = state
    const token = new CancellationToken()
    cancel = () => token.cancel()
    enter({ kind: 'downloading', version, percent: 0 })
    try {
      await updater.downloadUpdate(token)
      enter({ kind: 'ready', version, notes })
    } catch (error) {
      enter(token.cancelled ? { kind: 'available', version, notes } : { kind: 'failed', version, error: updateError(error).toValue() })
    }
  }

  function restart(): void {
    if (obstacle() || state.kind !== 'ready' || !updater) return
    if (host?.isBusy()) throw new HostError('update.busy', t`An answer is still running.`)
    log.info(`Restarting into ${state.version}`)
    noteInstall(state.version)
    quitInto(updater, bytes, options)
  }

  const actions: Readonly<Record<UpdateAction, () => void | Promise<void>>> = {
    check: () => check(false),
    download: () => void download(),
    cancel: () => cancel?.(),
    restart,
  }
  return {
    get state() {
      return obstacle() ?? state
    },
    follow(followed) {
      host = followed
      const version = failedInstall()
      if (version !== undefined) enter({ kind: 'failed', version, error: updateError(undefined).toValue() })
      const look = (): void => {
        void check(true)
        clock.after(nextCheck, look)
      }
      clock.after(firstCheck, look)
    },
    act: async (action) => actions[action](),
  }
}

/** File with the versions of an installation that the quit began: a failure of the system's installer is seen at the next start alone. */
const installFile = (): string => join(app.getPath('userData'), 'update-begun')
const noteInstall = (version: string): void => orElse(() => writeFileSync(installFile(), `${app.getVersion()} ${version}`), undefined)
const forgetInstall = (): void => rmSync(installFile(), { force: true })

/** Returns the version that the last quit was to install where the one before it still runs; says so once. */
function failedInstall(): string | undefined {
  const [before, after] = orElse(() => readFileSync(installFile(), 'utf8'), '').split(' ')
  forgetInstall()
  return before === app.getVersion() ? after : undefined
}

/** @throws {Error} after a minute: Electron's requests have no timeout of their own */
function withinLimit<T>(work: Promise<T>, clock: Clock): Promise<T> {
  const late = Promise.withResolvers<never>()
  const stop = clock.after(longestCheck, () => late.reject(new Error('timeout')))
  return Promise.race([work, late.promise]).finally(stop)
}

/**
 * Quits into the new version, once all is closed: it starts on the same profile. Held back by unsaved text, it is installed at the next quit.
 * @throws {HostError} `disk.full`
 */
function quitInto(updater: AppUpdater, bytes: number, { os, env, leave }: UpdatesOptions): void {
  // The old file goes first, and its blocks only with the process.
  const space = os === 'linux' ? statfsSync(dirname(env['APPIMAGE'] ?? '/')) : undefined
  if (space && space.bavail * space.bsize < bytes) throw new HostError('disk.full', t`The disk is full.`)
  if (os === 'darwin') {
    // Squirrel.Mac quits by itself, once it has the file.
    updater.quitAndInstall()
    return
  }
  leave.atQuit = () => {
    updater.once('error', ({ message }) => dialog.showErrorBox(t`The update failed.`, message))
    app.releaseSingleInstanceLock()
    updater.quitAndInstall(true, true)
  }
  app.quit()
}

const asksPowershell = (): Promise<boolean> =>
  new Promise((resolve) => {
    const { file, args, options } = powershell('ConvertTo-Json 1')
    execFile(file, args, { ...options, timeout: 20_000 }, (error, stdout) => resolve(!error && stdout.trim() === '1'))
  })

/** electron-updater's class for the system, which does nothing by itself. */
async function makeUpdater(os: NodeJS.Platform, log: Log, powershellAnswers: () => Promise<boolean>): Promise<AppUpdater> {
  const { AppImageUpdater, MacUpdater, NsisUpdater } = await electronUpdater()
  const made = os === 'win32' ? new NsisUpdater() : os === 'darwin' ? new MacUpdater() : new AppImageUpdater()
  if (made instanceof NsisUpdater) {
    // Where PowerShell does not run, electron-updater takes an installer without a look at its signature.
    const verify = made.verifyUpdateCodeSignature
    made.verifyUpdateCodeSignature = async (names, path) => ((await powershellAnswers()) ? verify(names, path) : 'no-powershell')
  }
  Object.assign(made, {
    autoDownload: false,
    autoInstallOnAppQuit: false,
    allowDowngrade: false,
    allowPrerelease: false,
    // A package that a web installer fetches is not verified; a download in parts needs more of a server than GitHub promises.
    disableWebInstaller: true,
    disableDifferentialDownload: true,
    // In place of a number that would tell this installation from others; the share of a staged roll-out is decided here.
    requestHeaders: { 'x-user-staging-id': 'none' },
    logger: { info: log.debug, debug: log.debug, warn: log.warn, error: (message: unknown) => log.warn(String(message)) },
  })
  return made
}

/** CommonJS, whose names an import of ours does not see. */
const electronUpdater = async () => (await import('electron-updater')).default

/**
 * Returns what is shown of an update. Names of files go into paths and into commands of electron-updater's, so others than those that our
 * build gives are refused, and so are addresses.
 * @throws {HostError} `update.refused`
 */
function acceptedUpdate({ version, files, releaseNotes }: UpdateInfo) {
  const isOurs = /^\d+\.\d+\.\d+$/.test(version) && files.length > 0 && files.every(({ url }) => /^assent-[\w.-]+$/.test(url))
  if (!isOurs) throw new HostError('update.refused', t`The update is not the published one.`)
  // GitHub's feed gives HTML where a release brings no notes of its own.
  const notes = typeof releaseNotes === 'string' ? releaseNotes.replace(/^\s*<[\s\S]*/, (html) => html.replace(/<[^>]*>/g, '')) : ''
  return { version, notes: notes.slice(0, longestNotes).toWellFormed() }
}

/** Codes of electron-updater's for a file that is not the one that was published. */
const refusals: ReadonlySet<string> = new Set(['ERR_CHECKSUM_MISMATCH', 'ERR_UPDATER_INVALID_SIGNATURE', 'ERR_UPDATER_NO_CHECKSUM'])

function updateError(error: unknown): HostError {
  if (error instanceof HostError) return error
  const code = (error as { readonly code?: unknown } | undefined)?.code
  return refusals.has(String(code))
    ? new HostError('update.refused', t`The update is not the published one.`, { cause: error })
    : new HostError('update.failed', t`The update failed.`, { cause: error })
}
