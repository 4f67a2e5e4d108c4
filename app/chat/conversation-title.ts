import { stripHidden } from '../text/hidden-characters.ts'

const LIMIT = 60

/** Derives a title from the first message: its first line, cut at a word. */
export function titleFromText(text: string): string {
  const line = text.trim().split('\n', 1)[0]?.replace(/\s+/g, ' ').trim() ?? ''
  const letters = [...line]
  if (letters.length <= LIMIT) return line
  const head = letters.slice(0, LIMIT).join('')
  const space = letters[LIMIT] === ' ' ? head.length : head.lastIndexOf(' ')
  return `${(space > LIMIT / 2 ? head.slice(0, space) : head).trimEnd()} …`
}

/** UTF-16 units of what a model wrote that are looked through. */
const LONGEST_WRITTEN = 2000

/** Cleans a title of a model, which server text may have steered: one line, no hidden characters, no Markdown. Undefined: empty. */
export function writtenTitle(text: string): string | undefined {
  for (const line of text.slice(0, LONGEST_WRITTEN).split(/[\n\r\u2028\u2029\u0085\v\f]/)) {
    const bare = stripHidden(line)
      .replace(EMPHASIS, '$2')
      .replace(MARKS_BEFORE, '')
      .replace(/^title:\s*/i, '')
      .replace(MARKS_BEFORE, '')
      .replace(/[\s"'“”„«»‘’`*_.]+$/, '')
    if (bare !== '') return titleFromText(bare)
  }
  return undefined
}

const EMPHASIS = /(\*\*|`)(\S(?:.{0,200}?\S)?)\1/g
const MARKS_BEFORE = /^[\s"'“”„«»‘’`*_#>•-]+/
