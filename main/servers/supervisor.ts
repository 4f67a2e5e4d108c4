// The one owner of one server: it alone starts, stops and restarts it. What comes next is decided by nextServerState;
// here are the effects. Every start has a number, and what an older one still has to say is not heard.
import { isDeepStrictEqual } from 'node:util'
import { maskVariable } from '#app/consent/secret-names.ts'
import { HostError, toErrorValue } from '#app/errors.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import { nextServerState, type ServerEvent, type StartedBy, type StopReason } from '#app/server/next-state.ts'
import type { Exit, ServerState, Session } from '#app/server/state.ts'
import { t } from '#app/words/translate.ts'
import type { Clock } from '#main/base/clock.ts'
import { type ApprovedLaunch, spend } from '#main/consent/approved.ts'
import type { ConsentBroker } from '#main/consent/types.ts'
import type { ServerStore } from '#main/store/types.ts'
import type { CatalogueKeeper } from './catalogue/catalogue.ts'
import type { Connection } from './connection/connection.ts'
import { type Remembered, remembered, withVerdict } from './connection/remembered.ts'
import type { Doctor } from './doctor/doctor.ts'
import type { StepEnd } from './doctor/recorder.ts'
import { launchKey, launchTarget, launchValues, startsAlike } from './launch-target.ts'
import { inLoop, refused, stoppedError } from './start-errors.ts'
import type { Environment } from './stdio/environment.ts'
import { type RemoteCare, remoteOf } from './upkeep/remote-care.ts'
import { retryLater } from './upkeep/retry.ts'
import type { StartTurn, StartTurns } from './upkeep/start-turns.ts'

type Folder = ReturnType<Environment['folder']>

/** Makes a connection from a definition that may be started. */
export type Connect = (options: {
  readonly definition: ServerDefinition
  readonly remembered: Remembered
  readonly shunsProbe: boolean
  readonly onShunned: () => void
  /** Resolves when a program of it may be started, and when the signal aborts. */
  readonly mayLaunch: () => Promise<void>
  readonly onNegotiating: () => void
  /** Before its first word of MCP it wrote something else. */
  readonly onNoise: () => void
  readonly signal: AbortSignal
}) => Promise<Connection>

export interface SupervisorOptions {
  readonly name: string
  readonly definition: ServerDefinition
  readonly store: ServerStore
  readonly broker: Pick<ConsentBroker, 'launch'>
  readonly clock: Clock
  readonly care: RemoteCare
  readonly catalogue: CatalogueKeeper
  readonly connect: Connect
  readonly turns: StartTurns
  readonly onChange: () => void
  /** The definition as it is put to the person and started; throws `config.invalid`. */
  readonly fillPlaces: (definition: ServerDefinition) => ServerDefinition
  readonly folderOf: Environment['folder']
  /** An error without the secrets that the server was given. */
  readonly shown: (error: unknown) => unknown
  /** What it says of itself, without them. */
  readonly shownSession: (session: Session) => Session
  readonly doctor: Doctor
  /** Lines of the last start that tell why it ended. */
  readonly lastWords: () => string[]
  /** An earlier server of this name must be gone before this one starts. */
  readonly after?: Promise<unknown> | undefined
}

export interface Supervisor {
  readonly state: ServerState
  readonly definition: ServerDefinition
  /** Of this run, or remembered. */
  readonly session: Session | undefined
  /** When it was last known to work, milliseconds since the epoch. */
  readonly workedAt: number | undefined
  /** The connection of a server that is ready; starts it if need be. */
  ready(by: StartedBy): Promise<Connection>
  /** Resolves when nothing of it is left. Again while it is being stopped: at once, by force. */
  stop(reason: StopReason): Promise<void>
  restart(): Promise<void>
  /** A person is asked to sign in, or not any more: where it is starting, its state says so. */
  signingIn(active: boolean): void
  /** What was configured changed. */
  redefine(definition: ServerDefinition): void
}

export function createSupervisor(options: SupervisorOptions): Supervisor {
  const { name, store, broker, clock, catalogue, connect, doctor, onChange } = options
  let definition = options.definition
  let state: ServerState = definition.enabled ? { kind: 'stopped', reason: 'never-started' } : { kind: 'disabled' }
  let session = store.session(name)
  let workedAt = session?.workedAt
  let generation = 0
  let control = new AbortController()
  let connection: Connection | undefined
  let underway: Promise<Connection> | undefined
  let ending: Promise<void> | undefined
  let cancelRetry: (() => void) | undefined
  let shunsProbe = false
  let refusal: HostError | undefined
  let endSignIn: StepEnd | undefined
  let turn: StartTurn | undefined
  let isAwaited = false
  let stepBefore: 'launching' | 'negotiating' | 'listing' = 'negotiating'

  const isAlive = (): boolean => underway !== undefined || connection !== undefined || ending !== undefined

  function step(event: ServerEvent): void {
    const next = nextServerState(state, event)
    if (next === state) return
    state = next
    onChange()
  }

  function fail(error: unknown): void {
    const value = toErrorValue(options.shown(error))
    const exit = exitOf(error)
    const words = exit ? options.lastWords() : []
    const whole = words.length > 0 ? { ...value, data: { ...value.data, stderr: words } } : value
    step({
      kind: 'failed',
      at: clock.now(),
      error: whole,
      diagnosis: doctor.diagnose(definition, whole),
      ...(exit ? { exit } : {}),
      remote: remoteOf(definition, value, options.care),
    })
    planRetry()
  }

  function planRetry(): void {
    cancelRetry?.()
    cancelRetry = undefined
    if (state.kind !== 'failed') return
    const again = (): void => {
      if (state.kind === 'failed') begin('retry').catch(() => undefined) // Its state says why.
    }
    cancelRetry = retryLater(state, { clock, care: options.care, again })
  }

  async function allowed(definition: ServerDefinition, folder: Folder | undefined, signal: AbortSignal): Promise<void> {
    const target = launchTarget(definition, folder?.path)
    if (!target) return
    if (target.transport === 'stdio' && target.variables)
      doctor.recorder.step('variables')(true, target.variables.map((one) => `${one.name}=${maskVariable(one)}`).join(', '))
    const asked = doctor.recorder.step('your assent')
    const verdict = await broker.launch({
      server: name,
      target,
      ...(folder ? { folderAsShown: folder.asShown } : {}),
      values: launchValues(definition),
      signal,
      onAsked: (requestId) => {
        if (!signal.aborted) step({ kind: 'asked', requestId })
      },
    })
    asked(verdict.kind === 'allowed', verdict.kind)
    signal.throwIfAborted()
    if (verdict.kind === 'withdrawn') throw new HostError('consent.withdrawn', t`The question whether to start “${name}” was withdrawn.`)
    if (verdict.kind === 'denied') {
      refusal = refused(name, verdict.decision)
      step({ kind: 'refused', at: clock.now() })
      throw refusal
    }
    const approval: ApprovedLaunch = spend(verdict.approval)
    if (approval.server !== name || !isDeepStrictEqual(approval.target, target))
      throw new HostError('internal', t`What was approved is not what would start “${name}”. Nothing was started.`)
    step({ kind: 'launched', at: clock.now() })
  }

  async function attempt(signal: AbortSignal): Promise<Connection> {
    await options.after
    signal.throwIfAborted()
    const startable = options.fillPlaces(definition)
    const folder = startable.transport === 'stdio' ? options.folderOf(startable) : undefined
    await allowed(startable, folder, signal)
    let mine: StartTurn | undefined
    const made = await connect({
      // In the folder that was approved, wherever a link leads by now.
      definition: startable.transport === 'stdio' && folder ? { ...startable, cwd: folder.path } : startable,
      remembered: remembered(session, clock.now()),
      shunsProbe,
      onShunned: () => {
        shunsProbe = true
      },
      mayLaunch() {
        mine ??= turn = options.turns.ask(signal)
        if (isAwaited) mine.hurry()
        return mine.came
      },
      onNegotiating: () => {
        if (!signal.aborted) step({ kind: 'step', step: 'negotiating' })
      },
      onNoise: () => {
        if (!signal.aborted) step({ kind: 'doubted', diagnosis: doctor.doubt(definition) })
      },
      signal,
    }).finally(() => mine?.over())
    connection = made
    const lost = made.ended.then(({ error }) => Promise.reject(error))
    try {
      step({ kind: 'step', step: 'listing' })
      const fetched = () => Promise.race([catalogue.refresh(made, signal, session), lost])
      await doctor.recorder.run('lists', fetched, () => catalogue.current().stale ?? '')
      signal.throwIfAborted()
    } catch (error) {
      await made.close()
      throw signal.aborted ? signal.reason : options.shown(error)
    } finally {
      lost.catch(() => undefined) // It is watched below from here on.
    }
    workedAt = clock.now()
    session = { ...withVerdict(options.shownSession(made.session), session, workedAt), workedAt }
    store.putSession(name, session)
    doctor.recorder.finish()
    step({ kind: 'ready', at: clock.now(), session, pid: made.pid })
    return made
  }

  function begin(by: StartedBy): Promise<Connection> {
    cancelRetry?.()
    step({ kind: 'start', at: clock.now(), by })
    doctor.begin(definition)
    isAwaited = isFor(by)
    turn = undefined
    generation += 1
    const mine = generation
    control = new AbortController()
    const { signal } = control
    const run = async (): Promise<Connection> => {
      try {
        const made = await attempt(signal)
        void made.ended.then((end) => {
          if (mine === generation) lose(end.error)
        })
        return made
      } catch (error) {
        if (mine === generation) {
          connection = undefined
          underway = undefined
          fail(error)
        }
        throw error
      } finally {
        if (mine === generation) underway = undefined
      }
    }
    underway = run()
    underway.catch(() => undefined) // Whoever waits for it is told; its state says so to all.
    return underway
  }

  /** A server that was ready is gone. */
  function lose(error: HostError): void {
    workedAt = clock.now()
    if (session) store.putSession(name, { ...session, workedAt })
    generation += 1
    const lost = connection
    connection = undefined
    control.abort(error)
    lost?.close().catch(() => undefined) // It is gone already; what is left of its tree goes too.
    fail(error)
  }

  /** Ends what runs or starts. One ending is ever in flight. */
  function end(): Promise<void> {
    if (ending !== undefined) return ending
    const run = async (): Promise<void> => {
      generation += 1
      cancelRetry?.()
      const attempted = underway
      if (connection && !attempted) workedAt = clock.now()
      underway = undefined
      control.abort(stoppedError(name))
      const open = connection
      await open?.close()
      await attempted?.catch(() => undefined)
      connection = undefined
      ending = undefined
      step({ kind: 'gone', at: clock.now() })
    }
    ending = run()
    return ending
  }

  /** Waits for the ending; throws when it was not to lead to a new start, because somebody said stop meanwhile. */
  async function ended(): Promise<void> {
    await end()
    if (state.kind === 'stopped' || state.kind === 'disabled') throw stoppedError(name)
  }

  async function ready(by: StartedBy): Promise<Connection> {
    if (ending !== undefined) {
      step({ kind: 'start', at: clock.now(), by })
      await ended()
    }
    if (state.kind === 'ready' && connection) return connection
    if (underway !== undefined) {
      if (isFor(by)) {
        isAwaited = true
        turn?.hurry()
      }
      return underway
    }
    if (state.kind === 'disabled')
      throw new HostError('server.disabled', t`“${name}” is switched off in the file of servers.`, { data: { server: name } })
    if (by !== 'person') {
      if (state.kind === 'refused') throw refusal ?? refused(name)
      if (state.kind === 'failed' && state.loop) throw inLoop(name, state)
    }
    return begin(by)
  }

  return {
    get state() {
      return state
    },
    get definition() {
      return definition
    },
    get workedAt() {
      return workedAt
    },
    get session() {
      return session
    },
    ready,
    async stop(reason) {
      cancelRetry?.()
      const again = ending !== undefined
      step({ kind: 'stop', at: clock.now(), reason })
      if (state.kind !== 'stopping') return
      const over = end()
      if (again) await connection?.close()
      await over
    },
    async restart() {
      if (state.kind === 'disabled') throw new HostError('server.disabled', t`“${name}” is switched off in the file of servers.`)
      // By hand means: try everything anew, the newer protocol too.
      session = undefined
      shunsProbe = false
      if (isAlive()) {
        step({ kind: 'restart', at: clock.now() })
        await ended()
      }
      await ready('person')
    },
    signingIn(active) {
      if (state.kind !== 'starting' || active === (state.step === 'signing-in')) return
      if (state.step !== 'signing-in') stepBefore = state.step
      if (active) endSignIn = doctor.recorder.step('sign-in')
      else endSignIn?.(true)
      step({ kind: 'step', step: active ? 'signing-in' : stepBefore })
    },
    redefine(next) {
      const before = definition
      if (isDeepStrictEqual(before, next)) return
      definition = next
      const sameStart = startsAlike(before, next)
      if (!sameStart) {
        session = undefined
        workedAt = undefined
        shunsProbe = false
        store.putSession(name, undefined)
        catalogue.forget()
        store.bindMemory(name, launchKey(next))
      }
      if (!next.enabled) {
        step({ kind: 'stop', at: clock.now(), reason: 'disabled' })
        cancelRetry?.()
        if (state.kind === 'stopping') void end()
      } else if (state.kind === 'disabled') step({ kind: 'enable' })
      else if (!sameStart) replace()
      onChange()
    },
  }

  /** What is there was started from another definition. */
  function replace(): void {
    cancelRetry?.()
    if (isAlive()) {
      step({ kind: 'restart', at: clock.now() })
      ended()
        .then(() => ready('launch'))
        .catch(() => undefined) // Its state says why.
    } else step({ kind: 'replaced' })
  }
}

/** Somebody waits for this very server. */
const isFor = (by: StartedBy): boolean => by === 'person' || by === 'need'

function exitOf(error: unknown): Exit | undefined {
  if (!(error instanceof HostError) || error.code !== 'server.exited') return undefined
  const { code, signal } = error.data
  return { code: typeof code === 'number' ? code : null, signal: typeof signal === 'string' ? signal : null }
}
