// Review of a candidate before it is saved: what speaks against its name, whether it is here already, which names it could be
// taken for, and which values nobody has entered. Pure, and the same for every source: text, link, registry entry, bundle, or the
// file of another application.
import { t } from '#app/i18n/translate.ts'
import { type ServerDefinition, serverName } from '../definition.ts'
import type { InputDeclaration, ServerInput } from '../inputs/input.ts'
import { inputReference, inputsIn, replaceReferences } from '../inputs/variable-references.ts'
import { alikeAmong } from '../look-alike.ts'
import type { Candidate } from './candidate.ts'

type CandidateState =
  | { readonly kind: 'new' }
  /** The same server is here, under this name. */
  | { readonly kind: 'same'; readonly as: string }
  /** Another server has the name. */
  | { readonly kind: 'different' }

export interface ReviewContext {
  /** Names in use: of servers here, and of those that are added with it. */
  readonly taken: readonly string[]
  /** Servers here, by name; absent on a page, which sees their secrets masked. */
  readonly here?: ReadonlyMap<string, ServerDefinition>
  /** Declarations that came with the candidate. */
  readonly declared?: readonly InputDeclaration[]
  /** Values that the person entered, by input id. */
  readonly entered?: Readonly<Record<string, string>>
}

interface CandidateReview {
  /** Sentence that says why it cannot be added under its name. */
  readonly nameProblem: string | undefined
  readonly state: CandidateState
  /** Names that its own could be taken for. */
  readonly alike: readonly string[]
  /** Inputs that nobody has entered. */
  readonly missing: readonly ServerInput[]
}

/** `definition`: absent while the settings of a bundle are not entered. */
export function reviewCandidate(
  { name, definition }: Pick<Candidate, 'name'> & Partial<Pick<Candidate, 'definition'>>,
  { taken, here = new Map(), declared = [], entered = {} }: ReviewContext,
): CandidateReview {
  return {
    nameProblem: nameProblem(name, taken),
    state: stateOf(name, definition, here),
    alike: alikeAmong(name, taken),
    missing: definition ? neededInputs(definition, declared).filter(({ id }) => !entered[id]) : [],
  }
}

export function nameProblem(name: string, taken: readonly string[]): string | undefined {
  if (!serverName.safeParse(name).success) return t`Give it a name of at most 64 characters.`
  return taken.includes(name) ? t`There is a server named “${name}” already.` : undefined
}

/** Lists the inputs of a definition that have no value. `kept`: what the host knows of them already. */
export const neededInputs = (
  definition: ServerDefinition,
  declared: readonly InputDeclaration[],
  kept: readonly ServerInput[] = [],
): ServerInput[] =>
  inputsIn(definition)
    .filter((id) => !kept.some((one) => one.id === id && one.set))
    .map((id) => {
      const known = kept.find((one) => one.id === id)
      if (known) return known
      return { password: true, ...declared.find((one) => one.id === id), id, set: false, shared: false }
    })

function stateOf(name: string, definition: ServerDefinition | undefined, here: ReadonlyMap<string, ServerDefinition>): CandidateState {
  const own = here.get(name)
  const wanted = definition && comparable(definition)
  if (own && comparable(own) === wanted) return { kind: 'same', as: name }
  const twin = [...here].find(([, one]) => comparable(one) === wanted)
  return twin ? { kind: 'same', as: twin[0] } : { kind: own ? 'different' : 'new' }
}

/** Text of the launch or address, for comparison. Input ids and settings that concern Assent alone are left out. */
function comparable(definition: ServerDefinition): string {
  const { enabled: _e, start: _s, trusted: _t, timeoutMs: _m, startTimeoutMs: _l, idleMinutes: _i, ...rest } = definition
  const inOrder = (_key: string, value: unknown): unknown => {
    if (typeof value === 'string') return replaceReferences(value, ({ kind }) => (kind === 'input' ? inputReference('*') : undefined))
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
  }
  return JSON.stringify(rest, inOrder)
}
