// The settings of a chat in words, and what of them its model does not heed. Pure.

import { effortsOf, type ModelInfo, takesTemperature } from '#app/chat/models.ts'
import { type ChatParameters, type Effort, longestSystemPrompt, nearestEffort } from '#app/chat/parameters.ts'
import { numberWords } from '#app/words/formats.ts'
import { t } from '#app/words/translate.ts'

export const effortWords: Readonly<Record<Effort, string>> = {
  none: t`None`,
  low: t`Low`,
  medium: t`Medium`,
  high: t`High`,
  xhigh: t`Very high`,
  max: t`As much as it can`,
}

/** As typed; '' is not set. */
export interface ParameterDraft {
  readonly systemPrompt: string
  readonly effort: Effort | ''
  readonly temperature: string
  readonly maxTokens: string
}

export const toDraft = ({ systemPrompt = '', effort, temperature, maxTokens }: ChatParameters): ParameterDraft => ({
  systemPrompt,
  effort: effort ?? '',
  temperature: temperature === undefined ? '' : String(temperature),
  maxTokens: maxTokens === undefined ? '' : String(maxTokens),
})

export type DraftErrors = Partial<Record<keyof ParameterDraft, string>>

export function errorsIn({ systemPrompt, temperature, maxTokens }: ParameterDraft): DraftErrors {
  const heat = numberIn(temperature)
  const most = numberIn(maxTokens)
  return {
    ...(systemPrompt.length > longestSystemPrompt ? { systemPrompt: t`At most ${numberWords(longestSystemPrompt)} characters.` } : {}),
    ...(heat !== undefined && !(heat >= 0 && heat <= 2) ? { temperature: t`A number from 0 to 2.` } : {}),
    ...(most !== undefined && !(Number.isInteger(most) && most >= 1 && most <= 10_000_000)
      ? { maxTokens: t`A whole number from 1 to 10,000,000.` }
      : {}),
  }
}

export function fromDraft({ systemPrompt, effort, temperature, maxTokens }: ParameterDraft): ChatParameters {
  return {
    ...(systemPrompt.trim() === '' ? {} : { systemPrompt }),
    ...(effort === '' ? {} : { effort }),
    ...(temperature === '' ? {} : { temperature: numberIn(temperature) }),
    ...(maxTokens === '' ? {} : { maxTokens: numberIn(maxTokens) }),
  }
}

const numberIn = (text: string): number | undefined => (text === '' ? undefined : Number(text.replace(',', '.')))

/** What becomes of a setting that the model does not know; undefined: it is heeded, as far as is known. */
export function unheeded(model: ModelInfo | undefined, draft: ParameterDraft): { readonly effort?: string; readonly temperature?: string } {
  if (!model) return {}
  const { effort, temperature } = draft
  const known = effortsOf(model)
  const nearest = effort === '' ? undefined : nearestEffort(effort, known)
  const heat = temperature !== '' && !takesTemperature(model.provider)
  return {
    ...(effort !== '' && nearest === undefined ? { effort: t`${model.name} cannot be told. It is left out.` } : {}),
    ...(nearest !== undefined && nearest !== effort
      ? { effort: t`${model.name} does not know it: “${effortWords[nearest]}” is asked for.` }
      : {}),
    ...(heat ? { temperature: t`${model.name} takes none. It is left out.` } : {}),
  }
}
