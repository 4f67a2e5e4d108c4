// A host for one command: made, used, and disposed of whatever happens; Ctrl-C ends the work first.
import { resolve } from 'node:path'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { streamLog } from '#main/base/host-log.ts'
import { createHost, type Host } from '#main/host.ts'
import type { SecretStore } from '#main/platform.ts'
import { readTrace } from '#main/servers/client/connection/trace-context.ts'
import type { AskedInput } from '#main/servers/config/inputs/input-values.ts'
import { createEnvironment } from '#main/servers/process/environment/environment.ts'
import type { ShutdownGrace } from '#main/servers/process/stdio-limits.ts'
import { createNodePlatform } from '#main/shell/node/node-platform.ts'
import { type BrowserOpener, createBrowserOpener } from '#main/shell/node/open-browser.ts'
import { readAppVersion } from '#main/shell/node/program-files.ts'
import { createLazySecrets, createMemorySecrets, delegateSecrets, openKeyring, serviceOf } from '#main/shell/node/system-keyring.ts'
import { createCliPolicy } from './approval-policy.ts'
import type { Approve, Options } from './command-line.ts'
import { openProfile, requireConfigFile } from './data-folder.ts'
import { type ExitCode, onInterrupt } from './exit-codes.ts'
import { type CliOutput, visibleLine } from './output.ts'
import type { TerminalPrompt } from './terminal-prompt.ts'

interface PageOpenerOptions {
  readonly note: (line: string) => void
  readonly terminal: boolean
  readonly browser: Pick<BrowserOpener, 'open'>
}

/** Opens approved pages in the browser where a person is at a terminal, and writes their address to stderr in any case. */
export function createPageOpener({ note, terminal, browser }: PageOpenerOptions) {
  return async ({ url }: { readonly url: string }): Promise<'host' | 'page'> => {
    const opened = terminal ? await browser.open(url) : 'no-browser'
    if (opened === 'unreadable') note(t`Your browser cannot read a file of Assent’s.`)
    if (opened === 'opened') {
      note(t`Opened in the browser: ${visibleLine(url)}`)
      return 'host'
    }
    note(t`Open this page: ${visibleLine(url)}`)
    return 'page'
  }
}

/** Writes the diagnosis of a slow start to stderr at once, for each server once. Returns its undo. */
function printStartupWarnings(host: Pick<Host, 'onEvent'>, output: Pick<CliOutput, 'note'>): () => void {
  const said = new Set<string>()
  return host.onEvent((event) => {
    if (event.name !== 'server.changed') return
    const { name, state } = event.payload.server
    if (state.kind !== 'starting' || state.diagnosis === undefined || said.has(name)) return
    said.add(name)
    const { message, why, remedy } = state.diagnosis
    output.note(`assent: ${[message, why, remedy].map(visibleLine).join(' ')}`)
  })
}

export interface CliContext {
  readonly host: Host
  readonly options: Options
  readonly output: CliOutput
  readonly approve: Approve
  readonly signal: AbortSignal
  readonly refused: () => boolean
}

/** Runs a command with a host. `needsKeys`: the command uses models, so the keyring is asked for their keys. */
export async function withHost(
  { options, output, needsKeys = false }: { readonly options: Options; readonly output: CliOutput; readonly needsKeys?: boolean },
  work: (context: CliContext) => Promise<ExitCode>,
): Promise<ExitCode> {
  if (options.config !== undefined) requireConfigFile(resolve(options.config))
  const profile = openProfile(options)
  const interrupt = new AbortController()
  const stopSignals = onInterrupt(() => interrupt.abort())
  let asker: TerminalPrompt | undefined
  const browser = createBrowserOpener({ folder: profile.dataDir })
  try {
    const terminal = process.stdin.isTTY && process.stderr.isTTY
    const approve = options.approve ?? (terminal ? 'ask' : 'none')
    asker = terminal && approve !== 'none' ? await loadAsker() : undefined
    const policy = createCliPolicy({
      approve,
      elicit: options.elicit,
      model: options.model,
      launchUnasked: profile.configFile !== undefined,
      ask: asker?.ask,
      onVariables({ server, target }) {
        const variables = target.transport === 'stdio' ? (target.variables ?? []) : []
        const set = variables.map(({ name, value }) => `${visibleLine(name)}=${visibleLine(value)}`).join(' ')
        output.note(`assent: ${t`${visibleLine(server)} starts with variables that choose what runs or where it connects: ${set}`}`)
      },
      onUnanswered: ({ server }) =>
        output.note(`assent: ${t`${visibleLine(server)} asked for a form to be filled in. Nobody did: fill in forms with --elicit JSON.`}`),
    })
    const open = (): Promise<SecretStore> => openKeyring(serviceOf(profile.dataDir, profile.isDefault), process.env)
    const secrets = profile.temporary ? createMemorySecrets() : needsKeys ? await open() : withoutKeys(createLazySecrets(open))
    const host = createHost({
      dataDir: profile.dataDir,
      temporary: profile.temporary,
      version: readAppVersion(),
      log: options.verbose ? streamLog(process.stderr, { debug: true }) : quietLog,
      platform: createNodePlatform({
        kind: 'cli',
        secrets,
        openUrl: createPageOpener({ note: (line) => output.note(line), terminal, browser }),
      }),
      policy: policy.answer,
      startServers: false,
      grace: shortGrace,
      roots: options.roots ?? [],
      trace: readTrace(process.env),
      // A terminal has the person's PATH, and relative folders are meant from here.
      environment: createEnvironment({ isTerminal: true, ...(profile.configFile === undefined ? {} : { defaultCwd: process.cwd() }) }),
      ...(profile.configFile === undefined ? {} : { configFile: profile.configFile }),
      ...(asker ? { askInput: askFor(asker) } : {}),
    })
    const stopDoubts = printStartupWarnings(host, output)
    try {
      for (const problem of host.context.config.problems())
        output.note(
          `assent: ${visibleLine(`${problem.line === undefined ? problem.file : t`${problem.file}, line ${problem.line}`}: ${problem.message} ${problem.remedy}`)}`,
        )
      return await work({ host, options, output, approve, signal: interrupt.signal, refused: () => policy.refused })
    } catch (error) {
      if (interrupt.signal.aborted) throw new HostError('cancelled', t`Stopped.`, { cause: error })
      throw error
    } finally {
      stopDoubts()
      await host.dispose()
    }
  } finally {
    asker?.close()
    browser.dispose()
    stopSignals()
    profile.remove()
  }
}

/** Milliseconds: a command has its result, so servers that go on after the end of stdin are ended soon. */
const shortGrace: ShutdownGrace = { stdin: 150, terminate: 500, kill: 1000 }

/** Log without `info`: the caller has the command's result. */
const quietLog = { ...streamLog(process.stderr), info: () => {} }

async function loadAsker() {
  const { createTerminalPrompt } = await import('./terminal-prompt.ts')
  return createTerminalPrompt({ input: process.stdin, output: process.stderr, hide: (hidden) => void process.stdin.setRawMode(hidden) })
}

const askFor =
  (asker: TerminalPrompt) =>
  ({ server, id, description }: AskedInput): Promise<string | undefined> =>
    asker.secret(`\n${t`${visibleLine(server)} needs ${visibleLine(description ?? id)} (${visibleLine(id)}; not shown as you type):`} `)

/** Leaves out models' keys, so that the keyring is not asked for them. */
const withoutKeys = (store: SecretStore): SecretStore =>
  Object.assign(
    delegateSecrets(
      () => store.kind,
      async () => store,
    ),
    { get: async (name: string) => (name.startsWith('key/') ? undefined : store.get(name)) },
  )
