// The path of a folder, typed. What it may become stands in the browser's own list, which every keyboard and reader knows.
import { type FormEvent, useEffect, useId, useState } from 'react'
import { useActions } from '#renderer/stores/react.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Field, TextInput } from '#renderer/ui/field.tsx'
import { revealedText } from '#renderer/ui/revealed.tsx'

interface FolderFormProps {
  readonly busy: boolean
  readonly error: string | undefined
  readonly onTyped: () => void
  /** Whether it was taken. */
  readonly onAdd: (path: string) => Promise<boolean>
}

export function FolderForm({ busy, error, onTyped, onAdd }: FolderFormProps) {
  const [typed, setTyped] = useState('')
  const listId = useId()
  const { folders, more } = useCompletion(typed)
  const add = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (typed.trim() !== '' && (await onAdd(typed))) setTyped('')
  }
  return (
    <form className="folder-form" onSubmit={(event) => void add(event)}>
      <Field label="Whole path of a folder" error={error} help={more ? 'There are more than are listed: type on.' : undefined}>
        {(ids) => (
          <>
            <TextInput
              {...ids}
              mono
              list={listId}
              value={typed}
              onChange={(event) => {
                setTyped(event.target.value)
                onTyped()
              }}
            />
            <datalist id={listId}>
              {folders.map((path) => (
                <option key={path} value={path} label={revealedText(path)} />
              ))}
            </datalist>
          </>
        )}
      </Field>
      <Button type="submit" size="sm" icon="plus" disabled={busy || typed.trim() === ''}>
        Add
      </Button>
    </form>
  )
}

const none: { readonly folders: readonly string[]; readonly more: boolean } = { folders: [], more: false }

/** Of the latest that was typed; an answer to an earlier text is dropped. */
function useCompletion(typed: string): typeof none {
  const { attempt } = useActions()
  const [found, setFound] = useState(none)
  const isPath = /[/\\]/.test(typed)
  useEffect(() => {
    let current = true
    if (isPath)
      void attempt('folder.complete', { typed }).then((outcome) => {
        if (current) setFound(outcome.ok ? outcome.value : none)
      })
    return () => {
      current = false
    }
  }, [attempt, typed, isPath])
  return isPath ? found : none
}
