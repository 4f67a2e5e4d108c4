// Who answers in the person's place on the command line: `--approve` and `--elicit`, and on a terminal the person. It
// remembers whether anything was refused, since that is an exit code.
import { withDefaults } from '#app/consent/elicitation.ts'
import type { ConsentAnswer, ConsentRequest, LaunchRequest } from '#app/consent/request.ts'
import { t } from '#app/i18n/translate.ts'
import type { JsonObject } from '#app/json.ts'
import type { AnswerPolicy } from '#main/consent/broker-api.ts'
import type { Approve } from './command-line.ts'

interface CliPolicy {
  readonly answer: AnswerPolicy
  /** Something was refused so far. */
  readonly refused: boolean
}

export interface CliPolicyOptions {
  readonly approve: Approve
  readonly elicit?: JsonObject | undefined
  /** Answers for servers that ask a model; default: the one that the host picks. */
  readonly model?: string | undefined
  /** The servers are of a file that the caller named: with `all` they start unasked. */
  readonly launchUnasked: boolean
  /** Asks on the terminal; undefined where there is none. */
  readonly ask?: ((request: ConsentRequest) => Promise<ConsentAnswer>) | undefined
  /** It starts unasked, with variables that choose what runs or where it connects. */
  readonly onVariables?: (request: LaunchRequest) => void
  /** A form was cancelled, since nobody said what to fill in. */
  readonly onUnanswered?: (request: ConsentRequest) => void
}

const allow: Extract<ConsentAnswer, { kind: 'allow' }> = { kind: 'allow', scope: 'once' }
const deny = (word: string): ConsentAnswer => ({ kind: 'deny', word })

export function createCliPolicy({ approve, elicit, model, launchUnasked, ask, onUnanswered, onVariables }: CliPolicyOptions): CliPolicy {
  let refused = false

  async function decide(request: ConsentRequest): Promise<ConsentAnswer> {
    if (request.kind === 'elicitation-form' && elicit) return { ...allow, content: { ...withDefaults(request.requestedSchema, elicit) } }
    if (approve === 'none') return deny(t`Nobody was asked: --approve is none.`)
    if (approve === 'all') {
      if (request.kind === 'launch' && !launchUnasked)
        return ask ? ask(request) : deny(t`--approve all starts only servers of a --config file, or ones that you allowed before.`)
      if (request.kind === 'launch' && request.target.transport === 'stdio' && request.target.variables) onVariables?.(request)
      // It acts in the person's name from then on: for a server that the caller named, or with their own yes.
      if (request.kind === 'sign-in' && !launchUnasked)
        return ask ? ask(request) : deny(t`--approve all signs in only to servers of a --config file.`)
      // Nobody said what to fill in: that is no answer, rather than a no.
      if (request.kind === 'elicitation-form') {
        if (ask) return ask(request)
        onUnanswered?.(request)
        return { kind: 'cancel' }
      }
      if (request.kind === 'sampling' && model !== undefined) return { ...allow, model }
      return request.kind === 'sampling-result' ? { ...allow, text: request.text } : allow
    }
    return ask ? ask(request) : deny(t`Nobody is there to ask.`)
  }

  return {
    async answer(request) {
      const answer = await decide(request)
      if (answer.kind === 'deny') refused = true
      return answer
    },
    get refused() {
      return refused
    },
  }
}
