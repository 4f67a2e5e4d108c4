// The steps of a start, in words; the requests of the protocol keep their names. Pure.
import type { DoctorReport } from '#app/server/doctor.ts'
import { t } from '#app/words/translate.ts'

const words: Readonly<Record<string, string>> = {
  'your assent': t`Your assent`,
  values: t`Fill in its values`,
  proxy: t`Find the proxy`,
  'find command': t`Find the command`,
  'start process': t`Start the process`,
  'first output': t`Hear from it`,
  'start again': t`Start it again`,
  'sign-in': t`Sign in`,
  lists: t`Read its lists`,
}
export const stepWords = (name: string): string => words[name] ?? name

/** What a start that failed did not come to; undefined: it came to speak, or there was none. `local`: it is a program of this computer. */
export function notReached({ steps }: Pick<DoctorReport, 'steps'>, local: boolean): string | undefined {
  if (steps.every(({ ok }) => ok)) return undefined
  if (local) return steps.some(({ name }) => name === 'start process') ? undefined : t`Start, then agree on a protocol revision`
  return steps.some(({ name }) => name.includes('/') || name === 'initialize') ? undefined : t`Connect, then agree on a protocol revision`
}
