// A JSON text that comes in pieces, and whether it is whole by now. Each piece is looked at once: what is open is kept in mind.
export interface JsonInPieces {
  readonly text: string
  readonly whole: boolean
  push(piece: string): void
}

/** A number or a word; what is longer is none that an endpoint sends. */
const longestWord = 32

export function createJsonInPieces(): JsonInPieces {
  let text = ''
  /** The first character that says something. */
  let first = ''
  let depth = 0
  let inString = false
  let escaped = false
  /** Of an object, a list or a string, once it has come to its end. */
  let verdict: boolean | undefined

  function look(character: string): void {
    if (escaped) escaped = false
    else if (inString) {
      if (character === '\\') escaped = true
      else if (character === '"') inString = false
    } else if (character === '"') inString = true
    else if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') depth -= 1
  }

  return {
    get text() {
      return text
    },
    get whole() {
      return verdict ?? (text.length <= longestWord && parses(text))
    },
    push(piece) {
      text += piece
      first ||= piece.trimStart().charAt(0)
      if (verdict === true) verdict = piece.trim() === ''
      if (verdict !== undefined) return
      for (const character of piece) look(character)
      if (depth <= 0 && !inString && '{["'.includes(first) && first !== '') verdict = parses(text)
    },
  }
}

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
