// Numbers, times and lists in the person's locale. Everything shown uses this; files, the wire and `--json` never do.

/** Default locale. */
const PLAIN = 'en-GB'

let locale = PLAIN
let made = new Map<string, unknown>()

/**
 * Sets the locale of all formats; undefined for the default.
 * @throws {RangeError} when `tag` is no BCP 47 tag.
 */
export function setFormats(tag: string | undefined): void {
  locale = Intl.getCanonicalLocales(tag ?? PLAIN)[0] ?? PLAIN
  made = new Map()
}
export const formatLocale = (): string => locale

/** Caches a formatter: creating one is far slower than using it. */
function kept<T>(name: string, make: () => T): T {
  if (!made.has(name)) made.set(name, make())
  return made.get(name) as T
}

const dateStyles = {
  clock: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }, // 11:04, in every locale: one clock on all pages and in logs
  'clock-seconds': { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
  'clock-milliseconds': { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3, hourCycle: 'h23' },
  day: { day: 'numeric', month: 'short' }, // 24 Sept
  'day-year': { day: 'numeric', month: 'short', year: 'numeric' },
  'long-day': { dateStyle: 'long' }, // 24 September 2025
  month: { month: 'long' }, // September
  moment: { dateStyle: 'short', timeStyle: 'medium', hourCycle: 'h23' }, // 24/09/2025, 11:04:09
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

const inStyle = (style: keyof typeof dateStyles, at: number): string =>
  kept(style, () => new Intl.DateTimeFormat(locale, dateStyles[style])).format(at)

export const formatClock = (at: number): string => inStyle('clock', at)
export const clockWithSeconds = (at: number): string => inStyle('clock-seconds', at)
export const clockWithMilliseconds = (at: number): string => inStyle('clock-milliseconds', at)
export const dayOfYear = (at: number): string => inStyle('day', at)
export const dayWithYear = (at: number): string => inStyle('day-year', at)
export const longDay = (at: number): string => inStyle('long-day', at)
export const monthName = (at: number): string => inStyle('month', at)
export const formatMoment = (at: number): string => inStyle('moment', at)

/** Order of names that a person gave: `2` before `10`, whatever the case. */
export const compareNames = (a: string, b: string): number =>
  kept('names', () => new Intl.Collator(locale, { numeric: true, sensitivity: 'base' })).compare(a, b)

/** 1,200 */
export const formatNumber = (value: number): string => kept('number', () => new Intl.NumberFormat(locale)).format(value)

export function numberIn(options: Intl.NumberFormatOptions, value: number): string {
  return kept(`number ${JSON.stringify(options)}`, () => new Intl.NumberFormat(locale, options)).format(value)
}

/** 43%, of a share of 1 */
export const formatPercent = (share: number): string =>
  numberIn({ style: 'percent', maximumFractionDigits: 0 }, Math.floor(share * 100) / 100)

/** “a, b and c” */
export const formatList = (items: readonly string[]): string => listFormat().format(items)

/** “a, b or c” */
export const formatChoice = (items: readonly string[]): string =>
  kept('choice', () => new Intl.ListFormat(locale, { type: 'disjunction' })).format(items)

const listFormat = (): Intl.ListFormat => kept('list', () => new Intl.ListFormat(locale, { type: 'conjunction' }))

/** Like `formatList` for other items: the items, with the text between them. */
export function listParts<T>(items: readonly T[]): readonly (T | string)[] {
  const parts = listFormat().formatToParts(items.map((_, index) => String(index)))
  return parts.map(({ type, value }) => (type === 'element' ? (items[Number(value)] as T) : value))
}

/** Parses digits of this locale; NaN when they are no number. */
export function numberFrom(digits: string): number {
  const parts = kept('parts', () => new Intl.NumberFormat(locale).formatToParts(12345.6))
  const decimal = parts.find(({ type }) => type === 'decimal')?.value ?? '.'
  const plain = [...digits].filter((character) => /\p{Nd}/u.test(character) || character === decimal).join('')
  return Number(plain.replace(decimal, '.') || Number.NaN)
}
