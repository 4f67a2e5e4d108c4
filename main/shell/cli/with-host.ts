// A host for one command: made, used, and disposed of whatever happens; Ctrl-C ends the work first.

import { resolve } from 'node:path'
import type { ConsentRequest } from '#app/consent/request.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { defined } from '#app/or-else.ts'
import { signedReasonText } from '#app/signed-state.ts'
import { wait } from '#main/base/abort.ts'
import { systemClock } from '#main/base/clock.ts'
import { streamLog } from '#main/base/host-log.ts'
import { createMemorySecrets, delegateSecrets, type SecretStore } from '#main/base/secret-store.ts'
import { createHost } from '#main/host.ts'
import { readTrace } from '#main/servers/client/connection/trace-context.ts'
import type { AskedInput } from '#main/servers/config/inputs/input-values.ts'
import { createEnvironment } from '#main/servers/process/environment/environment.ts'
import type { ShutdownGrace } from '#main/servers/process/stdio-limits.ts'
import { createNodePlatform } from '#main/shell/node/node-platform.ts'
import { type BrowserOpener, createBrowserOpener } from '#main/shell/node/open-browser.ts'
import { readAppVersion } from '#main/shell/node/program-files.ts'
import { openStateKey } from '#main/shell/node/state-key.ts'
import { createLazySecrets, openKeyring, serviceOf } from '#main/shell/node/system-keyring.ts'
import { type JoinedHost, joinHost, type ReachedHost } from '#main/shell/socket/join-host.ts'
import { createCliPolicy } from './approval-policy.ts'
import type { Approve, Options } from './command-line.ts'
import { openProfile, type Profile, requireConfigFile } from './data-folder.ts'
import { type ExitCode, errorLine, onInterrupt } from './exit-codes.ts'
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
    if (opened === 'opened') {
      note(t`Opened in the browser: ${visibleLine(url)}`)
      return 'host'
    }
    note(t`Open this page: ${visibleLine(url)}`)
    return 'page'
  }
}

/** Writes the diagnosis of a slow start to stderr at once, each once for a server. Returns its undo. */
function printStartupWarnings(host: Pick<ReachedHost, 'onEvent'>, output: Pick<CliOutput, 'note'>): () => void {
  const said = new Set<string>()
  return host.onEvent((event) => {
    if (event.name !== 'server.changed') return
    const { name, state } = event.payload.server
    if (state.kind !== 'starting') return
    const { diagnosis, step } = state
    const key = `${diagnosis?.code ?? step} ${name}`
    if (said.has(key) || (diagnosis === undefined && step !== 'fetching')) return
    said.add(key)
    const words = diagnosis ? [diagnosis.message, diagnosis.why, diagnosis.remedy] : [name, t`Fetching its package`]
    output.note(`assent: ${words.map(visibleLine).join(diagnosis ? ' ' : ': ')}`)
  })
}

export interface CliContext {
  /** The host of this command, or the running one that it has joined. */
  readonly host: ReachedHost
  readonly joined: boolean
  readonly options: Options
  readonly output: CliOutput
  readonly approve: Approve
  readonly signal: AbortSignal
  readonly refused: () => boolean
  /** Sets the model for servers' sampling. */
  readonly setModel: (id: string) => void
}

/** A host for one command, and whether anything that it asked was refused. */
interface Reached {
  readonly host: ReachedHost
  readonly joined: boolean
  readonly refused: () => boolean
  dispose(): Promise<void>
}

/** Options and services of a command, whichever host it uses. */
interface Surroundings {
  readonly options: Options
  readonly output: CliOutput
  readonly needsKeys: boolean
  readonly profile: Profile
  readonly policy: ReturnType<typeof createCliPolicy>
  readonly openPage: ReturnType<typeof createPageOpener>
  readonly asker: TerminalPrompt | undefined
  readonly signal: AbortSignal
  /** Signals of open questions, by id: they abort when no answer is wanted any more. */
  readonly wanted: Map<string, AbortController>
}

/**
 * Runs a command with a host: the one that runs on the profile, else one of its own. `needsKeys`: the command uses models, so a host of its
 * own asks the keyring for their keys.
 */
export async function withHost(
  { options, output, needsKeys = false }: { readonly options: Options; readonly output: CliOutput; readonly needsKeys?: boolean },
  work: (context: CliContext) => Promise<ExitCode>,
): Promise<ExitCode> {
  if (options.config !== undefined) requireConfigFile(resolve(options.config))
  const profile = await openProfile(options, output)
  const interrupt = new AbortController()
  const { signal } = interrupt
  const stopSignals = onInterrupt(() => interrupt.abort())
  let asker: TerminalPrompt | undefined
  const browser = createBrowserOpener({ folder: profile.dataDir })
  try {
    const terminal = process.stdin.isTTY && process.stderr.isTTY
    const approve = options.approve ?? (terminal ? 'ask' : 'none')
    asker = terminal && approve !== 'none' ? await loadAsker() : undefined
    const wanted = new Map<string, AbortController>()
    let model: string | undefined
    const policy = createPolicy({ options, output, approve, profile, asker, wanted, model: () => model })
    const openPage = createPageOpener({ note: (line) => output.note(line), terminal, browser })
    const surroundings = { options, output, needsKeys, profile, policy, openPage, asker, signal, wanted }
    const reached = await reachHost(surroundings)
    const stopDoubts = printStartupWarnings(reached.host, output)
    const setModel = (id: string): void => {
      model = id
    }
    try {
      return await work({ ...reached, options, output, approve, signal, setModel })
    } catch (error) {
      if (signal.aborted) throw new HostError('cancelled', t`Stopped.`, { cause: error })
      throw error
    } finally {
      stopDoubts()
      await reached.dispose()
    }
  } finally {
    asker?.close()
    browser.dispose()
    stopSignals()
    profile.remove()
  }
}

interface PolicyParts extends Pick<Surroundings, 'options' | 'output' | 'profile' | 'asker' | 'wanted'> {
  readonly approve: Approve
  readonly model: () => string | undefined
}

const createPolicy = ({ options, output, approve, profile, asker, wanted, model }: PolicyParts) =>
  createCliPolicy({
    approve,
    elicit: options.elicit,
    model,
    launchUnasked: profile.configFile !== undefined,
    sandbox: options.sandbox,
    ask: asker && ((request) => asker.ask(request, wanted.get(request.id)?.signal)),
    onVariables({ server, target }) {
      const variables = target.transport === 'stdio' ? (target.variables ?? []) : []
      const set = variables.map(({ name, value }) => `${visibleLine(name)}=${visibleLine(value)}`).join(' ')
      output.note(`assent: ${t`${visibleLine(server)} starts with risky variables: ${set}`}`)
    },
    onUnsandboxed({ server, target }) {
      const sandbox = target.transport === 'stdio' ? target.sandbox : undefined
      const why = sandbox?.kind === 'missing' ? sandbox.remedy : t`It was approved without a sandbox.`
      output.note(`assent: ${t`${visibleLine(server)} starts without a sandbox.`} ${visibleLine(why)}`)
    },
    onUnanswered: ({ server }) => output.note(`assent: ${t`${visibleLine(server)} asked for a form. Fill in forms with --elicit JSON.`}`),
  })

/** Milliseconds in which a host that has just taken the profile can be joined, and between two tries. */
const JOINABLE_WITHIN_MS = 3000
const TRY_AGAIN_MS = 150

/** Joins the host that runs on the profile, or makes one. @throws {HostError} `profile.*`, also when the running one cannot be joined */
async function reachHost(surroundings: Surroundings): Promise<Reached> {
  const { profile, signal } = surroundings
  let secrets: SecretStore | undefined
  const until = performance.now() + JOINABLE_WITHIN_MS
  for (;;) {
    const running = profile.configFile === undefined ? await joinHost(profile.dataDir, readAppVersion()) : undefined
    if (running) return joinRunning(surroundings, running)
    try {
      secrets ??= await openSecrets(surroundings)
      return await makeOwn(surroundings, secrets)
    } catch (error) {
      const isLocked = error instanceof HostError && error.code === 'profile.locked'
      if (!isLocked || profile.configFile !== undefined || performance.now() > until) throw error
      await wait(systemClock, TRY_AGAIN_MS, signal)
    }
  }
}

/** Answers the questions of this command alone: the running host tells it of no others. Windows may answer them first. */
async function joinRunning({ options, output, profile, policy, openPage, wanted }: Surroundings, running: JoinedHost): Promise<Reached> {
  if (options.roots?.length || options.sandbox !== undefined) {
    running.close()
    const option = options.roots?.length ? '--roots' : '--sandbox'
    const message = t`Assent already runs with this profile. ${option} cannot change that.`
    throw new HostError('profile.locked', message, { data: { path: profile.dataDir } })
  }
  const { shell } = await running.request('app.snapshot', {})
  let refused = false

  async function answer(request: ConsentRequest): Promise<void> {
    const answer = await policy.answer(request)
    if (answer === undefined || !wanted.has(request.id)) return
    const { accepted } = await running.request('consent.answer', { id: request.id, answer })
    const opensHere = accepted && answer.kind === 'allow' && shell.kind !== 'electron'
    if (opensHere && (request.kind === 'elicitation-url' || request.kind === 'sign-in')) await openPage({ url: request.url })
  }

  const stopEvents = running.onEvent((event) => {
    if (event.name === 'consent.closed') {
      const { id, outcome } = event.payload
      wanted.get(id)?.abort()
      wanted.delete(id)
      if (outcome === 'denied') refused = true
    }
    if (event.name !== 'consent.opened' || wanted.has(event.payload.request.id)) return
    const { request } = event.payload
    wanted.set(request.id, new AbortController())
    // When the host has ended, what the command waits for says so.
    answer(request).catch((error: unknown) => {
      if (!(error instanceof HostError) || error.code !== 'link.closed') output.note(errorLine(error))
    })
  })
  return {
    host: running,
    joined: true,
    refused: () => refused,
    async dispose() {
      stopEvents()
      for (const question of wanted.values()) question.abort()
      running.close()
    },
  }
}

async function openSecrets({ profile, needsKeys }: Surroundings): Promise<SecretStore> {
  const open = (): Promise<SecretStore> => openKeyring(serviceOf(profile.dataDir, profile.isDefault), process.env)
  if (profile.temporary) return createMemorySecrets()
  return needsKeys ? open() : withoutKeys(createLazySecrets(open))
}

async function makeOwn(
  { options, output, profile, policy, openPage, asker, signal }: Surroundings,
  secrets: SecretStore,
): Promise<Reached> {
  const own = createHost({
    dataDir: profile.dataDir,
    temporary: profile.temporary,
    version: readAppVersion(),
    log: options.verbose ? streamLog(process.stderr, { debug: true }) : quietLog,
    platform: createNodePlatform({ kind: 'cli', secrets, profile, openUrl: openPage }),
    ...(profile.temporary ? {} : { stateKey: await openStateKey(profile) }),
    policy: policy.answer,
    startServers: false,
    grace: shortGrace,
    roots: options.roots ?? [],
    ...defined({ sandbox: options.sandbox }),
    trace: readTrace(process.env),
    // A terminal has the person's PATH, and relative folders are meant from here.
    environment: createEnvironment({ isTerminal: true, ...(profile.configFile === undefined ? {} : { defaultCwd: process.cwd() }) }),
    ...(profile.configFile === undefined ? {} : { configFile: profile.configFile }),
    ...(asker ? { askInput: askFor(asker) } : {}),
  })
  const report = own.context.store.signed.report
  if (report && report.reason !== 'first') output.note(`assent: ${signedReasonText(report)} ${t`Open Assent to review them.`}`)
  const host = { request: (name: string, params: unknown) => own.request(name, params, { signal }), onEvent: own.onEvent } as ReachedHost
  for (const problem of (await host.request('config.get', {})).problems)
    output.note(
      `assent: ${visibleLine(`${problem.line === undefined ? problem.file : t`${problem.file}, line ${problem.line}`}: ${problem.message} ${problem.remedy}`)}`,
    )
  return { host, joined: false, refused: () => policy.refused, dispose: own.dispose }
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
    asker.secret(`\n${t`${visibleLine(server)} needs ${visibleLine(description ?? id)} (not shown):`} `)

/** Leaves out models' keys, so that the keyring is not asked for them. */
const withoutKeys = (store: SecretStore): SecretStore =>
  Object.assign(
    delegateSecrets(
      () => store.kind,
      async () => store,
    ),
    { get: async (name: string) => (name.startsWith('key/') ? undefined : store.get(name)) },
  )
