// Why the model is not answering yet and when it is asked again, from the activity's `retry`. Pure.
import { waitWords } from '#app/wait-words.ts'
import { t } from '#app/words/translate.ts'

const reasons: Readonly<Record<string, string>> = {
  'model.overloaded': t`The model is overloaded`,
  'model.rate-limited': t`The limit of your key is reached`,
  'model.server-error': t`The model’s API failed`,
  'model.offline': t`The model is out of reach`,
}

/** `reason` is an error code of the host; one that is not known here is not shown as it is. */
export function retryWords({ at, reason }: { readonly at: number; readonly reason: string }, now: number): string {
  const why = reasons[reason] ?? t`The model did not answer`
  return at > now ? t`${why}, tries again in ${waitWords(at - now)}` : t`${why}, trying again`
}
