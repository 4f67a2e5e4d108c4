// Models: a row for each provider, with its key or address and whether it answers; and the catalogue of all models.
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import type { ProviderSummary } from '#app/models/models.ts'
import { type EndpointPreset, endpointPresets } from '#app/models/presets.ts'
import { canChat, modelGroups } from '#renderer/features/chat/settings/model-picker.tsx'
import { useActions, useConnection, useModels, useSettings } from '#renderer/stores/store-hooks.tsx'
import { Button, IconButton, SmallButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { Segmented, Select, Switch } from '#renderer/ui/field.tsx'
import { Badge, Dot, type DotTone, Icon } from '#renderer/ui/icon.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { memoryOnlyLabel } from '#renderer/ui/lib/secret-storage-label.ts'
import { useKeptFocus } from '#renderer/ui/lib/use-kept-focus.ts'
import { Menu, MenuItem } from '#renderer/ui/menu.tsx'
import { EndpointForm, endpointErrorLabel, endpointLabel } from './endpoint-form.tsx'
import { KeyForm, keyErrorLabel, modelCountLabel, providerMark } from './key-form.tsx'
import { ModelCatalogue, ModelFigures } from './model-catalogue.tsx'
import { PullDialog, PullRows, WantedModel } from './pull-model.tsx'

interface ProviderLineProps {
  readonly name: string
  /** Key, address or field. */
  readonly children: ReactNode
  readonly tone: DotTone
  readonly state: ReactNode
  readonly bad?: boolean
  readonly count?: ReactNode
  readonly menu?: ReactNode
}

/** One row of the list of providers. */
const ProviderLine = ({ name, children, tone, state, bad = false, count, menu }: ProviderLineProps) => (
  <div className="prov-line">
    <span className="prov" aria-hidden>
      {providerMark(name)}
    </span>
    <b>{name}</b>
    <div className="keycell">{children}</div>
    <span className="st">
      <Dot tone={tone} />
      <span className={bad ? 'dangertext' : undefined}>{state}</span>
    </span>
    <span className="mc">{count}</span>
    {menu ? (
      <Menu align="end" trigger={<IconButton small icon="more" label={t`More about ${name}`} data-focus-back="" />}>
        {menu}
      </Menu>
    ) : (
      <span />
    )}
  </div>
)

interface KeyEntryProps {
  readonly name: string
  readonly keyPage?: string | undefined
  /** Preset that the key adds an endpoint of; absent: it is the key of Anthropic. */
  readonly preset?: EndpointPreset
  readonly onDone?: () => void
}

/** Row of a provider that has no key yet, or is given another. */
const KeyEntry = ({ name, keyPage, preset, onDone }: KeyEntryProps) => (
  <ProviderLine name={name} tone="off" state={t`Not connected`}>
    <KeyForm
      compact
      label={name}
      hideLabel
      placeholder={t`Paste API key`}
      submitLabel={t`Connect`}
      keyPage={keyPage}
      autoFocus={onDone !== undefined}
      request={(key) =>
        preset
          ? ['endpoint.save', { ...(preset.format !== 'openai' && { format: preset.format }), name, baseUrl: preset.baseUrl, key }]
          : ['key.set', { provider: 'anthropic', key }]
      }
      onDone={onDone}
      onCancel={onDone}
    />
  </ProviderLine>
)

type ProviderProps = { readonly provider: ProviderSummary }
type OpenDialog = 'figures' | 'pull' | undefined

/** Number of models, which opens what is known of them. */
const ModelCount = ({ provider, onOpen }: ProviderProps & { readonly onOpen: () => void }) =>
  provider.modelCount === 0 ? null : (
    <SmallGhostButton aria-label={t`${modelCountLabel(provider.modelCount)} of ${provider.name}`} onClick={onOpen}>
      {modelCountLabel(provider.modelCount)}
    </SmallGhostButton>
  )

function Dialogs({ provider, open, onClose }: ProviderProps & { readonly open: OpenDialog; readonly onClose: () => void }) {
  if (open === 'figures') return <ModelFigures provider={provider} onClose={onClose} />
  return open === 'pull' ? <PullDialog provider={provider} onClose={onClose} /> : null
}

const anthropicKeys = endpointPresets.find(({ id }) => id === 'anthropic')?.keyPage

function KeyRow({ provider }: ProviderProps) {
  const { go } = useActions()
  const [replacing, setReplacing] = useState(false)
  const [open, setOpen] = useState<OpenDialog>(undefined)
  const { key, name, error } = provider
  if (key.kind === 'not-needed') return null
  if (key.kind === 'missing' || replacing)
    return <KeyEntry name={name} keyPage={anthropicKeys} {...(replacing && { onDone: () => setReplacing(false) })} />
  const fixed = key.source === 'environment'
  return (
    <>
      <ProviderLine
        name={name}
        tone={error ? 'bad' : 'ok'}
        bad={error !== undefined}
        state={error ? keyErrorLabel(error) : t`Connected`}
        count={<ModelCount provider={provider} onOpen={() => setOpen('figures')} />}
        menu={
          <>
            <MenuItem onSelect={() => go('models.refresh', {})}>{t`Check again`}</MenuItem>
            {!fixed && <MenuItem onSelect={() => setReplacing(true)}>{t`Replace key`}</MenuItem>}
            {!fixed && (
              <MenuItem danger onSelect={() => go('key.remove', { provider: provider.id })}>
                {t`Remove`}
              </MenuItem>
            )}
          </>
        }
      >
        <span className="mono faint cut">{key.hint}</span>
        {key.source === 'memory' && <Badge tone="warn">{t`this run only`}</Badge>}
        {fixed && <Badge>{t`from the environment`}</Badge>}
        {error && !fixed && <SmallButton onClick={() => setReplacing(true)}>{t`Replace key`}</SmallButton>}
      </ProviderLine>
      <Dialogs provider={provider} open={open} onClose={() => setOpen(undefined)} />
    </>
  )
}

/** Endpoint that was added, or looked for on this computer. */
function EndpointRow({ provider }: ProviderProps) {
  const { go } = useActions()
  const [changing, setChanging] = useState(false)
  const [open, setOpen] = useState<OpenDialog>(undefined)
  const { key, name, error, baseUrl, endpoint } = provider
  const local = endpoint === 'local'
  if (changing) return <EndpointForm provider={provider} onDone={() => setChanging(false)} />
  const again = (): void => go(local ? 'models.look' : 'models.refresh', local ? { again: true } : {})
  const absent = local && error?.code === 'model.offline'
  const state = absent ? t`Not running` : error ? endpointErrorLabel(error) : t`Connected`
  return (
    <>
      <ProviderLine
        name={name}
        tone={absent ? 'off' : error ? 'bad' : key.kind === 'missing' ? 'warn' : 'ok'}
        bad={error !== undefined && !absent}
        state={key.kind === 'missing' ? t`Key required` : state}
        count={<ModelCount provider={provider} onOpen={() => setOpen('figures')} />}
        menu={
          <>
            <MenuItem onSelect={again}>{t`Check again`}</MenuItem>
            {provider.ollama && !error && <MenuItem onSelect={() => setOpen('pull')}>{t`Download a model…`}</MenuItem>}
            {!local && <MenuItem onSelect={() => setChanging(true)}>{t`Change`}</MenuItem>}
            {!local && (
              <MenuItem danger onSelect={() => go('endpoint.remove', { id: provider.id })}>
                {t`Remove`}
              </MenuItem>
            )}
          </>
        }
      >
        <span className="mono faint cut" title={baseUrl}>
          {key.kind === 'set' ? key.hint : endpointLabel(baseUrl)}
        </span>
        {key.kind === 'set' && key.source === 'memory' && <Badge tone="warn">{t`this run only`}</Badge>}
        {absent && (
          <SmallGhostButton icon="refresh" onClick={again}>
            {t`Check again`} <span className="sr">{name}</span>
          </SmallGhostButton>
        )}
      </ProviderLine>
      <div className="lines">
        <PullRows provider={provider} />
      </div>
      <Dialogs provider={provider} open={open} onClose={() => setOpen(undefined)} />
    </>
  )
}

/** Presets that have a row of their own before they are added. */
const offered = ['openai', 'google', 'openrouter', 'deepseek', 'mistral', 'xai', 'groq']
const offeredPresets = endpointPresets.filter(({ id }) => offered.includes(id))

function Providers() {
  const providers = useModels((state) => state.providers)
  const [adding, setAdding] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  useKeptFocus(list)
  const added = providers.filter(({ endpoint }) => endpoint === 'added')
  const ofPreset = ({ baseUrl }: EndpointPreset) => added.filter((one) => one.baseUrl === baseUrl)
  const others = added.filter(({ baseUrl }) => !offeredPresets.some((preset) => preset.baseUrl === baseUrl))
  return (
    <div ref={list}>
      <div className="provs">
        {providers
          .filter(({ endpoint }) => endpoint === undefined)
          .map((provider) => (
            <KeyRow key={provider.id} provider={provider} />
          ))}
        {offeredPresets.map((preset) =>
          ofPreset(preset).length === 0 ? (
            <KeyEntry key={preset.id} name={preset.name} keyPage={preset.keyPage} preset={preset} />
          ) : (
            ofPreset(preset).map((provider) => <EndpointRow key={provider.id} provider={provider} />)
          ),
        )}
        {[...others, ...providers.filter(({ endpoint }) => endpoint === 'local')].map((provider) => (
          <EndpointRow key={provider.id} provider={provider} />
        ))}
        <ProviderLine name={t`Practice model`} tone="ok" state={<Badge>{t`not an AI`}</Badge>}>
          <span className="help cut">{t`It matches your words to tools. Nothing leaves this computer.`}</span>
        </ProviderLine>
      </div>
      {adding ? (
        <div className="lines">
          <EndpointForm onDone={() => setAdding(false)} />
        </div>
      ) : (
        <Button icon="plus" data-focus-back="" onClick={() => setAdding(true)}>
          {t`Add another provider`}
        </Button>
      )}
    </div>
  )
}

function DefaultModel() {
  const models = useModels((state) => state.models)
  const providers = useModels((state) => state.providers)
  const { defaultModel: chosen, autoTitles, favouriteModels } = useSettings((state) => state.settings)
  const { set } = useActions()
  const known = models.some(({ id }) => id === chosen)
  return (
    <div className="row wrap model-defaults">
      <label htmlFor="default-model">{t`Default model`}</label>
      <Select
        id="default-model"
        className="fit"
        value={known ? chosen : ''}
        aria-invalid={known ? undefined : true}
        onChange={(event) => set({ defaultModel: event.target.value })}
      >
        {known ? null : <option value="">{t`${chosen} (not available)`}</option>}
        {modelGroups(models, providers, favouriteModels).map(({ provider, name, models: members }) => (
          <optgroup key={provider} label={name}>
            {members.map((model) => (
              <option key={model.id} value={model.id}>
                {model.ai ? model.name : t`${model.name} (not an AI)`}
              </option>
            ))}
          </optgroup>
        ))}
      </Select>
      <span className="grow" />
      <Switch label={t`Generate chat titles`} checked={autoTitles} onChange={(on) => set({ autoTitles: on })} />
    </div>
  )
}

export function ModelsTab({ pull }: { readonly pull?: string | undefined }) {
  const count = useModels((state) => state.models.filter(canChat).length)
  const [view, setView] = useState<'providers' | 'models'>('providers')
  const { attempt } = useActions()
  // What is not there is said in its row.
  useEffect(() => void attempt('models.look', {}), [attempt])
  return (
    <>
      <div className="row wrap">
        <Segmented<typeof view>
          label={t`What to show`}
          value={view}
          onChange={setView}
          choices={[
            { value: 'providers', label: t`Providers` },
            { value: 'models', label: t`Models ${formatNumber(count)}` },
          ]}
        />
        <span className="grow" />
        {view === 'providers' ? <WhereKept /> : <span className="help">{t`Prices per million tokens`}</span>}
      </div>
      {view === 'providers' ? (
        <>
          <DefaultModel />
          <Providers />
        </>
      ) : (
        <ModelCatalogue />
      )}
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
      {kept ? t`Keys are stored in your system keyring.` : memoryOnlyLabel}
    </span>
  )
}
