// One start of a server: the person's approval, its place in the queue, the connection, its lists. From one start to the next it
// remembers only whether the server broke on `server/discover`.
import { isDeepStrictEqual } from 'node:util'
import type { Decision } from '#app/chat/message.ts'
import type { LaunchTarget } from '#app/consent/request.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { defined } from '#app/or-else.ts'
import type { ServerDefinition, StdioDefinition } from '#app/server/definition.ts'
import { fetchedBy, type LaunchPackage } from '#app/server/fetched.ts'
import { inputsIn } from '#app/server/inputs/variable-references.ts'
import { type ServerEvent, startsBeforeAsking } from '#app/server/next-server-state.ts'
import type { LaunchSandbox, SandboxSettings } from '#app/server/sandbox/sandbox-settings.ts'
import type { ServerState, Session } from '#app/server/server-state.ts'
import { maskVariable } from '#app/text/secret-names.ts'
import type { Clock } from '#main/base/clock.ts'
import { type ApprovedLaunch, spend } from '#main/consent/approved.ts'
import type { ConsentBroker, LaunchQuestion } from '#main/consent/broker-api.ts'
import type { ServerStore } from '#main/store/store-api.ts'
import type { CatalogueKeeper } from '../client/catalogue/catalogue.ts'
import type { Connection } from '../client/connection/connection.ts'
import type { Connect } from '../client/connection/open-connection.ts'
import { remembered, withVerdict } from '../client/connection/remembered-era.ts'
import type { Doctor } from '../doctor/doctor.ts'
import type { Environment } from '../process/environment/environment.ts'
import type { SandboxProposal } from '../process/sandbox/propose-sandbox.ts'
import { launchTargetOf, launchValues } from './launch-target.ts'
import type { Packages } from './packages/packages.ts'
import type { StartQueue, StartSlot } from './start-queue.ts'

/** `word`: why, where an option of the command line decided. */
export function startRefused(name: string, { by, word }: Pick<Decision, 'by' | 'word'> = { by: 'person' }): HostError {
  const message = [t`“${name}” was not allowed to start.`, by === 'person' ? '' : (word ?? '')].join(' ').trimEnd()
  return new HostError('server.refused', message, { data: { server: name } })
}

export const stoppedError = (name: string): HostError =>
  new HostError('server.stopped', t`“${name}” was stopped.`, { data: { server: name } })

/** The model reads it too: it must learn that asking again is of no use. */
export function inLoop(name: string, { error, exit }: Extract<ServerState, { kind: 'failed' }>): HostError {
  const message = t`“${name}” failed ${startsBeforeAsking} times. Only the person can start it again. Last error: ${error.message}`
  const details = defined({ stderr: error.data?.['stderr'], exit: exit && { ...exit } })
  return new HostError('server.crash-loop', message, { data: { server: name, reason: error.code, ...details } })
}

/** Time between two looks for a newer version, in milliseconds. */
const updateMs = 24 * 60 * 60_000

type Folder = ReturnType<Environment['folder']>

/** Question of a start, and the definition with the folder that it runs in. */
interface PlannedLaunch {
  readonly startable: ServerDefinition
  readonly there: ServerDefinition
  readonly folder?: Folder
  readonly proposal?: SandboxProposal
}

type ApprovedTarget = Pick<Extract<LaunchTarget, { transport: 'stdio' }>, 'package' | 'sandbox'>

/** The target without what the approval adds or chooses. */
const commandOf = (target: LaunchTarget): object => {
  if (target.transport !== 'stdio') return target
  const { package: _package, unpinned: _unpinned, sandbox: _sandbox, ...command } = target
  return command
}

/** The definition with the sandbox that was approved: with its links resolved, or without one. */
function inSandbox(definition: StdioDefinition, sandbox: LaunchSandbox | undefined): StdioDefinition {
  if (sandbox?.kind !== 'on') return { ...definition, sandbox: { kind: 'off' } }
  const { kind: _kind, ownFolder: _own, asked: _asked, ...grants } = sandbox
  return { ...definition, sandbox: { kind: 'on', grants } }
}

export interface LaunchContext {
  readonly name: string
  readonly store: Pick<ServerStore, 'putSession'>
  readonly broker: Pick<ConsentBroker, 'launch' | 'packageInstalled' | 'setSandbox'>
  readonly packages: Pick<Packages, 'find' | 'ready'>
  readonly clock: Clock
  readonly catalogue: Pick<CatalogueKeeper, 'refresh' | 'current'>
  readonly connect: (request: Omit<Parameters<Connect>[0], 'requests'>) => Promise<Connection>
  readonly startQueue: StartQueue
  /** The definition as it is put to the person and started. @throws {HostError} `config.invalid` */
  readonly resolveBuiltinVariables: (definition: ServerDefinition) => ServerDefinition
  readonly folderOf: Environment['folder']
  /** The sandbox that is proposed for a launch. @throws {HostError} `server.sandbox-grant` */
  readonly proposeSandbox: (definition: StdioDefinition, cwd: string) => Promise<SandboxProposal>
  /** Returns the values of its inputs by id. @throws {HostError} `server.secret-missing` */
  readonly inputValues: (definition: ServerDefinition) => Promise<ReadonlyMap<string, string>>
  readonly shown: (error: unknown) => unknown
  /** Takes secrets out of what a server says of itself. */
  readonly shownSession: (session: Session) => Session
  readonly doctor: Pick<Doctor, 'recorder' | 'doubt'>
  /** Resolves once an earlier server of this name is gone. */
  readonly after?: Promise<unknown> | undefined
}

export interface Attempt {
  /** Returns the present definition, which may have changed while the start waited. */
  readonly definition: () => ServerDefinition
  readonly session: () => Session | undefined
  readonly signal: AbortSignal
  readonly step: (event: ServerEvent) => void
  readonly onConnected: (connection: Connection) => void
}

/** Parts of a launch's context that its question is made of. */
export type LaunchPlanContext = Pick<
  LaunchContext,
  'name' | 'packages' | 'resolveBuiltinVariables' | 'folderOf' | 'proposeSandbox' | 'inputValues'
>

/** Plans a start of the definition as it is now. */
async function planLaunch(
  { resolveBuiltinVariables, folderOf, proposeSandbox }: Omit<LaunchPlanContext, 'packages'>,
  definition: ServerDefinition,
): Promise<PlannedLaunch> {
  const startable = resolveBuiltinVariables(definition)
  if (startable.transport !== 'stdio') return { startable, there: startable }
  const folder = folderOf(startable)
  // The folder is the approved one, wherever a link leads by now.
  const there = { ...startable, cwd: folder.path }
  return { startable, there, folder, proposal: await proposeSandbox(startable, folder.path) }
}

const targetOf = ({ startable, folder, proposal }: PlannedLaunch): LaunchTarget | undefined =>
  launchTargetOf(startable, folder?.path, proposal?.sandbox)

/** `inputs`: values of its inputs by id. */
function questionOf(
  { name, packages }: Pick<LaunchPlanContext, 'name' | 'packages'>,
  { startable, there, folder, proposal }: PlannedLaunch,
  { target, inputs, signal }: { target: LaunchTarget; inputs: ReadonlyMap<string, string> | undefined; signal: AbortSignal },
): LaunchQuestion {
  const fetched = there.transport === 'stdio' ? fetchedBy(there.command, there.args) : undefined
  return {
    server: name,
    target,
    values: launchValues(startable, inputs),
    ...defined({ folderAsShown: folder?.asShown, sandbox: proposal?.question }),
    findPackage: fetched && (() => packages.find(there as StdioDefinition, fetched, signal)),
    signal,
  }
}

/**
 * The question that a start of a server would ask, before it is saved; undefined: it asks none.
 * @throws {HostError} `config.invalid`, `server.sandbox-grant`, `server.secret-missing`
 */
export async function previewLaunch(
  context: LaunchPlanContext,
  definition: ServerDefinition,
  signal: AbortSignal,
): Promise<LaunchQuestion | undefined> {
  const planned = await planLaunch(context, definition)
  const target = targetOf(planned)
  if (!target) return undefined
  const inputs = inputsIn(planned.startable).length > 0 ? await context.inputValues(planned.startable) : undefined
  return questionOf(context, planned, { target, inputs, signal })
}

export class Launch {
  readonly #context: LaunchContext
  #shunsProbe = false
  #isAwaited: boolean
  #turn: StartSlot | undefined
  /** The launch that was put to the person last. */
  #question: LaunchQuestion | undefined
  #approved: ApprovedTarget | undefined
  #lookedAt: number | undefined
  /** Whether the newer version that is looked for was found; undefined once its question is answered. */
  #offered: Promise<boolean> | undefined

  constructor(context: LaunchContext) {
    this.#context = context
    this.#isAwaited = false
  }

  /** Somebody waits for this very server: it does not queue behind those that start by themselves. */
  hurry(): void {
    this.#isAwaited = true
    this.#turn?.hurry()
  }

  forgetProbe(): void {
    this.#shunsProbe = false
  }

  async run(attempt: Attempt, isAwaited: boolean) {
    this.#isAwaited = isAwaited
    this.#turn = undefined
    await this.#context.after
    attempt.signal.throwIfAborted()
    const planned = await planLaunch(this.#context, attempt.definition())
    const { there } = planned
    const approved = await this.#approve(planned, attempt)
    this.#approved = approved
    const { package: pinned, sandbox } = approved ?? {}
    const ready = there.transport === 'stdio' ? await this.#ready(inSandbox(there, sandbox), pinned, attempt) : there
    const connection = await this.#open(ready, attempt)
    attempt.onConnected(connection)
    await this.#list(connection, attempt)
    const session = this.#remember(connection, attempt)
    if (pinned) this.#offerUpdates(attempt)
    return { connection, session }
  }

  /** Sandbox of the last start in this run; undefined: it did not come to its start. */
  get approved(): ApprovedTarget | undefined {
    return this.#approved
  }

  /** @throws {HostError} see `ConsentBroker.setSandbox` */
  async setSandbox(definition: ServerDefinition, settings: SandboxSettings): Promise<void> {
    const { name, broker } = this.#context
    const planned = await planLaunch(this.#context, definition)
    const { folder, proposal } = planned
    const target = targetOf(planned)
    if (!target) throw new HostError('contract.invalid', t`“${name}” needs no sandbox.`)
    const { signal } = new AbortController()
    broker.setSandbox(
      { server: name, target, signal, ...defined({ folderAsShown: folder?.asShown, sandbox: proposal?.question }) },
      settings,
    )
  }

  /** Offers a newer version of its package, also one that the person did not want. Resolves with whether there is one. */
  async offerUpdate(update: 'new' | 'again', signal: AbortSignal): Promise<boolean> {
    // The look after a start may still go on, or its question wait: one version is one question.
    if (await this.#offered) return true
    const { broker } = this.#context
    if (!this.#question) return false
    const { promise: isAsked, resolve } = Promise.withResolvers<boolean>()
    this.#offered = isAsked
    const answered = broker.launch({ ...this.#question, update, signal, onAsked: () => resolve(true) })
    const onEnd = (): void => {
      resolve(false)
      if (this.#offered === isAsked) this.#offered = undefined
    }
    answered.then(onEnd, onEnd)
    return isAsked
  }

  /** Looks once a day for a newer version, after a start, which does not wait for it. */
  #offerUpdates({ signal }: Attempt): void {
    const now = this.#context.clock.now()
    if (this.#lookedAt !== undefined && now - this.#lookedAt < updateMs) return
    this.#lookedAt = now
    this.offerUpdate('new', signal).catch(() => undefined) // It is offered at a later start.
  }

  /** Brings its package into the version that was approved; for a server with a sandbox it is fetched here, too. */
  async #ready(definition: StdioDefinition, pinned: LaunchPackage | undefined, { signal, step }: Attempt): Promise<StdioDefinition> {
    const { name, packages, broker, doctor } = this.#context
    const grants = definition.sandbox?.kind === 'on' ? definition.sandbox.grants : undefined
    const fetched = pinned ?? (grants && fetchedBy(definition.command, definition.args))
    if (!fetched) return definition
    const onFetch = (): void => {
      if (!signal.aborted) step({ kind: 'step', step: 'fetching' })
    }
    const making = (): ReturnType<Packages['ready']> => packages.ready(definition, pinned, { server: name, grants, signal, onFetch })
    const label = (): string => (pinned ? `${pinned.name} ${pinned.version}` : fetched.name)
    const { definition: ready, code } = await doctor.recorder.run('package', making, label)
    if (!signal.aborted) step({ kind: 'step', step: 'launching' })
    if (pinned && code !== undefined && code !== pinned.code) broker.packageInstalled(name, pinned.version, code)
    return ready
  }

  /** Resolves with what was approved beside the command: the version of its package, where one is known, and the sandbox. */
  async #approve(planned: PlannedLaunch, { signal, step }: Attempt): Promise<ApprovedTarget | undefined> {
    const { name, broker, clock, doctor, inputValues } = this.#context
    const { startable: definition } = planned
    const target = targetOf(planned)
    if (!target) return undefined
    if (target.transport === 'stdio' && target.variables)
      doctor.recorder.step('variables')(true, target.variables.map((one) => `${one.name}=${maskVariable(one)}`).join(', '))
    // Known before the person is asked: the answer is bound to them.
    const inputs = inputsIn(definition).length > 0 ? await doctor.recorder.run('values', () => inputValues(definition)) : undefined
    signal.throwIfAborted()
    const question = questionOf(this.#context, planned, { target, inputs, signal })
    this.#question = question
    const asked = doctor.recorder.step('your assent')
    const verdict = await broker.launch({
      ...question,
      onAsked: (requestId) => {
        if (!signal.aborted) step({ kind: 'asked', requestId })
      },
    })
    asked(verdict.kind === 'allowed', verdict.kind)
    signal.throwIfAborted()
    if (verdict.kind === 'withdrawn') throw new HostError('consent.withdrawn', t`“${name}” was stopped.`)
    if (verdict.kind === 'denied') {
      // Nobody refused it: a run without a person does not start it without the sandbox that its entry wants.
      const { by, word } = verdict.decision
      if (by !== 'person' && target.transport === 'stdio' && target.sandbox?.kind === 'missing')
        throw new HostError('server.sandbox-missing', t`There is no sandbox on this computer.`, {
          data: { remedy: word ?? '' },
        })
      step({ kind: 'refused', at: clock.now() })
      throw startRefused(name, verdict.decision)
    }
    const approval: ApprovedLaunch = spend(verdict.approval)
    if (approval.server !== name || !isDeepStrictEqual(commandOf(approval.target), commandOf(target)))
      throw new HostError('internal', t`The start of “${name}” is not the approved one.`)
    const approved = approval.target.transport === 'stdio' ? approval.target : undefined
    if (approved?.sandbox?.kind === 'missing') doctor.recorder.step('sandbox')(false, approved.sandbox.remedy)
    step({ kind: 'launched', at: clock.now() })
    return approved
  }

  async #open(definition: ServerDefinition, { session, signal, step }: Attempt): Promise<Connection> {
    const { connect, clock, startQueue, doctor } = this.#context
    let mine: StartSlot | undefined
    try {
      return await connect({
        definition,
        remembered: remembered(session(), clock.now()),
        shunsProbe: this.#shunsProbe,
        onShunned: () => {
          this.#shunsProbe = true
        },
        mayLaunch: () => {
          mine ??= this.#turn = startQueue.ask(signal)
          if (this.#isAwaited) mine.hurry()
          return mine.came
        },
        onNegotiating: () => {
          if (!signal.aborted) step({ kind: 'step', step: 'negotiating' })
        },
        onFetching: (on) => {
          if (!signal.aborted) step({ kind: 'step', step: on ? 'fetching' : 'negotiating' })
        },
        onNoise: () => {
          if (!signal.aborted) step({ kind: 'doubted', diagnosis: doctor.doubt(definition) })
        },
        signal,
      })
    } finally {
      mine?.over()
    }
  }

  async #list(connection: Connection, { session, signal, step }: Attempt): Promise<void> {
    const { catalogue, doctor, shown } = this.#context
    const lost = connection.ended.then(({ error }) => Promise.reject(error))
    try {
      step({ kind: 'step', step: 'listing' })
      const fetched = () => Promise.race([catalogue.refresh(connection, signal, session()), lost])
      await doctor.recorder.run('lists', fetched, () => catalogue.current().stale ?? '')
      signal.throwIfAborted()
    } catch (error) {
      await connection.close()
      throw signal.aborted ? signal.reason : shown(error)
    } finally {
      lost.catch(() => undefined) // Whoever owns the connection watches it from here on.
    }
  }

  #remember(connection: Connection, { session: before }: Attempt) {
    const { name, store, clock, doctor, shownSession } = this.#context
    const workedAt = clock.now()
    const session = { ...withVerdict(shownSession(connection.session), before(), workedAt), workedAt }
    store.putSession(name, session)
    doctor.recorder.finish()
    return session
  }
}
