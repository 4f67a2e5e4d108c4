// That the practice model is no AI, and the way to one. Where there is none at all, programs that serve models on this computer
// are looked for, once the page has nothing better to do; what they have is offered here, and nothing is chosen by itself.
import { useEffect } from 'react'
import type { ModelInfo } from '#app/chat/models.ts'
import { t } from '#app/words/translate.ts'
import { useActions, useModels, useShallow } from '#renderer/stores/react.tsx'
import { Button, LinkButton } from '#renderer/ui/button.tsx'
import { Menu, MenuRadioGroups } from '#renderer/ui/menu.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { whenIdle } from './code/when-idle.ts'
import { ModelName, modelSettings } from './model-picker.tsx'
import { byProvider, modelFacts } from './model-words.ts'

interface PracticeNoticeProps {
  /** The one that is used. */
  readonly model: string
  readonly onChoose: (model: string) => void
}

export function PracticeNotice({ model, onChoose }: PracticeNoticeProps) {
  const { attempt } = useActions()
  const none = useModels((state) => state.models.every(({ ai }) => !ai))
  const providers = useModels((state) => state.providers)
  const here = useModels(
    useShallow((state) => {
      const local = new Set(state.providers.flatMap((one) => (one.endpoint === 'local' && !one.error ? [one.id] : [])))
      return state.models.filter(({ provider }) => local.has(provider))
    }),
  )
  useEffect(() => (none ? whenIdle(() => void attempt('models.look', {})) : undefined), [none, attempt])
  const groups = byProvider(here, providers)
  return (
    <Notice
      title={t`The practice model is not an AI.`}
      action={
        here.length === 0 ? (
          <LinkButton size="sm" href={modelSettings}>
            {t`Add a model`}
          </LinkButton>
        ) : (
          <Menu trigger={<Button size="sm">{t`Choose a model`}</Button>}>
            <MenuRadioGroups
              label={t`Model`}
              value={model}
              onChange={onChoose}
              groups={groups.map((group) => ({ key: group.provider, name: group.name, choices: group.models.map(choiceOf) }))}
            />
          </Menu>
        )
      }
    >
      {here.length === 0
        ? t`It matches your words to tools and fills in what it finds in the text. Use it to see how servers and approvals work. Add a key for real answers.`
        : t`It matches your words to tools and fills in what it finds in the text. For real answers, use a model that runs on this computer: ${groups.map(({ name }) => name).join(', ')}.`}
    </Notice>
  )
}

const choiceOf = (model: ModelInfo) => ({
  value: model.id,
  label: <ModelName model={model} provider={undefined} />,
  help: modelFacts(model),
  find: model.name,
})
