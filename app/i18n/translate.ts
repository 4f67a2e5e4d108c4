import { numberFrom } from './format-values.ts'

// Every word that Assent itself says to a person goes through here, in English, as it stands in the source:
//   t`Runs ${name} in ${folder}`
// The English is the key. `npm run words` collects the keys into `app/i18n/catalogue.json`, for whoever translates; a translation is a file of
// the same keys, and is set before the modules that speak are read. What servers, models and people say never goes through here as a key: only as a value.

/** What takes the place of a message: `{0}` and so on stand for its values, in any order; or its forms, by the number that one value holds. */
type Translation = string | PluralTranslation

interface PluralTranslation {
  /** Which value decides, from 0. It may be a number or its digits ("1,200"). */
  readonly by: number
  readonly forms: Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string }
}

export interface TranslationCatalogue {
  /** BCP 47. */
  readonly language: string
  readonly messages: Readonly<Record<string, Translation>>
}

interface Current {
  readonly catalogue: TranslationCatalogue
  readonly messages: ReadonlyMap<string, Translation>
  readonly rules: Intl.PluralRules
}

let current: Current | undefined

/**
 * The language of all that is said from now on; undefined for English.
 *
 * Tables of words are read when their module is: set it before they are imported.
 *
 * @throws RangeError for a language that is no BCP 47 tag.
 */
export function setCatalogue(catalogue: TranslationCatalogue | undefined): void {
  current = catalogue && {
    catalogue,
    messages: new Map(Object.entries(catalogue.messages)),
    rules: new Intl.PluralRules(catalogue.language),
  }
}

/** Undefined: English. */
export const spokenCatalogue = (): TranslationCatalogue | undefined => current?.catalogue
/** Of what is said now, BCP 47. */
export const spokenLanguage = (): string => current?.catalogue.language ?? 'en'

/** The key of a message: its English, with `{0}`, `{1}`, … for its values. */
export const messageKey = (parts: readonly string[]): string => parts.reduce((key, part, index) => `${key}{${index - 1}}${part}`)

const digits = (value: unknown): number => (typeof value === 'number' ? value : numberFrom(String(value)))

function translated(parts: readonly string[], values: readonly unknown[]): string | undefined {
  const found = current?.messages.get(messageKey(parts))
  if (found === undefined || typeof found === 'string') return found
  return found.forms[current?.rules.select(digits(values[found.by])) ?? 'other'] ?? found.forms.other
}

/**
 * A message cut at its values, in the language that is set: texts and the indices of values, in the order in which they are said.
 *
 * For those who put something else than a text in a value's place (`tx` in the page).
 */
export function partsOf(parts: readonly string[], values: readonly unknown[]): readonly (string | number)[] {
  const translation = translated(parts, values)
  if (translation === undefined) return parts.flatMap((part, index) => (index === 0 ? [part] : [index - 1, part]))
  return translation.split(/\{(\d+)\}/u).map((part, index) => (index % 2 === 0 ? part : Number(part)))
}

/** A message in the language that is set. */
export function t(parts: TemplateStringsArray, ...values: readonly (string | number | undefined)[]): string {
  if (!current) return String.raw({ raw: parts }, ...values)
  return partsOf(parts, values)
    .map((part) => (typeof part === 'number' ? String(values[part] ?? '') : part))
    .join('')
}
