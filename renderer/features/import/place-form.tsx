// A folder of a project, or a file, that is looked in on top of the places that are known.
import { type FormEvent, useState } from 'react'
import { t } from '#app/words/translate.ts'
import { PathInput, usePathCompletion } from '#renderer/features/folders/path-input.tsx'
import { useActions, useConnection } from '#renderer/stores/react.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Field } from '#renderer/ui/field.tsx'

export function PlaceForm({ onLook }: { readonly onLook: (place: string) => void }) {
  const { ask } = useActions()
  const canChoose = useConnection((state) => state.about?.shell.canChooseFolder ?? false)
  const [typed, setTyped] = useState('')
  const { folders } = usePathCompletion(typed)
  const look = (event: FormEvent): void => {
    event.preventDefault()
    if (typed.trim() !== '') onLook(typed.trim())
  }
  const choose = async (): Promise<void> => {
    const chosen = (await ask('app.chooseFolder', { title: t`A project with servers` }))?.path
    if (!chosen) return
    setTyped(chosen)
    onLook(chosen)
  }
  return (
    <form className="place-form" onSubmit={look}>
      <Field label={t`Or look in a project’s folder, or a file`} help={t`.vscode/mcp.json, .mcp.json, .cursor/mcp.json and the like.`}>
        {(ids) => <PathInput {...ids} value={typed} folders={folders} onType={setTyped} />}
      </Field>
      <span className="row">
        <Button type="submit" size="sm" disabled={typed.trim() === ''}>
          {t`Look there`}
        </Button>
        {canChoose ? (
          <Button size="sm" variant="ghost" onClick={() => void choose()}>
            {t`Choose a folder…`}
          </Button>
        ) : null}
      </span>
    </form>
  )
}
