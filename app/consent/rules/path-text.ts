// Meaning of a path by its text. A place is an absolute path in one spelling: `/` between parts, no `.` and `..`, drive letters in
// upper case. Text that programs may read differently is not sure: an approval does not accept it, a refusal considers every
// reading. The host resolves links (`main/consent/resolve-path.ts`).
import { orElse } from '#app/or-else.ts'

export interface PathSystem {
  readonly windows: boolean
  /** Home folder, as a place. */
  readonly home: string
  /** Whether it is taken literally, without expansion. */
  readonly exact?: boolean
}

interface ParsedPath {
  /** Whether `places[0]` is the only reading. */
  readonly sure: boolean
  readonly places: readonly string[]
}

export interface PathReading {
  readonly sure: boolean
  readonly literal: readonly string[]
  /** Places with links resolved. */
  readonly real: readonly string[]
}

export const LONGEST_PATH = 4096

export function readPathText(text: string, system: PathSystem): ParsedPath {
  if (text.length > LONGEST_PATH) return { sure: false, places: [] }
  const whole = absolute(text, system)
  if (whole !== undefined && isPlain(text, system) && !secondName.test(whole)) return { sure: true, places: [whole] }
  const guesses = [text, text.replaceAll('\\', '/'), decoded(text), decoded(fromFileUrl(text)), text.replace(/\p{C}+|^\s+|\s+$/gu, '')].map(
    (guess) => absolute(guess.replace(/^~(?=[\\/]|$)/, system.home), system),
  )
  const places = guesses.filter((place) => place !== undefined)
  return { sure: false, places: [...new Set([...places, ...places.map(firstName)])] }
}

/**
 * Second names of every file on macOS: the volume behind the firmlinks, `/.nofollow` and `/.resolve/FLAGS` before a path, and
 * `/.vol/DEVICE/INODE`, which says no path at all (namei(9) of XNU, `vfs_lookup.c`). On other systems nothing is there.
 */
const secondName = /^\/(?:System\/Volumes\/Data|\.nofollow|\.resolve\/[^/]*|\.vol)(?=\/|$)/i

/** Returns the usual name of a place. */
export const firstName = (place: string): string => (/^\/\.vol(?=\/|$)/i.test(place) ? place : place.replace(secondName, '') || '/')

/** Normalises an absolute path; undefined: not absolute on this system. */
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

/**
 * Characters that a shell, glob or template expands: zsh's and fish's parentheses where they could name another folder, Bash's `<(`, and
 * `^` and `!NAME!` of cmd.
 */
export const EXPANDED = /[*?[\]{}$~%`"]|'.*'|[@+!<>]\(|\([^()|./\\]*[|./\\]|\^[./\\]|![^!/\\]+!/s

/** Unicode variants of dots and slashes, which NFKC folding or Windows' best fit may turn into `..` or a separator. */
const FOLDS_TO_A_WAY = /[\u2024-\u2026\ufe52\uff0e\uff0f\uff3c\u2044\u2215\u2216\u29f5\u29f8\ufe68]/u

/** Whether no program would expand, decode, cut or reinterpret it. */
function isPlain(text: string, { windows, exact }: PathSystem): boolean {
  if (!exact && EXPANDED.test(text)) return false
  if (/\p{C}|%2e|%2f|%5c/iu.test(text) || text.trim() !== text || FOLDS_TO_A_WAY.test(text)) return false
  if (!windows) return !text.includes('\\')
  const parts = text.slice(3).split(/[\\/]/)
  return (
    /^[A-Za-z]:[\\/]/.test(text) &&
    !parts.some(
      (part) =>
        part !== '.' &&
        part !== '..' &&
        /[:*?"<>|]|[. ]$|~\d|^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])\s*(?:\.|$)/i.test(part),
    )
  )
}

const fromFileUrl = (text: string): string => text.replace(/^file:(?:\/\/[^/]*)?(?:\/(?=[A-Za-z]:))?/i, '')

/** Decodes percent-encoding; text with a stray percent sign is not encoded. */
const decoded = (text: string): string => orElse(() => decodeURIComponent(text), text)

export const isInside = (place: string, folder: string): boolean =>
  place === folder || place.startsWith(folder.endsWith('/') ? folder : `${folder}/`)

/** Like `isInside`, ignoring case and compatibility forms; for refusals. */
export const isInsideFolded = (place: string, folder: string): boolean => isInside(foldPath(place), foldPath(folder))

/** Folds what a disk or a careless server may treat as equal. */
export const foldPath = (text: string): string => text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')

/** Whether a value begins like a path. A relative name with a slash may be a topic. */
export const looksLikePath = (text: string): boolean => /^(?:~?\/|\.{1,2}\/|[A-Za-z]:[\\/]|\\\\)/.test(text) && !/[\n\r]/.test(text)
