// The app and the agents that start it: `Assent mcp` in a process without a window, and the app that serves them in the background until
// the last has left or the person opens a window.
import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { app } from 'electron'
import type { Clock } from '#main/base/clock.ts'
import { createLastLeft, readAgentStatus, serveAgent, startProgram } from '#main/shell/mcp/serve-agent.ts'
import { profilePlaces } from '#main/shell/node/data-dir.ts'
import { dataDirOption, hasStartCommand, startSwitch } from './start-options.ts'

/** Serves an agent on stdin and stdout. Where nothing runs on the profile it starts the app without a window, which asks the person. */
export async function serveAgentHere(
  args: readonly string[],
  os: NodeJS.Platform = process.platform,
  openStdin = (): Readable => new Socket({ fd: 0, readable: true, writable: false }),
): Promise<void> {
  const { dataDir } = profilePlaces(dataDirOption(args))
  const note = (line: string): void => void process.stderr.write(`assent: ${line}\n`)
  try {
    if (args.includes('--status')) process.stdout.write(`${JSON.stringify(await readAgentStatus(dataDir))}\n`)
    else {
      const startApp = (...more: readonly string[]): void => startProgram([...argsOfEveryStart(args, dataDir), ...more])
      if (os === 'darwin') {
        // Nothing in the Dock. Opening the app tells the process of it that runs (docs/api/app.md, `activate`).
        app.setActivationPolicy('prohibited')
        app.on('activate', () => startApp())
      }
      // There `process.stdin` is at its end from the start (lib/common/init.ts), whatever the agent writes.
      const stdin = os === 'win32' ? openStdin() : process.stdin
      await serveAgent({ dataDir, startHost: () => startApp(startSwitch('for-agents')), note, signal: new AbortController().signal, stdin })
    }
    app.exit(0)
  } catch (error) {
    note(error instanceof Error ? error.message : String(error))
    app.exit(1)
  }
}

/** Arguments by which this program starts the app on the same profile: those of a checkout, its profile, and a screen that is none. */
function argsOfEveryStart(args: readonly string[], dataDir: string): string[] {
  const ours = app.isPackaged ? [] : args.filter((arg) => arg === '.' || arg.endsWith('electron.js'))
  const screen = args.filter((arg) => arg.startsWith('--ozone-platform'))
  return [...ours, ...screen, ...(dataDirOption(args) === undefined ? [] : ['--data-dir', dataDir])]
}

/** Ends the app that an agent started, seconds after the last has left. Once there is a window it stays as if the person had started it. */
export function stayForAgents(args: readonly string[], clock: Clock, end: () => void) {
  if (!hasStartCommand(args, 'for-agents')) return undefined
  app.dock?.hide()
  const last = createLastLeft(clock, end)
  app.once('browser-window-created', () => {
    last.stop()
    void app.dock?.show()
  })
  return last.onConnections
}
