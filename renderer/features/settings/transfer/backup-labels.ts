import type { RequestResult } from '#app/contract/requests.ts'
import type { HeldPermission } from '#app/contract/transfer-requests.ts'
import { formatWhen } from '#app/i18n/format-dates.ts'
import { formatList, formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { formatBytes } from '#app/text/format-text.ts'

export type BackupRestoreResult = RequestResult<'backup.restore'>
export type BackupCheckResult = RequestResult<'backup.check'>
export type ListedBackup = RequestResult<'backup.list'>['backups'][number]

const chats = (count: number): string => (count === 1 ? t`1 chat` : t`${formatNumber(count)} chats`)
const messages = (count: number): string => (count === 1 ? t`1 message` : t`${formatNumber(count)} messages`)

/** “2.0 MB, 3 chats and 40 messages, the latest of 24 Sept”. */
export function backupFactsLabel(facts: BackupRestoreResult, now: number): string {
  const counted = formatList([chats(facts.conversations), messages(facts.messages)])
  const size = formatBytes(facts.bytes)
  if (facts.changedAt === null) return t`${counted}; ${size}`
  return t`${counted}, the latest change ${formatWhen(facts.changedAt, now)}; ${size}`
}

const backupLabels: Record<ListedBackup['kind'], (when: string) => string> = {
  backup: (when) => t`Backup of ${when}`,
  replaced: (when) => t`What a restore took the place of, up to ${when}`,
  older: (when) => t`As it was before a new version, up to ${when}`,
}

export const listedBackupLabel = ({ kind, at }: ListedBackup, now: number): string => backupLabels[kind](formatWhen(at, now))

const permissionLabels: Record<HeldPermission['kind'], (n: string) => readonly [one: string, several: string]> = {
  rules: (n) => [t`1 rule`, t`${n} rules`],
  launches: (n) => [t`1 server that may start`, t`${n} servers that may start`],
  views: (n) => [t`1 app view that may reach the network`, t`${n} app views that may reach the network`],
  folders: (n) => [t`1 choice of shared folders`, t`${n} choices of shared folders`],
  sampling: (n) => [t`1 budget for a server’s model requests`, t`${n} budgets for servers’ model requests`],
  endpoints: (n) => [t`1 choice of a model or its endpoint`, t`${n} choices of models and their endpoints`],
  settings: (n) => [t`1 choice of how Assent asks`, t`${n} choices of how Assent asks`],
}

/** Permissions of one kind, counted: “3 rules”. */
export const permissionCountLabel = ({ kind, count }: Pick<HeldPermission, 'kind' | 'count'>): string =>
  permissionLabels[kind](formatNumber(count))[count === 1 ? 0 : 1]

/** Name of a file without its folder. */
export const fileName = (path: string): string => path.split(/[/\\]/).at(-1) ?? path
