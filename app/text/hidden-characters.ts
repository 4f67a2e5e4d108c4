// Characters that a person cannot see: what a server writes must not say one thing to the eye and another to the model.
// `revealHidden` names them for the page, `nameHidden` and its like in plain text; `stripHidden` takes them out of what the
// model reads. Emoji that Unicode recommends (\p{RGI_Emoji}, a finite list) keep their joiners and selectors: nothing can be
// smuggled in those. Blanks that could push what follows out of view: empty lines in a row, and spaces in a row within a line.
// Each run is named in its place, with its length. Spaces at the beginning of a line are its indentation and stay.
import { formatNumber } from '../i18n/format-values.ts'
import { t } from '../i18n/translate.ts'

type BlankPiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'blank'; readonly text: string; readonly name: string }

/** Fewer stay as they are. */
export const LEAST_EMPTY_LINES = 3
const LEAST_SPACES = 24

const EMPTY_LINE = '[^\\S\\n]*\\n'
const BLANK_RUN = new RegExp(
  `(?<=^|\\n)(?<lines>(?:${EMPTY_LINE}){${LEAST_EMPTY_LINES},})|(?<=\\S)(?<spaces>[^\\S\\n\\r]{${LEAST_SPACES},})`,
  'gu',
)

export const emptyLinesLabel = (count: number): string => t`${formatNumber(count)} empty lines`

/** The text in order: joined, the texts of the pieces are the text again. */
export function foldBlanks(text: string): readonly BlankPiece[] {
  const pieces: BlankPiece[] = []
  let end = 0
  for (const match of text.matchAll(BLANK_RUN)) {
    if (match.index > end) pieces.push({ kind: 'text', text: text.slice(end, match.index) })
    const [run] = match
    const count = match.groups?.['lines'] === undefined ? run.length : run.split('\n').length - 1
    pieces.push({
      kind: 'blank',
      text: run,
      name: match.groups?.['lines'] === undefined ? t`${formatNumber(count)} spaces` : emptyLinesLabel(count),
    })
    end = match.index + run.length
  }
  if (end < text.length) pieces.push({ kind: 'text', text: text.slice(end) })
  return pieces
}

export type Segment =
  | { readonly kind: 'text'; readonly text: string }
  /** `name`: what it is, for the chip that stands in its place. `isAnsi`: a terminal code. */
  | { readonly kind: 'hidden'; readonly text: string; readonly name: string; readonly isAnsi?: true }

// Terminal codes as a whole (CSI, OSC, two-character), then: control characters but tab and line ends, format and
// bidi controls, whatever Unicode says to ignore when drawing (tags, variation selectors, fillers), line and paragraph
// separators, the blank braille cell, private use, and halves of surrogate pairs.
const ANSI =
  '\\u{1b}\\[[0-?]*[ -\\/]*[@-~]|\\u{1b}\\][^\\u{7}\\u{1b}]*(?:\\u{7}|\\u{1b}\\\\)|\\u{9b}[0-?]*[ -\\/]*[@-~]|\\u{1b}[@-Z\\\\^_a-z]'
const HIDDEN =
  '[[\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}\\p{Cs}\\p{Co}\\u{2028}\\u{2029}\\u{2800}\\u{fff9}-\\u{fffb}]--[\\t\\n\\r]]'
const CHARACTER = `${HIDDEN}|\\r(?!\\n)`
// Very many of one in a row, or of tags, are one find. Not of controls, which may begin a terminal code, nor of halves.
const RUN = `[\\u{e0000}-\\u{e007f}]+|(?<one>[${HIDDEN}--[\\p{Cc}\\p{Cs}]])\\k<one>+`
/** Most texts are that, and it is told without the long lists. */
const PLAIN = /^[\t\n\x20-\x7e]*$/
const ANY = new RegExp(`${ANSI}|${CHARACTER}`, 'v')
// Only emoji that hold a hidden character matter; it always follows their first, or its skin tone. Looking for that first
// keeps the long list off every other position: 4.5 MB took 2.9 s without.
const EMOJI = '(?=\\p{Emoji}\\p{Emoji_Modifier}?[\\u{200d}\\u{fe0f}\\u{e0020}-\\u{e007f}])\\p{RGI_Emoji}'
/** Its list takes a twentieth of a second to be read, and most texts hide nothing: not before the first that does. */
const emojiOrHidden = (): RegExp => {
  made ??= new RegExp(`(?<emoji>${EMOJI})|(?<ansi>${ANSI})|${RUN}|${CHARACTER}`, 'gv')
  return made
}
let made: RegExp | undefined

/** More places than a page could show: what follows is shown without, and a word on that. */
const MOST_PLACES = 5000

/**
 * The text in order; joined, the segments' texts are the text again, unless there are too many. Alike hidden characters in a row
 * are one segment.
 */
export function revealHidden(text: string): Segment[] {
  if (PLAIN.test(text) || !ANY.test(text)) return text === '' ? [] : [shown(text)]
  const segments: Segment[] = []
  let run = { name: '', text: '', isAnsi: false }
  let end = 0
  let places = 0
  const flush = (): void => {
    const { text, isAnsi } = run
    if (text) segments.push({ kind: 'hidden', text, name: runName(run.name, text, isAnsi), ...(isAnsi ? { isAnsi } : {}) })
    run = { name: '', text: '', isAnsi: false }
  }
  for (const match of text.matchAll(emojiOrHidden())) {
    if (match.groups?.['emoji'] !== undefined) continue
    if (places === MOST_PLACES) {
      flush()
      return [
        ...segments,
        { kind: 'hidden', text: '', name: t`more hidden characters in what follows` },
        shown(stripHidden(text.slice(end))),
      ]
    }
    const [found] = match
    const isAnsi = match.groups?.['ansi'] !== undefined
    const name = isAnsi ? t`terminal code` : characterName(found)
    if (match.index > end) {
      flush()
      segments.push(shown(text.slice(end, match.index)))
    }
    if (name !== run.name) flush()
    if (run.text === '') places += 1
    run = { name, text: run.text + found, isAnsi }
    end = match.index + found.length
  }
  flush()
  if (end < text.length) segments.push(shown(text.slice(end)))
  return segments
}

const shown = (text: string): Segment => ({ kind: 'text', text })

/** The text as the model reads it: without what a person could not have seen. */
export function stripHidden(text: string): string {
  if (!ANY.test(text)) return text
  return text.replace(emojiOrHidden(), (found, emoji: string | undefined) => (emoji === undefined ? '' : found))
}

/** For where there is text alone, a terminal above all: what is hidden stands there by its name. */
export const nameHidden = (text: string): string =>
  revealHidden(text)
    .map((segment) => (segment.kind === 'text' ? segment.text : `⟨${segment.name}⟩`))
    .join('')

/** The same in one line: a name cannot begin a line that looks like one of the host's. */
export const nameHiddenInLine = (text: string): string => nameHidden(text).replace(/\r?\n/g, `⟨${t`line feed`}⟩`)

const CONTROLS = new RegExp(`(?<ansi>${ANSI})|[\\p{Cc}--[\\t\\n\\r]]|\\r(?!\\n)`, 'gv')

/** For files that may be shown on a terminal later: only what that obeys is named. Letters of every language and line ends stay. */
export const nameControls = (text: string): string =>
  text.replace(CONTROLS, (found, ansi: string | undefined) => `⟨${ansi === undefined ? characterName(found) : t`terminal code`}⟩`)

/**
 * JSON leaves some characters as they are that a terminal obeys (U+009B begins a command) or that turn text around. Escaped, the
 * value is the same.
 */
export const escapeHiddenInJson = (json: string): string => json.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, unicodeEscape)

/** Writes a character as JSON escapes, one for each UTF-16 unit. */
export const unicodeEscape = (character: string): string =>
  character.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

export function hasHidden(text: string): boolean {
  if (!ANY.test(text)) return false
  for (const { groups } of text.matchAll(emojiOrHidden())) if (groups?.['emoji'] === undefined) return true
  return false
}

const NAMES: Readonly<Record<number, () => string>> = {
  0: () => t`null`,
  7: () => t`bell`,
  8: () => t`backspace`,
  13: () => t`carriage return`,
  27: () => t`escape`,
  127: () => t`delete`,
  173: () => t`soft hyphen`,
  847: () => t`grapheme joiner`,
  1564: () => t`Arabic letter mark`,
  8203: () => t`zero-width space`,
  8204: () => t`zero-width non-joiner`,
  8205: () => t`zero-width joiner`,
  8206: () => t`left-to-right mark`,
  8207: () => t`right-to-left mark`,
  8232: () => t`line separator`,
  8233: () => t`paragraph separator`,
  8234: () => t`left-to-right embedding`,
  8235: () => t`right-to-left embedding`,
  8236: () => t`end of embedding`,
  8237: () => t`left-to-right override`,
  8238: () => t`right-to-left override`,
  8288: () => t`word joiner`,
  8294: () => t`left-to-right isolate`,
  8295: () => t`right-to-left isolate`,
  8296: () => t`first-strong isolate`,
  8297: () => t`end of isolate`,
  10240: () => t`blank braille cell`,
  65279: () => t`byte order mark`,
}

const within = (code: number, first: number, last: number): boolean => code >= first && code <= last

function characterName(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const known = NAMES[code]
  if (known) return known()
  if (isTag(code)) return t`tag character`
  if (within(code, 0xfe00, 0xfe0f) || within(code, 0xe0100, 0xe01ef) || within(code, 0x180b, 0x180f)) return t`variation selector`
  if (code < 0x20 || within(code, 0x80, 0x9f)) return t`control character ${hex(code)}`
  if (within(code, 0xd800, 0xdfff)) return t`half a character ${hex(code)}`
  return t`hidden character ${hex(code)}`
}

const isTag = (code: number): boolean => within(code, 0xe0000, 0xe007f)
const hex = (code: number): string => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`

/** Tag characters spell out ASCII: what they say is the thing to show. */
function runName(name: string, text: string, isAnsi: boolean): string {
  const characters = [...text]
  if (isTag(text.codePointAt(0) ?? 0)) {
    const spelled = characters.map((character) => (character.codePointAt(0) ?? 0) - 0xe0000).filter((code) => within(code, 0x20, 0x7e))
    if (spelled.length) return t`hidden text “${String.fromCharCode(...spelled.slice(0, 500))}”`
  }
  return isAnsi || characters.length === 1 ? name : `${characters.length} × ${name}`
}
