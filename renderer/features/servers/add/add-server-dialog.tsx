// The dialog for adding servers: from pasted text, from what another screen found, or by filling in a form. Each server can be
// set up and tested before it is saved. The host parses the text; nothing runs or is saved by that, and saving starts nothing
// without a launch request that shows the exact command.

import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useStore } from 'zustand'
import { t } from '#app/i18n/translate.ts'
import type { TestedDefinition } from '#app/server/connection-test.ts'
import { navigate } from '#renderer/router.ts'
import { useActions } from '#renderer/stores/store-hooks.tsx'
import { Button, SmallButton } from '#renderer/ui/button.tsx'
import { CancelButton, Dialog } from '#renderer/ui/dialog.tsx'
import { Segmented } from '#renderer/ui/field.tsx'
import { useSubmit } from '#renderer/ui/lib/use-host-answer.ts'
import { ErrorNotice, Notice } from '#renderer/ui/notice.tsx'
import { formToSave, toSave } from '../candidate-list.ts'
import { ServerSetup, type SetupControl, TestButton, useSetup } from '../edit/server-setup.tsx'
import { useLeaveGuard } from '../edit/unsaved-guard.tsx'
import { type AddSource, addServerStore, closeAddServer } from '../open-add-server.ts'
import { type AddServerState, Sources, useAddServer } from './server-sources.tsx'

/** A request that comes while there are changes here waits for the person. */
export function AddServerDialog({ onClose }: { readonly onClose: () => void }) {
  const adding = useStore(addServerStore)
  const [shown, setShown] = useState(adding)
  const dirty = useRef<boolean>(false)
  useEffect(() => closeAddServer, [])
  const waits = adding.turn !== shown.turn
  if (waits && !dirty.current) setShown(adding)
  return (
    <AddServers
      key={shown.turn}
      source={shown.source}
      brought={waits ? () => setShown(adding) : undefined}
      onDirty={(now) => {
        dirty.current = now
      }}
      onClose={onClose}
    />
  )
}

interface AddServersProps {
  readonly source: AddSource
  readonly brought: (() => void) | undefined
  readonly onDirty: (dirty: boolean) => void
  readonly onClose: () => void
}

function AddServers({ source, brought, onDirty, onClose }: AddServersProps) {
  const adding = useAddServer(source)
  const { entries, keeper, shown, setShown, setup } = adding
  const control = useSetup({ setup, onChange: adding.changeSetup, taken: adding.taken })
  const [done, setDone] = useState(false)
  const area = useRef<HTMLTextAreaElement>(null)
  const dirty = adding.dirty && !done
  const { leave, question } = useLeaveGuard(dirty)
  useEffect(() => onDirty(dirty), [dirty, onDirty])
  const close = (): void => {
    // There is nothing left to lose: leaving asks nothing.
    flushSync(() => setDone(true))
    onClose()
  }
  const { busy, error, add } = useSaveServers(adding, control, close)

  const ready = entries.filter((one) => one.chosen && one.error === undefined)
  const several = entries.length > 1
  const addReady = (): void => void add(ready.map(({ name, definition, keep, values }) => toSave(name, definition, keep, values)))
  const leaveForm = (): void => {
    control.connectionTest.stop()
    setShown(undefined)
  }
  const submit = (): void => {
    if (shown === undefined) {
      // What it asks for is entered before, where it can be.
      const asking = entries.findIndex((one) => ready.includes(one) && one.missing.length > 0 && Object.keys(one.values).length === 0)
      if (asking !== -1 && !several) setShown(asking)
      else if (ready.length > 0) addReady()
    } else if (control.check()) {
      if (typeof shown === 'number' && several) leaveForm()
      else void add([formToSave(setup, keeper === 'keyring')])
    }
  }

  // Escape and a press outside ask; the Cancel button says what it does.
  return (
    <Dialog
      onClose={() => leave(close)}
      width={640}
      title={typeof shown === 'number' ? t`Set up “${setup.form.name}”` : t`Add server`}
      initialFocus={area}
      footer={
        <>
          <span className="help grow wide-only">{t`Nothing runs yet.`}</span>
          {typeof shown === 'number' ? (
            <Button variant="ghost" icon="chevron-left" onClick={leaveForm}>
              {t`Back`}
            </Button>
          ) : (
            <CancelButton onClick={close} />
          )}
          {shown === undefined ? null : <TestButton control={control} />}
          <Button variant="primary" aria-disabled={busy || (shown === undefined && ready.length === 0)} onClick={submit}>
            {typeof shown === 'number' && several
              ? t`Done`
              : shown === undefined && ready.length > 1
                ? t`Add ${ready.length} servers`
                : t`Continue`}
          </Button>
        </>
      }
    >
      {question}
      <div ref={control.body} className="stack">
        {brought ? (
          <Notice tone="you" title={t`Another link arrived.`} action={<SmallButton onClick={brought}>{t`Show it`}</SmallButton>}>
            {t`Showing it discards this one.`}
          </Notice>
        ) : null}
        {error ? <ErrorNotice error={error} /> : null}
        {source.kind === 'found' || typeof shown === 'number' ? null : (
          <Segmented<'paste' | 'form'>
            label={t`How to add it`}
            value={shown === 'new' ? 'form' : 'paste'}
            onChange={(way) => (way === 'form' ? setShown('new') : leaveForm())}
            choices={[
              { value: 'paste', label: t`Paste` },
              { value: 'form', label: t`Fill in` },
            ]}
          />
        )}
        {shown === undefined ? (
          <Sources source={source} adding={adding} area={area} />
        ) : (
          <ServerSetup key={shown} control={control} focus={shown === 'new' ? 'name' : undefined} declared={adding.inputs} />
        )}
      </div>
    </Dialog>
  )
}

/** Saves servers in turn, then starts them; the first that fails stays in the list with those after it. */
function useSaveServers({ entries, change }: AddServerState, control: SetupControl, close: () => void) {
  const { attempt } = useActions()
  const { busy, error, setError, submit } = useSubmit()
  const add = async (servers: readonly TestedDefinition[]): Promise<void> => {
    if (busy) return
    setError(undefined)
    const saved: string[] = []
    for (const server of servers) {
      const outcome = await submit('server.save', { ...server, ...control.connectionTest.earlier() })
      if (!outcome.ok) {
        for (const [index, { name }] of entries.entries()) if (saved.includes(name)) change(index, { chosen: false })
        return
      }
      saved.push(server.name)
    }
    close()
    if (saved[0] !== undefined) navigate({ page: 'servers', name: saved[0] })
    // The question comes first: starting is what asks for the launch.
    for (const { name, definition } of servers) if (definition.enabled) void attempt('server.start', { name })
  }
  return { busy, error, add }
}
