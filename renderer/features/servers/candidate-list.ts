// What the add screen makes of the servers that were found: their names, whether they are wanted, what the person changed
// of them, and what would be saved. Pure.

import { t } from '#app/i18n/translate.ts'
import type { TestedDefinition } from '#app/server/connection-test.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import type { Candidate } from '#app/server/import/candidate.ts'
import { neededInputs, reviewCandidate } from '#app/server/import/review-candidate.ts'
import { freeName } from '#app/server/import/server-names.ts'
import type { InputDeclaration, ServerInput } from '#app/server/inputs/input.ts'
import { inputsIn } from '#app/server/inputs/variable-references.ts'
import { type ServerForm, secretsToKeep, toDefinition, toForm, validateForm } from './edit/server-form.ts'

/** Values for its inputs, by id, as typed. */
type EnteredValues = Readonly<Record<string, string>>

/** One server as it is being set up. */
export interface Setup {
  readonly form: ServerForm
  readonly values: EnteredValues
}

/** What the person changed of a server that was found. */
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
  /** Inputs that nobody has entered. */
  readonly missing: readonly ServerInput[]
  /** Names that it could be taken for, of servers that are here or come with it. */
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
    const { nameProblem, alike, missing } = reviewCandidate({ name, definition }, { taken: others, declared: inputs, entered: values })
    const error = nameProblem ?? (wrong ? t`Something in it cannot be saved: set it up.` : undefined)
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

/** The setup of an entry that is opened in the form. */
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
    // What the text gives as a default is filled in where it is seen.
    values: Object.fromEntries(neededInputs(found.definition, inputs).flatMap((one) => (one.default ? [[one.id, one.default]] : []))),
  }
}

/** What the host is to save or to try. */
export const toSave = (name: string, definition: ServerDefinition, keep: readonly string[], values: EnteredValues): TestedDefinition => {
  const used = inputsIn(definition).flatMap((id) => (values[id] ? [[id, values[id]] as const] : []))
  return {
    name,
    definition,
    ...(keep.length > 0 ? { keepSecrets: [...keep] } : {}),
    ...(used.length > 0 ? { values: Object.fromEntries(used) } : {}),
  }
}

/** The same of a form without errors. `byDefault`: what looks secret is kept as one. */
export const formToSave = ({ form, values }: Setup, byDefault: boolean): TestedDefinition =>
  toSave(form.name, toDefinition(form), secretsToKeep(form, byDefault), values)

/** What was changed stays with the servers that the new text still gives. */
export const carryChanges = (
  before: readonly Candidate[],
  after: readonly Candidate[],
  changes: readonly (EntryChange | undefined)[],
): (EntryChange | undefined)[] => {
  const keyOf = ({ name, definition }: Candidate): string => JSON.stringify([name, definition])
  const kept = new Map(before.map((one, index) => [keyOf(one), changes[index]]))
  return after.map((one) => kept.get(keyOf(one)))
}
