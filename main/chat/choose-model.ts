// Which model answers a server (MCP, "Model Preferences"): the first hint that some model answers to decides, priorities
// choose among those; without a hint that fits they choose among all. It is an offer: the person may pick another. Pure.
import { type ModelInfo, modelTraits } from '#app/chat/models.ts'
import type { SamplingWishes } from '#app/consent/sampling.ts'

export interface ModelWishes {
  readonly hints: readonly string[]
  readonly priorities?: SamplingWishes['priorities']
  /** The prompt has pictures: models that see none come last. */
  readonly images: boolean
}

export interface ChosenModel {
  readonly model: string
  readonly chosenBy: NonNullable<SamplingWishes['chosenBy']>
}

/** `fallback`: the model of new chats. One that is no AI is never chosen by what a server wishes. */
export function chooseModel({ hints, priorities = {}, images }: ModelWishes, models: readonly ModelInfo[], fallback: string): ChosenModel {
  const all = models.filter(({ ai }) => ai)
  const seeing = all.filter((model) => model.images !== false)
  const able = images && seeing.length > 0 ? seeing : all
  for (const hint of hints) {
    const fitting = able.filter((model) => answersTo(model, hint))
    const [best] = byPriorities(fitting, priorities, fallback)
    if (best) return { model: best.id, chosenBy: 'hint' }
  }
  const [best] = byPriorities(able, priorities, fallback)
  const minds = Object.values(priorities).some((share) => (share ?? 0) > 0)
  return best && minds ? { model: best.id, chosenBy: 'priorities' } : { model: fallback, chosenBy: 'default' }
}

function answersTo({ id, name }: ModelInfo, hint: string): boolean {
  const wanted = hint.toLowerCase()
  return plainName(id).toLowerCase().includes(wanted) || name.toLowerCase().includes(wanted)
}

/** The best first; of equals the model of new chats, then the one that its provider lists first. */
function byPriorities(
  models: readonly ModelInfo[],
  { cost = 0, speed = 0, intelligence = 0 }: NonNullable<SamplingWishes['priorities']>,
  fallback: string,
): ModelInfo[] {
  const score = (model: ModelInfo): number => {
    const traits = modelTraits(model)
    return cost * traits.cheap + speed * traits.fast + intelligence * traits.able
  }
  return models.toSorted((a, b) => score(b) - score(a) || Number(b.id === fallback) - Number(a.id === fallback))
}

export const plainName = (modelId: string): string => modelId.slice(modelId.indexOf('/') + 1)
