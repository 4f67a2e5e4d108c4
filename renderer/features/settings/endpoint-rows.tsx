import { useState } from 'react'
import type { ProviderView } from '#app/chat/models.ts'
import { t } from '#app/words/translate.ts'
import { useActions } from '#renderer/stores/react.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { Badge, Dot } from '#renderer/ui/marks.tsx'
import { EndpointForm } from './endpoint-form.tsx'
import { endpointErrorWords, modelsWords, placeWords } from './endpoint-words.ts'

/** One that the person added. */
export function AddedEndpoint({ provider }: { readonly provider: ProviderView }) {
  const { go } = useActions()
  const [changing, setChanging] = useState(false)
  const { key } = provider
  if (changing) return <EndpointForm provider={provider} onDone={() => setChanging(false)} />
  return (
    <div className="key-row">
      <Icon name={key.kind === 'not-needed' ? 'model' : 'key'} />
      <div className="grow">
        <p className="row">
          {provider.name}
          {key.kind === 'set' && key.source === 'memory' ? <Badge tone="warn">{t`this run only`}</Badge> : null}
          {key.kind === 'missing' ? <Badge tone="warn">{t`key needed again`}</Badge> : null}
        </p>
        {provider.error ? (
          <p className="help dangertext">{endpointErrorWords(provider.error)}</p>
        ) : (
          <p className="help num wrap-any">{[modelsWords(provider.modelCount), placeWords(provider.baseUrl)].join(' · ')}</p>
        )}
      </div>
      {key.kind === 'set' ? <span className="mono faint wide-only">{key.hint}</span> : null}
      <Button size="sm" icon="refresh" aria-label={t`Check again: ${provider.name}`} onClick={() => go('models.refresh', {})}>
        {t`Check again`}
      </Button>
      <Button size="sm" aria-label={t`Change ${provider.name}`} onClick={() => setChanging(true)}>
        {t`Change`}
      </Button>
      <Button
        size="sm"
        variant="ghost"
        className="quiet"
        aria-label={t`Remove ${provider.name}`}
        onClick={() => go('endpoint.remove', { id: provider.id })}
      >
        {t`Remove`}
      </Button>
    </div>
  )
}

/** One that was looked for on this computer. */
export function LocalEndpoint({ provider }: { readonly provider: ProviderView }) {
  const { go } = useActions()
  const { error, modelCount, name, baseUrl } = provider
  const place = placeWords(baseUrl)
  const words = [name === place ? '' : place, modelsWords(modelCount)].filter(Boolean).join(' · ')
  return (
    <div>
      <Dot tone={error ? 'off' : 'ok'} />
      <div className="grow">
        <p>{name}</p>
        <p className="help num">
          {error === undefined
            ? words
            : error.code === 'model.offline'
              ? t`Nothing answers at ${place}. Start its server, then look again.`
              : endpointErrorWords(error)}
        </p>
      </div>
      {error ? (
        <Button
          size="sm"
          variant="ghost"
          icon="refresh"
          aria-label={t`Look again: ${name}`}
          onClick={() => go('models.look', { again: true })}
        >
          {t`Look again`}
        </Button>
      ) : null}
    </div>
  )
}

/** The last line of the list: opens the form in its place. */
export function AddEndpoint() {
  const [open, setOpen] = useState(false)
  if (open) return <EndpointForm onDone={() => setOpen(false)} />
  return (
    <div>
      <Icon name="plus" />
      <span className="grow dim">{t`Any other address that speaks the OpenAI format`}</span>
      <Button size="sm" variant="ghost" onClick={() => setOpen(true)}>
        {t`Add address`}
      </Button>
    </div>
  )
}
