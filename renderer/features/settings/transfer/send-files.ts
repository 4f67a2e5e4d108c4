// Files of chats one after the other, told of as one: an archive that was unpacked may be many (conversations-000.json, …).
import type { ImportSummary } from '#app/chat/import/summary.ts'
import type { Actions } from '#renderer/stores/actions.ts'
import { type FileOutcome, type SendOptions, sendFile } from './send-file.ts'

const none: ImportSummary = { conversations: 0, messages: 0, already: 0, broken: 0, faults: [], sources: [], cut: false }

/** One alone that cannot be read is a failure; of several it is named, and the others count. */
export async function sendFiles(
  actions: Pick<Actions, 'attempt'>,
  files: readonly File[],
  { onProgress, onKept, ...options }: SendOptions,
): Promise<FileOutcome> {
  const bytes = Math.max(
    1,
    files.reduce((sum, { size }) => sum + size, 0),
  )
  let sent = 0
  let all = none
  for (const file of files) {
    const kept = all.messages
    const outcome = await sendFile(actions, file, {
      ...options,
      onProgress: (share) => onProgress((sent + share * file.size) / bytes),
      onKept: (messages) => onKept(kept + messages),
    })
    if (outcome.kind === 'stopped' || (outcome.kind === 'failed' && files.length === 1)) return outcome
    all = both(all, outcome.kind === 'done' ? outcome.summary : unreadable(file, outcome.error.message))
    sent += file.size
  }
  return { kind: 'done', summary: all }
}

const unreadable = ({ name }: File, reason: string): ImportSummary => ({ ...none, broken: 1, faults: [{ name, reason }] })

const both = (a: ImportSummary, b: ImportSummary): ImportSummary => ({
  conversations: a.conversations + b.conversations,
  messages: a.messages + b.messages,
  already: a.already + b.already,
  broken: a.broken + b.broken,
  faults: [...a.faults, ...b.faults],
  sources: [...new Set([...a.sources, ...b.sources])],
  cut: a.cut || b.cut,
})
