// Review of a candidate before it is saved, the same for every source: its name, whether it is here already, which names it could be
// taken for, and which values nobody has entered. Pure.
import { t } from '#app/i18n/translate.ts'
import { alikeAmong } from '#app/text/look-alike.ts'
import type { Candidate } from '../candidate.ts'
import { isServerName, type ServerDefinition } from '../definition.ts'
import type { InputDeclaration, ServerInput } from '../inputs/input.ts'
import { inputReference, inputsIn, replaceReferences } from '../inputs/variable-references.ts'
import { isPlaceholder } from './import-notes.ts'
import { unfilledIn } from './placeholders.ts'

interface ReviewContext {
  /** Names in use: of servers here, and of those that are added with it. */
  readonly taken: readonly string[]
  /** Servers here, by name; absent on a page, which sees their secrets masked. */
  readonly here?: ReadonlyMap<string, ServerDefinition>
  readonly declared?: readonly InputDeclaration[]
  readonly entered?: Readonly<Record<string, string>>
}

/** `definition`: absent while the settings of a bundle are not entered. */
export function reviewCandidate(
  { name, definition }: Pick<Candidate, 'name'> & Partial<Pick<Candidate, 'definition'>>,
  { taken, here = new Map(), declared = [], entered = {} }: ReviewContext,
) {
  return {
    nameProblem: nameProblem(name, taken),
    unfilled: definition && unfilledProblem(definition),
    state: stateOf(name, definition, here),
    alike: alikeAmong(name, taken),
    missing: definition ? neededInputs(definition, declared).filter(({ id }) => !entered[id]) : [],
  }
}

/** Says why a server cannot be added under its name. */
export function nameProblem(name: string, taken: readonly string[]): string | undefined {
  if (!isServerName(name)) return t`Use 1 to 64 visible characters.`
  return taken.includes(name) ? t`There is a server named “${name}” already.` : undefined
}

/** Says why a server cannot be added before a person wrote its program or its address. */
export function unfilledProblem(definition: ServerDefinition): string | undefined {
  const shown = unfilledIn(definition)
  return shown === undefined ? undefined : isPlaceholder(shown).message
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

/** `same`: the same server is here, under the name `as`. `different`: another server has the name. */
function stateOf(name: string, definition: ServerDefinition | undefined, here: ReadonlyMap<string, ServerDefinition>) {
  const own = here.get(name)
  const wanted = definition && comparable(definition)
  if (own && comparable(own) === wanted) return { kind: 'same', as: name } as const
  const twin = [...here].find(([, one]) => comparable(one) === wanted)
  return twin ? ({ kind: 'same', as: twin[0] } as const) : ({ kind: own ? 'different' : 'new' } as const)
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
