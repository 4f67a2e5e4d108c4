// Adding servers: by pasting what a README or another app has, or by filling in a form. Saving starts nothing: the
// launch request that follows shows the exact command.

import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useStore } from 'zustand'
import type { ErrorValue } from '#app/errors.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import { navigate } from '#renderer/router.ts'
import { useActions, useServers } from '#renderer/stores/react.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Segmented } from '#renderer/ui/choices.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { ErrorNotice } from '#renderer/ui/error-notice.tsx'
import { addingStore, doneAdding } from './adding.ts'
import { confirmLoss } from './confirm-loss.ts'
import { type PasteChoice, PastePane } from './paste-pane.tsx'
import { useSecretKeeper } from './secret-words.ts'
import { ServerFields } from './server-fields.tsx'
import { emptyForm, type ServerForm, sameForm, secretsToKeep, toDefinition, validateForm } from './server-form.ts'

interface AddedServer {
  readonly name: string
  readonly definition: ServerDefinition
  /** Variables or headers whose values go into the secret store. */
  readonly keep: readonly string[]
}
type Way = 'paste' | 'form'

export function AddServerDialog({ onClose }: { readonly onClose: () => void }) {
  const { attempt } = useActions()
  const keeper = useSecretKeeper()
  const list = useServers((state) => state.list)
  const taken = list.map(({ name }) => name)
  const [way, setWay] = useState<Way>('paste')
  const [choice, setChoice] = useState<readonly PasteChoice[]>([])
  const [form, setForm] = useState<ServerForm>(emptyForm)
  const [checked, setChecked] = useState(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ErrorValue | undefined>(undefined)
  const { source, turn } = useStore(addingStore)
  useEffect(() => doneAdding, [])
  const body = useRef<HTMLDivElement>(null)
  const area = useRef<HTMLTextAreaElement>(null)

  /** Saved one after the other; the first that fails stays here with those after it. */
  const add = async (servers: readonly AddedServer[]): Promise<void> => {
    setBusy(true)
    setError(undefined)
    for (const { name, definition, keep } of servers) {
      const outcome = await attempt('server.save', { name, definition, ...(keep.length > 0 ? { keepSecrets: [...keep] } : {}) })
      if (!outcome.ok) {
        setError(outcome.error)
        setBusy(false)
        return
      }
    }
    const [first] = servers
    onClose()
    if (!first) return
    navigate({ page: 'servers', name: first.name })
    // The question comes first: starting is what asks for the launch.
    for (const { name, definition } of servers) if (definition.enabled) void attempt('server.start', { name })
  }

  const ready = choice.filter((one) => one.chosen && one.error === undefined)
  const submit = (): void => {
    if (busy) return
    if (way === 'paste') {
      if (ready.length > 0) void add(ready)
      return
    }
    // What is folded away opens for its fault, so that it can take focus.
    flushSync(() => setChecked(true))
    const [field] = Object.keys(validateForm(form, taken))
    if (field === undefined)
      void add([{ name: form.name, definition: toDefinition(form), keep: secretsToKeep(form, keeper === 'keyring') }])
    else body.current?.querySelector<HTMLElement>(`[data-field="${field}"] :is(input, textarea)`)?.focus()
  }

  /** Escape and a press outside; the Cancel button says what it does. */
  const leave = (): void => {
    if ((choice.length === 0 && sameForm(form, emptyForm())) || confirmLoss()) onClose()
  }

  return (
    <Dialog
      open
      onClose={leave}
      width={640}
      title="Add a server"
      initialFocus={area}
      footer={
        <>
          <span className="help grow">Nothing runs yet. Next you see the exact command.</span>
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="primary" aria-disabled={busy || (way === 'paste' && ready.length === 0)} onClick={submit}>
            {way === 'paste' && ready.length > 1 ? `Add ${ready.length} servers` : 'Continue'}
          </Button>
        </>
      }
    >
      <div ref={body} className="stack">
        <Segmented<Way>
          label="How to add it"
          value={way}
          onChange={setWay}
          choices={[
            { value: 'paste', label: 'Paste' },
            { value: 'form', label: 'Fill in' },
          ]}
        />
        {error ? <ErrorNotice error={error} /> : null}
        {way === 'paste' ? (
          <PastePane key={turn} first={source.kind === 'text' ? source.text : ''} area={area} taken={taken} onChoice={setChoice} />
        ) : (
          <ServerFields
            form={form}
            errors={checked ? validateForm(form, taken) : {}}
            focus="name"
            within={body}
            onChange={(change) => setForm((before) => ({ ...before, ...change }))}
          />
        )}
      </div>
    </Dialog>
  )
}
