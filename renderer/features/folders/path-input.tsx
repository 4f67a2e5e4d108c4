// A path that is typed. What it may become stands in the browser's own list, which every keyboard and reader knows.
import { useEffect, useId, useState } from 'react'
import { useActions } from '#renderer/stores/store-hooks.tsx'
import { type FieldIds, TextInput } from '#renderer/ui/field.tsx'
import { visibleTextOf } from '#renderer/ui/visible-text.tsx'

interface PathInputProps extends FieldIds {
  readonly value: string
  readonly folders: readonly string[]
  readonly onType: (path: string) => void
  readonly 'aria-label'?: string | undefined
}

export function PathInput({ value, folders, onType, ...ids }: PathInputProps) {
  const listId = useId()
  return (
    <>
      <TextInput {...ids} mono list={listId} value={value} onChange={(event) => onType(event.target.value)} />
      <datalist id={listId}>
        {folders.map((path) => (
          <option key={path} value={path} label={visibleTextOf(path)} />
        ))}
      </datalist>
    </>
  )
}

const none: { readonly folders: readonly string[]; readonly more: boolean } = { folders: [], more: false }

/** Of the latest that was typed; an answer to an earlier text is dropped. `files`: it may be one. */
export function usePathCompletion(typed: string, files = false): typeof none {
  const { attempt } = useActions()
  const [found, setFound] = useState(none)
  const isPath = /[/\\]/.test(typed)
  useEffect(() => {
    let current = true
    if (isPath)
      void attempt('folder.complete', { typed, ...(files ? { files } : {}) }).then((outcome) => {
        if (current) setFound(outcome.ok ? outcome.value : none)
      })
    return () => {
      current = false
    }
  }, [attempt, typed, isPath, files])
  return isPath ? found : none
}
