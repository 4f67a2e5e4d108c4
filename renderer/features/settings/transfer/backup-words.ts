import type { RequestResult } from '#app/contract/requests.ts'
import type { HeldPermission } from '#app/contract/transfer.ts'
import { formatBytes } from '#app/text.ts'
import { listWords, numberWords } from '#app/words/formats.ts'
import { t } from '#app/words/translate.ts'
import { whenWords } from '#app/words/when.ts'

export type BackupFacts = RequestResult<'backup.restore'>
export type CheckedBackup = RequestResult<'backup.check'>
export type FoundBackup = RequestResult<'backup.list'>['backups'][number]

const chats = (count: number): string => (count === 1 ? t`1 chat` : t`${numberWords(count)} chats`)
const messages = (count: number): string => (count === 1 ? t`1 message` : t`${numberWords(count)} messages`)

/** “2.0 MB, 3 chats and 40 messages, the latest of 24 Sept”. */
export function factWords(facts: BackupFacts, now: number): string {
  const counted = listWords([chats(facts.conversations), messages(facts.messages)])
  const size = formatBytes(facts.bytes)
  if (facts.changedAt === null) return t`${counted}; ${size}`
  return t`${counted}, the latest change ${whenWords(facts.changedAt, now)}; ${size}`
}

export function foundWords({ kind, at }: FoundBackup, now: number): string {
  const when = whenWords(at, now)
  switch (kind) {
    case 'backup':
      return t`Backup of ${when}`
    case 'replaced':
      return t`What a restore took the place of, up to ${when}`
    case 'older':
      return t`As it was before a new version, up to ${when}`
  }
}

/** Of a kind: “3 rules”. */
export function permissionWords({ kind, count }: Pick<HeldPermission, 'kind' | 'count'>): string {
  const n = numberWords(count)
  switch (kind) {
    case 'rules':
      return count === 1 ? t`1 rule` : t`${n} rules`
    case 'launches':
      return count === 1 ? t`1 server that may start` : t`${n} servers that may start`
    case 'views':
      return count === 1 ? t`1 app view that may reach the network` : t`${n} app views that may reach the network`
    case 'folders':
      return count === 1 ? t`1 choice of shared folders` : t`${n} choices of shared folders`
    case 'sampling':
      return count === 1 ? t`1 budget for a server’s model requests` : t`${n} budgets for servers’ model requests`
    case 'endpoints':
      return count === 1 ? t`1 choice of a model or its endpoint` : t`${n} choices of models and their endpoints`
    case 'settings':
      return count === 1 ? t`1 choice of how Assent asks` : t`${n} choices of how Assent asks`
  }
}

/** The file's name alone: the folder is said above. */
export const fileName = (path: string): string => path.split(/[/\\]/).at(-1) ?? path
