// Model parameters of one chat, or of new chats: system prompt, effort, search of the web, temperature, limit of an answer. Saved as a whole; an empty
// one is the model's default. Warns about parameters that the model ignores.
import { useState } from 'react'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import {
  type ChatParameters,
  type Effort,
  efforts,
  effortsOf,
  longestSystemPrompt,
  type ModelInfo,
  nearestEffort,
  takesTemperature,
} from '#app/models/models.ts'
import { defined } from '#app/or-else.ts'
import { useActions, useConversation, useModels, useSettings } from '#renderer/stores/store-hooks.tsx'
import { FormDialog } from '#renderer/ui/dialog.tsx'
import { Checkbox, SelectField, TextAreaField, TextField } from '#renderer/ui/field.tsx'

const effortLabels: Readonly<Record<Effort, string>> = {
  none: t`None`,
  low: t`Low`,
  medium: t`Medium`,
  high: t`High`,
  xhigh: t`Very high`,
  max: t`Maximum`,
}

/** Parameters as text of the form; '' is not set. */
interface ParameterDraft {
  readonly systemPrompt: string
  readonly effort: Effort | ''
  readonly webSearch: boolean
  readonly temperature: string
  readonly maxTokens: string
}

export const toDraft = ({ systemPrompt = '', effort, webSearch, temperature, maxTokens }: ChatParameters): ParameterDraft => ({
  systemPrompt,
  effort: effort ?? '',
  webSearch: webSearch === true,
  temperature: temperature === undefined ? '' : String(temperature),
  maxTokens: maxTokens === undefined ? '' : String(maxTokens),
})

type DraftErrors = Partial<Record<keyof ParameterDraft, string>>

export function errorsIn({ systemPrompt, temperature, maxTokens }: ParameterDraft): DraftErrors {
  const heat = numberIn(temperature)
  const most = numberIn(maxTokens)
  return defined({
    systemPrompt: systemPrompt.length > longestSystemPrompt ? t`Maximum length: ${formatNumber(longestSystemPrompt)}.` : undefined,
    temperature: heat !== undefined && !(heat >= 0 && heat <= 2) ? t`A number from 0 to 2.` : undefined,
    maxTokens:
      most === undefined || (Number.isInteger(most) && most >= 1 && most <= 10_000_000)
        ? undefined
        : t`A whole number from ${1} to ${formatNumber(10_000_000)}.`,
  })
}

export function fromDraft({ systemPrompt, effort, webSearch, temperature, maxTokens }: ParameterDraft): ChatParameters {
  return {
    ...(systemPrompt.trim() === '' ? {} : { systemPrompt }),
    ...(effort === '' ? {} : { effort }),
    ...(webSearch ? { webSearch } : {}),
    ...(temperature === '' ? {} : { temperature: numberIn(temperature) }),
    ...(maxTokens === '' ? {} : { maxTokens: numberIn(maxTokens) }),
  }
}

const numberIn = (text: string): number | undefined => (text === '' ? undefined : Number(text.replace(',', '.')))

export function unheeded(model: ModelInfo | undefined, draft: ParameterDraft): { readonly effort?: string; readonly temperature?: string } {
  if (!model) return {}
  const { effort, temperature } = draft
  const nearest = effort === '' ? undefined : nearestEffort(effort, effortsOf(model))
  return {
    ...(effort !== '' && nearest === undefined ? { effort: t`${model.name} ignores this.` } : {}),
    ...(nearest !== undefined && nearest !== effort ? { effort: t`${model.name} uses “${effortLabels[nearest]}” instead.` } : {}),
    ...(temperature !== '' && !takesTemperature(model.provider) ? { temperature: t`${model.name} ignores this.` } : {}),
  }
}

const numberFields = [
  { name: 'temperature', label: t`Temperature`, help: t`A number from 0 to 2.`, inputMode: 'decimal' },
  { name: 'maxTokens', label: t`Longest answer`, help: t`tokens`, inputMode: 'numeric' },
] as const

interface ChatSettingsProps {
  readonly conversationId: string | undefined
  readonly model: string
  readonly onClose: () => void
}

export function ChatSettings({ conversationId, model, onClose }: ChatSettingsProps) {
  const actions = useActions()
  const standard = useSettings((state) => state.settings.chatParameters)
  const own = useConversation(conversationId, ({ parameters }) => parameters)
  const info = useModels((state) => state.models.find(({ id }) => id === model))
  const [draft, setDraft] = useState(() => toDraft(conversationId === undefined ? standard : (own ?? {})))
  const [failed, setFailed] = useState(false)
  const errors = errorsIn(draft)
  const wrong = Object.keys(errors).length > 0
  const put = (change: Partial<ParameterDraft>): void => setDraft((before) => ({ ...before, ...change }))
  const save = async (): Promise<void> => {
    if (wrong) return setFailed(true)
    const parameters = fromDraft(draft)
    const saved =
      conversationId === undefined
        ? await actions.ask('settings.set', { chatParameters: parameters })
        : await actions.ask('conversation.setParameters', { id: conversationId, parameters })
    if (saved) onClose()
  }
  const notes = unheeded(info, draft)
  const known = info ? effortsOf(info) : efforts
  const levels = efforts.filter((level) => known.includes(level) || level === draft.effort)
  return (
    <FormDialog
      onClose={onClose}
      title={conversationId === undefined ? t`Settings of new chats` : t`Settings of this chat`}
      onSubmit={save}
    >
      {info?.ai === false && <p className="lede">{t`${info.name} ignores this.`}</p>}
      <TextAreaField
        label={t`System prompt`}
        error={errors.systemPrompt}
        rows={6}
        spellCheck
        value={draft.systemPrompt}
        onText={(systemPrompt) => put({ systemPrompt })}
      />
      <SelectField
        label={t`Thinking`}
        warning={notes.effort}
        value={draft.effort}
        options={[{ value: '', label: t`Model default` }, ...levels.map((value) => ({ value, label: effortLabels[value] }))]}
        onChoose={(effort) => put({ effort })}
      />
      {(info?.webSearch || draft.webSearch) && (
        <Checkbox
          checked={draft.webSearch}
          onChange={(webSearch) => put({ webSearch })}
          label={t`Search the web`}
          help={
            info && !info.webSearch
              ? t`${info.name} ignores this.`
              : t`The provider sends your words to search engines, without asking. May cost extra.`
          }
        />
      )}
      {numberFields.map(({ name, label, help, inputMode }) => (
        <TextField
          key={name}
          label={label}
          help={help}
          error={failed && errors[name]}
          warning={name === 'temperature' && notes.temperature}
          className="short num"
          inputMode={inputMode}
          value={draft[name]}
          onText={(text) => put({ [name]: text.trim() })}
        />
      ))}
    </FormDialog>
  )
}
