// The catalogue of models: its day, and the button that fetches it anew. Nothing is fetched without the button.
import { longDay } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { catalogueAddress } from '#app/models/models.ts'
import { useStores } from '#renderer/stores/store-hooks.tsx'
import { announce } from '#renderer/stores/view-state.ts'
import { SmallButton } from '#renderer/ui/button.tsx'
import { Icon, Spinner } from '#renderer/ui/icon.tsx'
import { useHostAnswer, useSubmit } from '#renderer/ui/lib/use-host-answer.ts'
import { endpointErrorLabel } from './endpoint-form.tsx'
import { modelCountLabel } from './key-form.tsx'

export function CatalogueLine() {
  const { view } = useStores()
  const { value, reload } = useHostAnswer('models.catalogue', {})
  const { busy, error, submit } = useSubmit()
  const refresh = async (): Promise<void> => {
    if (busy) return
    const outcome = await submit('models.refreshCatalogue', {})
    reload()
    if (outcome.ok) announce(view, t`The catalogue has ${modelCountLabel(outcome.value.models)}.`)
  }
  const date = value?.date === undefined ? '…' : longDay(Date.parse(`${value.date}T12:00:00`))
  return (
    <div>
      <Icon name="model" />
      <div className="grow">
        <p>{t`Catalogue of models: ${date}`}</p>
        <p className="help wrap-any">{t`Contexts and prices that a provider does not name. Refreshed from ${catalogueAddress}, on request only.`}</p>
        {error ? (
          <p className="help dangertext" role="alert">
            {t`${endpointErrorLabel(error)} The earlier catalogue stays in use.`}
          </p>
        ) : null}
      </div>
      <SmallButton icon="refresh" aria-disabled={busy} aria-label={t`Refresh the catalogue`} onClick={() => void refresh()}>
        {busy ? <Spinner /> : null}
        {t`Refresh`}
      </SmallButton>
    </div>
  )
}
