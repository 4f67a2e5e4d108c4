import { useEffect } from 'react'
import type { ModelInfo, ProviderView } from '#app/chat/models.ts'
import { t } from '#app/words/translate.ts'
import { useActions, useConnection, useModels, useSettings } from '#renderer/stores/react.tsx'
import { LinkButton } from '#renderer/ui/button.tsx'
import { Switch } from '#renderer/ui/choices.tsx'
import { Select } from '#renderer/ui/field.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { Badge } from '#renderer/ui/marks.tsx'
import { AddEndpoint, AddedEndpoint, LocalEndpoint } from './endpoint-rows.tsx'
import { KeyRow } from './key-row.tsx'

const providerName = (providers: readonly ProviderView[], model: ModelInfo): string =>
  providers.find(({ id }) => id === model.provider)?.name ?? model.provider

export function ModelsTab() {
  const models = useModels((state) => state.models)
  const providers = useModels((state) => state.providers)
  const chosen = useSettings((state) => state.settings.defaultModel)
  const autoTitles = useSettings((state) => state.settings.autoTitles)
  const { set, attempt } = useActions()
  // What is not there is said in its row.
  useEffect(() => void attempt('models.look', {}), [attempt])
  const known = models.some(({ id }) => id === chosen)
  const groups = Map.groupBy(models, (model) => providerName(providers, model))
  const keyed = providers.filter(({ key, endpoint }) => key.kind !== 'not-needed' && endpoint === undefined)
  const added = providers.filter(({ endpoint }) => endpoint === 'added')
  const local = providers.filter(({ endpoint }) => endpoint === 'local')
  return (
    <>
      <section className="sec">
        <h2 className="h3">{t`For new chats`}</h2>
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
      </section>
      <section className="sec">
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
      <section className="sec">
        <h2 className="h3">{t`On this computer`}</h2>
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
      </section>
    </>
  )
}

function WhereKept() {
  const kind = useConnection((state) => state.about?.shell.secrets)
  if (kind === undefined) return null
  return kind === 'keyring' ? (
    <span className="help row">
      <Icon name="lock" small />
      {t`Kept in your system keyring, never in a file`}
    </span>
  ) : (
    <span className="help row warntext">
      <Icon name="warning" small />
      {t`No keyring here: a key is kept for this run only, never in a file`}
    </span>
  )
}
