// Adding servers: from what a README or another app has, from what another part of Assent brings, or by filling in a form.
// Each can be set up and tried before it is saved. Saving starts nothing: the launch request that follows shows the exact
// command.
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useStore } from 'zustand'
import type { ErrorValue } from '#app/errors.ts'
import { plainSecretsOf } from '#app/server/plain-secrets.ts'
import type { TrialDefinition } from '#app/server/trial.ts'
import { t } from '#app/words/translate.ts'
import { TakeoverLine } from '#renderer/features/import/takeover-line.tsx'
import { hrefOf, navigate } from '#renderer/router.ts'
import { useActions } from '#renderer/stores/react.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Checkbox, Segmented } from '#renderer/ui/choices.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { ErrorNotice } from '#renderer/ui/error-notice.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { type Adding as AddingNow, type AddSource, addingStore, doneAdding } from './adding.ts'
import { formToSave, toSave } from './entries.ts'
import { FoundList } from './found-list.tsx'
import { useLeaveGuard } from './leave-guard.tsx'
import { PasteField } from './paste-field.tsx'
import { Problems } from './reading-notes.tsx'
import { memoryWords } from './secret-words.ts'
import { ServerSetup, useSetup } from './server-setup.tsx'
import { type Adding, useAdding } from './use-adding.ts'
import { isGoing } from './use-trial.ts'

interface AddServerDialogProps {
  readonly onClose: () => void
}

/** What is brought while there is something here already waits for the person's word. */
export function AddServerDialog({ onClose }: AddServerDialogProps) {
  const adding = useStore(addingStore)
  const [shown, setShown] = useState(adding)
  const dirty = useRef<boolean>(false)
  useEffect(() => doneAdding, [])
  const waits = adding.turn !== shown.turn
  if (waits && !dirty.current) setShown(adding)
  const brought: AddingNow | undefined = waits ? adding : undefined
  return (
    <AddServers
      key={shown.turn}
      source={shown.source}
      brought={brought ? () => setShown(brought) : undefined}
      onDirty={(now) => {
        dirty.current = now
      }}
      onClose={onClose}
    />
  )
}

interface AddServersProps extends AddServerDialogProps {
  readonly source: AddSource
  /** Takes what was brought meanwhile in place of what is here. */
  readonly brought: (() => void) | undefined
  readonly onDirty: (dirty: boolean) => void
}

function AddServers({ source, brought, onDirty, onClose }: AddServersProps) {
  const { attempt } = useActions()
  const adding = useAdding(source)
  const { entries, keeper, shown, setShown, setup } = adding
  const control = useSetup({ setup, onChange: adding.changeSetup, taken: adding.taken })
  const { run } = control.trial
  const [busy, setBusy] = useState(false)
  const [done, setDone] = useState(false)
  const [error, setError] = useState<ErrorValue | undefined>(undefined)
  const area = useRef<HTMLTextAreaElement>(null)
  const dirty = adding.dirty && !done
  const { leave, question } = useLeaveGuard(dirty)
  useEffect(() => onDirty(dirty), [dirty, onDirty])

  /** Saved one after the other; the first that fails stays here with those after it. */
  const add = async (servers: readonly TrialDefinition[]): Promise<void> => {
    if (busy) return
    setBusy(true)
    setError(undefined)
    const saved: string[] = []
    for (const server of servers) {
      const outcome = await attempt('server.save', { ...server, ...control.trial.earlier() })
      if (!outcome.ok) {
        setError(outcome.error)
        setBusy(false)
        // Those before it are there: what is left is the rest.
        for (const [index, { name }] of entries.entries()) if (saved.includes(name)) adding.change(index, { chosen: false })
        return
      }
      saved.push(server.name)
    }
    const [first] = servers
    // There is nothing left to lose: the way to the server's page is free.
    flushSync(() => setDone(true))
    onClose()
    if (!first) return
    navigate({ page: 'servers', name: first.name })
    // The question comes first: starting is what asks for the launch.
    for (const { name, definition } of servers) if (definition.enabled) void attempt('server.start', { name })
  }

  const ready = entries.filter((one) => one.chosen && one.error === undefined)
  const several = entries.length > 1
  const addReady = (): void => void add(ready.map(({ name, definition, keep, values }) => toSave(name, definition, keep, values)))
  const leaveForm = (): void => {
    control.trial.stop()
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
  const close = (): void => {
    flushSync(() => setDone(true))
    onClose()
  }

  // Escape and a press outside ask; the Cancel button says what it does.
  return (
    <Dialog
      open
      onClose={() => leave(close)}
      width={640}
      title={typeof shown === 'number' ? t`Set up “${setup.form.name}”` : t`Add a server`}
      initialFocus={area}
      footer={
        <>
          <span className="help grow wide-only">{t`Nothing runs yet. Next you see the exact command.`}</span>
          {typeof shown === 'number' ? (
            <Button variant="ghost" icon="chevron-left" onClick={leaveForm}>
              {t`Back`}
            </Button>
          ) : (
            <Button variant="ghost" onClick={close}>
              {t`Cancel`}
            </Button>
          )}
          {shown === undefined ? null : (
            <Button aria-disabled={isGoing(run)} onClick={() => isGoing(run) || control.tryOut()}>
              {run ? t`Try it again` : t`Try it first`}
            </Button>
          )}
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
          <Notice
            tone="you"
            title={t`Something else wants to be added.`}
            action={
              <Button size="sm" onClick={brought}>
                {t`Show it`}
              </Button>
            }
          >
            {t`Showing it drops what is here.`}
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
          <>
            {source.kind === 'found' ? (
              <p className="dim">{tx`From ${source.from}.`}</p>
            ) : (
              <>
                <PasteField area={area} text={adding.text} onText={adding.setText} />
                {adding.text === '' ? (
                  <p className="dim">
                    {tx`Or ${(
                      <a className="link" href={hrefOf({ page: 'registry' })}>
                        {t`look for one in the registry`}
                      </a>
                    )}`}
                    .
                  </p>
                ) : null}
              </>
            )}
            <Found adding={adding} />
            {source.kind === 'found' || entries.length > 0 ? null : <TakeoverLine lead={t`Or take over from`} />}
          </>
        ) : (
          <ServerSetup key={shown} control={control} focus={shown === 'new' ? 'name' : undefined} declared={adding.inputs} />
        )}
      </div>
    </Dialog>
  )
}

function Found({ adding: { entries, problems, change, setShown, keep, setKeeps, keeper } }: { readonly adding: Adding }) {
  const secrets = entries.some(({ chosen, definition }) => chosen && plainSecretsOf(definition).length > 0)
  return (
    <div role="status" className="stack">
      <Problems problems={problems} />
      {entries.length > 0 ? (
        <section className="sec">
          <span className="label">{entries.length === 1 ? t`Understood as one server` : t`Understood as ${entries.length} servers`}</span>
          <FoundList entries={entries} onChange={change} onSetUp={setShown} />
          {secrets ? (
            <Checkbox
              checked={keep}
              label={keeper === 'keyring' ? t`Keep the secrets in the keyring` : t`Keep the secrets out of the file`}
              help={keeper === 'keyring' ? t`servers.json then only names them.` : memoryWords}
              onChange={setKeeps}
            />
          ) : null}
        </section>
      ) : null}
    </div>
  )
}
