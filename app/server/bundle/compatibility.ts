// Whether a bundle fits this computer, by its own word (`compatibility`, `server.type`) and by what is found here.
import { z } from 'zod'
import type { BundlePlatform } from './bundle-command.ts'
import type { BundleManifest } from './manifest.ts'
import { satisfies } from './semver-range.ts'

export const fitCheck = z.object({
  what: z.enum(['system', 'node', 'python', 'uv', 'runtime', 'assent', 'client']),
  /** Of a client or a runtime: as the manifest calls it. */
  name: z.string().optional(),
  /** unknown: nobody can tell; the person may try. */
  fits: z.enum(['yes', 'no', 'unknown']),
  /** What it asks for: systems, or a range of versions; absent: just that it is there. */
  wants: z.string().optional(),
  /** What is here; absent: nothing, or nobody looked. */
  has: z.string().optional(),
})
export type FitCheck = z.infer<typeof fitCheck>

/** Of a program that was looked for: its version; '': it is there, and does not say; undefined: it is not there. */
export type FoundPrograms = Readonly<Partial<Record<'node' | 'python' | 'uv', string | undefined>>>

interface HereFacts {
  readonly system: BundlePlatform
  readonly assent: string
  readonly programs: FoundPrograms
}

/** The programs of this computer that it runs with. */
export function programsOf({ server }: BundleManifest): readonly (keyof FoundPrograms)[] {
  if (server.type === 'binary') return []
  return server.type === 'python' && /^uvx?$/.test(server.mcp_config?.command ?? '') ? ['uv'] : [server.type]
}

function checkOfProgram(name: keyof FoundPrograms, wants: string | undefined, found: string | undefined): FitCheck {
  const base = { what: name, ...(wants === undefined ? {} : { wants }) }
  if (found === undefined) return { ...base, fits: 'no' }
  if (wants === undefined) return { ...base, fits: 'yes', has: found }
  const within = satisfies(found, wants)
  return { ...base, fits: within === undefined ? 'unknown' : within ? 'yes' : 'no', ...(found === '' ? {} : { has: found }) }
}

const yesOrNo = (within: boolean | undefined): FitCheck['fits'] => (within === undefined ? 'unknown' : within ? 'yes' : 'no')

export function checkFit(manifest: BundleManifest, { system, assent, programs }: HereFacts): FitCheck[] {
  const { platforms, runtimes = {}, ...clients } = manifest.compatibility ?? {}
  const needed = programsOf(manifest)
  return [
    ...(platforms && platforms.length > 0
      ? [{ what: 'system' as const, fits: yesOrNo(platforms.includes(system)), wants: platforms.join(', '), has: system }]
      : []),
    ...needed.map((name) => checkOfProgram(name, Object.hasOwn(runtimes, name) ? runtimes[name] : undefined, programs[name])),
    // uv brings a Python of its own where the one that is there does not fit.
    ...Object.entries(runtimes).flatMap(([name, wants]): FitCheck[] =>
      needed.some((one) => one === name) || (name === 'python' && needed.includes('uv'))
        ? []
        : [{ what: 'runtime', name, fits: 'unknown', wants }],
    ),
    ...Object.entries(clients)
      .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
      .slice(0, 20)
      .map(
        ([name, wants]): FitCheck =>
          name.toLowerCase() === 'assent'
            ? { what: 'assent', fits: yesOrNo(satisfies(assent, wants)), wants, has: assent }
            : { what: 'client', name, fits: 'unknown', wants },
      ),
  ]
}
