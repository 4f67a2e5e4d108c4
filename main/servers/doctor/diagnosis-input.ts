// Input of the rules that make a diagnosis, and the texts and actions that they share.
import type { ErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { JsonObject } from '#app/json.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import type { Diagnosis, DiagnosisCode, DoctorAction, EditField, Exit, StartTrace } from '#app/server/doctor.ts'
import { plainText } from '#app/text/ansi-escapes.ts'

/** Kind of the file that was to run, by its first bytes; the first line of a `script` names an interpreter. */
export type ProgramKind =
  | { readonly kind: 'binary'; readonly system: NodeJS.Platform; readonly arch: string | undefined }
  | { readonly kind: 'script'; readonly interpreter: string }
  | { readonly kind: 'other' }

export interface DiagnosisFacts {
  readonly platform: NodeJS.Platform
  readonly arch: string
  /** Undefined when the file was not looked at, or cannot be read. */
  readonly program?: ProgramKind | undefined
  /** File with a name like that of a missing file which an argument names. */
  readonly nearFile?: string | undefined
}

export interface DiagnosisCase {
  readonly name: string
  readonly definition: ServerDefinition
  readonly error: ErrorValue
  readonly trace: StartTrace
  readonly facts: DiagnosisFacts
}

export type DiagnosisFinding = Omit<Diagnosis, 'tone' | 'message'> & { readonly tone?: Diagnosis['tone'] }
export type DiagnosisRule = (one: DiagnosisCase) => DiagnosisFinding

type Texts = Omit<DiagnosisFinding, 'code' | 'actions' | 'why'> & Partial<Pick<DiagnosisFinding, 'why'>>

export const finding = (code: DiagnosisCode, actions: DoctorAction[], texts: Texts): DiagnosisFinding => ({
  code,
  why: '',
  ...texts,
  actions,
})

// Data of an error is read leniently: a server may have written a part of it.
export const textAt = (data: JsonObject | undefined, key: string): string | undefined => {
  const value = data?.[key]
  return typeof value === 'string' && value !== '' ? value : undefined
}
export const numberAt = (data: JsonObject | undefined, key: string): number | undefined => {
  const value = data?.[key]
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
export const listAt = (data: JsonObject | undefined, key: string): string[] => {
  const value = data?.[key]
  return Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string') : []
}

export const exitIn = ({ data }: Pick<ErrorValue, 'data'>): Exit => ({
  code: numberAt(data, 'code') ?? null,
  signal: textAt(data, 'signal') ?? null,
})

/** Joins words: `a, b and c`. */
export const namedValue = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : t`${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

/** Command of the definition, or the name of a server that has none. */
export const commandOf = ({ name, definition, error }: DiagnosisCase): string =>
  textAt(error.data, 'command') ?? (definition.transport === 'stdio' ? definition.command : name)

/** Host of its address, or the text as it was typed when that is no address. */
export function caseAddress({ definition, name }: DiagnosisCase): string {
  if (definition.transport !== 'streamable-http' && definition.transport !== 'sse') return name
  return URL.canParse(definition.url) ? new URL(definition.url).host : definition.url
}

export const sentences = (...all: readonly (string | undefined)[]): string => all.filter(Boolean).join(' ')

/** Sentence that quotes what the server wrote; empty when it wrote nothing. */
export const wroteSentence = (words: string | undefined): string => (words ? t`It wrote: ${quoteLastLine(words)}.` : '')

/** Last line of what the server wrote, quoted and shortened. */
const quoteLastLine = (words: string): string => {
  const line = plainText(words).trim().split('\n').at(-1)?.trim() ?? ''
  return `“${line.length > 300 ? `${line.slice(0, 300).toWellFormed()}…` : line}”`
}

// Actions that diagnoses offer.

export const retry = (): DoctorAction => ({ kind: 'retry', label: t`Try again` })
export const log = (): DoctorAction => ({ kind: 'log', label: t`Show log` })
export const permissions = (): DoctorAction => ({ kind: 'permissions', label: t`Show blocked` })
export const edit = (label: string, field: EditField): DoctorAction => ({ kind: 'edit', label, field })
/** Action that opens the form at a field, under the usual label. */
export const change = (field: EditField): DoctorAction => edit(t`Edit`, field)
export const copy = (text: string): DoctorAction => ({ kind: 'copy', label: t`Copy “${text}”`, text })

/** Action that copies the command which installs a program, where one is known. */
export const copyInstall = (help: { readonly install: string | undefined } | undefined): DoctorAction[] =>
  help?.install ? [copy(help.install)] : []

export const readAgain = (): DoctorAction => ({ kind: 'environment', label: t`Reload environment variables` })

export const editWhere = ({ definition }: Pick<DiagnosisCase, 'definition'>): DoctorAction =>
  change(definition.transport === 'stdio' ? 'command' : 'url')
