// Answers consent requests on the command line: by `--approve` and `--elicit`, and on a terminal by asking. It remembers whether anything
// was refused, for the exit code.
import { withDefaults } from '#app/consent/elicitation.ts'
import type { ConsentAnswer, ConsentRequest, LaunchRequest } from '#app/consent/request.ts'
import { t } from '#app/i18n/translate.ts'
import type { JsonObject } from '#app/json.ts'
import type { AnswerPolicy } from '#main/consent/broker-api.ts'
import type { Approve } from './command-line.ts'

export interface CliPolicyOptions {
  readonly approve: Approve
  readonly elicit?: JsonObject | undefined
  /** Whole id of the model for sampling; undefined: the proposed one. */
  readonly model?: (() => string | undefined) | undefined
  /** The servers are in a file that the caller named: with `all` they start without asking. */
  readonly launchUnasked: boolean
  /** Sandbox of all local servers of this command. */
  readonly sandbox?: 'on' | 'off' | undefined
  readonly ask?: ((request: ConsentRequest) => Promise<ConsentAnswer>) | undefined
  /** Called for a launch that is not asked about, with variables that choose what runs or where it connects. */
  readonly onVariables?: (request: LaunchRequest) => void
  /** Called for a launch that is not asked about and runs without a sandbox: there is none here, or it was allowed without one before. */
  readonly onUnsandboxed?: (request: LaunchRequest) => void
  /** Called when a form was cancelled, since there is nobody to fill it in. */
  readonly onUnanswered?: (request: ConsentRequest) => void
}

const allow: Extract<ConsentAnswer, { kind: 'allow' }> = { kind: 'allow', scope: 'once' }
const deny = (word: string): ConsentAnswer => ({ kind: 'deny', word })

/** Decides about a launch; undefined: as about any other request. */
function decideLaunch(
  request: LaunchRequest,
  { approve, launchUnasked, sandbox: sandboxed, ask, onVariables, onUnsandboxed }: CliPolicyOptions,
): ConsentAnswer | Promise<ConsentAnswer> | undefined {
  const sandbox = request.target.transport === 'stdio' ? request.target.sandbox : undefined
  const accepts = approve === 'all' && launchUnasked
  const isAsBefore = request.why.kind === 'launch-sandbox' && request.changedValues === undefined && !request.valuesUnknown
  // It was allowed without a sandbox before, and goes on so until somebody is there to ask.
  if (isAsBefore && !ask && !accepts) {
    if (sandboxed === 'on') return allow
    onUnsandboxed?.(request)
    return { ...allow, sandbox: { kind: 'off' } }
  }
  if (approve !== 'all') return undefined
  if (!launchUnasked) return ask ? ask(request) : deny(t`--approve all starts and signs in only servers of a --config file.`)
  if (sandbox?.kind === 'missing') {
    // Nobody is there to be told that it would run without the sandbox that it is to have.
    if (!sandbox.byDefault) return ask ? ask(request) : deny(t`${sandbox.remedy} Or start with --sandbox off.`)
    onUnsandboxed?.(request)
  }
  if (request.target.transport === 'stdio' && request.target.variables) onVariables?.(request)
  return allow
}

export function createCliPolicy(options: CliPolicyOptions) {
  const { approve, elicit, model, launchUnasked, ask, onUnanswered } = options
  let refused = false
  const answer: AnswerPolicy = async (request) => {
    const decided = await decide(request)
    if (decided.kind === 'deny') refused = true
    return decided
  }

  async function decide(request: ConsentRequest): Promise<ConsentAnswer> {
    if (request.kind === 'elicitation-form' && elicit) return { ...allow, content: { ...withDefaults(request.requestedSchema, elicit) } }
    const launch = request.kind === 'launch' ? decideLaunch(request, options) : undefined
    if (launch) return launch
    if (approve === 'none') return deny(t`Denied by --approve none.`)
    if (approve === 'all') {
      // A sign-in acts in the person's name: only for a server in a file that the caller named, or with their approval.
      if (request.kind === 'sign-in' && !launchUnasked)
        return ask ? ask(request) : deny(t`--approve all starts and signs in only servers of a --config file.`)
      // Without `--elicit` a form is cancelled rather than declined.
      if (request.kind === 'elicitation-form') {
        if (ask) return ask(request)
        onUnanswered?.(request)
        return { kind: 'cancel' }
      }
      const named = model?.()
      if (request.kind === 'sampling' && named !== undefined) return { ...allow, model: named }
      return request.kind === 'sampling-result' ? { ...allow, text: request.text } : allow
    }
    return ask ? ask(request) : deny(t`Nobody can be asked here.`)
  }

  return {
    answer,
    get refused(): boolean {
      return refused
    },
  }
}
