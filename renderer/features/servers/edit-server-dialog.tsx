import { useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { ErrorValue } from '#app/errors.ts'
import type { EditField } from '#app/server/doctor.ts'
import type { ServerView } from '#app/server/view.ts'
import { navigate } from '#renderer/router.ts'
import { useActions, useServers } from '#renderer/stores/react.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { ErrorNotice } from '#renderer/ui/error-notice.tsx'
import { ServerMark } from '#renderer/ui/marks.tsx'
import { confirmLoss } from './confirm-loss.ts'
import { useSecretKeeper } from './secret-words.ts'
import { ServerFields } from './server-fields.tsx'
import { type FormErrors, type ServerForm, sameForm, secretsToKeep, toDefinition, toForm, validateForm } from './server-form.ts'

interface EditServerDialogProps {
  readonly server: ServerView
  readonly focus?: EditField | undefined
  readonly onClose: () => void
}

export function EditServerDialog({ server, focus, onClose }: EditServerDialogProps) {
  const { attempt } = useActions()
  const keeper = useSecretKeeper()
  const names = useServers((state) => state.list)
  const [first] = useState(() => toForm(server.name, server.definition))
  const [form, setForm] = useState<ServerForm>(first)
  const [checked, setChecked] = useState(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ErrorValue | undefined>(undefined)
  const body = useRef<HTMLDivElement>(null)
  const taken = useMemo(() => names.map(({ name }) => name).filter((name) => name !== server.name), [names, server.name])
  const errors: FormErrors = checked ? validateForm(form, taken) : {}
  const changed = !sameForm(first, form)

  const save = async (): Promise<void> => {
    // What is folded away opens for its fault, so that it can take focus.
    flushSync(() => setChecked(true))
    const [field] = Object.keys(validateForm(form, taken))
    if (field !== undefined) {
      body.current?.querySelector<HTMLElement>(`[data-field="${field}"] :is(input, textarea)`)?.focus()
      return
    }
    setBusy(true)
    const renamed = form.name === server.name ? {} : { previousName: server.name }
    const keep = secretsToKeep(form, keeper === 'keyring')
    const outcome = await attempt('server.save', {
      name: form.name,
      ...renamed,
      definition: toDefinition(form),
      ...(keep.length > 0 ? { keepSecrets: keep } : {}),
    })
    setBusy(false)
    if (!outcome.ok) {
      setError(outcome.error)
      return
    }
    onClose()
    navigate({ page: 'servers', name: form.name })
  }

  const leave = (): void => {
    if (!changed || confirmLoss()) onClose()
  }

  return (
    <Dialog
      open
      onClose={leave}
      width={640}
      mark={<ServerMark name={server.name} large />}
      title={`Edit ${server.name}`}
      footer={
        <>
          <span className="help grow">If the command changes, you are shown it before it runs.</span>
          <Button variant="ghost" onClick={onClose}>
            {changed ? 'Discard' : 'Cancel'}
          </Button>
          <Button variant="primary" aria-disabled={busy || !changed} onClick={() => !busy && changed && void save()}>
            Save
          </Button>
        </>
      }
    >
      <div ref={body} className="stack">
        {error ? <ErrorNotice error={error} /> : null}
        <ServerFields
          form={form}
          errors={errors}
          focus={focus}
          within={body}
          onChange={(change) => setForm((before) => ({ ...before, ...change }))}
        />
      </div>
    </Dialog>
  )
}
