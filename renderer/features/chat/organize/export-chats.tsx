import { useState } from 'react'
import { exportHead, exportTail } from '#app/chat/export-format.ts'
import { t } from '#app/i18n/translate.ts'
import { useActions, useConnection } from '#renderer/stores/store-hooks.tsx'
import { SmallButton } from '#renderer/ui/button.tsx'
import { Spinner } from '#renderer/ui/icon.tsx'
import { saveTextFile } from '#renderer/ui/lib/save-file.ts'

type Format = 'json' | 'markdown'

/** Returns a function that saves chats (by default all) as one file: in Electron by the host, in a browser as a download. */
export function useExport(): (format: Format, ids?: readonly string[]) => Promise<void> {
  const { ask, toast } = useActions()
  const shell = useConnection((state) => state.about?.shell.kind)
  return async (format, ids) => {
    if (shell === 'electron') {
      const saved = await ask('export.save', { format, ...(ids ? { ids: [...ids] } : {}) })
      if (saved?.path) toast(t`Saved as ${saved.path}`)
      return
    }
    const all = ids ?? (await ask('export.ids', {}))?.ids
    if (!all) return
    const texts: string[] = []
    for (const id of all) {
      const read = await ask('export.read', { id, format })
      if (!read) return
      texts.push(format === 'json' ? itemsOf(read.text) : read.text)
    }
    if (format === 'json') saveTextFile('assent-chats.json', [exportHead(new Date().toISOString()), texts.join(',\n'), exportTail])
    else saveTextFile('assent-chats.md', [texts.join('\n---\n\n')])
  }
}

/** Items of an exported file of one chat, between its head and its tail. */
const itemsOf = (file: string): string => file.slice(file.indexOf('[\n') + 2, -exportTail.length)

export function ExportChats() {
  const exportChats = useExport()
  const [busy, setBusy] = useState<Format | undefined>(undefined)
  const press = (format: Format): void => {
    if (busy) return
    setBusy(format)
    void exportChats(format).finally(() => setBusy(undefined))
  }
  return (
    <span className="row wrap">
      {(['json', 'markdown'] as const).map((format) => (
        <SmallButton key={format} aria-disabled={busy !== undefined} onClick={() => press(format)}>
          {busy === format && <Spinner />}
          {format === 'json' ? t`Export all as JSON` : t`Export all as Markdown`}
        </SmallButton>
      ))}
    </span>
  )
}
