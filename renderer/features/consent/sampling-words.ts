// How a server wants to be answered by the model, in words: why this one is offered, and what of its wishes is not heeded. Pure.
import { type ModelInfo, takesTemperature } from '#app/chat/models.ts'
import type { ConsentRequestOf } from '#app/consent/request.ts'
import type { SamplingWishes } from '#app/consent/sampling.ts'
import { listWords } from '#app/words/formats.ts'
import { t } from '#app/words/translate.ts'

type Request = Pick<ConsentRequestOf<'sampling'>, 'server' | 'hints' | 'wishes'>

/** `models`: how many there are to choose from. */
export function modelHelp({ server, hints, wishes }: Request, models: number): string {
  const wants = [...(hints.length > 0 ? [t`hints at “${hints.join('”, “')}”`] : []), ...(priorityWords(wishes?.priorities) ?? [])]
  if (wants.length === 0) return t`“${server}” doesn’t mind which.`
  const chosen = {
    hint: t`Nearest of your ${models} models.`,
    priorities: t`Nearest of your ${models} models.`,
    default: t`None of yours is near: this is the one of new chats.`,
  }
  const wanted = t`“${server}” ${listWords(wants)}.`
  const by = wishes?.chosenBy
  return by && (models > 1 || by === 'default') ? `${wanted} ${chosen[by]}` : wanted
}

const names = { cost: t`a low price`, speed: t`speed`, intelligence: t`depth` } as const

function priorityWords(priorities: SamplingWishes['priorities']): readonly [string] | undefined {
  const asked = (Object.keys(names) as (keyof typeof names)[])
    .map((name) => ({ name, share: priorities?.[name] ?? 0 }))
    .filter(({ share }) => share > 0)
    .sort((a, b) => b.share - a.share)
  const [first, second] = asked
  if (!first) return undefined
  if (!second) return [t`asks for ${names[first.name]} above all`]
  const [one, two] = [names[first.name], names[second.name]]
  return [first.share === second.share ? t`asks for ${one} as much as ${two}` : t`asks for ${one} over ${two}`]
}

/** A line for each wish, with whether the model is told of it. */
export function wishLines(
  wishes: SamplingWishes | undefined,
  model: ModelInfo | undefined,
): readonly { readonly label: string; readonly value: string; readonly note: string }[] {
  if (!wishes) return []
  const { temperature, stopSequences = [], includeContext, metadata } = wishes
  const whole = model?.ai === false ? t`The practice model heeds none.` : ''
  const unseen = stopSequences.some((one) => one.trim() === '') ? t`What cannot be seen is left out: the provider takes none.` : ''
  return [
    ...(temperature === undefined
      ? []
      : [
          {
            label: t`Temperature`,
            value: String(temperature),
            note: model && takesTemperature(model.provider) ? '' : t`Not passed on: this model takes none.`,
          },
        ]),
    ...(stopSequences.length === 0
      ? []
      : [{ label: t`Stops before`, value: stopSequences.map((one) => JSON.stringify(one)).join(', '), note: whole || unseen }]),
    ...(includeContext === undefined
      ? []
      : [
          {
            label: t`Asks for context`,
            value: includeContext === 'thisServer' ? t`of its own` : t`of all servers`,
            note: t`It gets none.`,
          },
        ]),
    ...(metadata ? [{ label: t`Word to the provider`, value: t`sent along`, note: t`Not passed on.` }] : []),
  ]
}
