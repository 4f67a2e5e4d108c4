// Conversations into one file, a piece at a time, for its owner alone; a file that is there stays as it is.
import { open, rm } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { exportHead, exportTail } from '#app/chat/export.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import { classifyFileError } from '#main/store/sqlite-errors.ts'
import { type ExportedStore, exportItems, exportMarkdown } from './export-items.ts'

export type ExportFormat = 'json' | 'markdown'

export interface ExportPlan {
  readonly ids: readonly string[]
  readonly format: ExportFormat
  readonly now: number
}

/** The text of the file, in pieces. A conversation that went meanwhile is left out. */
export function* exportPieces(store: ExportedStore, { ids, format, now }: ExportPlan): Generator<string> {
  const there = ids.filter((id) => store.conversations.get(id) !== undefined)
  if (format === 'markdown') {
    for (const [index, id] of there.entries()) yield `${index === 0 ? '' : '\n---\n\n'}${exportMarkdown(store, id)}`
    return
  }
  yield exportHead(new Date(now).toISOString())
  let first = true
  for (const id of there) {
    for (const item of exportItems(store, id)) {
      yield `${first ? '' : ',\n'}${item}`
      first = false
    }
  }
  yield exportTail
}

/** Throws `disk.full` or `profile.unwritable`; then nothing is left of the file. */
export async function exportTo(path: string, store: ExportedStore, plan: ExportPlan): Promise<void> {
  try {
    const file = await open(path, 'wx', 0o600)
    try {
      for (const piece of exportPieces(store, plan)) {
        await file.writeFile(piece)
        await setImmediate()
      }
      await file.sync()
    } catch (error) {
      await rm(path, { force: true })
      throw error
    } finally {
      await file.close()
    }
  } catch (cause) {
    if (cause instanceof HostError) throw cause
    const code = classifyFileError(String((cause as NodeJS.ErrnoException).code))
    throw new HostError(code, t`The chats could not be written to ${path}.`, { data: { path }, cause })
  }
}
