// The one owner of one server: it alone starts, stops and restarts it. `nextServerState` decides what comes next; the effects are
// here. Every start has a number; late events of an older one are ignored. A failed one is retried, also when the network changes.
import { isDeepStrictEqual } from 'node:util'
import { HostError, toErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { defined } from '#app/or-else.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import { nextServerState, type ServerEvent, type StartedBy, type StopReason } from '#app/server/next-server-state.ts'
import type { SandboxSettings } from '#app/server/sandbox/sandbox-settings.ts'
import type { ServerState, Session, StartStep } from '#app/server/server-state.ts'
import type { Clock } from '#main/base/clock.ts'
import type { ServerStore } from '#main/store/store-api.ts'
import type { CatalogueKeeper } from '../client/catalogue/catalogue.ts'
import type { Connection } from '../client/connection/connection.ts'
import { exitIn } from '../doctor/diagnosis-input.ts'
import type { Doctor } from '../doctor/doctor.ts'
import type { StepEnd } from '../process/start-recorder.ts'
import { inLoop, Launch, type LaunchContext, startRefused, stoppedError } from './launch.ts'
import { launchKey, startsAlike } from './launch-target.ts'
import { type NetworkMonitor, remoteOf } from './network-monitor.ts'

/** A timer that comes so much later has slept with the computer, and so have those of the others: then one after another. */
const lateMs = 5000

/** Returns its undo. */
export function retryLater(
  { retryAt, offline }: Pick<Extract<ServerState, { kind: 'failed' }>, 'retryAt' | 'offline'>,
  { clock, care, again }: { readonly clock: Clock; readonly care: NetworkMonitor; readonly again: () => void },
): () => void {
  const undo: (() => void)[] = []
  const inTurn = (): void => void undo.push(care.inTurn(again))
  if (retryAt !== undefined) undo.push(clock.after(retryAt - clock.now(), () => (clock.now() - retryAt > lateMs ? inTurn() : again())))
  if (offline) undo.push(care.whenNetworkChanges(inTurn))
  return () => {
    for (const each of undo.splice(0)) each()
  }
}

export interface SupervisorOptions extends LaunchContext {
  readonly definition: ServerDefinition
  readonly store: ServerStore
  readonly networkMonitor: NetworkMonitor
  readonly catalogue: CatalogueKeeper
  readonly onChange: () => void
  readonly doctor: Doctor
  readonly lastWords: () => string[]
}

export class Supervisor {
  readonly #options: SupervisorOptions
  readonly #launch: Launch
  #definition: ServerDefinition
  #state: ServerState
  #session: Session | undefined
  #workedAt: number | undefined
  #generation = 0
  #control = new AbortController()
  #connection: Connection | undefined
  #underway: Promise<Connection> | undefined
  #ending: Promise<void> | undefined
  #cancelRetry: (() => void) | undefined
  #refusal: HostError | undefined
  #endSignIn: StepEnd | undefined
  #stepBefore: Exclude<StartStep, 'signing-in'> = 'negotiating'

  constructor(options: SupervisorOptions) {
    this.#options = options
    this.#launch = new Launch(options)
    this.#definition = options.definition
    this.#state = options.definition.enabled ? { kind: 'stopped', reason: 'never-started' } : { kind: 'disabled' }
    this.#session = options.store.session(options.name)
    this.#workedAt = this.#session?.workedAt
  }

  get state(): ServerState {
    return this.#state
  }

  get definition(): ServerDefinition {
    return this.#definition
  }

  /** When it was last known to work, milliseconds since the epoch. */
  get workedAt(): number | undefined {
    return this.#workedAt
  }

  get session(): Session | undefined {
    return this.#session
  }

  async ready(by: StartedBy): Promise<Connection> {
    const { name } = this.#options
    if (this.#ending !== undefined) {
      this.#step({ kind: 'start', at: this.#now(), by })
      await this.#ended()
    }
    if (this.#state.kind === 'ready' && this.#connection) return this.#connection
    if (this.#underway !== undefined) {
      if (isFor(by)) this.#launch.hurry()
      return this.#underway
    }
    if (this.#state.kind === 'disabled') throw new HostError('server.disabled', t`“${name}” is switched off.`, { data: { server: name } })
    if (by !== 'person') {
      if (this.#state.kind === 'refused') throw this.#refusal ?? startRefused(name)
      if (this.#state.kind === 'failed' && this.#state.loop) throw inLoop(name, this.#state)
    }
    return this.#begin(by)
  }

  /** Resolves when nothing of it is left. Again while it is being stopped: at once, by force. */
  async stop(reason: StopReason): Promise<void> {
    this.#cancelRetry?.()
    const again = this.#ending !== undefined
    this.#step({ kind: 'stop', at: this.#now(), reason })
    if (this.#state.kind !== 'stopping') return
    const over = this.#end()
    if (again) await this.#connection?.close()
    await over
  }

  async restart(): Promise<void> {
    const { name } = this.#options
    if (this.#state.kind === 'disabled') throw new HostError('server.disabled', t`“${name}” is switched off.`)
    // By hand means: try everything anew, the newer protocol too.
    this.#session = undefined
    this.#launch.forgetProbe()
    if (this.#isAlive()) {
      this.#step({ kind: 'restart', at: this.#now() })
      await this.#ended()
    }
    await this.ready('person')
  }

  /** Approves its launch with another sandbox, from the next start on. */
  setSandbox = (settings: SandboxSettings): Promise<void> => this.#launch.setSandbox(this.#definition, settings)

  /** Approval of the last start of this run, without its command. */
  get approved(): Launch['approved'] {
    return this.#launch.approved
  }

  offerUpdate = (): Promise<boolean> => this.#launch.offerUpdate('again', this.#control.signal)

  /** A person is asked to sign in, or not any more: where it is starting, its state says so. */
  signingIn(active: boolean): void {
    if (this.#state.kind !== 'starting' || active === (this.#state.step === 'signing-in')) return
    if (this.#state.step !== 'signing-in') this.#stepBefore = this.#state.step
    if (active) this.#endSignIn = this.#options.doctor.recorder.step('sign-in')
    else this.#endSignIn?.(true)
    this.#step({ kind: 'step', step: active ? 'signing-in' : this.#stepBefore })
  }

  redefine(next: ServerDefinition): void {
    const { onChange } = this.#options
    const before = this.#definition
    if (isDeepStrictEqual(before, next)) return
    this.#definition = next
    const sameStart = startsAlike(before, next)
    if (!sameStart) this.#forget(next)
    if (!next.enabled) {
      this.#step({ kind: 'stop', at: this.#now(), reason: 'disabled' })
      this.#cancelRetry?.()
      if (this.#state.kind === 'stopping') void this.#end()
    } else if (this.#state.kind === 'disabled') this.#step({ kind: 'enable' })
    else if (!sameStart) this.#replace()
    onChange()
  }

  /** Another program, or another address: what was known of the one before does not hold. */
  #forget(next: ServerDefinition): void {
    const { name, store, catalogue } = this.#options
    this.#session = undefined
    this.#workedAt = undefined
    this.#launch.forgetProbe()
    store.putSession(name, undefined)
    catalogue.forget()
    store.bindMemory(name, launchKey(next))
  }

  #replace(): void {
    this.#cancelRetry?.()
    if (!this.#isAlive()) {
      this.#step({ kind: 'replaced' })
      return
    }
    this.#step({ kind: 'restart', at: this.#now() })
    this.#ended()
      .then(() => this.ready('launch'))
      .catch(() => undefined) // Its state says why.
  }

  #now(): number {
    return this.#options.clock.now()
  }

  #isAlive(): boolean {
    return this.#underway !== undefined || this.#connection !== undefined || this.#ending !== undefined
  }

  #step(event: ServerEvent): void {
    const next = nextServerState(this.#state, event)
    if (next === this.#state) return
    this.#state = next
    this.#options.onChange()
  }

  #begin(by: StartedBy): Promise<Connection> {
    this.#cancelRetry?.()
    this.#step({ kind: 'start', at: this.#now(), by })
    this.#options.doctor.begin(this.#definition)
    this.#generation += 1
    this.#control = new AbortController()
    this.#underway = this.#start(this.#generation, this.#control.signal, isFor(by))
    this.#underway.catch(() => undefined) // Whoever waits for it is told; its state says so to all.
    return this.#underway
  }

  async #start(generation: number, signal: AbortSignal, isAwaited: boolean): Promise<Connection> {
    const isNewest = (): boolean => generation === this.#generation
    const attempt = {
      definition: () => this.#definition,
      session: () => this.#session,
      signal,
      step: (event: ServerEvent) => this.#step(event),
      onConnected: (connection: Connection) => {
        this.#connection = connection
      },
    }
    try {
      const { connection, session } = await this.#launch.run(attempt, isAwaited)
      this.#workedAt = session.workedAt
      this.#session = session
      this.#step({ kind: 'ready', at: this.#now(), session, pid: connection.pid })
      void connection.ended.then((end) => {
        if (isNewest()) this.#lose(end.error)
      })
      return connection
    } catch (error) {
      if (error instanceof HostError && error.code === 'server.refused') this.#refusal = error
      if (isNewest()) {
        // What was attached to a connection that came so far (pings, subscriptions) ends with it.
        this.#control.abort(error)
        this.#connection = undefined
        this.#underway = undefined
        this.#fail(error)
      }
      throw error
    } finally {
      if (isNewest()) this.#underway = undefined
    }
  }

  #fail(error: unknown): void {
    const { doctor, networkMonitor, shown, lastWords } = this.#options
    const value = toErrorValue(shown(error))
    const exit = error instanceof HostError && error.code === 'server.exited' ? exitIn(error) : undefined
    const words = exit ? lastWords() : []
    const whole = words.length > 0 ? { ...value, data: { ...value.data, stderr: words } } : value
    this.#step({
      kind: 'failed',
      at: this.#now(),
      error: whole,
      diagnosis: doctor.diagnose(this.#definition, whole),
      ...defined({ exit }),
      remote: remoteOf(this.#definition, value, networkMonitor),
    })
    this.#planRetry()
  }

  #planRetry(): void {
    const { clock, networkMonitor } = this.#options
    this.#cancelRetry?.()
    this.#cancelRetry = undefined
    if (this.#state.kind !== 'failed') return
    const again = (): void => {
      if (this.#state.kind === 'failed') this.#begin('retry').catch(() => undefined) // Its state says why.
    }
    this.#cancelRetry = retryLater(this.#state, { clock, care: networkMonitor, again })
  }

  #lose(error: HostError): void {
    const { name, store } = this.#options
    this.#workedAt = this.#now()
    if (this.#session) store.putSession(name, { ...this.#session, workedAt: this.#workedAt })
    this.#generation += 1
    const lost = this.#connection
    this.#connection = undefined
    this.#control.abort(error)
    lost?.close().catch(() => undefined) // It is gone already; what is left of its tree goes too.
    this.#fail(error)
  }

  /** Ends what runs or starts. One ending is ever in flight. */
  readonly #end = (): Promise<void> => (this.#ending ??= this.#endNow())

  async #endNow(): Promise<void> {
    this.#generation += 1
    this.#cancelRetry?.()
    const attempted = this.#underway
    if (this.#connection && !attempted) this.#workedAt = this.#now()
    this.#underway = undefined
    this.#control.abort(stoppedError(this.#options.name))
    const open = this.#connection
    await open?.close()
    await attempted?.catch(() => undefined)
    this.#connection = undefined
    this.#ending = undefined
    this.#step({ kind: 'gone', at: this.#now() })
  }

  /** Waits for the ending. @throws {HostError} when it was not to lead to a new start, because somebody said stop meanwhile */
  async #ended(): Promise<void> {
    await this.#end()
    if (this.#state.kind === 'stopped' || this.#state.kind === 'disabled') throw stoppedError(this.#options.name)
  }
}

/** Somebody waits for this very server. */
const isFor = (by: StartedBy): boolean => by === 'person' || by === 'need'
