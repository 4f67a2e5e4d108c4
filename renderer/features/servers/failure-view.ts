// What a failed server says to the person, and what to press: the host's diagnosis. Where there is none (it is of an older
// run), the error's own sentence stands in.
import { describeError } from '#app/describe-error.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import type { Diagnosis } from '#app/server/doctor.ts'
import type { ServerState } from '#app/server/state.ts'
import { t } from '#app/words/translate.ts'

export type Failed = Extract<ServerState, { kind: 'failed' }>

/** While this computer is offline it is nobody's fault, and nothing to mend: it connects again by itself. */
export function failureView({ error, diagnosis, offline }: Failed): Diagnosis {
  const tone = offline ? 'warn' : 'bad'
  if (diagnosis) return offline ? { ...diagnosis, tone } : diagnosis
  const { message, remedy } = describeError(error)
  return {
    code: 'unexplained',
    short: t`failed`,
    message,
    why: '',
    remedy,
    actions: [
      { kind: 'retry', label: t`Try again` },
      { kind: 'log', label: t`Show log` },
    ],
    tone,
  }
}

/** After so many starts within a few minutes it waits for the person, whatever it fails of; undefined: it does not. */
export function gaveUp({ loop, starts }: Failed): string | undefined {
  if (!loop) return undefined
  if (!starts) return t`It was started too many times in a few minutes and failed each time, so Assent no longer starts it by itself.`
  return t`It was started ${starts.length} times in a few minutes and failed each time, so Assent no longer starts it by itself.`
}

/** The host of its address, or the address as it was typed when that is no address. */
export function addressOf(definition: ServerDefinition): string | undefined {
  if (definition.transport !== 'streamable-http' && definition.transport !== 'sse') return undefined
  return URL.canParse(definition.url) ? new URL(definition.url).host : definition.url
}
