// The path of a folder, typed, and added to a list.
import { type FormEvent, useState } from 'react'
import { t } from '#app/words/translate.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Field } from '#renderer/ui/field.tsx'
import { PathInput, usePathCompletion } from './path-input.tsx'

interface FolderFormProps {
  readonly busy: boolean
  readonly error: string | undefined
  readonly onTyped: () => void
  /** Whether it was taken. */
  readonly onAdd: (path: string) => Promise<boolean>
}

export function FolderForm({ busy, error, onTyped, onAdd }: FolderFormProps) {
  const [typed, setTyped] = useState('')
  const { folders, more } = usePathCompletion(typed)
  const add = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (typed.trim() !== '' && (await onAdd(typed))) setTyped('')
  }
  return (
    <form className="folder-form" onSubmit={(event) => void add(event)}>
      <Field label={t`Whole path of a folder`} error={error} help={more ? t`There are more than are listed: type on.` : undefined}>
        {(ids) => (
          <PathInput
            {...ids}
            value={typed}
            folders={folders}
            onType={(path) => {
              setTyped(path)
              onTyped()
            }}
          />
        )}
      </Field>
      <Button type="submit" size="sm" icon="plus" disabled={busy || typed.trim() === ''}>
        {t`Add`}
      </Button>
    </form>
  )
}
