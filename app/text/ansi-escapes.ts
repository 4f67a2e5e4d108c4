// Terminal output as styled text: colours and weights (ECMA-48, SGR) are kept, other escape sequences dropped, and text overwritten
// by a carriage return removed. Colours are reduced to seven for contrast; backgrounds, blinking and concealment are ignored, since
// they can hide text.
import { withoutEnd } from './format-text.ts'

type AnsiColour = 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan' | 'grey'

export interface AnsiStyle {
  readonly colour?: AnsiColour
  readonly bold?: true
  readonly dim?: true
  readonly italic?: true
  readonly underline?: true
}

interface AnsiSpan {
  readonly text: string
  readonly style: AnsiStyle
}

// CSI, OSC (ended by BEL or ST, or cut off), other strings, and two-byte escapes. Built from text: control characters in a
// literal are a lint error.
const esc = '\\u001b'
const sequence = new RegExp(
  [
    `(?:${esc}\\[|\\u009b)([0-?]*[ -/]*)([@-~])`,
    `(?:${esc}\\]|\\u009d)[^\\u0007\\u001b\\u009c]*(?:\\u0007|${esc}\\\\|\\u009c)?`,
    `${esc}[PX^_][^\\u001b]*(?:${esc}\\\\)?`,
    `${esc}[ -/]*[0-~]`,
  ].join('|'),
  'g',
)
const hasEscape = new RegExp(`[${esc}\\u009b\\u009d\\r]`)

const plain: AnsiStyle = {}

/** Parses one line to spans; joined, they are what a terminal shows last. */
export function parseAnsi(line: string): AnsiSpan[] {
  if (!hasEscape.test(line)) return line === '' ? [] : [{ text: line, style: plain }]
  let spans: AnsiSpan[] = []
  let style = plain
  let from = 0
  const text = withoutEnd(line, '\r')
  const add = (part: string): void => {
    const back = part.lastIndexOf('\r')
    if (back !== -1) spans = []
    const shown = part.slice(back + 1)
    if (shown !== '') spans.push({ text: shown, style })
  }
  for (const match of text.matchAll(sequence)) {
    add(text.slice(from, match.index))
    from = match.index + match[0].length
    if (match[2] === 'm') style = styled(style, match[1] ?? '')
  }
  add(text.slice(from))
  return spans
}

/** Returns the text of a line without escape sequences. */
export const plainText = (line: string): string =>
  hasEscape.test(line)
    ? parseAnsi(line)
        .map(({ text }) => text)
        .join('')
    : line

const basic: readonly (AnsiColour | undefined)[] = [undefined, 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', undefined]

function styled(before: AnsiStyle, parameters: string): AnsiStyle {
  // Private parameters (`?`, `>`) are no styles.
  if (!/^[\d;:]*$/.test(parameters)) return before
  const codes = parameters.split(/[;:]/).map(Number)
  let { colour, ...rest }: { -readonly [K in keyof AnsiStyle]?: AnsiStyle[K] } = before
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0
    if (code === 0) {
      colour = undefined
      rest = {}
    } else if (code === 1) rest.bold = true
    else if (code === 2) rest.dim = true
    else if (code === 3) rest.italic = true
    else if (code === 4) rest.underline = true
    else if (code === 22) {
      delete rest.bold
      delete rest.dim
    } else if (code === 23) delete rest.italic
    else if (code === 24) delete rest.underline
    else if (code >= 30 && code <= 37) colour = basic[code - 30]
    else if (code === 39) colour = undefined
    else if (code === 90) colour = 'grey'
    else if (code >= 91 && code <= 97) colour = basic[code - 90]
    else if (code === 38 || code === 48) {
      const long = codes[at + 1] === 2
      if (code === 38) colour = long ? ofRgb(codes.slice(at + 2, at + 5)) : ofPalette(codes[at + 2] ?? 0)
      at += long ? 4 : 2
    }
  }
  return colour === undefined ? rest : { ...rest, colour }
}

/** Colour of the 256-colour palette: 16 names, a cube of 6 × 6 × 6, and greys. */
function ofPalette(index: number): AnsiColour | undefined {
  if (index === 8) return 'grey'
  if (index < 16) return basic[index % 8]
  if (index >= 232) return index < 244 ? 'grey' : undefined
  const step = (place: number): number => [0, 95, 135, 175, 215, 255][Math.floor((index - 16) / place) % 6] ?? 0
  return ofRgb([step(36), step(6), step(1)])
}

const hues: readonly AnsiColour[] = ['red', 'yellow', 'green', 'cyan', 'blue', 'magenta']

/** Nearest hue of an RGB colour; undefined for greys. */
function ofRgb([red = 0, green = 0, blue = 0]: readonly number[]): AnsiColour | undefined {
  const max = Math.max(red, green, blue)
  const range = max - Math.min(red, green, blue)
  if (range < 40) return undefined
  const sixths = max === red ? (green - blue) / range : max === green ? 2 + (blue - red) / range : 4 + (red - green) / range
  return hues[(Math.round(sixths) + 6) % 6]
}
