// The field's text as a list of what stands in it: filters are shown as chips, and the choices beside the field write them.
import { type SearchFilter, searchTokens } from '#app/chat/search/query.ts'

export interface FilterChip {
  readonly filter: SearchFilter
  readonly value: string
  /** As it stands in the text. */
  readonly text: string
}

export const chipsOf = (text: string): FilterChip[] =>
  searchTokens(text).flatMap((token) => (token.kind === 'filter' ? [{ filter: token.filter, value: token.value, text: token.text }] : []))

/** The value of the last filter of that name. */
export const filterValue = (text: string, filter: SearchFilter): string | undefined =>
  chipsOf(text).findLast((chip) => chip.filter === filter)?.value

/** Every filter of that name goes; with a value, one comes in front. */
export function withFilter(text: string, filter: SearchFilter, value: string | undefined): string {
  const rest = searchTokens(text)
    .filter((token) => token.kind !== 'filter' || token.filter !== filter)
    .map((token) => token.text)
    .join(' ')
  // What is being typed stays open.
  const kept = /\s$/.test(text) && rest !== '' ? `${rest} ` : rest
  if (value === undefined) return kept
  const written = `${filter}:${/\s/.test(value) ? `"${value}"` : value}`
  return kept === '' ? `${written} ` : `${written} ${kept}`
}

export const withoutChip = (text: string, chip: FilterChip): string => text.replace(chip.text, ' ').replace(/\s+/g, ' ').replace(/^\s/, '')

/** Of the local calendar. */
export function dayText(time: number): string {
  const date = new Date(time)
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
}
