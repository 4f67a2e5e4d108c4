// All models with what is known of them, and the favourites among them; the models of a provider, whose contexts the person can correct: the
// figure counts for the meter and the summary of a long chat, and Ollama loads its models with it.
import { type ReactNode, useState } from 'react'
import { formatNumber, longDay } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { catalogueAddress, type ModelInfo, type ProviderSummary } from '#app/models/models.ts'
import type { Price } from '#app/models/usage.ts'
import { formatCount } from '#app/text/format-text.ts'
import { canChat, ModelName, modelFacts } from '#renderer/features/chat/settings/model-picker.tsx'
import { useFavourites } from '#renderer/features/chat/settings/new-chat-choices.ts'
import { formatDollars } from '#renderer/features/usage/usage-labels.ts'
import { hrefOf } from '#renderer/router.ts'
import { useActions, useModels, useSettings, useStores } from '#renderer/stores/store-hooks.tsx'
import { announce } from '#renderer/stores/view-state.ts'
import { SmallButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { SearchInput, Select, SubmitForm, TextField } from '#renderer/ui/field.tsx'
import { Badge, Icon, Spinner } from '#renderer/ui/icon.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { useHostAnswer, useSubmit } from '#renderer/ui/lib/use-host-answer.ts'
import { endpointErrorLabel } from './endpoint-form.tsx'
import { modelCountLabel } from './key-form.tsx'

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
          {provider.ollama && t`Ollama loads a model with this context. A larger one takes more memory.`}{' '}
          <a href={hrefOf({ page: 'settings', tab: 'usage' })}>{t`Prices`}</a>
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
        {shown.length === 0 ? <p className="help">{own.length === 0 ? t`No models yet.` : t`Nothing found.`}</p> : null}
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
      <SmallGhostButton aria-label={t`Change ${model.name}`} data-focus-back="" onClick={onChange}>
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
        label={t`Context`}
        note={t`tokens`}
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

interface CatalogueFilter {
  readonly text: string
  readonly provider: string
  readonly vision: boolean
  readonly tools: boolean
  readonly thinking: boolean
  readonly cheap: boolean
  readonly local: boolean
}
const noFilter: CatalogueFilter = { text: '', provider: '', vision: false, tools: false, thinking: false, cheap: false, local: false }
const traits = { vision: t`Vision`, tools: t`Tools`, thinking: t`Reasoning`, cheap: t`Under $1`, local: t`Local` } as const

interface ListedModel {
  readonly model: ModelInfo
  readonly provider: string
  readonly isLocal: boolean
  /** Price in US dollars per million tokens; undefined: not known. */
  readonly price: Price | undefined
}

function fits({ model, isLocal, price }: ListedModel, filter: CatalogueFilter): boolean {
  const words = filter.text.trim().toLowerCase()
  return (
    `${model.id} ${model.name}`.toLowerCase().includes(words) &&
    (filter.provider === '' || model.provider === filter.provider) &&
    (!filter.vision || model.images === true) &&
    (!filter.tools || model.tools === true) &&
    (!filter.thinking || model.reasoning === true) &&
    (!filter.cheap || (price !== undefined && price.input < 1)) &&
    (!filter.local || isLocal)
  )
}

const sorts = {
  favourites: () => 0,
  name: (a: ListedModel, b: ListedModel) => a.model.name.localeCompare(b.model.name),
  context: (a: ListedModel, b: ListedModel) => (b.model.contextTokens ?? 0) - (a.model.contextTokens ?? 0),
  price: (a: ListedModel, b: ListedModel) => (a.price?.input ?? Number.MAX_VALUE) - (b.price?.input ?? Number.MAX_VALUE),
} as const
const sortNames: Record<keyof typeof sorts, string> = {
  favourites: t`Favourites`,
  name: t`Name`,
  context: t`Context`,
  price: t`Price`,
}

/** Rows that are drawn at once. */
const most = 60

export function ModelCatalogue() {
  const models = useModels((state) => state.models)
  const providers = useModels((state) => state.providers)
  const { prices, defaultModel } = useSettings((state) => state.settings)
  const { favourites, toggle } = useFavourites()
  const [filter, setFilter] = useState(noFilter)
  const [sort, setSort] = useState<keyof typeof sorts>('favourites')
  const [all, setAll] = useState<boolean>(false)
  const change = (part: Partial<CatalogueFilter>): void => setFilter((now) => ({ ...now, ...part }))
  const byId = new Map(providers.map((provider) => [provider.id, provider]))
  const listed = models.filter(canChat).map((model): ListedModel => {
    const isLocal = !model.ai || byId.get(model.provider)?.endpoint === 'local'
    const price = prices[model.id] ?? model.price ?? (isLocal ? { input: 0, output: 0 } : undefined)
    return { model, provider: byId.get(model.provider)?.name ?? model.provider, isLocal, price }
  })
  const isFavourite = ({ model }: ListedModel): boolean => favourites.includes(model.id)
  const found = listed
    .filter((one) => fits(one, filter))
    .sort(sorts[sort])
    .sort((a, b) => Number(isFavourite(b)) - Number(isFavourite(a)))
  const shown = all ? found : found.slice(0, most)
  const owners = [...new Set(listed.map(({ model }) => model.provider))]
  return (
    <>
      <div className="row wrap filters">
        <SearchInput label={t`Find a model`} value={filter.text} onChange={(text) => change({ text })} />
        <Select
          aria-label={t`Provider`}
          className={cx('fit', filter.provider !== '' && 'on')}
          value={filter.provider}
          onChange={({ target }) => change({ provider: target.value })}
          options={[['', t`Provider`], ...owners.map((id) => [id, byId.get(id)?.name ?? id] as const)]}
        />
        {(Object.keys(traits) as (keyof typeof traits)[]).map((trait) => (
          <SmallButton key={trait} className="trait" aria-pressed={filter[trait]} onClick={() => change({ [trait]: !filter[trait] })}>
            {traits[trait]}
          </SmallButton>
        ))}
        <span className="grow" />
        <Select
          aria-label={t`Sort`}
          className="fit"
          value={sort}
          onChange={({ target }) => setSort(target.value as keyof typeof sorts)}
          options={Object.entries(sortNames)}
        />
      </div>
      <table className="tbl cat">
        <thead>
          <tr>
            <th>
              <span className="sr">{t`Favourites`}</span>
            </th>
            <th>{t`Model`}</th>
            <th className="opt-col">{t`Provider`}</th>
            <th className="r">{t`Context`}</th>
            <th className="r">{t`Input`}</th>
            <th className="r">{t`Output`}</th>
            <th className="opt-col">{t`Can use`}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((one) => (
            <CatalogueRow
              key={one.model.id}
              listed={one}
              favourite={isFavourite(one)}
              standard={one.model.id === defaultModel}
              onToggle={() => toggle(one.model.id)}
            />
          ))}
        </tbody>
      </table>
      <p className="row wrap help">
        {t`${formatNumber(shown.length)} of ${formatNumber(listed.length)}`}
        {shown.length < found.length && <SmallGhostButton onClick={() => setAll(true)}>{t`Show all`}</SmallGhostButton>}
      </p>
      <div className="lines">
        <CatalogueLine />
      </div>
    </>
  )
}

interface CatalogueRowProps {
  readonly listed: ListedModel
  readonly favourite: boolean
  readonly standard: boolean
  readonly onToggle: () => void
}

const priceCell = (dollars: number | undefined): ReactNode =>
  dollars === undefined ? <span className="faint">{t`unknown`}</span> : dollars === 0 ? t`free` : formatDollars(dollars)

function CatalogueRow({ listed: { model, provider, price }, favourite, standard, onToggle }: CatalogueRowProps) {
  const can = [model.images && traits.vision, model.tools && traits.tools, model.reasoning && traits.thinking].filter((word) => word)
  return (
    <tr className={standard ? 'standard' : undefined}>
      <td>
        <button type="button" className="star" aria-pressed={favourite} aria-label={t`Favourite: ${model.name}`} onClick={onToggle}>
          {favourite ? '★' : '☆'}
        </button>
      </td>
      <td>
        <b>{model.name}</b> {standard && <Badge>{t`Default`}</Badge>} {!model.ai && <Badge>{t`not an AI`}</Badge>}
        <span className="help narrow-only">{provider}</span>
      </td>
      <td className="dim opt-col">{provider}</td>
      <td className="r num">{model.contextTokens === undefined ? '–' : formatCount(model.contextTokens)}</td>
      <td className="r num">{priceCell(price?.input)}</td>
      <td className="r num">{priceCell(price?.output)}</td>
      <td className="opt-col">
        <span className="row">
          {can.map((word) => (
            <Badge key={String(word)}>{word}</Badge>
          ))}
        </span>
      </td>
    </tr>
  )
}

function CatalogueLine() {
  const { view } = useStores()
  const { value, reload } = useHostAnswer('models.catalogue', {})
  const { busy, error, submit } = useSubmit()
  const refresh = async (): Promise<void> => {
    if (busy) return
    const outcome = await submit('models.refreshCatalogue', {})
    reload()
    if (outcome.ok) announce(view, modelCountLabel(outcome.value.models))
  }
  const date = value?.date === undefined ? '…' : longDay(Date.parse(`${value.date}T12:00:00`))
  return (
    <div>
      <Icon name="model" />
      <div className="grow">
        <p>{t`Catalogue of models: ${date}`}</p>
        <p className="help wrap-any">{catalogueAddress}</p>
        {error ? (
          <p className="help dangertext" role="alert">
            {endpointErrorLabel(error)}
          </p>
        ) : null}
      </div>
      <SmallButton icon="refresh" aria-disabled={busy} onClick={() => void refresh()}>
        {busy ? <Spinner /> : null}
        {t`Refresh`}
      </SmallButton>
    </div>
  )
}
