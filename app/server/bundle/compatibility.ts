// Check whether a bundle fits this computer: what it asks for (`compatibility`, `server.type`) against what is found here.
import { z } from 'zod'
import { defined } from '../../or-else.ts'
import type { BundlePlatform } from './bundle-command.ts'
import type { BundleManifest } from './manifest.ts'
import { satisfies } from './semver-range.ts'

export const fitCheck = z.object({
  what: z.enum(['system', 'node', 'python', 'uv', 'runtime', 'assent', 'client']),
  name: z.string().optional(),
  /** `unknown` when it cannot be told; the person may try. */
  fits: z.enum(['yes', 'no', 'unknown']),
  /** Systems or range of versions that it asks for; absent when any will do. */
  wants: z.string().optional(),
  /** System or version that is here; absent when there is none, or none was looked for. */
  has: z.string().optional(),
})
export type FitCheck = z.infer<typeof fitCheck>

/** Version of each program; '' for one that does not print it, undefined for one that is missing. */
export type FoundPrograms = Readonly<Partial<Record<'node' | 'python' | 'uv', string | undefined>>>

/** Programs of this computer that the bundle needs. */
export function programsOf({ server }: BundleManifest): readonly (keyof FoundPrograms)[] {
  if (server.type === 'binary') return []
  return server.type === 'python' && /^uvx?$/.test(server.mcp_config?.command ?? '') ? ['uv'] : [server.type]
}

function checkOfProgram(what: keyof FoundPrograms, wants: string | undefined, found: string | undefined): FitCheck {
  if (found === undefined) return { what, ...defined({ wants }), fits: 'no' }
  if (wants === undefined) return { what, fits: 'yes', has: found }
  return { what, wants, fits: yesOrNo(satisfies(found, wants)), ...(found === '' ? {} : { has: found }) }
}

const yesOrNo = (within: boolean | undefined): FitCheck['fits'] => (within === undefined ? 'unknown' : within ? 'yes' : 'no')

export function checkFit(
  manifest: BundleManifest,
  here: { readonly system: BundlePlatform; readonly assent: string; readonly programs: FoundPrograms },
): FitCheck[] {
  const { system, assent, programs } = here
  const { platforms, runtimes = {}, ...clients } = manifest.compatibility ?? {}
  const needed = programsOf(manifest)
  return [
    ...(platforms?.length
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
