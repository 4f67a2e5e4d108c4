import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react'
import type { ErrorValue } from '#app/errors.ts'
import { longDay } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { catalogueAddress, type ProviderSummary } from '#app/models/models.ts'
import { canChat } from '#renderer/features/chat/settings/model-picker.tsx'
import { roughDuration } from '#renderer/features/servers/status/state-labels.ts'
import { useActions, useConnection, useModels, useSettings, useShallow, useStores } from '#renderer/stores/store-hooks.tsx'
import { announce } from '#renderer/stores/view-state.ts'
import { LinkButton, SmallButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { Select, Switch } from '#renderer/ui/field.tsx'
import { Badge, Dot, Icon, type IconName, Spinner } from '#renderer/ui/icon.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { useHostAnswer, useSubmit } from '#renderer/ui/lib/use-host-answer.ts'
import { useKeptFocus } from '#renderer/ui/lib/use-kept-focus.ts'
import { useNow } from '#renderer/ui/lib/use-now.ts'
import { Section } from '#renderer/ui/text/section.tsx'
import { EndpointForm, endpointErrorLabel, endpointLabel } from './endpoint-form.tsx'
import { KeyForm, keyErrorLabel, modelCountLabel } from './key-form.tsx'
import { ModelFigures } from './model-figures.tsx'
import { PullDialog, PullRows, WantedModel } from './pull-model.tsx'

type KeySet = Extract<ProviderSummary['key'], { kind: 'set' }>

/** "4 models · checked 5 min ago". */
function factsLabel({ modelCount, baseUrl }: ProviderSummary, { checkedAt }: KeySet, now: number): string {
  const facts = modelCount > 0 ? [modelCountLabel(modelCount)] : []
  if (checkedAt !== undefined) facts.push(now - checkedAt < 60_000 ? t`checked just now` : t`checked ${roughDuration(now - checkedAt)} ago`)
  if (baseUrl) facts.push(t`at ${baseUrl}`)
  return facts.join(' · ')
}

function KeyRow({ provider }: { readonly provider: ProviderSummary }) {
  const [replacing, setReplacing] = useState(false)
  const { key } = provider
  if (key.kind === 'not-needed') return null
  if (key.kind === 'missing' || replacing) return <KeyEntry provider={provider} {...(replacing && { onDone: () => setReplacing(false) })} />
  return <KeyKept provider={provider} kept={key} onReplace={() => setReplacing(true)} />
}

interface ProviderRowProps {
  readonly provider: ProviderSummary
  readonly icon: IconName
  readonly badges: ReactNode
  readonly errorLabel: (error: ErrorValue) => string
  /** Line below the name, while there is no error. */
  readonly facts: string
  readonly children: ReactNode
}

/** Row of a provider that has its key, or needs none. */
function ProviderRow({ provider: { name, error, key }, icon, badges, errorLabel, facts, children }: ProviderRowProps) {
  return (
    <div className="key-row">
      <Icon name={icon} />
      <div className="grow">
        <p className="row">
          {name}
          {key.kind === 'set' && key.source === 'memory' ? <Badge tone="warn">{t`this run only`}</Badge> : null}
          {badges}
        </p>
        {error ? <p className="help dangertext">{errorLabel(error)}</p> : <p className="help num wrap-any">{facts}</p>}
      </div>
      {key.kind === 'set' ? <span className="mono faint wide-only">{key.hint}</span> : null}
      {children}
    </div>
  )
}

type KeyKeptProps = { readonly provider: ProviderSummary; readonly kept: KeySet; readonly onReplace: () => void }

function KeyKept({ provider, kept, onReplace }: KeyKeptProps) {
  const { go } = useActions()
  const facts = factsLabel(provider, kept, useNow(30_000))
  const fixed = kept.source === 'environment'
  return (
    <ProviderRow
      provider={provider}
      icon="key"
      badges={fixed ? <Badge>{t`from the environment`}</Badge> : null}
      errorLabel={keyErrorLabel}
      facts={fixed ? t`${facts}${provider.modelCount > 0 ? ' · ' : ''}ANTHROPIC_API_KEY` : facts}
    >
      <ModelButtons provider={provider} />
      {provider.error && (
        <SmallButton icon="refresh" onClick={() => go('models.refresh', {})}>
          {t`Check again`}
        </SmallButton>
      )}
      {!fixed && (
        <>
          <SmallButton data-focus-back="" onClick={onReplace}>
            {t`Replace`}
          </SmallButton>
          <SmallGhostButton className="quiet" onClick={() => go('key.remove', { provider: provider.id })}>
            {t`Remove`}
          </SmallGhostButton>
        </>
      )}
    </ProviderRow>
  )
}

function KeyEntry({ provider, onDone }: { readonly provider: ProviderSummary; readonly onDone?: () => void }) {
  return (
    <KeyForm
      label={provider.name}
      placeholder={t`sk-ant-…`}
      submitLabel={t`Check and save`}
      autoFocus={onDone !== undefined}
      request={(key) => ['key.set', { provider: provider.id, key }]}
      onDone={onDone}
      onCancel={onDone}
    >
      {t`Assent lists your models with it once, to see that it works.`}
    </KeyForm>
  )
}

/** Buttons for the models of a provider: what is known of them, and the download of others, where it is Ollama. */
function ModelButtons({ provider }: { readonly provider: ProviderSummary }) {
  const [open, setOpen] = useState<'figures' | 'pull' | undefined>(undefined)
  const close = (): void => setOpen(undefined)
  return (
    <>
      {provider.modelCount > 0 ? (
        <SmallButton aria-label={t`Models of ${provider.name}`} onClick={() => setOpen('figures')}>
          {t`Models`}
        </SmallButton>
      ) : null}
      {provider.ollama && !provider.error ? (
        <SmallButton aria-label={t`Pull a model with ${provider.name}`} onClick={() => setOpen('pull')}>
          {t`Pull…`}
        </SmallButton>
      ) : null}
      {open === 'figures' ? <ModelFigures provider={provider} onClose={close} /> : null}
      {open === 'pull' ? <PullDialog provider={provider} onClose={close} /> : null}
    </>
  )
}

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
      <ModelButtons provider={provider} />
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
      <ModelButtons provider={provider} />
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

function OnThisComputer() {
  const local = useModels(useShallow((state) => state.providers.filter(({ endpoint }) => endpoint === 'local')))
  return (
    <Section level={2} title={t`On this computer`}>
      <div className="lines">
        {local.map((provider) => (
          <Fragment key={provider.id}>
            <LocalEndpoint provider={provider} />
            <PullRows provider={provider} />
          </Fragment>
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
  )
}

export function ModelsTab({ pull }: { readonly pull?: string | undefined }) {
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
  const groups = Map.groupBy(models.filter(canChat), ({ provider }) => providers.find(({ id }) => id === provider)?.name ?? provider)
  const keyed = providers.filter(({ key, endpoint }) => key.kind !== 'not-needed' && endpoint === undefined)
  const added = providers.filter(({ endpoint }) => endpoint === 'added')
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
            <Fragment key={provider.id}>
              <AddedEndpoint provider={provider} />
              <PullRows provider={provider} />
            </Fragment>
          ))}
          <AddEndpoint />
        </div>
      </section>
      <OnThisComputer />
      <Section level={2} title={t`Catalogue`}>
        <div className="lines">
          <CatalogueLine />
        </div>
      </Section>
      <WantedModel pull={pull} />
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

/** Day of the catalogue of models, and the button that fetches it anew. Nothing is fetched without the button. */
function CatalogueLine() {
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
