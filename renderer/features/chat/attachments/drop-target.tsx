// Files that are dragged over the window: it says that they can be dropped, and takes them wherever they are let go.
import { useEffect, useRef, useState } from 'react'
import { isBundleFile } from '#app/server/bundle/file-name.ts'
import { t } from '#app/words/translate.ts'
import { useStores } from '#renderer/stores/react.tsx'
import { showToast } from '#renderer/stores/view.ts'
import { Icon } from '#renderer/ui/icon.tsx'
import { droppedFolders } from './pasted.ts'

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
