// From what is known of a start that failed to what it comes to: what happened, why, what to do, and what to press. Pure.
// The error's code says where to look; within that, what the server wrote and how it ended.
import type { HostErrorCode } from '#app/errors.ts'
import type { Diagnosis } from '#app/server/doctor.ts'
import { t } from '#app/words/translate.ts'
import { commandNotFound, configInvalid, cwdNotFound, secretMissing, spawnFailed } from './before-start.ts'
import { type Case, edit, type Finding, finding, log, type Rule, retry } from './case.ts'
import { exited, listFailed, notMcp, tooLarge, tooSlow, versionMismatch } from './ended.ts'
import { httpStatus, unreachable } from './network.ts'
import { signInRules } from './sign-in.ts'

const rules: Partial<Record<HostErrorCode, Rule>> = {
  ...signInRules,
  'server.command-not-found': commandNotFound,
  'server.cwd-not-found': cwdNotFound,
  'server.spawn-failed': spawnFailed,
  'server.secret-missing': secretMissing,
  'config.invalid': configInvalid,
  'server.exited': exited,
  'server.not-mcp': notMcp,
  'server.list-failed': listFailed,
  'server.version-mismatch': versionMismatch,
  'server.start-timeout': tooSlow,
  'server.too-large': tooLarge,
  'server.unreachable': unreachable,
  'server.http-status': httpStatus,
  'server.protocol': ({ name, error }) =>
    finding('broke-the-protocol', {
      short: t`broke the protocol`,
      message: t`${name} sent something that MCP doesn’t allow.`,
      why: error.message,
      remedy: t`Start it again. If it happens again, report it to who wrote the server.`,
      actions: [retry(), log()],
    }),
  'server.connection-lost': ({ name, error }) =>
    finding('connection-lost', {
      short: t`connection lost`,
      message: t`${name} lost the connection.`,
      why: error.message,
      remedy: t`Connect again.`,
      actions: [{ kind: 'retry', label: t`Connect again` }, log()],
    }),
  'server.refused': ({ name }) =>
    finding('refused-by-you', {
      short: t`was not allowed to start`,
      message: t`${name} was not allowed to start.`,
      why: t`Nothing ran. You are asked again when it is started.`,
      remedy: t`Start it, and allow its command.`,
      actions: [{ kind: 'retry', label: t`Ask again` }, edit(t`Edit`, 'command')],
      tone: 'warn',
    }),
  'server.disabled': ({ name }) =>
    finding('disabled', {
      short: t`off`,
      message: t`${name} is off.`,
      why: t`It is kept in the list and never started.`,
      remedy: t`Turn it on.`,
      actions: [{ kind: 'enable', label: t`Turn on` }],
      tone: 'warn',
    }),
}

const unexplained = ({ name, error }: Case): Finding =>
  finding('unexplained', {
    short: t`failed`,
    message: t`${name} doesn’t start.`,
    why: error.message,
    remedy: t`Read its log, then try again.`,
    actions: [retry(), log()],
  })

export const diagnose = (one: Case): Diagnosis => ({
  tone: 'bad',
  // A server may be called "everything": its name is set off in every sentence.
  ...(rules[one.error.code] ?? unexplained)({ ...one, name: `“${one.name}”` }),
})
