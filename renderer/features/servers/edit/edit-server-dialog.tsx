import { useMemo, useState } from 'react'
import { flushSync } from 'react-dom'
import { t } from '#app/i18n/translate.ts'
import type { EditField } from '#app/server/doctor.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { navigate } from '#renderer/router.ts'
import { useServers } from '#renderer/stores/store-hooks.tsx'
import { Button, GhostButton } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { ServerMark } from '#renderer/ui/icon.tsx'
import { useSecretKeeper } from '#renderer/ui/lib/secret-storage-label.ts'
import { useSubmit } from '#renderer/ui/lib/use-fetched.ts'
import { ErrorNotice } from '#renderer/ui/notice.tsx'
import { formToSave, type Setup } from '../candidate-list.ts'
import { sameForm, toForm } from './server-form.ts'
import { ServerSetup, TestButton, useSetup } from './server-setup.tsx'
import { useLeaveGuard } from './unsaved-guard.tsx'

interface EditServerDialogProps {
  readonly server: ServerSummary
  readonly focus?: EditField | undefined
  readonly onClose: () => void
}

export function EditServerDialog({ server, focus, onClose }: EditServerDialogProps) {
  const { busy, error, submit } = useSubmit()
  const keeper = useSecretKeeper()
  const servers = useServers((state) => state.list)
  const [first] = useState<Setup>(() => ({ form: toForm(server.name, server.definition), values: {} }))
  const [setup, setSetup] = useState(first)
  const [done, setDone] = useState(false)
  const taken = useMemo(() => servers.map(({ name }) => name).filter((name) => name !== server.name), [servers, server.name])
  const control = useSetup({
    setup,
    onChange: (change) => setSetup((before) => ({ ...before, ...change })),
    taken,
    previousName: server.name,
  })
  const changed = !sameForm(first.form, setup.form) || Object.values(setup.values).some((value) => value !== '')
  const { leave, question } = useLeaveGuard(changed && !done)

  const save = async (): Promise<void> => {
    if (!control.check()) return
    const { name } = setup.form
    const outcome = await submit('server.save', {
      ...formToSave(setup, keeper === 'keyring'),
      ...(name === server.name ? {} : { previousName: server.name }),
      ...control.trial.earlier(),
    })
    if (!outcome.ok) return
    // There is nothing left to lose: leaving asks nothing.
    flushSync(() => setDone(true))
    onClose()
    navigate({ page: 'servers', name })
  }

  return (
    <Dialog
      onClose={() => leave(onClose)}
      width={640}
      mark={<ServerMark name={server.name} large />}
      title={t`Edit “${server.name}”`}
      footer={
        <>
          <span className="help grow wide-only">{t`If the command changes, you are shown it before it runs.`}</span>
          <GhostButton onClick={onClose}>{changed ? t`Discard` : t`Cancel`}</GhostButton>
          <TestButton control={control} />
          <Button variant="primary" aria-disabled={busy || !changed} onClick={() => !busy && changed && void save()}>
            {t`Save`}
          </Button>
        </>
      }
    >
      {question}
      <div ref={control.body} className="stack">
        {error ? <ErrorNotice error={error} /> : null}
        <ServerSetup control={control} focus={focus} kept={server.inputs} />
      </div>
    </Dialog>
  )
}
