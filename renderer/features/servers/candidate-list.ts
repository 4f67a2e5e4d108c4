// Servers that were found, as the screen for adding them lists them: names, choices, changes of the person, and what would be
// saved. Pure.

import { t } from '#app/i18n/translate.ts'
import type { Candidate } from '#app/server/candidate.ts'
import type { TestedDefinition } from '#app/server/connection-test.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import { neededInputs, reviewCandidate } from '#app/server/import/review-candidate.ts'
import type { InputDeclaration, ServerInput } from '#app/server/inputs/input.ts'
import { inputsIn } from '#app/server/inputs/variable-references.ts'
import { freeName } from '#app/text/look-alike.ts'
import { type ServerForm, secretsToKeep, toDefinition, toForm, validateForm } from './edit/server-form.ts'

/** Values for the inputs of a server, by id, as typed. */
type EnteredValues = Readonly<Record<string, string>>

export interface Setup {
  readonly form: ServerForm
  readonly values: EnteredValues
}

/** Change that the person made to a server that was found. */
export interface EntryChange {
  readonly name?: string
  readonly chosen?: boolean
  /** Set up in the form, which then counts in place of what was found; its name does too. */
  readonly setup?: Setup
}

export interface CandidateEntry {
  readonly found: Candidate
  readonly name: string
  readonly definition: ServerDefinition
  readonly chosen: boolean
  /** Variables or headers that go into the secret store. */
  readonly keep: readonly string[]
  readonly values: EnteredValues
  readonly missing: readonly ServerInput[]
  /** Names of servers, here or in the same list, that its own could be taken for. */
  readonly alike: readonly string[]
  /** Why it cannot be added as it is. */
  readonly error: string | undefined
}

export interface CandidateOptions {
  readonly servers: readonly Candidate[]
  readonly inputs: readonly InputDeclaration[]
  readonly changes: readonly (EntryChange | undefined)[]
  readonly taken: readonly string[]
  /** Keep secrets in the secret store. */
  readonly keep: boolean
}

export function candidateEntries({ servers, inputs, changes, taken, keep }: CandidateOptions): CandidateEntry[] {
  const used = [...taken]
  const named = servers.map((found, index) => {
    const change = changes[index]
    const name = change?.name ?? freeName(found.name, used)
    used.push(name)
    return { found, change, name, chosen: change?.chosen ?? true }
  })
  return named.map(({ found, change, name, chosen }, index): CandidateEntry => {
    const others = [...taken, ...named.filter((other, at) => at !== index && other.chosen).map((other) => other.name)]
    const form = change?.setup && { ...change.setup.form, name }
    const wrong = form && Object.values(validateForm(form, others)).length > 0
    const definition = form && !wrong ? toDefinition(form) : found.definition
    const values = change?.setup?.values ?? {}
    const { nameProblem, unfilled, alike, missing } = reviewCandidate(
      { name, definition },
      { taken: others, declared: inputs, entered: values },
    )
    const error = nameProblem ?? unfilled ?? (wrong ? t`Set it up before you add it.` : undefined)
    return {
      found,
      name,
      definition,
      chosen,
      keep: form ? secretsToKeep(form, keep) : keep ? found.secrets : [],
      values,
      missing,
      alike,
      error: chosen ? error : undefined,
    }
  })
}

export function setupOf(
  { found, name, keep }: CandidateEntry,
  change: EntryChange | undefined,
  inputs: readonly InputDeclaration[],
): Setup {
  if (change?.setup) return { ...change.setup, form: { ...change.setup.form, name } }
  const form = toForm(name, found.definition)
  const kept = (rows: ServerForm['env']): ServerForm['env'] =>
    rows.map((row) => (found.secrets.includes(row.name) ? { ...row, keep: keep.includes(row.name) } : row))
  return {
    form: { ...form, env: kept(form.env), headers: kept(form.headers) },
    // Defaults of the text are filled in where the person sees them.
    values: Object.fromEntries(neededInputs(found.definition, inputs).flatMap((one) => (one.default ? [[one.id, one.default]] : []))),
  }
}

/** Parameters for saving or testing a server. */
export const toSave = (name: string, definition: ServerDefinition, keep: readonly string[], values: EnteredValues): TestedDefinition => {
  const used = inputsIn(definition).flatMap((id) => (values[id] ? [[id, values[id]] as const] : []))
  return {
    name,
    definition,
    ...(keep.length > 0 ? { keepSecrets: [...keep] } : {}),
    ...(used.length > 0 ? { values: Object.fromEntries(used) } : {}),
  }
}

/** Parameters for saving or testing a form without errors. `byDefault`: what looks secret goes into the secret store. */
export const formToSave = ({ form, values }: Setup, byDefault: boolean): TestedDefinition =>
  toSave(form.name, toDefinition(form), secretsToKeep(form, byDefault), values)

/** Changes of those servers that the new text still has. */
export const carryChanges = (
  before: readonly Candidate[],
  after: readonly Candidate[],
  changes: readonly (EntryChange | undefined)[],
): (EntryChange | undefined)[] => {
  const keyOf = ({ name, definition }: Candidate): string => JSON.stringify([name, definition])
  const kept = new Map(before.map((one, index) => [keyOf(one), changes[index]]))
  return after.map((one) => kept.get(keyOf(one)))
}
