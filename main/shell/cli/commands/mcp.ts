// `assent mcp`: offers the servers to an agent as one MCP server over stdio. `--status`: who is connected. Here is also the host that such
// commands share while neither the app nor `assent serve` runs.

import type { SystemNotice } from '#app/chat/system-notification.ts'
import { systemClock } from '#main/base/clock.ts'
import { streamLog } from '#main/base/host-log.ts'
import { howToOpen } from '#main/shell/mcp/gate-calls.ts'
import { createLastLeft, readAgentStatus, serveAgent, startProgram } from '#main/shell/mcp/serve-agent.ts'
import { profilePlaces } from '#main/shell/node/data-dir.ts'
import { readAppVersion } from '#main/shell/node/program-files.ts'
import { listenForCommands } from '#main/shell/socket/listen-for-commands.ts'
import type { Options } from '../command-line.ts'
import { openProfile } from '../data-folder.ts'
import { type ExitCode, exitCodes, onInterrupt } from '../exit-codes.ts'
import { type CliOutput, visibleLine } from '../output.ts'
import { createLazyHost } from './serve.ts'

/** Variable that makes `assent mcp` the host that agents share. */
const hostVariable = 'ASSENT_MCP_HOST'

export async function mcp(options: Options, output: CliOutput): Promise<ExitCode> {
  if (options.status) return status(options, output)
  if (process.env[hostVariable]) return headless(options, output)
  const { dataDir } = profilePlaces(options.dataDir)
  const stopped = new AbortController()
  const stopSignals = onInterrupt(() => stopped.abort())
  try {
    const args = ['mcp', ...(options.dataDir === undefined ? [] : ['--data-dir', dataDir])]
    const [, script = ''] = process.argv
    const startHost = (): void => startProgram([...process.execArgv, script, ...args], { env: { [hostVariable]: '1' }, windowsHide: true })
    await serveAgent({ dataDir, startHost, note: (line) => output.note(`assent: ${line}`), signal: stopped.signal })
  } finally {
    stopSignals()
  }
  return exitCodes.done
}

/** Tells what waits to whoever sees no page of it. */
function notifyPerson({ title }: SystemNotice): void {
  // Loaded with the host: what only passes an agent's messages on does without.
  void import('#main/shell/node/node-platform.ts').then(({ notifySystem }) => notifySystem({ title, body: howToOpen() }))
}

/** The host that agents share while nothing else runs on the profile. */
async function headless(options: Options, output: CliOutput): Promise<ExitCode> {
  // What it starts is no such host.
  delete process.env[hostVariable]
  const profile = await openProfile(options, output, { temporary: false })
  const log = streamLog(process.stderr, { debug: options.verbose })
  process.on('unhandledRejection', (error) => log.error('Something failed that nobody waited for', error))
  const ended = Promise.withResolvers<void>()
  const stopSignals = onInterrupt(() => ended.resolve())
  const { host, failed, dispose } = createLazyHost({ profile, log, roots: [], notify: notifyPerson })
  let isBusy = (): boolean => false
  const last = createLastLeft(systemClock, ended.resolve, () => isBusy())
  const commands = await listenForCommands({
    async host() {
      const loaded = await host()
      isBusy = loaded.runsAgentTasks
      return loaded
    },
    dataDir: profile.dataDir,
    version: readAppVersion(),
    log,
    clock: systemClock,
    onConnections: last.onConnections,
    onYield: () => void host().then((loaded) => loaded.yieldAgents().finally(ended.resolve)),
  })
  try {
    await Promise.race([ended.promise, failed])
  } finally {
    stopSignals()
    last.stop()
    // Commands that joined see the end once the profile is free.
    commands.leave()
    await dispose()
    await commands.close()
  }
  return exitCodes.done
}

/** Says which agents there are and which are connected. */
async function status(options: Options, output: CliOutput): Promise<ExitCode> {
  const { running, clients } = await readAgentStatus(profilePlaces(options.dataDir).dataDir)
  if (output.json) output.value({ running, clients })
  for (const { name, connections } of output.json ? [] : clients) {
    output.text(visibleLine(name))
    for (const { program, folder, verified, claimed, since } of connections) {
      const told = [program ?? '', folder ?? ''].filter((part) => part !== '').join(' · ')
      output.text(
        `  ${visibleLine([new Date(since).toISOString(), told, verified ? '' : '?', claimed ?? ''].filter((part) => part !== '').join('  '))}`,
      )
    }
  }
  return exitCodes.done
}
