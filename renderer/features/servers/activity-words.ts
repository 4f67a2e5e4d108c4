// What a server did, in words. Pure.

import { describeError } from '#app/describe-error.ts'
import type { CallFigures, LastError, RunCounts } from '#app/server/activity.ts'
import { formatDuration } from '#app/text.ts'
import { numberWords } from '#app/words/formats.ts'
import { t } from '#app/words/translate.ts'

/** "started 3 times, once of them after a failure" */
export function startWords({ starts, restarts, failures }: RunCounts): string {
  if (starts === 0) return t`not started in this run`
  const words = [starts === 1 ? t`started once` : t`started ${numberWords(starts)} times`]
  if (restarts > 0) words.push(restarts === 1 ? t`once after a failure` : t`${numberWords(restarts)} times after a failure`)
  else if (failures > 0) words.push(failures === 1 ? t`failed once` : t`failed ${numberWords(failures)} times`)
  return words.join(', ')
}

/** "12 calls, 1 failed · half within 40 ms, 95 of 100 within 0.9 s" */
export function callWords({ calls, failed, p50, p95 }: CallFigures): string {
  if (calls === 0) return t`none`
  const count = failed === 0 ? t`${numberWords(calls)}, none failed` : t`${numberWords(calls)}, ${numberWords(failed)} failed`
  if (p50 === null || p95 === null) return count
  return calls === 1 ? `${count} · ${t`took ${formatDuration(p50)}`}` : `${count} · p50 ${formatDuration(p50)} · p95 ${formatDuration(p95)}`
}

export const lastErrorWords = (last: LastError): string => {
  if (last.kind === 'server') return describeError(last.error).message
  return last.code === 'tool-error' ? t`“${last.tool}” said that it failed` : t`the call of “${last.tool}” failed (${last.code})`
}

/** Of one processor: "0.4 %", "180 %". */
export const shareWords = (share: number | undefined): string =>
  share === undefined ? '–' : `${share < 0.0995 ? (share * 100).toFixed(1) : Math.round(share * 100)} %`

/** Without the folder of its program, which says little and leaves no room for what does. */
export const shortCommand = (command: string): string => command.replace(/^\S*\/(?=\S)/, '')
