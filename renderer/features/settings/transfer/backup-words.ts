import type { RequestResult } from '#app/contract/requests.ts'
import { formatBytes } from '#app/text.ts'
import { listWords, numberWords } from '#app/words/formats.ts'
import { t } from '#app/words/translate.ts'
import { whenWords } from '#app/words/when.ts'

export type BackupFacts = RequestResult<'backup.check'>
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

/** The file's name alone: the folder is said above. */
export const fileName = (path: string): string => path.split(/[/\\]/).at(-1) ?? path
