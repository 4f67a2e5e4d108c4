// A text as the matcher compares it: its letters and digits alone, folded. Line breaks, quotes, markup, case, accents and
// characters that cannot be seen make no difference, so that text which was only put in another form is still found.
// With `unwrap`, JSON escapes (at any depth) and percent-encoding are resolved too.

export interface Bare {
  readonly codes: Uint16Array
  /** 1: something that is no letter and no digit stood before it, or nothing. */
  readonly starts: Uint8Array
  /** Where it stood in the text: from and to. Absent where nobody asked. */
  readonly from?: Uint32Array
  readonly to?: Uint32Array
}

const escaped = /\\+(?:u([0-9a-fA-F]{4})|[nrtbf])/y
const percent = /(?:%[0-9a-fA-F]{2})+/y
export const isWrapped = (text: string): boolean => /\\(?:u[0-9a-fA-F]{4}|[nrtbf])|%[0-9a-fA-F]{2}/.test(text)

const APART = 0
/** Accents that stand alone, and what cannot be seen: as if it were not there. */
const SKIPPED = 0xffff

/** From here on one character says as much as two letters do (Chinese, Japanese, Korean). */
const DENSE = 0x2e80

export function bareText(text: string, options: { readonly unwrap: boolean; readonly places: boolean }): Bare {
  const folds = foldTable()
  const room = text.length * 2
  const codes = new Uint16Array(room)
  const starts = new Uint8Array(room)
  const from = options.places ? new Uint32Array(room) : undefined
  const to = options.places ? new Uint32Array(room) : undefined
  let length = 0
  let start = 1
  const put = (unit: number, at: number, end: number): void => {
    const code = folds[unit] ?? APART
    if (code === SKIPPED) return
    if (code === APART) {
      start = 1
      return
    }
    for (let times = unit >= DENSE ? 2 : 1; times > 0 && length < room; times--) {
      codes[length] = code
      starts[length] = start
      if (from && to) {
        from[length] = at
        to[length] = end
      }
      start = unit >= DENSE ? 1 : 0
      length += 1
    }
  }
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    const wrapped = options.unwrap && (unit === 0x5c || unit === 0x25) ? readWrapped(text, at) : undefined
    if (wrapped) {
      start = wrapped.text === '' ? 1 : start
      for (let n = 0; n < wrapped.text.length; n++) put(wrapped.text.charCodeAt(n), at, wrapped.end)
      at = wrapped.end - 1
    } else put(unit, at, at + 1)
  }
  return {
    codes: codes.slice(0, length),
    starts: starts.slice(0, length),
    ...(from && to ? { from: from.slice(0, length), to: to.slice(0, length) } : {}),
  }
}

/** The text that an escape at `at` stands for; empty: a line end or the like. */
function readWrapped(text: string, at: number): { readonly text: string; readonly end: number } | undefined {
  const pattern = text.charCodeAt(at) === 0x25 ? percent : escaped
  pattern.lastIndex = at
  const match = pattern.exec(text)
  if (!match) return undefined
  const end = at + match[0].length
  if (pattern === escaped) return { text: match[1] === undefined ? '' : String.fromCharCode(Number.parseInt(match[1], 16)), end }
  try {
    return { text: decodeURIComponent(match[0]), end }
  } catch {
    return undefined // Not UTF-8: it stands for itself.
  }
}

let made: Uint16Array | undefined

/** By UTF-16 unit: what it is compared as. */
function foldTable(): Uint16Array {
  if (made) return made
  const table = new Uint16Array(0x10000)
  for (let unit = 0; unit < 0x10000; unit++) table[unit] = fold(unit)
  made = table
  return table
}

function fold(unit: number): number {
  const character = String.fromCharCode(unit)
  if (/\p{M}|\p{Cf}|\p{Default_Ignorable_Code_Point}/u.test(character)) return SKIPPED
  if (!/[\p{L}\p{N}]/u.test(character)) return APART
  // Korean syllables would lose all but their first letter.
  const plain = unit >= 0xac00 && unit <= 0xd7a3 ? character : (character.normalize('NFKD')[0] ?? character)
  return plain.toLowerCase().charCodeAt(0)
}
