// Files that are dragged over the window: it says that they can be dropped, and takes them wherever they are let go. What a
// paste or a drop brings, as far as it concerns the composer.
import { useEffect, useRef, useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import { isBundleFile } from '#app/server/bundle/bundle-download.ts'
import { useStores } from '#renderer/stores/store-hooks.tsx'
import { showToast } from '#renderer/stores/view-state.ts'
import { Icon } from '#renderer/ui/icon.tsx'

/** Longer text stands in the way in the composer: it is attached, and can be put into the message after all. */
const longPaste = 10_000

type Pasted =
  /** The browser does as it always does. */
  | { readonly kind: 'text' }
  | { readonly kind: 'long-text'; readonly text: string }
  | { readonly kind: 'files'; readonly files: readonly File[] }
  | { readonly kind: 'nothing' }

interface Transfer {
  readonly types: readonly string[]
  readonly files: ArrayLike<File>
  getData(type: string): string
}

/** Cells of a table and rich text come with a picture of themselves: there the words are meant. */
export function classifyPaste(transfer: Transfer): Pasted {
  const { types, files } = transfer
  const hasText = types.includes('text/plain')
  if (files.length > 0 && !(hasText && types.includes('text/html'))) return { kind: 'files', files: Array.from(files) }
  if (!hasText) return { kind: 'nothing' }
  const text = transfer.getData('text/plain')
  return text.length > longPaste ? { kind: 'long-text', text } : { kind: 'text' }
}

/** Names of what was dropped and is a folder. */
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
          // The same file can be chosen again.
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
  const { view } = useStores()
  const [over, setOver] = useState(false)
  const take = useRef(onFiles)
  take.current = onFiles
  useEffect(() => {
    // Each element that is entered is left again: the window itself is left when as many were left as entered.
    let depth = 0
    const onEnter = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      depth += 1
      setOver(true)
    }
    const onLeave = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      depth = Math.max(0, depth - 1)
      if (depth === 0) setOver(false)
    }
    const onOver = (event: DragEvent): void => {
      if (hasFiles(event)) event.preventDefault()
    }
    const onDrop = (event: DragEvent): void => {
      if (!hasFiles(event) || !event.dataTransfer) return
      event.preventDefault()
      depth = 0
      setOver(false)
      const folders = droppedFolders(event.dataTransfer.items)
      if (folders.length > 0)
        showToast(view, t`${folders.map((name) => `“${name}”`).join(', ')}: folders cannot be attached. Drop the files in them.`, {
          tone: 'bad',
        })
      const files = [...event.dataTransfer.files].filter(({ name }) => !folders.includes(name) && !isBundleFile(name))
      if (files.length > 0) take.current(files)
    }
    const listeners = { dragenter: onEnter, dragleave: onLeave, dragover: onOver, drop: onDrop } as const
    for (const [name, listener] of Object.entries(listeners)) window.addEventListener(name as 'drop', listener)
    return () => {
      for (const [name, listener] of Object.entries(listeners)) window.removeEventListener(name as 'drop', listener)
    }
  }, [view])
  if (!over) return null
  return (
    <div className="drop-target">
      <p>
        <Icon name="attach" />
        {t`Drop to attach to your message`}
      </p>
    </div>
  )
}
