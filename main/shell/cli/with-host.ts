// A host for the time of one command: opened, used, and taken apart again whatever happens; Ctrl-C ends the work first.
import { resolve } from 'node:path'
import { HostError } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import { streamLog } from '#main/base/log.ts'
import { createHost, type Host } from '#main/host.ts'
import type { SecretStore } from '#main/platform.ts'
import { readTrace } from '#main/servers/connection/trace.ts'
import type { AskedInput } from '#main/servers/inputs/inputs.ts'
import { createEnvironment } from '#main/servers/stdio/environment.ts'
import type { ShutdownGrace } from '#main/servers/stdio/limits.ts'
import { createBrowserOpener } from '#main/shell/node/browser.ts'
import { readVersion } from '#main/shell/node/places.ts'
import { createNodePlatform } from '#main/shell/node/platform.ts'
import { createLazySecrets, createMemorySecrets, openSecrets, serviceOf } from '#main/shell/node/secrets.ts'
import type { Asker } from './ask.ts'
import type { Approve, Options } from './command-line.ts'
import { requireConfigFile } from './config-file.ts'
import { sayDoubts } from './doubts.ts'
import type { ExitCode } from './exit.ts'
import { onInterrupt } from './interrupt.ts'
import { createPageOpener } from './open-page.ts'
import { type Output, visibleLine } from './output.ts'
import { createCliPolicy } from './policy.ts'
import { openProfile } from './profile.ts'

export interface CommandContext {
  readonly host: Host
  readonly options: Options
  readonly output: Output
  /** Who answers: as it was said, or as the terminal has it. */
  readonly approve: Approve
  /** Aborts on Ctrl-C. */
  readonly signal: AbortSignal
  /** Something was refused so far. */
  readonly refused: () => boolean
}

/** `needsKeys`: models with keys are wanted, so the keyring is asked. */
export async function withHost(
  { options, output, needsKeys = false }: { readonly options: Options; readonly output: Output; readonly needsKeys?: boolean },
  work: (context: CommandContext) => Promise<ExitCode>,
): Promise<ExitCode> {
  if (options.config !== undefined) requireConfigFile(resolve(options.config))
  const profile = openProfile(options)
  const interrupt = new AbortController()
  const stopSignals = onInterrupt(() => interrupt.abort())
  let asker: Asker | undefined
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
    const open = (): Promise<SecretStore> => openSecrets(serviceOf(profile.dataDir, profile.isDefault), process.env)
    const secrets = profile.temporary ? createMemorySecrets() : needsKeys ? await open() : withoutKeys(createLazySecrets(open))
    const host = createHost({
      dataDir: profile.dataDir,
      temporary: profile.temporary,
      version: readVersion(),
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
      // Who types a command has the PATH that they want, and means folders as seen from here.
      environment: createEnvironment({ isTerminal: true, ...(profile.configFile === undefined ? {} : { defaultCwd: process.cwd() }) }),
      ...(profile.configFile === undefined ? {} : { configFile: profile.configFile }),
      ...(asker ? { askInput: askFor(asker) } : {}),
    })
    const stopDoubts = sayDoubts(host, output)
    try {
      for (const problem of host.parts.config.problems())
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

/** Who waits for a command has what they wanted: a server that holds on after the end of its stdin is told to go soon. */
const shortGrace: ShutdownGrace = { stdin: 150, terminate: 500, kill: 1000 }

/** What a caller must know is an error or a result; warnings and worse still reach stderr. */
const quietLog = { ...streamLog(process.stderr), info: () => {} }

async function loadAsker() {
  const { createAsker } = await import('./ask.ts')
  return createAsker({ input: process.stdin, output: process.stderr, hide: (hidden) => void process.stdin.setRawMode(hidden) })
}

const askFor =
  (asker: Asker) =>
  ({ server, id, description }: AskedInput): Promise<string | undefined> =>
    asker.secret(`\n${t`${visibleLine(server)} needs ${visibleLine(description ?? id)} (${visibleLine(id)}; not shown as you type):`} `)

/** No model is wanted: the keyring is not asked for its keys. */
const withoutKeys = (store: SecretStore): SecretStore => ({
  get kind() {
    return store.kind
  },
  get: async (name) => (name.startsWith('key/') ? undefined : store.get(name)),
  set: (name, value) => store.set(name, value),
  delete: (name) => store.delete(name),
})
