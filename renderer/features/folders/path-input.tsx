// A text field for a path. Completions stand in the browser's own list, which works with every keyboard and screen reader.
import { useId, useState } from 'react'
import { type FieldIds, TextInput } from '#renderer/ui/field.tsx'
import { useFetched } from '#renderer/ui/lib/use-fetched.ts'
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

/** Completions of the typed path. `files`: files too, not only folders. */
export function usePathCompletion(typed: string, files = false): typeof none {
  const [found, setFound] = useState(none)
  const isPath = /[/\\]/.test(typed)
  useFetched('folder.complete', isPath ? { typed, ...(files ? { files } : {}) } : undefined, (outcome) =>
    setFound(outcome.ok ? outcome.value : none),
  )
  return isPath ? found : none
}
