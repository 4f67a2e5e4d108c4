// Hidden characters: server text must not read differently to a person and the model. `revealHidden` names them for the page,
// `nameHidden` in plain text; `stripHidden` removes them for the model. Emoji that Unicode recommends (\p{RGI_Emoji}, a finite
// list) keep their joiners. `foldBlanks` names long runs of blanks, which could push text out of view.
import { formatNumber } from '../i18n/format-values.ts'
import { t } from '../i18n/translate.ts'

type BlankPiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'blank'; readonly text: string; readonly name: string }

/** Fewest empty lines that are folded. */
export const LEAST_EMPTY_LINES = 3
const LEAST_SPACES = 24

const EMPTY_LINE = '[^\\S\\n]*\\n'
const BLANK_RUN = new RegExp(
  `(?<=^|\\n)(?<lines>(?:${EMPTY_LINE}){${LEAST_EMPTY_LINES},})|(?<=\\S)(?<spaces>[^\\S\\n\\r]{${LEAST_SPACES},})`,
  'gu',
)

export const emptyLinesLabel = (count: number): string => t`${formatNumber(count)} empty lines`

/** Splits text at long runs of empty lines, and of spaces within a line. Joined, the pieces are the text. */
export function foldBlanks(text: string): readonly BlankPiece[] {
  const pieces: BlankPiece[] = []
  let end = 0
  for (const match of text.matchAll(BLANK_RUN)) {
    if (match.index > end) pieces.push({ kind: 'text', text: text.slice(end, match.index) })
    const [run] = match
    const isLines = match.groups?.['lines'] !== undefined
    const name = isLines ? emptyLinesLabel(run.split('\n').length - 1) : t`${formatNumber(run.length)} spaces`
    pieces.push({ kind: 'blank', text: run, name })
    end = match.index + run.length
  }
  if (end < text.length) pieces.push({ kind: 'text', text: text.slice(end) })
  return pieces
}

export type Segment =
  | { readonly kind: 'text'; readonly text: string }
  /** `name`: label of the chip in its place. `isAnsi`: a terminal code. */
  | { readonly kind: 'hidden'; readonly text: string; readonly name: string; readonly isAnsi?: true }

// Terminal codes (CSI, OSC, two-character), then: control characters except tab and line ends, format and bidi controls,
// default-ignorable code points (tags, variation selectors, fillers), line and paragraph separators, the blank braille cell,
// private use, lone surrogates.
const ANSI =
  '\\u{1b}\\[[0-?]*[ -\\/]*[@-~]|\\u{1b}\\][^\\u{7}\\u{1b}]*(?:\\u{7}|\\u{1b}\\\\)|\\u{9b}[0-?]*[ -\\/]*[@-~]|\\u{1b}[@-Z\\\\^_a-z]'
const HIDDEN =
  '[[\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}\\p{Cs}\\p{Co}\\u{2028}\\u{2029}\\u{2800}\\u{fff9}-\\u{fffb}]--[\\t\\n\\r]]'
const CHARACTER = `${HIDDEN}|\\r(?!\\n)`
// A run of one character, or of tags, is one match. Not of controls, which may begin a terminal code, nor of surrogates.
const RUN = `[\\u{e0000}-\\u{e007f}]+|(?<one>[${HIDDEN}--[\\p{Cc}\\p{Cs}]])\\k<one>+`
/** Fast path for plain ASCII. */
const PLAIN = /^[\t\n\x20-\x7e]*$/
const ANY = new RegExp(`${ANSI}|${CHARACTER}`, 'v')
/** Hidden characters that are part of no emoji. */
const SURELY = new RegExp(`${ANSI}|[${HIDDEN}--[\\u{200d}\\u{fe0f}\\u{e0020}-\\u{e007f}]]|\\r(?!\\n)`, 'v')
// Only emoji with a hidden character matter; it follows the first character or its skin tone. This look-ahead avoids the long list
// elsewhere: 4.5 MB took 2.9 s without.
const EMOJI = '(?=\\p{Emoji}\\p{Emoji_Modifier}?[\\u{200d}\\u{fe0f}\\u{e0020}-\\u{e007f}])\\p{RGI_Emoji}'
/** Compiled at first use, which takes 50 ms; most texts hide nothing. */
const emojiOrHidden = (): RegExp => {
  made ??= new RegExp(`(?<emoji>${EMOJI})|(?<ansi>${ANSI})|${RUN}|${CHARACTER}`, 'gv')
  return made
}
let made: RegExp | undefined

/** Most hidden segments; the rest is shown without, with a note. */
const MOST_PLACES = 5000

/**
 * Splits text into visible and hidden segments; equal hidden characters in a row are one. Joined, they are the text unless there
 * are too many.
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
      return [...segments, { kind: 'hidden', text: '', name: t`more hidden characters below` }, shown(stripHidden(text.slice(end)))]
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

/** Removes hidden characters, for the model. */
export function stripHidden(text: string): string {
  if (!ANY.test(text)) return text
  return text.replace(emojiOrHidden(), (found, emoji: string | undefined) => (emoji === undefined ? '' : found))
}

/** Names hidden characters in plain text, above all for terminals. */
export const nameHidden = (text: string): string =>
  revealHidden(text)
    .map((segment) => (segment.kind === 'text' ? segment.text : `⟨${segment.name}⟩`))
    .join('')

/** Like `nameHidden`, in one line, so that a name cannot imitate a line of the host. */
export const nameHiddenInLine = (text: string): string => nameHidden(text).replace(/\r?\n/g, `⟨${t`line feed`}⟩`)

const CONTROLS = new RegExp(`(?<ansi>${ANSI})|[\\p{Cc}--[\\t\\n\\r]]|\\r(?!\\n)`, 'gv')

/** Names only what a terminal obeys, for files; all letters and line ends stay. */
export const nameControls = (text: string): string =>
  text.replace(CONTROLS, (found, ansi: string | undefined) => `⟨${ansi === undefined ? characterName(found) : t`terminal code`}⟩`)

const ESCAPED = new RegExp(`[${HIDDEN}\\t\\n\\r]`, 'gv')

/** Escapes hidden characters in JSON (U+009B begins a terminal command); the value is the same. */
export const escapeHiddenInJson = (json: string): string => json.replace(ESCAPED, unicodeEscape)

/** Escapes hidden characters and line ends of a line of a log. */
export const escapeHiddenInLine = (line: string): string =>
  line.replace(ESCAPED, (found) => `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`)

/** Writes a character as JSON escapes, one for each UTF-16 unit. */
export const unicodeEscape = (character: string): string =>
  character.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

export function hasHidden(text: string): boolean {
  if (PLAIN.test(text) || !ANY.test(text)) return false
  if (SURELY.test(text)) return true
  for (const { groups } of text.matchAll(emojiOrHidden())) if (groups?.['emoji'] === undefined) return true
  return false
}

const NAMES: Readonly<Record<number, () => string>> = {
  13: () => t`carriage return`,
  173: () => t`soft hyphen`,
  8203: () => t`zero-width space`,
  8232: () => t`line separator`,
  8238: () => t`right-to-left override`,
  65279: () => t`byte order mark`,
}

const within = (code: number, first: number, last: number): boolean => code >= first && code <= last

function characterName(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const known = NAMES[code]
  if (known) return known()
  if (isTag(code)) return t`tag character`
  if (within(code, 0xfe00, 0xfe0f) || within(code, 0xe0100, 0xe01ef) || within(code, 0x180b, 0x180f)) return t`variation selector`
  if (code < 0x20 || within(code, 0x7f, 0x9f)) return t`control character ${hex(code)}`
  return t`hidden character ${hex(code)}`
}

const isTag = (code: number): boolean => within(code, 0xe0000, 0xe007f)
const hex = (code: number): string => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`

/** Name of a run; tag characters spell ASCII, which is shown. */
function runName(name: string, text: string, isAnsi: boolean): string {
  const characters = [...text]
  if (isTag(text.codePointAt(0) ?? 0)) {
    const spelled = characters.map((character) => (character.codePointAt(0) ?? 0) - 0xe0000).filter((code) => within(code, 0x20, 0x7e))
    if (spelled.length) return t`hidden text “${String.fromCharCode(...spelled.slice(0, 500))}”`
  }
  return isAnsi || characters.length === 1 ? name : `${characters.length} × ${name}`
}
