// Diagnosis of what the sandbox refused, where that explains a failed start or call.
import { t } from '#app/i18n/translate.ts'
import type { DiagnosisCode, DoctorAction } from '#app/server/doctor.ts'
import { type AttemptTarget, isRefusedBySandbox, type SandboxAttempt } from '#app/server/sandbox/sandbox-report.ts'
import type { FailedCall } from '../process/sandbox/attempts/watched-calls.ts'
import { type DiagnosisCase, type DiagnosisFinding, finding, log, namedValue, retry, sentences, wroteSentence } from './diagnosis-input.ts'

/** Diagnoses that a missing file or host may bring about. Those that name another cause for sure stand. */
const effects: ReadonlySet<DiagnosisCode> = new Set([
  'script-not-found',
  'package-not-found',
  'registry-unreachable',
  'module-missing',
  'permission-denied',
  'service-not-running',
  'host-unknown',
  'killed-by-signal',
  'ended-by-itself',
  'crashed-at-once',
  'list-failed',
  'too-slow',
  'connection-lost',
  'unexplained',
])
const mostNamed = 3

const named = ({ kind, target, port }: AttemptTarget): string => {
  if (kind === 'host') return port === 443 || port === 80 ? target : `${target}:${port}`
  return kind === 'read' ? t`Read ${target}` : t`Write in ${target}`
}

const listed = (targets: readonly AttemptTarget[]): string => namedValue([...new Set(targets.map(named))].slice(0, mostNamed))

const permissions = (): DoctorAction => ({ kind: 'permissions', label: t`Show blocked` })

/** Returns the finding of the sandbox in place of one that its refusals explain. */
export function blockedFinding({ trace }: DiagnosisCase, found: DiagnosisFinding): DiagnosisFinding | undefined {
  if (!effects.has(found.code)) return undefined
  const refused = trace.sandbox?.attempts.filter(isRefusedBySandbox) ?? []
  if (refused.length === 0) return undefined
  return finding('blocked-by-sandbox', [permissions(), retry(), log()], {
    short: t`sandbox blocked: ${listed(refused)}`,
    why: sentences(wroteSentence(trace.stderr.at(-1)), keptSentence(refused)),
    remedy: t`Allow it under Permissions if the server needs it.`,
  })
}

const keptSentence = (refused: readonly SandboxAttempt[]): string =>
  refused.every((one) => one.refused === 'denied') ? t`You chose to block that.` : ''

/** Diagnosis of a server that runs, a call of which failed after something was refused to it. */
export const blockedCall = ({ tool, blocked }: FailedCall): DiagnosisFinding => ({
  code: 'blocked-by-sandbox',
  tone: 'warn',
  short: t`sandbox blocked: ${listed(blocked)}`,
  why: t`A call of ${tool} failed.`,
  remedy: t`Allow it under Permissions if the server needs it.`,
  actions: [permissions(), log()],
})
