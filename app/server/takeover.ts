// Servers of other programs as a page sees them: what each would be here, beside what is here already. Secrets are
// references in all of it; their values stay with the host.
import { z } from 'zod'
import { launchTarget } from '../consent/request.ts'
import { configProblem, type ServerDefinition, serverDefinition, serverName } from './definition.ts'
import { hostId } from './import/host-names.ts'
import { inputReference, replaceReferences } from './references.ts'

export const takeoverState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('new') }),
  /** It is here already, maybe under another name. */
  z.object({ kind: z.literal('same'), as: serverName }),
  /** Another server has the name. */
  z.object({ kind: z.literal('different'), here: launchTarget.optional() }),
])
export type TakeoverState = z.infer<typeof takeoverState>

export const takeoverServer = z.object({
  id: z.string(),
  name: serverName,
  /** As it would be written: with references in the place of secrets. */
  definition: serverDefinition,
  target: launchTarget.optional(),
  /** What of it moves into the secret store, by name. */
  secrets: z.array(z.string()),
  problems: z.array(configProblem),
  project: z.string().optional(),
  state: takeoverState,
})
export type TakeoverServer = z.infer<typeof takeoverServer>

export const takeoverFile = z.object({
  path: z.string(),
  servers: z.array(takeoverServer),
  problems: z.array(configProblem),
  /** It is in the place that the person named. */
  asked: z.literal(true).optional(),
})
export type TakeoverFile = z.infer<typeof takeoverFile>

export const takeoverHost = z.object({ host: hostId, files: z.array(takeoverFile) })
export type TakeoverHost = z.infer<typeof takeoverHost>

/** What is to become of one of them. `replace`: it takes the place of the server of that name. */
export const takeoverChoice = z.object({ id: z.string().max(100), name: serverName, replace: z.boolean() })
export type TakeoverChoice = z.infer<typeof takeoverChoice>

export const takeoverResult = z.object({
  outcome: z.enum(['allowed', 'denied', 'withdrawn']),
  taken: z.array(serverName),
  failed: z.array(z.object({ name: serverName, message: z.string() })),
})

/** What runs and what it is given; ids of kept values are not told apart, nor is what concerns Assent alone. */
const substance = (definition: ServerDefinition): string => {
  const { enabled: _e, start: _s, trusted: _t, timeoutMs: _m, startTimeoutMs: _l, idleMinutes: _i, ...rest } = definition
  const inOrder = (_key: string, value: unknown): unknown => {
    if (typeof value === 'string') return replaceReferences(value, ({ kind }) => (kind === 'input' ? inputReference('*') : undefined))
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
  }
  return JSON.stringify(rest, inOrder)
}

/** Under which name it is here already: its own first. */
export function sameHere(name: string, definition: ServerDefinition, here: ReadonlyMap<string, ServerDefinition>): string | undefined {
  const wanted = substance(definition)
  const own = here.get(name)
  if (own && substance(own) === wanted) return name
  return [...here].find(([, one]) => substance(one) === wanted)?.[0]
}
