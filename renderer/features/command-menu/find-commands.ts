// What of the menu fits the letters typed: pure. Groups keep their order, so that a row is found where it was last time;
// within a group the better match stands first.
import { fuzzyMatch } from '#app/fuzzy.ts'
import type { Command, CommandGroup } from './command.ts'

/** `items` is the list's own name for what it goes through. */
export type FoundGroup = { readonly title: string; readonly items: readonly Command[] }

/** Of one group; more would push the others out of sight. */
export const mostOfGroup = 8

export function findCommands(query: string, groups: readonly CommandGroup[]): FoundGroup[] {
  const wanted = query.trim()
  return groups
    .map(({ title, commands, atFirst = commands.length, found }) => ({
      title,
      items: wanted === '' ? commands.slice(0, atFirst) : found ? commands.slice(0, mostOfGroup) : fitting(wanted, commands),
    }))
    .filter(({ items }) => items.length > 0)
}

function fitting(wanted: string, commands: readonly Command[]): Command[] {
  return commands
    .map((command) => ({ command, score: scoreOf(wanted, command) }))
    .filter(({ score }) => score !== undefined)
    .sort((a, b) => (b.score ?? 0) - (a.score ?? 0))
    .slice(0, mostOfGroup)
    .map(({ command }) => command)
}

/**
 * Letters stand together, begin the words in turn ("vvn" is "Vendor VAT numbers"), or are several words, each somewhere.
 * Letters scattered over a title would be found in nearly every one.
 */
function scoreOf(wanted: string, { words, detail = '', also = '' }: Command): number | undefined {
  const whole = runIn(wanted, words)
  if (whole !== undefined) return whole * 2
  if (wanted.length > 1 && initials(words).startsWith(wanted.toLowerCase())) return asInitials
  let score = 0
  for (const word of wanted.split(/\s+/)) {
    const found = runIn(word, words) ?? beginIn(word, detail) ?? beginIn(word, also)
    if (found === undefined) return undefined
    score += found
  }
  return score / 2
}

/** As good as a word in the middle. */
const asInitials = 60

const runIn = (word: string, text: string): number | undefined =>
  text.toLowerCase().includes(word.toLowerCase()) ? fuzzyMatch(word, text)?.score : undefined

/** Of what stands beside the words only the beginnings of words count. */
const beginIn = (word: string, text: string): number | undefined =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .some((one) => one.startsWith(word.toLowerCase()))
    ? 1
    : undefined

const initials = (text: string): string =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.slice(0, 1))
    .join('')
