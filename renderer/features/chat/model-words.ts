// What can be said of a model where it is chosen: what it takes, and how much. Only what is known. Pure.
import type { ModelInfo, ProviderView } from '#app/chat/models.ts'
import { t } from '#app/words/translate.ts'
import { formatCount } from './server-summary.ts'

export function modelFacts({ ai, contextTokens, documents, images, tools }: ModelInfo): string {
  if (!ai) return ''
  return [
    contextTokens === undefined ? '' : t`${formatCount(contextTokens)} tokens`,
    tools === true ? t`tools` : '',
    images === undefined ? '' : images ? t`images` : t`no images`,
    documents === true ? t`PDFs` : '',
  ]
    .filter((fact) => fact !== '')
    .join(' · ')
}

export interface ModelGroup {
  readonly provider: string
  readonly name: string
  readonly models: readonly ModelInfo[]
}

/** In the order of the list; a provider's models stand together. */
export function byProvider(models: readonly ModelInfo[], providers: readonly ProviderView[]): readonly ModelGroup[] {
  const groups = Map.groupBy(models, ({ provider }) => provider)
  return [...groups].map(([provider, own]) => ({
    provider,
    name: providers.find(({ id }) => id === provider)?.name ?? provider,
    models: own,
  }))
}
