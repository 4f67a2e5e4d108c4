import { numberFrom } from './format-values.ts'

// All text of Assent for people goes through here, in English, as t`Runs ${name} in ${folder}`. The English is the key; `npm run
// words` collects the keys in `app/i18n/catalogue.json`. Text of servers, models and people is never a key, only a value.
// A number decides between two forms of a word: t`${count} {tool|tools}`.

/** Translation: text with `{0}` and so on for values, or plural forms by one value. */
type Translation = string | PluralTranslation

interface PluralTranslation {
  /** Index of the value that selects the form. It may be a number or its digits ("1,200"). */
  readonly by: number
  readonly forms: Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string }
}

export interface TranslationCatalogue {
  readonly language: string
  readonly messages: Readonly<Record<string, Translation>>
}

let current:
  | { readonly catalogue: TranslationCatalogue; readonly messages: ReadonlyMap<string, Translation>; readonly rules: Intl.PluralRules }
  | undefined

/**
 * Sets the language; undefined for English. Tables of texts are built when their module loads, so set it before.
 * @throws {RangeError} for a language that is no BCP 47 tag.
 */
export function setCatalogue(catalogue: TranslationCatalogue | undefined): void {
  current = catalogue && {
    catalogue,
    messages: new Map(Object.entries(catalogue.messages)),
    rules: new Intl.PluralRules(catalogue.language),
  }
}

/** Catalogue in use; undefined: English. */
export const spokenCatalogue = (): TranslationCatalogue | undefined => current?.catalogue
/** Language in use, as a BCP 47 tag. */
export const spokenLanguage = (): string => current?.catalogue.language ?? 'en'

/** The key of a message: its English, with `{0}`, `{1}`, … for its values. */
export const messageKey = (parts: readonly string[]): string => parts.reduce((key, part, index) => `${key}{${index - 1}}${part}`)

/** The number that a value writes; NaN for “1K” and for words. */
const digits = (value: unknown): number =>
  typeof value === 'number' ? value : /\p{L}/u.test(String(value)) ? Number.NaN : numberFrom(String(value))

const ENGLISH_FORMS = /\{([^{}|]*)\|([^{}|]*)\}/gu

/** The English of a message; its forms go by the value before the first of them. */
function inEnglish(parts: readonly string[], values: readonly unknown[]): readonly string[] {
  const first = parts.findIndex((part) => part.search(ENGLISH_FORMS) >= 0)
  if (first < 0) return parts
  const isOne = digits(values[Math.max(0, first - 1)]) === 1
  return parts.map((part) => part.replaceAll(ENGLISH_FORMS, (_, one: string, other: string) => (isOne ? one : other)))
}

function translated(parts: readonly string[], values: readonly unknown[]): string | undefined {
  const found = current?.messages.get(messageKey(parts))
  if (found === undefined || typeof found === 'string') return found
  return found.forms[current?.rules.select(digits(values[found.by])) ?? 'other'] ?? found.forms.other
}

/** Splits a translated message at its values: texts and indices of values, in order. `tx` of the page inserts nodes there. */
export function partsOf(parts: readonly string[], values: readonly unknown[]): readonly (string | number)[] {
  const translation = translated(parts, values)
  if (translation === undefined) return inEnglish(parts, values).flatMap((part, index) => (index === 0 ? [part] : [index - 1, part]))
  return translation.split(/\{(\d+)\}/u).map((part, index) => (index % 2 === 0 ? part : Number(part)))
}

/** A message in the language that is set. */
export function t(parts: TemplateStringsArray, ...values: readonly (string | number | undefined)[]): string {
  if (!current) return String.raw({ raw: inEnglish(parts, values) }, ...values)
  return partsOf(parts, values)
    .map((part) => (typeof part === 'number' ? String(values[part] ?? '') : part))
    .join('')
}
