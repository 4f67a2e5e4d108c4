// Why a sign-in did not come about, and what to press. `data.reason` is the code of OAuth 2.1 that the issuer answered
// with, or one of the host's own; an unknown one is told in the host's sentence. Starting the server asks anew.
import type { ErrorValue, HostErrorCode } from '#app/errors.ts'
import type { DoctorAction } from '#app/server/doctor.ts'
import { t } from '#app/words/translate.ts'
import { edit, finding, type Rule, text } from './case.ts'

const signIn = (): DoctorAction => ({ kind: 'retry', label: t`Sign in` })
const again = (): DoctorAction => ({ kind: 'retry', label: t`Sign in again` })
const client = () => edit(t`Change the sign-in`, 'oauth')
const token = () => edit(t`Use a token instead`, 'headers')

const issuerOf = ({ data }: ErrorValue): string => {
  const issuer = text(data, 'issuer')
  return issuer === undefined ? t`the sign-in service` : URL.canParse(issuer) ? new URL(issuer).host : issuer
}

interface Reason {
  readonly why: string
  readonly remedy: string
  readonly actions: DoctorAction[]
}

/** Undefined: the host's own sentence says it best. */
function reasonOf(error: ErrorValue): Reason | undefined {
  const issuer = issuerOf(error)
  switch (text(error.data, 'reason')) {
    case 'access_denied':
      return {
        why: t`Access was denied at ${issuer}: by you on its page, or by a rule of its own.`,
        remedy: t`Sign in again, and allow it there.`,
        actions: [again()],
      }
    case 'invalid_client':
    case 'unauthorized_client':
    case 'invalid_client_metadata':
    case 'unapproved_software_statement':
      return {
        why: t`Assent is not accepted at ${issuer} as it introduced itself.`,
        remedy: t`It may want a client id that you get there.`,
        actions: [client(), again()],
      }
    case 'invalid_scope':
      return {
        why: t`What was asked for is not granted at ${issuer}.`,
        remedy: t`Change the scopes, then sign in again.`,
        actions: [edit(t`Change the scopes`, 'oauth'), again()],
      }
    case 'invalid_grant':
      return {
        why: t`It was no longer valid when it came back: it took too long, or it was used before.`,
        remedy: t`Sign in again.`,
        actions: [again()],
      }
    case 'login_required':
    case 'interaction_required':
    case 'consent_required':
      return { why: t`There is something for you to finish on the page of ${issuer}.`, remedy: t`Sign in again.`, actions: [again()] }
    case 'server_error':
    case 'temporarily_unavailable':
      return { why: t`The fault is on the side of ${issuer}.`, remedy: t`Wait a little, then sign in again.`, actions: [again()] }
    default:
      return undefined
  }
}

export const signInRules: Partial<Record<HostErrorCode, Rule>> = {
  'server.sign-in-needed': ({ name }) =>
    finding('sign-in-needed', {
      short: t`wants you to sign in`,
      message: t`${name} wants you to sign in.`,
      why: t`You are shown where it leads before the browser opens.`,
      remedy: t`Sign in. If it gives out tokens, one can go in an Authorization header instead.`,
      actions: [signIn(), token()],
      tone: 'warn',
    }),
  'server.sign-in-refused': ({ name }) =>
    finding('sign-in-refused', {
      short: t`you didn’t sign in`,
      message: t`You didn’t sign in to ${name}.`,
      why: t`No page was opened. You are asked again when it is started.`,
      remedy: t`Sign in when you want to.`,
      actions: [signIn(), token()],
      tone: 'warn',
    }),
  'server.sign-in-failed': ({ name, error }) => {
    const reason = reasonOf(error)
    const short = t`sign-in failed`
    if (reason) return finding('sign-in-failed', { short, message: t`The sign-in to ${name} failed.`, ...reason })
    const notOffered = text(error.data, 'reason') === 'not-offered'
    return finding('sign-in-failed', {
      short,
      message: error.message,
      why: '',
      remedy: notOffered
        ? t`Use a token in a header, if it gives them out.`
        : t`Sign in again. Its settings say how Assent is known there.`,
      actions: notOffered ? [token(), again()] : [again(), client()],
    })
  },
  'server.sign-in-timeout': ({ name }) =>
    finding('sign-in-timeout', {
      short: t`sign-in not finished`,
      message: t`The browser did not come back from the sign-in to ${name}.`,
      why: t`The page may have been closed.`,
      remedy: t`Sign in again. If the browser runs on another computer, copy the address that it ended at and paste it here while Assent waits.`,
      actions: [again()],
      tone: 'warn',
    }),
}
