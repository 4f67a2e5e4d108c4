import { formatNumber, numberIn } from '../i18n/format-values.ts'
import { t } from '../i18n/translate.ts'

/** Two-letter mark of a server: initials of its first two words, else its first two letters. */
export function serverMark(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  const letters = words.length > 1 ? `${[...(words[0] ?? '')][0]}${[...(words[1] ?? '')][0]}` : [...(words[0] ?? '?')].slice(0, 2).join('')
  return letters.toLowerCase()
}

const oneDigit = (value: number): string => numberIn({ minimumFractionDigits: 1, maximumFractionDigits: 1 }, value)

/** Bytes as people read them: 812 B, 3.1 KB, 2.0 MB (powers of 1,000). */
export function formatBytes(bytes: number): string {
  const of = (value: number): string => (value < 10 ? oneDigit(value) : formatNumber(Math.round(value)))
  if (bytes < 1000) return t`${formatNumber(bytes)} B`
  if (bytes < 999.5e3) return t`${of(bytes / 1e3)} KB`
  if (bytes < 999.5e6) return t`${of(bytes / 1e6)} MB`
  if (bytes < 999.5e9) return t`${of(bytes / 1e9)} GB`
  return t`${oneDigit(bytes / 1e12)} TB`
}

/** Counts as people read them, of tokens above all: 812, 4.1k, 200k, 1.2M. */
export function formatCount(count: number): string {
  const of = (value: number): string => numberIn({ maximumFractionDigits: value < 9.95 ? 1 : 0 }, value)
  if (count < 1000) return formatNumber(count)
  return count < 999.5e3 ? `${of(count / 1e3)}k` : `${of(count / 1e6)}M`
}

/** Milliseconds as people read them: 40 ms, 0.4 s, 12 s, 3 min, 6 h 12 min. */
export function formatDuration(ms: number): string {
  if (ms < 100) return t`${Math.round(ms)} ms`
  if (ms < 10_000) return t`${oneDigit(ms / 1000)} s`
  if (ms < 60_000) return t`${Math.round(ms / 1000)} s`
  const minutes = Math.round(ms / 60_000)
  if (minutes < 60) return t`${minutes} min`
  const rest = minutes % 60
  return rest ? t`${formatNumber(Math.floor(minutes / 60))} h ${rest} min` : t`${formatNumber(minutes / 60)} h`
}

/** A rough count of tokens (four characters each), for showing what tools cost; never for billing. */
export const estimateTokens = (text: string | { readonly length: number }): number => Math.ceil(text.length / 4)

/** File name of a command, without Windows extensions. */
export const programName = (command: string): string => (command.split(/[\\/]/).at(-1) || command).replace(/\.(exe|cmd|bat)$/i, '')

/** Fences text as Markdown code, with more backticks than it contains, so that nothing in it ends the fence. */
export function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

/** Removes trailing `marks` in linear time; a pattern such as `/\.+$/` is quadratic. */
export function withoutEnd(text: string, marks: string): string {
  let end = text.length
  while (end > 0 && marks.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

/** Whether text is a date of the calendar (RFC 3339, full-date). */
export const isDate = (text: string): boolean => {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}
