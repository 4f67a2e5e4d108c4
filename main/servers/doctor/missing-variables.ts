// Finds the environment variables that a program says it misses: all of them, and whether one is enough.
import { formatChoice } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { change, type DiagnosisFinding, finding, log, namedValue, retry, wroteSentence } from './diagnosis-input.ts'
import { errno, type ProgramOutput, reasonIn } from './exit-reason.ts'

// Name in capitals that looks like a setting, and words around it that say it is missing.
const variable = '(?<name>[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)'
const lacks =
  '(?:is |are |was |be |been )?(?:required|missing|not set|not found|not defined|not provided|unset|undefined|must be (?:set|provided)|empty|needed)'
const patterns: readonly RegExp[] = [
  new RegExp(`\\b${variable}\\b['"\`]?(?:,? (?:environment )?(?:variable|env var|is|was|must|not)[^.]{0,40})?.{0,3}? ?${lacks}`),
  new RegExp(
    `(?:[Mm]issing|[Rr]equired?s?|[Ss]et|[Pp]rovide|[Nn]eeds?|[Nn]o|[Uu]ndefined|[Ee]xpected|[Nn]ot set|KeyError|specify|[Ee]xport|pass|via|[Ii]nvalid environment variables?)\\b[^.]{0,60}?['"\`$ {(]${variable}\\b`,
  ),
]
const names = /(?<![\w-])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?!\w)/g
const flags = /(?<![\w-])--[a-z][\w-]*/g
/** Tells a setting from the name of an error, which is written alike. */
const isSetting = (name: string): boolean =>
  !/^(?:ERR|ERROR|MODULE|EAI|UND_ERR|UNABLE_TO|DEPTH_ZERO|CERT_HAS|SELF_SIGNED)_|_(?:NOT_FOUND|ERROR)$/.test(name)

interface Missing {
  readonly names: readonly string[]
  readonly either: boolean
  /** Arguments that would do instead; empty when none is named, undefined when there are none. */
  readonly instead: readonly string[] | undefined
}

function missingIn(line: string): Missing | undefined {
  if (!patterns.some((pattern) => isSetting(pattern.exec(line)?.groups?.['name'] ?? 'ERR_'))) return undefined
  const found = [...new Set([...line.matchAll(names)].map(([name]) => name).filter(isSetting))]
  const between = line.slice(line.indexOf(found[0] ?? ''), line.lastIndexOf(found.at(-1) ?? ''))
  const either = found.length > 1 && /\bor\b|\/|\beither\b/.test(between)
  const arguments_ = [...new Set([...line.matchAll(flags)].map(([flag]) => flag))]
  const another = /\bor\b|\/|\bvia\b|\beither\b/.test(line) && (arguments_.length > 0 || /\barguments?\b/.test(line))
  return { names: found, either, instead: another ? arguments_ : undefined }
}

export const missingVariablesIn = (sentence: string): readonly string[] => missingIn(sentence)?.names ?? []

/** Line about a variable that has a default: "to use another place, set X". */
const optional = /^\W*to (?:use|change|enable|disable|override|opt)\b|\boptional(?:ly)?\b/i

/**
 * Diagnosis of output that says a variable is missing; undefined for other output. `given`: variables that the server has, so that what is
 * said of them is about their value.
 */
export function missingVariables(output: ProgramOutput, given: ReadonlySet<string>): DiagnosisFinding | undefined {
  const lines = output.lines.filter((line) => !optional.test(line))
  const at = lines.findIndex((line) => missingIn(line) !== undefined)
  const first = missingIn(lines[at] ?? '')
  if (first === undefined) return undefined
  // Some programs name each on a line of its own.
  const others = lines.slice(at + 1).flatMap((line) => missingIn(line)?.names ?? [])
  const all: Missing = first.either ? first : { ...first, names: [...new Set([...first.names, ...others])] }
  // An error of the system tells more than what is said of a variable that it has.
  if (all.names.every((name) => given.has(name)) && lines.some((one) => errno.test(one))) return undefined
  const line = lines[at] ?? ''
  const reason = reasonIn(output)
  return needs(all, reason === undefined || reason === line.trim() || missingIn(reason) ? line : `${reason} ${line.trim()}`)
}

function needs({ names: wanted, either, instead }: Missing, line: string): DiagnosisFinding {
  const words = either ? formatChoice(wanted) : namedValue(wanted)
  return finding('variable-required', [change('env'), log(), retry()], {
    short: t`needs ${words}`,
    why: wroteSentence(line),
    remedy: instead
      ? t`Add ${words} to its environment, or use ${instead.join(', ') || t`an argument`}.`
      : t`Add ${words} to its environment.`,
  })
}
