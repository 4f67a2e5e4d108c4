// The models of a provider with what is known of them, and their contexts, which the person can correct: the figure counts for the meter and
// the summary of a long chat, and Ollama loads its models with it.
import { useState } from 'react'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import type { ModelInfo, ProviderSummary } from '#app/models/models.ts'
import { ModelName, modelFacts } from '#renderer/features/chat/settings/model-picker.tsx'
import { hrefOf } from '#renderer/router.ts'
import { useActions, useModels, useSettings } from '#renderer/stores/store-hooks.tsx'
import { SmallButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { SearchInput, SubmitForm, TextField } from '#renderer/ui/field.tsx'

const easilySeen = 12
const LEAST = 256
const MOST = 100_000_000

export function ModelFigures({ provider, onClose }: { readonly provider: ProviderSummary; readonly onClose: () => void }) {
  const models = useModels((state) => state.models)
  const [text, setText] = useState('')
  const [open, setOpen] = useState<string | undefined>(undefined)
  const own = models.filter((model) => model.provider === provider.id && model.chat !== false)
  const shown = own.filter(({ id, name }) => `${id} ${name}`.toLowerCase().includes(text.trim().toLowerCase()))
  return (
    <Dialog onClose={onClose} title={t`Models of ${provider.name}`}>
      <div className="stack">
        <p className="help">
          {provider.ollama
            ? t`Ollama loads a model with the context that is set here. A larger one takes more memory.`
            : t`Correct a context that the list or the catalogue gives wrongly.`}{' '}
          <a href={hrefOf({ page: 'settings', tab: 'usage' })}>{t`Prices are set under Usage.`}</a>
        </p>
        {own.length > easilySeen ? <SearchInput label={t`Find a model`} value={text} onChange={setText} /> : null}
        <div className="lines model-figures">
          {shown.map((model) =>
            model.id === open ? (
              <ContextForm key={model.id} model={model} onDone={() => setOpen(undefined)} />
            ) : (
              <FigureRow key={model.id} model={model} provider={provider} onChange={() => setOpen(model.id)} />
            ),
          )}
        </div>
        {shown.length === 0 ? <p className="help">{own.length === 0 ? t`No models yet.` : t`No model has this name.`}</p> : null}
      </div>
    </Dialog>
  )
}

interface FigureRowProps {
  readonly model: ModelInfo
  readonly provider: ProviderSummary
  readonly onChange: () => void
}

function FigureRow({ model, provider, onChange }: FigureRowProps) {
  const isOwn = useSettings((state) => state.settings.contextSizes[model.id] !== undefined)
  const most = model.ollama?.most
  const reach = most !== undefined && most !== model.contextTokens ? t`reads up to ${formatNumber(most)}` : ''
  return (
    <div>
      <div className="grow">
        <p className="row">
          <ModelName model={model} provider={provider} />
        </p>
        <p className="help num">
          {[modelFacts(model), reach, isOwn ? t`context set by you` : ''].filter((fact) => fact !== '').join(' · ')}
        </p>
      </div>
      <SmallGhostButton aria-label={t`Change the context of ${model.name}`} data-focus-back="" onClick={onChange}>
        {t`Change`}
      </SmallGhostButton>
    </div>
  )
}

function ContextForm({ model, onDone }: { readonly model: ModelInfo; readonly onDone: () => void }) {
  const sizes = useSettings((state) => state.settings.contextSizes)
  const { set } = useActions()
  const [text, setText] = useState(model.contextTokens === undefined ? '' : String(model.contextTokens))
  const most = model.ollama?.cloud ? MOST : (model.ollama?.most ?? MOST)
  const tokens = Number(text.trim())
  const fits = Number.isInteger(tokens) && tokens >= LEAST && tokens <= most
  const reset = (): void => {
    const { [model.id]: _own, ...rest } = sizes
    set({ contextSizes: rest })
    onDone()
  }
  const save = (): void => {
    if (!fits) return
    set({ contextSizes: { ...sizes, [model.id]: tokens } })
    onDone()
  }
  return (
    <SubmitForm className="endpoint-form" onSubmit={save}>
      <TextField
        label={t`Context of ${model.name}`}
        note={t`in tokens`}
        help={model.ollama && !model.ollama.cloud ? t`The model is loaded anew with the next message.` : undefined}
        error={fits ? undefined : t`A whole number from ${formatNumber(LEAST)} to ${formatNumber(most)}.`}
        className="short num"
        inputMode="numeric"
        autoFocus
        value={text}
        onText={setText}
      />
      <p className="row wrap">
        <SmallButton type="submit" aria-disabled={!fits}>
          {t`Save`}
        </SmallButton>
        {sizes[model.id] === undefined ? null : <SmallButton onClick={reset}>{t`Reset`}</SmallButton>}
        <SmallGhostButton onClick={onDone}>{t`Cancel`}</SmallGhostButton>
      </p>
    </SubmitForm>
  )
}
