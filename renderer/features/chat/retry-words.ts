// Why the model is not answering yet and when it is asked again, from the activity's `retry`. Pure.
import { waitWords } from '#app/wait-words.ts'

const reasons: Readonly<Record<string, string>> = {
  'model.overloaded': 'The model is overloaded',
  'model.rate-limited': 'The limit of your key is reached',
  'model.server-error': 'The model’s API failed',
  'model.offline': 'The model is out of reach',
}

/** `reason` is an error code of the host; one that is not known here is not shown as it is. */
export function retryWords({ at, reason }: { readonly at: number; readonly reason: string }, now: number): string {
  const why = reasons[reason] ?? 'The model did not answer'
  return at > now ? `${why}, tries again in ${waitWords(at - now)}` : `${why}, trying again`
}
