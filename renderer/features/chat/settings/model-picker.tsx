import { useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import type { ModelInfo, ProviderSummary } from '#app/models/models.ts'
import type { Price } from '#app/models/usage.ts'
import { formatCount } from '#app/text/format-text.ts'
import { formatDollars } from '#renderer/features/usage/usage-labels.ts'
import { findComposer } from '#renderer/navigation/focus.ts'
import { hrefOf, navigate } from '#renderer/router.ts'
import { useActions, useConversation, useModels, useSettings } from '#renderer/stores/store-hooks.tsx'
import { Badge, Icon } from '#renderer/ui/icon.tsx'
import { Menu, MenuItem, MenuRadioGroups, MenuSeparator } from '#renderer/ui/menu.tsx'
import { ChatSettings } from './chat-settings.tsx'
import { type PickerProps, useChooseModel, useFavourites } from './new-chat-choices.ts'

/** Context, price and abilities of a model, as far as they are known. */
export function modelFacts({ ai, contextTokens, documents, images, tools, reasoning, price }: ModelInfo): string {
  if (!ai) return ''
  return [
    contextTokens === undefined ? '' : t`${formatCount(contextTokens)} tokens`,
    price ? priceLabel(price) : '',
    tools === true ? t`tools` : '',
    reasoning === true ? t`thinking` : '',
    images === undefined ? '' : images ? t`images` : t`no images`,
    documents === true ? t`PDFs` : '',
  ]
    .filter((fact) => fact !== '')
    .join(' · ')
}

const priceLabel = ({ input, output }: Price): string =>
  input === 0 && output === 0 ? t`free` : t`${formatDollars(input)} in, ${formatDollars(output)} out per million`

export const canChat = ({ chat }: ModelInfo): boolean => chat !== false

export const FAVOURITES = '★'

/** Groups of the models that can chat: the favourites, then the others by their provider. */
export function modelGroups(models: readonly ModelInfo[], providers: readonly ProviderSummary[], favourites: readonly string[]) {
  const groups = Map.groupBy(models.filter(canChat), ({ id, provider }) => (favourites.includes(id) ? FAVOURITES : provider))
  const nameOf = (provider: string): string =>
    provider === FAVOURITES ? t`Favourites` : (providers.find(({ id }) => id === provider)?.name ?? provider)
  return [...groups]
    .map(([provider, own]) => ({ provider, name: nameOf(provider), models: own }))
    .sort((a, b) => Number(b.provider === FAVOURITES) - Number(a.provider === FAVOURITES))
}

export const favouriteLabel = ({ id, name }: ModelInfo, favourites: readonly string[]): string =>
  favourites.includes(id) ? t`Remove ${name} from the favourites` : t`Add ${name} to the favourites`

const easilySeen = 12

export function ModelPicker({ conversationId, model, begins }: PickerProps) {
  const actions = useActions()
  const models = useModels((state) => state.models)
  const providers = useModels((state) => state.providers)
  const standard = useSettings((state) => Object.keys(state.settings.chatParameters).length > 0)
  const own = useConversation(conversationId, ({ parameters }) => parameters !== undefined)
  const isSet = conversationId === undefined ? standard : own
  const [settings, setSettings] = useState(false)
  const current = models.find((one) => one.id === model)
  const { favourites, toggle } = useFavourites()
  const shown = models.filter(canChat)
  const inFolder = begins?.folderId !== undefined
  const chooseForNew = useChooseModel(begins)
  const ofChat = useConversation(conversationId, ({ secondModel }) => secondModel)
  const second = conversationId === undefined ? begins?.choice.second : ofChat
  /** The menu chooses the second model, not the first. */
  const [forSecond, setForSecond] = useState(false)
  const nameOf = (id: string): string => models.find((one) => one.id === id)?.name ?? id
  const chooseFirst = (id: string): void => (conversationId === undefined ? chooseForNew(id) : actions.setModel(conversationId, id))
  const chooseSecond = (id: string | undefined): void =>
    conversationId === undefined ? begins?.change({ second: id }) : actions.setModel(conversationId, model, id ?? null)
  const trigger = (
    <button type="button" className="pick" title={t`Model`}>
      <Icon name="model" small />
      <span className="cut">{[model, ...(second === undefined ? [] : [second])].map(nameOf).join(' + ')}</span>
      {isSet && <Icon name="sliders" small />}
      {isSet && <span className="sr">{t`with settings`}</span>}
      {current && !current.ai && <Badge>{t`not an AI`}</Badge>}
      {!current && <Badge tone="warn">{t`not available`}</Badge>}
      <Icon name="chevron-down" small />
    </button>
  )
  return (
    <>
      {settings && <ChatSettings conversationId={conversationId} model={model} onClose={() => setSettings(false)} />}
      <Menu
        side="top"
        trigger={trigger}
        backTo={findComposer}
        filter={shown.length > easilySeen ? t`Find a model` : undefined}
        onOpen={() => {
          setForSecond(false)
          void actions.attempt('models.look', {})
        }}
      >
        <MenuRadioGroups
          label={forSecond ? t`Second model` : t`Model`}
          value={forSecond ? (second ?? '') : model}
          onChange={forSecond ? chooseSecond : chooseFirst}
          groups={modelChoices(modelGroups(models, providers, favourites), providers)}
        />
        <div className="menu-foot">
          <MenuSeparator />
          {forSecond ? (
            <MenuItem onSelect={() => chooseSecond(undefined)}>{t`One model only`}</MenuItem>
          ) : (
            <>
              <MenuItem stays onSelect={() => setForSecond(true)}>{t`Ask a second model too…`}</MenuItem>
              {current && <MenuItem onSelect={() => toggle(model)}>{favouriteLabel(current, favourites)}</MenuItem>}
              {!inFolder && (
                <MenuItem onSelect={() => setSettings(true)}>
                  {conversationId === undefined ? t`Settings of new chats` : t`Settings of this chat`}
                </MenuItem>
              )}
              <MenuItem onSelect={() => navigate({ page: 'settings', tab: 'models' })}>{t`Add a model`}</MenuItem>
            </>
          )}
        </div>
      </Menu>
    </>
  )
}

/** Choices of a menu. `providers`: those that are named beside their models. */
export const modelChoices = (groups: ReturnType<typeof modelGroups>, providers: readonly ProviderSummary[]) =>
  groups.map(({ provider, name, models }) => ({
    key: provider,
    name,
    choices: models.map((model) => ({
      value: model.id,
      label: <ModelName model={model} provider={providers.find(({ id }) => id === provider)} />,
      help: modelFacts(model),
      find: `${model.name} ${name} ${providers.find(({ id }) => id === model.provider)?.name ?? ''} ${model.id}`,
    })),
  }))

/** Name of a model with its badges; screen readers get the provider too, since several serve models of the same name. */
export function ModelName({ model, provider }: { readonly model: ModelInfo; readonly provider: ProviderSummary | undefined }) {
  return (
    <>
      <span className="cut">{model.name}</span>
      <span className="sr">{provider?.name}</span>
      {!model.ai && <Badge>{t`not an AI`}</Badge>}
      {model.tools === false && <Badge>{t`no tools`}</Badge>}
      {model.status === 'deprecated' && <Badge tone="warn">{t`deprecated`}</Badge>}
      {model.status === 'preview' && <Badge>{t`preview`}</Badge>}
      {provider?.endpoint && provider.error && <Badge tone="warn">{t`does not answer`}</Badge>}
    </>
  )
}

export const modelSettings = hrefOf({ page: 'settings', tab: 'models' })
