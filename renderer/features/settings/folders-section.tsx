// The folders that servers are told of when they ask and the person agrees. Added by the system's picker where the shell
// has one, else by typing the path.
import { type FormEvent, useState } from 'react'
import { describeError } from '#app/describe-error.ts'
import { useActions, useConnection, useSettings } from '#renderer/stores/react.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Field, TextInput } from '#renderer/ui/field.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'

const title = 'Folders servers may be told of'

export function FoldersSection() {
  const roots = useSettings((state) => state.settings.roots)
  const canChoose = useConnection((state) => state.about?.shell.canChooseFolder ?? false)
  const { attempt, ask } = useActions()
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string | undefined>(undefined)
  const [busy, setBusy] = useState(false)

  const save = async (next: readonly string[]): Promise<boolean> => {
    setBusy(true)
    const outcome = await attempt('settings.set', { roots: [...next] })
    setBusy(false)
    if (outcome.ok) {
      setError(undefined)
      return true
    }
    const { message, remedy } = describeError(outcome.error)
    setError(`${message} ${remedy}`.trim())
    return false
  }
  const choose = async (): Promise<void> => {
    const done = await ask('app.chooseFolder', { title })
    if (done?.path) await save([...roots, done.path])
  }
  const add = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (typed.trim() !== '' && (await save([...roots, typed]))) setTyped('')
  }

  return (
    <section className="sec">
      <h2 className="h3">{title}</h2>
      <p className="lede">
        A server can ask which folders you work in. You are asked each time before it is told; then it learns these paths, and nothing of
        what is in them.
      </p>
      {roots.length === 0 ? (
        <p className="dim">None. Servers that ask are told that there are none.</p>
      ) : (
        <ul className="lines folder-list">
          {roots.map((path) => (
            <li key={path}>
              <Icon name="folder" />
              <span className="grow mono wrap-any">
                <Revealed text={path} />
              </span>
              <Button
                variant="ghost"
                size="sm"
                aria-label={`Remove ${path}`}
                disabled={busy}
                onClick={() => void save(roots.filter((one) => one !== path))}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      {canChoose ? (
        <div>
          <Button size="sm" icon="plus" disabled={busy} onClick={() => void choose()}>
            Add a folder
          </Button>
          {error ? (
            <p role="alert" className="err">
              {error}
            </p>
          ) : null}
        </div>
      ) : (
        <form className="folder-form" onSubmit={(event) => void add(event)}>
          <Field label="Whole path of a folder" error={error}>
            {(ids) => (
              <TextInput
                {...ids}
                mono
                value={typed}
                onChange={(event) => {
                  setTyped(event.target.value)
                  setError(undefined)
                }}
              />
            )}
          </Field>
          <Button type="submit" size="sm" icon="plus" disabled={busy || typed.trim() === ''}>
            Add
          </Button>
        </form>
      )}
    </section>
  )
}
