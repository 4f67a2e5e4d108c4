// One start of a server that is not saved: as its saved self would be started, with a yes of the person's for this start,
// and ended as soon as it has shown what it offers, failed, or been called off. It takes part in nothing else: no chat
// knows it, nothing is remembered of it, and what it asks for is declined.
import { toErrorValue } from '#app/errors.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import type { TrialOffers, TrialPhase, TrialView } from '#app/server/trial.ts'
import { t } from '#app/words/translate.ts'
import { protocolError } from '#main/base/protocol-error.ts'
import type { TrialYes } from '#main/consent/types.ts'
import { createCauses } from '../causes.ts'
import { createOpener, fillDefinition, type OpenerOptions } from '../connection/open-connection.ts'
import { createWaits } from '../connection/waits.ts'
import { createDoctor } from '../doctor/doctor.ts'
import type { ServerRequestHandlers } from '../handlers.ts'
import { createLogBuffer } from '../logs/log-buffer.ts'
import type { LogFile } from '../logs/log-files.ts'
import { createRunningProcesses } from '../processes/running.ts'
import { createServer, type Server, type ServerParts } from '../server.ts'
import type { ServersOptions } from '../servers-options.ts'
import { createServerSignIn, type SignInDeps } from '../sign-in/server-sign-in.ts'
import { memoryServerStore } from './memory-store.ts'

export interface TrialQuestion {
  /** An existing server is tried under the name that it has, so that what was allowed of it is compared. */
  readonly server: string
  readonly definition: ServerDefinition
  /** What its inputs stand for, by id, in place of what is kept. */
  readonly values: ReadonlyMap<string, string>
  /** It is saved under that name already: it may use the sign-in that is held for it. */
  readonly known: boolean
  /** What the person said yes to in the same set-up: exactly that is not asked for again. */
  readonly agreed: readonly TrialYes[]
}

/** What all servers share. */
export type TrialParts = Pick<ServersOptions, 'broker' | 'secrets' | 'scope'> &
  Pick<ServerParts, 'audit' | 'clock' | 'care' | 'settings' | 'checker' | 'inputs' | 'turns' | 'fillPlaces' | 'folderOf'> &
  Pick<SignInDeps, 'openUrl' | 'proxies'> & { readonly opener: OpenerOptions }

export interface Trial {
  readonly definition: ServerDefinition
  view(): TrialView
  /** Told of each change. Returns its undo. */
  onChange(listener: () => void): () => void
  /** What the person said to its start, if that was a yes. */
  yes(): TrialYes | undefined
  /** Resolves when nothing of it is left. */
  end(): Promise<void>
}

const most = { tools: 200, text: 300 }
const cut = (text: string): string => (text.length > most.text ? `${text.slice(0, most.text).toWellFormed()}…` : text)

const noLogFile: LogFile = { add: () => undefined, earlier: async () => [], discard: () => undefined }

/** MCP, "Sampling": the person said no. */
const rejected = -1
/** Nobody can answer for it: it is not theirs yet. */
const declines: ServerRequestHandlers = {
  sampling: () => Promise.reject(protocolError(rejected, 'It is only being tried out')),
  elicitation: async () => ({ action: 'decline' }),
  roots: async () => ({ roots: [] }),
}

export function tryOut(question: TrialQuestion, parts: TrialParts): Trial {
  const { server: name, values, known, agreed } = question
  const { clock, broker } = parts
  // It is to run now, whatever is planned for it.
  const definition = { ...question.definition, enabled: true }
  const listeners = new Set<() => void>()
  let revision = 0
  let phase: TrialPhase = { kind: 'starting', step: 'launching' }
  let over = false
  let yes: TrialYes | undefined
  let issuer: string | undefined
  let ending: Promise<void> | undefined

  const changed = (): void => {
    revision += 1
    for (const listener of [...listeners]) listener()
  }
  const lines = createLogBuffer({ clock, onLines: () => undefined })
  const inputs: ServerParts['inputs'] = { ...parts.inputs, values: (server, current) => parts.inputs.values(server, current, values) }
  const opener = { ...parts.opener, inputs, handlers: declines }
  const trialBroker: Pick<ServersOptions['broker'], 'launch' | 'signIn' | 'toolsListed' | 'place'> = {
    place: broker.place,
    toolsListed: () => undefined,
    async launch(asked) {
      const verdict = await broker.launch({ ...asked, trial: { agreed } })
      yes = verdict.yes
      return verdict
    },
    async signIn(asked) {
      issuer = asked.issuer
      return { kind: 'withdrawn' }
    },
  }
  const causes = createCauses(trialBroker)
  const doctor = createDoctor({ server: name, clock, log: lines })
  const running = createRunningProcesses()
  const signIn = createServerSignIn(name, {
    ...parts,
    secrets: known ? parts.secrets : memorySecrets(),
    broker: causes.broker,
    waits: createWaits(),
    log: lines,
    fill: (current) => fillDefinition(opener, name, parts.fillPlaces(name, current) as typeof current, lines),
    onChange: () => server.supervisor.signingIn(signIn.asking),
  })
  const server: Server = createServer(name, definition, {
    ...parts,
    inputs,
    store: memoryServerStore(),
    broker: { ...trialBroker, ...causes.broker },
    causes,
    log: lines,
    logFile: noLogFile,
    doctor,
    connect: createOpener(opener)({ server: name, log: lines, signIn, recorder: doctor.recorder, running }),
    running,
    signIn,
    onChange: observe,
    onUpdated: () => undefined,
  })
  let report = server.report()

  function observe(): void {
    if (over || ending !== undefined) return
    const { state } = server.supervisor
    if (state.kind === 'waiting') phase = { kind: 'waiting', requestId: state.requestId }
    else if (state.kind === 'starting')
      phase = { kind: 'starting', step: state.step, ...(state.diagnosis ? { diagnosis: state.diagnosis } : {}) }
    changed()
  }

  function end(outcome: TrialPhase): Promise<void> {
    if (ending !== undefined) return ending
    phase = outcome
    report = server.report()
    const run = async (): Promise<void> => {
      await Promise.allSettled([server.supervisor.stop('user'), signIn.dispose()])
      lines.dispose()
      over = true
      changed()
    }
    ending = run()
    changed()
    return ending
  }

  function outcomeOf(error: unknown): TrialPhase {
    const { state } = server.supervisor
    if (issuer !== undefined) return { kind: 'asks-sign-in', issuer }
    if (state.kind === 'refused') return { kind: 'refused' }
    if (state.kind === 'failed') return { kind: 'failed', error: state.error, ...(state.diagnosis ? { diagnosis: state.diagnosis } : {}) }
    return { kind: 'failed', error: toErrorValue(error) }
  }

  const begun = server.supervisor.ready('person').then(
    ({ session }) => end({ kind: 'works', offers: offersOf(server, session) }),
    (error: unknown) => end(outcomeOf(error)),
  )
  begun.catch(() => undefined) // Its phase says what came of it.

  return {
    definition: question.definition,
    view: () => ({ revision, phase, over, report: ending === undefined ? server.report() : report }),
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    yes: () => yes,
    end: () => end({ kind: 'called-off' }),
  }
}

function offersOf({ catalogue, supervisor }: Server, agreed: TrialOffers['session']): TrialOffers {
  const { tools, resources, resourceTemplates, prompts, stale } = catalogue.current()
  return {
    // As it is shown elsewhere: without what the server was given in confidence.
    session: supervisor.session ?? agreed,
    tools: tools.slice(0, most.tools).map(({ name, title, description }) => ({
      name,
      ...(title === undefined ? {} : { title: cut(title) }),
      ...(description === undefined ? {} : { description: cut(description) }),
    })),
    counts: { tools: tools.length, resources: resources.length + resourceTemplates.length, prompts: prompts.length },
    tokens: tools.reduce((sum, tool) => sum + tool.tokens, 0),
    warnings: [...catalogue.warnings, ...(stale ? [t`Not all that it offers could be read: ${stale}.`] : [])],
  }
}

function memorySecrets(): TrialParts['secrets'] {
  const kept = new Map<string, string>()
  return {
    get: async (key) => kept.get(key),
    set: async (key, value) => void kept.set(key, value),
    delete: async (key) => void kept.delete(key),
  }
}
