// The app and the agents that start it: `Assent mcp` in a process without a window, and the app that serves them in the background until
// the last has left or the person opens a window.
import { execFileSync } from 'node:child_process'
import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { app } from 'electron'
import { orElse } from '#app/or-else.ts'
import type { Clock } from '#main/base/clock.ts'
import { howToOpen } from '#main/shell/mcp/gate-calls.ts'
import { createLastLeft, readAgentStatus, serveAgent, startProgram } from '#main/shell/mcp/serve-agent.ts'
import { profilePlaces } from '#main/shell/node/data-dir.ts'
import type { HostProcess, OutputStream } from './quit.ts'
import { dataDirOption, hasStartCommand, startSwitch } from './start-options.ts'

/** Process of an agent and its surroundings, which tests replace. */
interface AgentSystem {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly process: HostProcess
  readonly stderr: OutputStream
  readonly openStdin: () => Readable
  /** Variables of the person's session as lines `NAME=VALUE`, for the folder of its sockets. */
  readonly readSession: (runtimeDir: string) => string
}

const here = (): AgentSystem => ({
  env: process.env,
  process,
  stderr: process.stderr,
  openStdin: () => new Socket({ fd: 0, readable: true, writable: false }),
  readSession: (runtimeDir) =>
    execFileSync('systemctl', ['--user', 'show-environment'], {
      ...{ encoding: 'utf8', timeout: 5000, stdio: ['ignore', 'pipe', 'ignore'] },
      env: { ...process.env, XDG_RUNTIME_DIR: runtimeDir },
    }),
})

/** Serves an agent on stdin and stdout. Where nothing runs on the profile it starts the app without a window, which asks the person. */
export async function serveAgentHere(
  args: readonly string[],
  os: NodeJS.Platform = process.platform,
  replaced: Partial<AgentSystem> = {},
): Promise<void> {
  const system = { ...here(), ...replaced }
  const { dataDir } = profilePlaces(dataDirOption(args))
  system.stderr.on('error', () => undefined) // The agent is gone.
  const note = (line: string): void => void system.stderr.write(`assent: ${line}\n`)
  const fail = (error: unknown): void => {
    note(error instanceof Error ? error.message : String(error))
    app.exit(1)
  }
  // Electron would show a box with a stack trace (lib/browser/init.ts).
  system.process.on('uncaughtException', fail)
  // Chromium's default is the profile itself on a Mac, and the former profile on Windows (shell/common/electron_paths.cc).
  app.setPath('userData', `${dataDir}.agents`)
  app.disableHardwareAcceleration()
  try {
    if (args.includes('--status')) process.stdout.write(`${JSON.stringify(await readAgentStatus(dataDir))}\n`)
    else {
      const startApp = appStarter(args, dataDir, os, { ...system, note })
      if (os === 'darwin') followLaunches(startApp)
      // There `process.stdin` is at its end from the start (lib/common/init.ts), whatever the agent writes.
      const stdin = os === 'win32' ? system.openStdin() : process.stdin
      await serveAgent({ dataDir, startHost: () => startApp(startSwitch('for-agents')), note, signal: new AbortController().signal, stdin })
    }
    app.exit(0)
  } catch (error) {
    fail(error)
  }
}

/** Opening the app, a link or a bundle tells the process of it that runs (docs/api/app.md, `activate`). */
function followLaunches(startApp: (...more: readonly string[]) => void): void {
  app.on('activate', () => startApp())
  app.on('open-url', (event, url) => {
    event.preventDefault()
    startApp(url)
  })
  app.on('open-file', (event, path) => {
    event.preventDefault()
    startApp(path)
  })
}

/** Returns what starts the app on the same profile, in the person's session. */
function appStarter(
  args: readonly string[],
  dataDir: string,
  os: NodeJS.Platform,
  { env, readSession, note }: Pick<AgentSystem, 'env' | 'readSession'> & { readonly note: (line: string) => void },
) {
  const ours = app.isPackaged ? [] : args.filter((arg) => arg === '.' || arg.endsWith('electron.js'))
  // This process has no screen, the app needs one.
  const screen = args.filter((arg) => arg.startsWith('--ozone-platform') && !arg.endsWith('=headless'))
  const all = [...ours, ...screen, ...(dataDirOption(args) === undefined ? [] : ['--data-dir', dataDir])]
  // The program of an AppImage lies in a mount that ends with this process.
  const program = app.isPackaged ? env['APPIMAGE'] : undefined
  let told = false
  return (...more: readonly string[]): void => {
    const session = os === 'linux' ? sessionVariables(env, readSession) : {}
    // The window that the person opens would be hidden on Windows: the first one takes the value of the start (electron/electron issue 15467).
    if (session) startProgram([...all, ...more], { env: session, program, windowsHide: false })
    else if (!told) note(howToOpen())
    told ||= session === undefined
  }
}

/** Variables by which a program reaches the person's screen, keyring and notifications. */
const ofSession = [
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'XDG_SESSION_TYPE',
  'XDG_CURRENT_DESKTOP',
  'DBUS_SESSION_BUS_ADDRESS',
] as const

/**
 * Returns the variables that the app needs beside those of this process; undefined: there is no screen. Agents pass few on (the MCP SDK's
 * `DEFAULT_INHERITED_ENV_VARS`), and without a display Electron ends at once. The desktop tells systemd of them.
 */
function sessionVariables(env: AgentSystem['env'], read: AgentSystem['readSession']): Readonly<Record<string, string>> | undefined {
  if (env['DISPLAY'] || env['WAYLAND_DISPLAY']) return {}
  const runtimeDir = env['XDG_RUNTIME_DIR'] || `/run/user/${process.getuid?.()}`
  const lines = orElse(() => read(runtimeDir), '').split('\n')
  const found = ofSession.flatMap((name) => {
    const value = lines.find((line) => line.startsWith(`${name}=`))?.slice(name.length + 1)
    return value ? [[name, value] as const] : []
  })
  const hasScreen = found.some(([name]) => name === 'DISPLAY' || name === 'WAYLAND_DISPLAY')
  return hasScreen ? { XDG_RUNTIME_DIR: runtimeDir, ...Object.fromEntries(found) } : undefined
}

/** Ends the app that an agent started, seconds after the last has left. Once there is a window it stays as if the person had started it. */
export function stayForAgents(args: readonly string[], clock: Clock, end: () => void, isBusy: () => boolean) {
  if (!hasStartCommand(args, 'for-agents')) return undefined
  const last = createLastLeft(clock, end, isBusy)
  app.once('browser-window-created', () => {
    last.stop()
    void app.dock?.show()
  })
  return last.onConnections
}
