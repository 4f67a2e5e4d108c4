// Models that Ollama downloads: the name is typed, its size is looked up, and the download begins when the person says so.
import { useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import { type ModelPull, type ProviderSummary, pullableName } from '#app/models/models.ts'
import { formatBytes } from '#app/text/format-text.ts'
import { navigate } from '#renderer/router.ts'
import { useActions, useModels, useStores } from '#renderer/stores/store-hooks.tsx'
import { announce } from '#renderer/stores/view-state.ts'
import { Button, SmallButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { CancelButton, Dialog } from '#renderer/ui/dialog.tsx'
import { SubmitForm, TextField } from '#renderer/ui/field.tsx'
import { Spinner, Track } from '#renderer/ui/icon.tsx'
import { useSubmit } from '#renderer/ui/lib/use-host-answer.ts'
import { endpointLabel, errorWithWords } from './endpoint-form.tsx'

interface PullDialogProps {
  readonly provider: ProviderSummary
  /** Name that stands in the field at first. */
  readonly model?: string
  readonly onClose: () => void
}

/** Asks for a name, then, with the size, whether to download it. */
export function PullDialog({ provider, model = '', onClose }: PullDialogProps) {
  const { view } = useStores()
  const [name, setName] = useState(model)
  const [size, setSize] = useState<{ readonly of: string; readonly bytes: number | null } | undefined>(undefined)
  const { busy, error, submit } = useSubmit()
  const wanted = name.trim()
  const wrong = wanted !== '' && !pullableName.test(wanted)
  const place = endpointLabel(provider.baseUrl)

  const lookUp = async (): Promise<void> => {
    if (busy || wanted === '' || wrong) return
    const outcome = await submit('models.pullSize', { model: wanted })
    if (outcome.ok) setSize({ of: wanted, bytes: outcome.value.bytes })
  }
  const pull = async (): Promise<void> => {
    if (busy || !size) return
    const outcome = await submit('models.pull', { endpoint: provider.id, model: size.of })
    if (!outcome.ok) return
    announce(view, t`Download: ${size.of}`)
    onClose()
  }
  if (size)
    return (
      <Dialog
        asks
        width={480}
        onClose={onClose}
        title={t`Download: ${size.of}`}
        footer={
          <>
            <Button variant="primary" aria-disabled={busy} onClick={() => void pull()}>
              {t`Download`}
            </Button>
            <CancelButton onClick={onClose} />
          </>
        }
      >
        <p>{t`${provider.name} at ${place} downloads it and keeps it on its disk.`}</p>
        {size.bytes === null ? null : <p className="help num">{formatBytes(size.bytes)}</p>}
        {error ? <p className="help dangertext">{errorWithWords(error)}</p> : null}
      </Dialog>
    )
  return (
    <Dialog
      width={480}
      onClose={onClose}
      title={t`Download a model…`}
      footer={
        <>
          <Button variant="primary" type="submit" form="pull-name" aria-disabled={busy || wanted === '' || wrong}>
            {busy ? <Spinner /> : null}
            {t`Next`}
          </Button>
          <CancelButton onClick={onClose} />
        </>
      }
    >
      <SubmitForm id="pull-name" className="stack" onSubmit={lookUp}>
        <TextField
          label={t`Name`}
          help={t`As in ollama.com/library, such as qwen3:8b. Nothing is downloaded yet.`}
          error={wrong ? t`A character is not allowed here.` : error && errorWithWords(error)}
          mono
          spellCheck={false}
          maxLength={200}
          value={name}
          onText={setName}
        />
      </SubmitForm>
    </Dialog>
  )
}

/** Dialog for the model that an error named: `pull` is its whole id. */
export function WantedModel({ pull }: { readonly pull: string | undefined }) {
  const provider = useModels((state) => state.providers.find(({ id, ollama }) => ollama && pull?.startsWith(`${id}/`)))
  if (!provider || pull === undefined) return null
  const close = (): void => navigate({ page: 'settings', tab: 'models' }, { replace: true })
  return <PullDialog provider={provider} model={pull.slice(provider.id.length + 1)} onClose={close} />
}

/** Downloads of an endpoint, each with its progress or why it failed. */
export function PullRows({ provider }: { readonly provider: ProviderSummary }) {
  const pulls = useModels((state) => state.pulls)
  const own = pulls.filter(({ endpoint }) => endpoint === provider.id)
  return own.map((pull) => <PullRow key={pull.model} pull={pull} />)
}

function PullRow({ pull: { endpoint, model, completed, total, error } }: { readonly pull: ModelPull }) {
  const { go } = useActions()
  const known = total > 0
  const end = (): void => go('models.cancelPull', { endpoint, model })
  return (
    <div className="pull-row">
      <div className="grow">
        <p className="wrap-any">{model}</p>
        {error ? (
          <p className="help dangertext" role="alert">
            {errorWithWords(error)}
          </p>
        ) : (
          <>
            <Track label={t`Download: ${model}`} part={known ? completed / total : undefined} />
            <p className="help num">{known ? t`${formatBytes(completed)} of ${formatBytes(total)}` : t`Starting`}</p>
          </>
        )}
      </div>
      {error ? (
        <SmallButton icon="refresh" onClick={() => go('models.pull', { endpoint, model })}>
          {t`Try again`} <span className="sr">{model}</span>
        </SmallButton>
      ) : null}
      <SmallGhostButton className="quiet" onClick={end}>
        {error ? t`Dismiss` : t`Cancel`} <span className="sr">{model}</span>
      </SmallGhostButton>
    </div>
  )
}
