// Reasoning that a local model writes into its text: `<think>…</think>` at the very beginning. Pure; text comes in
// pieces that may end within a tag.
const OPEN = '<think>'
const CLOSE = '</think>'

export interface Piece {
  readonly type: 'text' | 'thinking'
  readonly text: string
}

export interface ThinkSplitter {
  take(text: string): readonly Piece[]
  /** What was held back because it might have been a tag. */
  end(): readonly Piece[]
}

export function createThinkSplitter(): ThinkSplitter {
  let place: 'start' | 'thinking' | 'after' | 'text' = 'start'
  let held = ''
  let begunThinking = false
  const pieces = (type: Piece['type'], text: string): Piece[] => (text === '' ? [] : [{ type, text }])

  function take(text: string): readonly Piece[] {
    held += text
    if (place === 'start') {
      const begun = held.trimStart()
      if (OPEN.startsWith(begun) && begun !== OPEN) return []
      place = begun.startsWith(OPEN) ? 'thinking' : 'text'
      if (place === 'thinking') held = begun.slice(OPEN.length)
    }
    if (place === 'thinking') {
      if (!begunThinking) held = held.trimStart()
      const end = held.indexOf(CLOSE)
      const sure = end === -1 ? held.length - partOfClose(held) : end
      const thought = pieces('thinking', held.slice(0, sure))
      held = held.slice(sure)
      begunThinking ||= thought.length > 0
      if (end === -1) return thought
      held = held.slice(CLOSE.length)
      place = 'after'
      return [...thought, ...take('')]
    }
    if (place === 'after') {
      held = held.trimStart() // The blank lines between the tag and the answer.
      if (held === '') return []
      place = 'text'
    }
    const rest = held
    held = ''
    return pieces('text', rest)
  }

  return {
    take,
    end: () => pieces(place === 'thinking' ? 'thinking' : 'text', held),
  }
}

/** How many characters at the end may be the beginning of the closing tag. */
function partOfClose(text: string): number {
  for (let length = Math.min(CLOSE.length - 1, text.length); length > 0; length -= 1)
    if (CLOSE.startsWith(text.slice(-length))) return length
  return 0
}
