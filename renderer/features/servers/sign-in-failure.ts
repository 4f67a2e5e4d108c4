// Why a sign-in did not come about, and what to press. `data.reason` is the code of OAuth 2.1 that the issuer answered
// with, or one of the host's own; an unknown one is told in the host's sentence. Starting the server asks anew.
import type { ErrorValue, HostErrorCode } from '#app/errors.ts'
import type { EditField, FailedServer, FailureView, Remedy } from './failure-view.ts'

const signIn: Remedy = { kind: 'retry', label: 'Sign in' }
const again: Remedy = { kind: 'retry', label: 'Sign in again' }
const edit = (label: string, field: EditField): Remedy => ({ kind: 'edit', label, field })
const client = edit('Change the sign-in', 'oauth')
const token = edit('Use a token instead', 'headers')

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
const issuerOf = ({ data }: ErrorValue): string => {
  const issuer = text(data?.['issuer'])
  return issuer === undefined ? 'the sign-in service' : URL.canParse(issuer) ? new URL(issuer).host : issuer
}

type Reason = { readonly cause: string; readonly remedies: readonly Remedy[] }

/** Undefined: the host's own sentence says it best. */
function reasonOf(error: ErrorValue): Reason | undefined {
  const issuer = issuerOf(error)
  switch (text(error.data?.['reason'])) {
    case 'access_denied':
      return { cause: `Access was denied at ${issuer}: by you on its page, or by a rule of its own.`, remedies: [again] }
    case 'invalid_client':
    case 'unauthorized_client':
    case 'invalid_client_metadata':
    case 'unapproved_software_statement':
      return {
        cause: `Assent is not accepted at ${issuer} as it introduced itself. It may want a client id that you get there.`,
        remedies: [client, again],
      }
    case 'invalid_scope':
      return { cause: `What was asked for is not granted at ${issuer}.`, remedies: [edit('Change the scopes', 'oauth'), again] }
    case 'invalid_grant':
      return { cause: 'It was no longer valid when it came back: it took too long, or it was used before.', remedies: [again] }
    case 'login_required':
    case 'interaction_required':
    case 'consent_required':
      return { cause: `There is something for you to finish on the page of ${issuer}.`, remedies: [again] }
    case 'server_error':
    case 'temporarily_unavailable':
      return { cause: `The fault is on the side of ${issuer}. Wait a little.`, remedies: [again] }
    default:
      return undefined
  }
}

type View = Omit<FailureView, 'tone'> & { readonly tone?: FailureView['tone'] }

export const signInFailures: Partial<Record<HostErrorCode, (server: FailedServer, error: ErrorValue) => View>> = {
  'server.sign-in-needed': (server) => ({
    short: 'wants you to sign in',
    sentence: `${server.name} wants you to sign in.`,
    cause: 'You are shown where it leads before the browser opens. If it gives out tokens, one can go in an Authorization header instead.',
    remedies: [signIn, token],
    tone: 'warn',
  }),
  'server.sign-in-refused': (server) => ({
    short: 'you didn’t sign in',
    sentence: `You didn’t sign in to ${server.name}.`,
    cause: 'No page was opened. You are asked again when it is started.',
    remedies: [signIn, token],
    tone: 'warn',
  }),
  'server.sign-in-failed': (server, error) => {
    const reason = reasonOf(error)
    const short = 'sign-in failed'
    if (reason) return { short, sentence: `The sign-in to ${server.name} failed.`, ...reason }
    return { short, sentence: error.message, remedies: text(error.data?.['reason']) === 'not-offered' ? [token, again] : [again, client] }
  },
  'server.sign-in-timeout': (server) => ({
    short: 'sign-in not finished',
    sentence: `The browser did not come back from the sign-in to ${server.name}.`,
    cause:
      'The page may have been closed. If the browser runs on another computer, copy the address that it ended at and paste it here while Assent waits.',
    remedies: [again],
    tone: 'warn',
  }),
}
