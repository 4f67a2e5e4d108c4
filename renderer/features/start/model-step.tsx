// The choice of a model: a tile a provider, and below them what the chosen one needs.
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import type { ProviderSummary } from '#app/models/models.ts'
import { type EndpointPreset, endpointPresets } from '#app/models/presets.ts'
import { useActions, useConnection, useModels, useSettings, useShallow } from '#renderer/stores/store-hooks.tsx'
import { Button, LinkButton, SmallButton } from '#renderer/ui/button.tsx'
import { Dot, Icon } from '#renderer/ui/icon.tsx'
import { memoryOnlyLabel } from '#renderer/ui/lib/secret-storage-label.ts'
import { Menu, MenuRadioGroups } from '#renderer/ui/menu.tsx'
import { whenIdle } from '../chat/code/when-idle.ts'
import { modelChoices, modelGroups, modelSettings } from '../chat/settings/model-picker.tsx'
import { KeyForm, modelCountLabel, providerMark } from '../settings/key-form.tsx'

const tileIds = ['anthropic', 'openai', 'google', 'openrouter', 'deepseek', 'mistral', 'xai', 'groq']
const presets: readonly EndpointPreset[] = tileIds.flatMap((id) => endpointPresets.find((one) => one.id === id) ?? [])

/** Provider that a preset is connected as; undefined: it is not. */
const connectedTo = (providers: readonly ProviderSummary[], preset: EndpointPreset | undefined): ProviderSummary | undefined =>
  preset &&
  providers.find(({ id, baseUrl, key }) =>
    preset.id === 'anthropic' ? id === 'anthropic' && key.kind === 'set' : baseUrl === preset.baseUrl && key.kind !== 'missing',
  )

interface ModelStepProps {
  /** Called once a key was taken: a model of the provider is that of new chats. */
  readonly onConnected: () => void
  readonly onModel: (model: string) => void
}

export function ModelStep({ onConnected, onModel }: ModelStepProps) {
  const { attempt } = useActions()
  const providers = useModels((state) => state.providers)
  const [tile, setTile] = useState('anthropic')
  // The composer has the focus until a provider is chosen; arrow keys stay among the providers.
  const [touched, setTouched] = useState(false)
  const byKeys = useRef(false)
  const choose = (next: string): void => {
    setTile(next)
    setTouched(!byKeys.current)
  }
  useEffect(() => whenIdle(() => void attempt('models.look', {})), [attempt])
  const preset = presets.find(({ id }) => id === tile)
  const connected = connectedTo(providers, preset)
  return (
    <>
      <fieldset
        className="tiles"
        onPointerDown={() => {
          byKeys.current = false
        }}
        onKeyDown={() => {
          byKeys.current = true
        }}
      >
        <legend className="sr">{t`Provider`}</legend>
        {presets.map((one) => (
          <Tile
            key={one.id}
            value={one.id}
            chosen={tile}
            onChoose={choose}
            mark={providerMark(one.name)}
            name={one.name}
            about={connectedTo(providers, one) ? t`Connected` : <span className="wide-only">{t`API key`}</span>}
          />
        ))}
        <LocalTile chosen={tile} onChoose={choose} />
        <Tile
          value="other"
          chosen={tile}
          onChoose={choose}
          mark={<Icon name="plus" small />}
          name={t`Other`}
          about={t`OpenAI-compatible`}
        />
        <Tile
          value="practice"
          chosen={tile}
          onChoose={choose}
          mark={<Icon name="play" small />}
          name={t`Try without a key`}
          about={t`Practice, not an AI`}
        />
      </fieldset>
      {connected ? (
        <OwnModels providers={[connected]} onModel={onModel} />
      ) : preset ? (
        <ProviderKey key={preset.id} preset={preset} autoFocus={touched} onConnected={onConnected} />
      ) : tile === 'local' ? (
        <OwnModels providers={providers.filter(({ endpoint, error }) => endpoint === 'local' && !error)} onModel={onModel} />
      ) : tile === 'other' ? (
        <p className="row wrap">
          <span className="help">{t`Any address with the API of OpenAI, Anthropic or Gemini.`}</span>
          <LinkButton size="sm" href={modelSettings}>{t`Add address`}</LinkButton>
        </p>
      ) : (
        <Practice onModel={onModel} />
      )}
    </>
  )
}

interface TileProps {
  readonly value: string
  readonly chosen: string
  readonly onChoose: (value: string) => void
  readonly mark: ReactNode
  readonly name: string
  readonly about: ReactNode
}

const Tile = ({ value, chosen, onChoose, mark, name, about }: TileProps) => (
  <label className={value === 'local' ? 'tile two' : 'tile'}>
    <input type="radio" className="sr" name="provider" value={value} checked={value === chosen} onChange={() => onChoose(value)} />
    <span className="prov" aria-hidden="true">
      {mark}
    </span>
    <span>
      <span className="t">{name}</span>
      <span className="d">{about}</span>
    </span>
  </label>
)

function LocalTile({ chosen, onChoose }: Pick<TileProps, 'chosen' | 'onChoose'>) {
  const local = useModels(useShallow((state) => state.providers.filter(({ endpoint }) => endpoint === 'local')))
  const found = local.filter(({ error }) => !error)
  return (
    <Tile
      value="local"
      chosen={chosen}
      onChoose={onChoose}
      mark={<Icon name="model" small />}
      name={t`On this computer`}
      about={
        <>
          <Dot tone={found.length > 0 ? 'ok' : 'off'} />
          {local.length === 0
            ? t`Ollama, LM Studio and others`
            : local
                .map(({ name, error, modelCount }) => (error ? t`${name} not running` : `${name}, ${modelCountLabel(modelCount)}`))
                .join(' · ')}
        </>
      }
    />
  )
}

interface ProviderKeyProps extends Pick<ModelStepProps, 'onConnected'> {
  readonly preset: EndpointPreset
  readonly autoFocus: boolean
}

function ProviderKey({ preset, autoFocus, onConnected }: ProviderKeyProps) {
  const keeper = useConnection((state) => state.about?.shell.secrets)
  const { name, baseUrl, format } = preset
  return (
    <KeyForm
      label={t`${name} API key`}
      hideLabel
      placeholder={t`Paste API key`}
      submitLabel={t`Connect`}
      autoFocus={autoFocus}
      request={(key) =>
        preset.id === 'anthropic'
          ? ['key.set', { provider: 'anthropic', key }]
          : ['endpoint.save', { name, baseUrl, key, ...(format === 'openai' ? {} : { format }) }]
      }
      onDone={onConnected}
      keyPage={preset.keyPage}
    >
      {keeper === 'keyring' ? t`Keys are stored in your system keyring.` : memoryOnlyLabel}
    </KeyForm>
  )
}

/** The models of providers that answer, to choose one of; none: nothing runs here. */
function OwnModels({ providers, onModel }: { readonly providers: readonly ProviderSummary[]; readonly onModel: (model: string) => void }) {
  const { attempt } = useActions()
  const ids = new Set(providers.map(({ id }) => id))
  const models = useModels(useShallow((state) => state.models.filter(({ provider }) => ids.has(provider))))
  const { defaultModel: chosen, favouriteModels } = useSettings((state) => state.settings)
  const groups = modelGroups(models, providers, favouriteModels)
  if (groups.length === 0)
    return (
      <p className="row wrap">
        <span className="help">{t`No local model was found.`}</span>
        <SmallButton icon="refresh" onClick={() => void attempt('models.look', { again: true })}>{t`Look again`}</SmallButton>
      </p>
    )
  return (
    <p className="row wrap">
      <Menu trigger={<Button>{t`Choose a model`}</Button>}>
        <MenuRadioGroups label={t`Model`} value={chosen} onChange={onModel} groups={modelChoices(groups, [])} />
      </Menu>
    </p>
  )
}

function Practice({ onModel }: { readonly onModel: (model: string) => void }) {
  const practice = useModels((state) => state.models.find(({ ai }) => !ai)?.id)
  return (
    <p className="row wrap">
      <span className="help">{t`It matches your words to tools. Nothing leaves this computer.`}</span>
      <SmallButton
        aria-disabled={practice === undefined}
        onClick={() => practice !== undefined && onModel(practice)}
      >{t`Use it`}</SmallButton>
    </p>
  )
}
