// Files for the composer from a paste, a drop anywhere on the window, or a file dialog.

import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import { isBundleFile } from '#app/server/bundle/bundle-download.ts'
import { useActions } from '#renderer/stores/store-hooks.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { listen } from '#renderer/ui/lib/listen.ts'

/** Characters of pasted text beyond which it is attached; the person can still put it into the message. */
const longPaste = 10_000

/** `text`: the browser's own paste. */
type Pasted =
  | { readonly kind: 'text' | 'nothing' }
  | { readonly kind: 'long-text'; readonly text: string }
  | { readonly kind: 'files'; readonly files: readonly File[] }

type Transfer = Pick<DataTransfer, 'getData'> & { readonly types: readonly string[]; readonly files: ArrayLike<File> }

/** Classifies a paste. Table cells and rich text come with an image of themselves; their text is meant. */
export function classifyPaste(transfer: Transfer): Pasted {
  const { types, files } = transfer
  const hasText = types.includes('text/plain')
  if (files.length > 0 && !(hasText && types.includes('text/html'))) return { kind: 'files', files: Array.from(files) }
  if (!hasText) return { kind: 'nothing' }
  const text = transfer.getData('text/plain')
  return text.length > longPaste ? { kind: 'long-text', text } : { kind: 'text' }
}

function droppedFolders(items: ArrayLike<Pick<DataTransferItem, 'kind' | 'webkitGetAsEntry'>>): string[] {
  return Array.from(items).flatMap((item) => {
    const entry = item.kind === 'file' ? item.webkitGetAsEntry() : null
    return entry?.isDirectory ? [entry.name] : []
  })
}

export function AttachButton({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        data-attach
        onChange={({ target }) => {
          const files = [...(target.files ?? [])]
          // Lets the same file be chosen again.
          target.value = ''
          if (files.length > 0) onFiles(files)
        }}
      />
      <button type="button" className="pick" aria-label={t`Attach files`} title={t`Attach files`} onClick={() => input.current?.click()}>
        <Icon name="attach" />
      </button>
    </>
  )
}

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false

export function DropTarget({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  const { toast } = useActions()
  const [over, setOver] = useState(false)
  const take = useEffectEvent(onFiles)
  useEffect(() => {
    // Number of entered elements: 0 once the pointer leaves the window.
    let depth = 0
    const dragenter = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      depth += 1
      setOver(true)
    }
    const dragleave = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      depth = Math.max(0, depth - 1)
      if (depth === 0) setOver(false)
    }
    const dragover = (event: DragEvent): void => {
      if (hasFiles(event)) event.preventDefault()
    }
    const drop = (event: DragEvent): void => {
      if (!hasFiles(event) || !event.dataTransfer) return
      event.preventDefault()
      depth = 0
      setOver(false)
      const folders = droppedFolders(event.dataTransfer.items)
      if (folders.length > 0)
        toast(t`${folders.map((name) => `“${name}”`).join(', ')}: folders cannot be attached. Drop the files in them.`, {
          tone: 'bad',
        })
      const files = [...event.dataTransfer.files].filter(({ name }) => !folders.includes(name) && !isBundleFile(name))
      if (files.length > 0) take(files)
    }
    return listen(window, { dragenter, dragleave, dragover, drop })
  }, [toast])
  if (!over) return null
  return (
    <div className="drop-target">
      <p>
        <Icon name="attach" />
        {t`Attach files`}
      </p>
    </div>
  )
}
