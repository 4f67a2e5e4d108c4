// Export and import of chats. A page sends the file to import in pieces; an import that is not continued is dropped.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { newId } from '#main/base/ids.ts'
import { exportPieces, writeExport } from '#main/chat/transfer/export-file.ts'
import { createFileImport, type FileImport } from '#main/chat/transfer/import-conversations.ts'
import { createReaderThread } from '#main/chat/transfer/reader-thread.ts'
import type { HandlersOf, HostContext } from './request-handlers.ts'

const MOST_AT_ONCE = 4
const FORGOTTEN_AFTER_MS = 10 * 60_000

export function transferHandlers(context: HostContext): HandlersOf<'export' | 'import'> {
  const { store, platform } = context
  const open = new Map<string, { readonly reading: FileImport; forget: () => void; busy: boolean }>()

  const close = (id: string): void => {
    const one = open.get(id)
    one?.forget()
    one?.reading.stop()
    open.delete(id)
  }
  const find = (id: string) => {
    const one = open.get(id)
    if (!one || one.busy) throw new HostError('import.unreadable', t`Choose it again.`)
    return one
  }
  /** Runs one step of an import. Steps do not overlap; a failure ends the import. */
  async function go<T>(id: string, work: (reading: FileImport) => Promise<T>): Promise<T> {
    const one = find(id)
    one.forget()
    one.busy = true
    try {
      const result = await work(one.reading)
      one.forget = context.clock.after(FORGOTTEN_AFTER_MS, () => close(id))
      return result
    } catch (error) {
      close(id)
      throw error
    } finally {
      one.busy = false
    }
  }

  return {
    async 'export.read'({ id, format }) {
      await context.readSecrets()
      return { text: [...exportPieces(store, { ids: [id], format, now: context.clock.now(), mask: context.maskKnown })].join('') }
    },
    async 'export.save'({ ids, format }) {
      const folder = await platform.chooseFolder(t`Save as a file`)
      if (folder === null) return { path: null, conversations: 0 }
      await context.readSecrets()
      await mkdir(folder, { recursive: true })
      const all = ids ?? store.conversations.list().map(({ id }) => id)
      const time = new Date(context.clock.now()).toISOString().slice(0, 19).replaceAll(':', '')
      const path = join(folder, `assent-chats-${time}.${format === 'json' ? 'json' : 'md'}`)
      await writeExport(path, exportPieces(store, { ids: all, format, now: context.clock.now(), mask: context.maskKnown }))
      return { path, conversations: all.length }
    },
    'export.ids': () => ({ ids: store.conversations.list().map(({ id }) => id) }),
    'import.begin'({ mode }) {
      for (const oldest of [...open.keys()].slice(0, Math.max(0, open.size + 1 - MOST_AT_ONCE))) close(oldest)
      const id = newId()
      const reading = createFileImport({
        store,
        mode,
        reader: createReaderThread({ now: context.clock.now(), model: store.settings.get().defaultModel }),
        log: context.log,
        onKept: (conversation) => context.emit('conversation.changed', { conversation }),
        onFolder: () => context.emit('chatFolders.changed', { chatFolders: store.chatFolders.list() }),
      })
      open.set(id, { reading, busy: false, forget: context.clock.after(FORGOTTEN_AFTER_MS, () => close(id)) })
      return { id }
    },
    'import.push': ({ id, base64 }) => go(id, (reading) => reading.push(Buffer.from(base64, 'base64'))),
    async 'import.end'({ id }) {
      try {
        return await go(id, (reading) => reading.end())
      } finally {
        close(id)
      }
    },
    'import.progress': ({ id }) => ({ messages: open.get(id)?.reading.kept() ?? 0 }),
    'import.cancel': ({ id }) => close(id),
  }
}
