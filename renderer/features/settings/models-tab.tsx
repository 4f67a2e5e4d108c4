import { useEffect, useRef, useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import type { ProviderSummary } from '#app/models/models.ts'
import { useActions, useConnection, useModels, useSettings } from '#renderer/stores/store-hooks.tsx'
import { LinkButton, SmallButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { Select, Switch } from '#renderer/ui/field.tsx'
import { Badge, Dot, Icon } from '#renderer/ui/icon.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { useKeptFocus } from '#renderer/ui/lib/use-kept-focus.ts'
import { Section } from '#renderer/ui/text/section.tsx'
import { EndpointForm, endpointErrorLabel, endpointLabel, modelCountLabel } from './endpoint-form.tsx'
import { KeyRow, ProviderRow } from './key-row.tsx'

function AddedEndpoint({ provider }: { readonly provider: ProviderSummary }) {
  const { go } = useActions()
  const [changing, setChanging] = useState(false)
  const { key } = provider
  if (changing) return <EndpointForm provider={provider} onDone={() => setChanging(false)} />
  return (
    <ProviderRow
      provider={provider}
      icon={key.kind === 'not-needed' ? 'model' : 'key'}
      badges={key.kind === 'missing' ? <Badge tone="warn">{t`key needed again`}</Badge> : null}
      errorLabel={endpointErrorLabel}
      facts={[modelCountLabel(provider.modelCount), endpointLabel(provider.baseUrl)].join(' · ')}
    >
      <SmallButton icon="refresh" aria-label={t`Check again: ${provider.name}`} onClick={() => go('models.refresh', {})}>
        {t`Check again`}
      </SmallButton>
      <SmallButton aria-label={t`Change ${provider.name}`} data-focus-back="" onClick={() => setChanging(true)}>
        {t`Change`}
      </SmallButton>
      <SmallGhostButton
        className="quiet"
        aria-label={t`Remove ${provider.name}`}
        onClick={() => go('endpoint.remove', { id: provider.id })}
      >
        {t`Remove`}
      </SmallGhostButton>
    </ProviderRow>
  )
}

/** Endpoint that was looked for on this computer. */
function LocalEndpoint({ provider }: { readonly provider: ProviderSummary }) {
  const { go } = useActions()
  const { error, modelCount, name, baseUrl } = provider
  const place = endpointLabel(baseUrl)
  const words = [name === place ? '' : place, modelCountLabel(modelCount)].filter(Boolean).join(' · ')
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
              : endpointErrorLabel(error)}
        </p>
      </div>
      {error && (
        <SmallGhostButton icon="refresh" aria-label={t`Look again: ${name}`} onClick={() => go('models.look', { again: true })}>
          {t`Look again`}
        </SmallGhostButton>
      )}
    </div>
  )
}

/** Last line of the list, which opens the form in its place. */
function AddEndpoint() {
  const [open, setOpen] = useState(false)
  if (open) return <EndpointForm onDone={() => setOpen(false)} />
  return (
    <div>
      <Icon name="plus" />
      <span className="grow dim">{t`OpenAI, Gemini, Mistral and others, or any address`}</span>
      <SmallGhostButton data-focus-back="" onClick={() => setOpen(true)}>
        {t`Add address`}
      </SmallGhostButton>
    </div>
  )
}

export function ModelsTab() {
  const models = useModels((state) => state.models)
  const providers = useModels((state) => state.providers)
  const chosen = useSettings((state) => state.settings.defaultModel)
  const autoTitles = useSettings((state) => state.settings.autoTitles)
  const { set, attempt } = useActions()
  // What is not there is said in its row.
  useEffect(() => void attempt('models.look', {}), [attempt])
  const addresses = useRef<HTMLElement>(null)
  useKeptFocus(addresses)
  const known = models.some(({ id }) => id === chosen)
  const groups = Map.groupBy(models, ({ provider }) => providers.find(({ id }) => id === provider)?.name ?? provider)
  const keyed = providers.filter(({ key, endpoint }) => key.kind !== 'not-needed' && endpoint === undefined)
  const added = providers.filter(({ endpoint }) => endpoint === 'added')
  const local = providers.filter(({ endpoint }) => endpoint === 'local')
  return (
    <>
      <Section level={2} title={t`For new chats`}>
        <div className="lines">
          <div>
            <label className="grow" htmlFor="default-model">
              {t`Model`}
              {known ? null : <span className="help dangertext block">{t`The chosen model is not there any more. Choose another.`}</span>}
            </label>
            <Select
              id="default-model"
              className="fit"
              value={known ? chosen : ''}
              onChange={(event) => set({ defaultModel: event.target.value })}
            >
              {known ? null : <option value="">{chosen}</option>}
              {[...groups].map(([name, members]) => (
                <optgroup key={name} label={name}>
                  {members.map((model) => (
                    <option key={model.id} value={model.id}>
                      {model.ai ? model.name : t`${model.name} (no AI)`}
                    </option>
                  ))}
                </optgroup>
              ))}
            </Select>
          </div>
          <div>
            <Switch
              label={t`The model names a chat after its first answer`}
              help={t`One short request more. A title that you write stays.`}
              checked={autoTitles}
              onChange={(on) => set({ autoTitles: on })}
            />
          </div>
        </div>
      </Section>
      <section className="sec" ref={addresses}>
        <div className="row wrap">
          <h2 className="h3">{t`Keys and addresses`}</h2>
          <span className="grow" />
          <WhereKept />
        </div>
        <div className="lines">
          {keyed.map((provider) => (
            <KeyRow key={provider.id} provider={provider} />
          ))}
          {added.map((provider) => (
            <AddedEndpoint key={provider.id} provider={provider} />
          ))}
          <AddEndpoint />
        </div>
      </section>
      <Section level={2} title={t`On this computer`}>
        <div className="lines">
          {local.map((provider) => (
            <LocalEndpoint key={provider.id} provider={provider} />
          ))}
          <div>
            <Icon name="model" />
            <div className="grow">
              <p className="row">
                {t`Practice model`} <Badge>{t`no AI`}</Badge>
              </p>
              <p className="help">{t`Matches words to tools. Always there, sends nothing.`}</p>
            </div>
            <LinkButton size="sm" variant="ghost" href="#/chat">
              {t`Try it`}
            </LinkButton>
          </div>
        </div>
      </Section>
    </>
  )
}

function WhereKept() {
  const kind = useConnection((state) => state.about?.shell.secrets)
  if (kind === undefined) return null
  const kept = kind === 'keyring'
  return (
    <span className={cx('help row', !kept && 'warntext')}>
      <Icon name={kept ? 'lock' : 'warning'} small />
      {kept ? t`Kept in your system keyring, never in a file` : t`No keyring here: a key is kept for this run only, never in a file`}
    </span>
  )
}
