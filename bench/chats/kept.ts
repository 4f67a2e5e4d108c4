// A full profile takes many minutes to make: ASSENT_BENCH_PROFILE names a folder in which one is kept between runs, of
// ASSENT_BENCH_MESSAGES messages (a million if it does not say). What writes to it works on a copy.
import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fillProfile } from './profile.ts'

export const fullProfileMessages = (): number => Number(process.env['ASSENT_BENCH_MESSAGES'] ?? 1_000_000)

/** Filled first where it is not there yet. Undefined: none is kept of that size. */
export function keptProfile(messages: number): string | undefined {
  const kept = process.env['ASSENT_BENCH_PROFILE']
  if (!kept || messages !== fullProfileMessages()) return undefined
  if (existsSync(join(kept, 'assent.db'))) return kept
  const part = `${kept}.part`
  rmSync(part, { recursive: true, force: true })
  fillProfile(part, messages)
  renameSync(part, kept)
  return kept
}
