// What a path means, from its text alone. A place is an absolute path in one spelling: `/` between its parts, no `.`
// and `..`, a drive in upper case. Text that two programs may read differently is not sure: an approval does not take
// it, and a refusal takes every reading. Following links is the host's (`main/consent/resolve-path.ts`).

export interface PathSystem {
  readonly windows: boolean
  /** The person's home folder, as a place. */
  readonly home: string
  /** Nobody expands it: it names a folder on this disk. */
  readonly exact?: boolean
}

interface ParsedPath {
  /** The only way to read it is `places[0]`. */
  readonly sure: boolean
  readonly places: readonly string[]
}

/** With links followed. */
export interface PathReading {
  readonly sure: boolean
  /** As the text says. */
  readonly literal: readonly string[]
  /** Where that leads. */
  readonly real: readonly string[]
}

export const LONGEST_PATH = 4096

export function readPathText(text: string, system: PathSystem): ParsedPath {
  if (text.length > LONGEST_PATH) return { sure: false, places: [] }
  const whole = absolute(text, system)
  if (whole !== undefined && isPlain(text, system)) return { sure: true, places: [whole] }
  const guesses = [text, text.replaceAll('\\', '/'), decoded(text), decoded(fromFileUrl(text)), text.replace(/\p{C}+|^\s+|\s+$/gu, '')].map(
    (guess) => absolute(guess.replace(/^~(?=[\\/]|$)/, system.home), system),
  )
  return { sure: false, places: [...new Set(guesses.filter((place) => place !== undefined))] }
}

/** Undefined: not an absolute path of this system. */
function absolute(text: string, { windows }: PathSystem): string | undefined {
  if (!windows) return text.startsWith('/') ? tidy('', text.split('/')) : undefined
  const found = /^(?:[\\/]{2}[?.][\\/])?([A-Za-z]:)[\\/](.*)$/s.exec(text)
  if (found) return tidy(found[1]?.toUpperCase() ?? '', (found[2] ?? '').split(/[\\/]/))
  const share = /^[\\/]{2}([^\\/]+[\\/][^\\/]+)(.*)$/s.exec(text)
  return share ? tidy(`//${(share[1] ?? '').replace('\\', '/')}`, (share[2] ?? '').split(/[\\/]/)) : undefined
}

function tidy(root: string, parts: readonly string[]): string {
  const kept: string[] = []
  for (const part of parts) {
    if (part === '..') kept.pop()
    else if (part !== '' && part !== '.') kept.push(part)
  }
  return `${root}/${kept.join('/')}`
}

/** Of a shell, a glob or a template: braces, brackets, stars, variables, home folders, commands, pairs of quotes, extended globs. */
export const EXPANDED = /[*?[\]{}$~%`"]|'.*'|[@+!]\(/s

/** Dots and slashes of other blocks, which a program that folds letters (NFKC, or Windows' nearest letter) makes into a way up. */
const FOLDS_TO_A_WAY = /[\u2024-\u2026\ufe52\uff0e\uff0f\uff3c\u2044\u2215\u2216\u29f5\u29f8\ufe68]/u

/** Nothing in it that a program may expand, decode, cut off or take for something else. */
function isPlain(text: string, { windows, exact }: PathSystem): boolean {
  if (!exact && EXPANDED.test(text)) return false
  if (/\p{C}|%2e|%2f|%5c/iu.test(text) || text.trim() !== text || FOLDS_TO_A_WAY.test(text)) return false
  if (!windows) return !text.includes('\\')
  const parts = text.slice(3).split(/[\\/]/)
  return (
    /^[A-Za-z]:[\\/]/.test(text) &&
    !parts.some((part) => part !== '.' && part !== '..' && /[:*?"<>|]|[. ]$|~\d|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(part))
  )
}

const fromFileUrl = (text: string): string => text.replace(/^file:(?:\/\/[^/]*)?(?:\/(?=[A-Za-z]:))?/i, '')

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // A stray percent sign: not encoded, so there is nothing to decode.
  }
}

/** The folder itself is inside. */
export const isInside = (place: string, folder: string): boolean =>
  place === folder || place.startsWith(folder.endsWith('/') ? folder : `${folder}/`)

/** For refusals: whatever the disk makes of case and accents. */
export const isInsideFolded = (place: string, folder: string): boolean => isInside(foldPath(place), foldPath(folder))

/** One spelling for all that a disk or a careless server may take for the same. */
export const foldPath = (text: string): string => text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')

/** Which values read as paths: those that begin like one. A relative name with a slash may as well be a topic. */
export const looksLikePath = (text: string): boolean => /^(?:~?\/|\.{1,2}\/|[A-Za-z]:[\\/]|\\\\)/.test(text) && !/[\n\r]/.test(text)
