// Thinking that a model writes into its text: `<think>…</think>` at the beginning (local templates), `<thinking>…</thinking>` (Amazon's
// Nova), or `<reasoning>…</reasoning>` (gpt-oss at Bedrock, a pair around every streamed piece). Where the model's template opens it in the prompt (DeepSeek's R1, QwQ) only the closing
// tag comes: the text before it is then recast as thinking, and the next answer begins as thinking (`opened`). Pure.
const OPEN = '<think>'
const CLOSE = '</think>'
const PIECEWISE = '<reasoning>'
const tags: readonly (readonly [open: string, close: string])[] = [
  [OPEN, CLOSE],
  ['<thinking>', '</thinking>'],
  [PIECEWISE, '</reasoning>'],
]

export interface ThinkSegment {
  readonly type: 'text' | 'thinking'
  readonly text: string
}
export type SplitPiece = ThinkSegment | { readonly type: 'recast'; readonly as: ThinkSegment['type']; readonly text: string }

export function createThinkSplitter({ opened = false } = {}) {
  let place: 'start' | 'thinking' | 'guessed' | 'after' | 'text' = 'start'
  let held = ''
  let guesses = true
  /** Closing tag of the thinking that is open, or guessed to be. */
  let close = CLOSE
  /** Text that was delivered and that a closing tag may still recast. */
  let given = ''
  const pieces = (type: ThinkSegment['type'], text: string): ThinkSegment[] => (text === '' ? [] : [{ type, text }])

  /** Takes the text up to a closing tag, or as far as no closing tag can have begun. */
  function beforeClose(
    type: ThinkSegment['type'],
    ends: (before: string) => boolean,
  ): { readonly out: SplitPiece[]; readonly closed: boolean } {
    if (given === '' && type === 'thinking') held = held.trimStart()
    let from = 0
    for (;;) {
      const at = held.indexOf(close, from)
      const closed = at !== -1 && ends(given + held.slice(0, at))
      if (at !== -1 && !closed) {
        from = at + close.length
        continue
      }
      const sure = closed ? at : Math.max(from, held.length - partOf(close, held))
      const isBlank = given === '' && held.slice(0, sure).trim() === ''
      if (isBlank && !closed) return { out: [], closed }
      const out = isBlank ? [] : pieces(type, held.slice(0, sure))
      if (!isBlank) given += held.slice(0, sure)
      held = held.slice(closed ? sure + close.length : sure)
      if (closed) place = 'after'
      return { out, closed }
    }
  }

  function take(text: string): readonly SplitPiece[] {
    held += text
    if (place === 'start') {
      const begun = held.trimStart()
      if (tags.some(([open]) => open.startsWith(begun) && begun !== open)) return []
      const tag = tags.find(([open]) => begun.startsWith(open))
      place = tag ? 'thinking' : guesses && opened ? 'guessed' : 'text'
      if (tag) {
        held = begun.slice(tag[0].length)
        close = tag[1]
        guesses = false
      }
    }
    if (place === 'thinking' || place === 'guessed') {
      const { out, closed } = beforeClose('thinking', place === 'thinking' ? () => true : endsThought)
      return closed ? [...out, ...take('')] : out
    }
    if (place === 'after') {
      guesses = false
      held = held.trimStart() // The blank lines between the tag and the answer.
      if (held === '') return []
      if (close === '</reasoning>') {
        if (PIECEWISE.startsWith(held) && held !== PIECEWISE) return []
        if (held.startsWith(PIECEWISE)) {
          held = held.slice(PIECEWISE.length)
          place = 'thinking'
          return take('')
        }
      }
      place = 'text'
    }
    if (guesses) {
      const { out, closed } = beforeClose('text', endsThought)
      if (!closed) return out
      return [...(given === '' ? [] : [{ type: 'recast', as: 'thinking', text: given.trimEnd() } as const]), ...take('')]
    }
    const rest = held
    held = ''
    return pieces('text', rest)
  }

  return {
    /** Splits a piece of text, which may end within a tag. */
    take,
    /** Delivers the text that was held back because it might have been a tag. `cut`: the answer ended at its limit. */
    end(cut: boolean): readonly SplitPiece[] {
      const isThinking = place === 'thinking' || place === 'guessed'
      const out = pieces(isThinking ? 'thinking' : 'text', held)
      const all = given + held
      const wrong = place === 'guessed' && !cut && all !== ''
      held = ''
      guesses = false
      if (place !== 'thinking') place = 'text'
      return wrong ? [{ type: 'recast', as: 'text', text: all }] : out
    },
    /** Ends the guessing about closing tags: the model's thinking comes in a field of its own. */
    tell(): void {
      guesses = false
    },
  }
}

/**
 * Whether a closing tag after this text ends thinking that the prompt has opened: on a line of its own or right behind a sentence, not in
 * code, and with no opening tag before it. Elsewhere the text mentions the tag.
 */
function endsThought(before: string): boolean {
  if (before.includes(OPEN) || isInFence(before)) return false
  const line = before.slice(before.lastIndexOf('\n') + 1)
  if (line.trim() === '') return true
  return line.split('`').length % 2 === 1 && /[.!?…。！？:;)\]}*]$/.test(line)
}

function isInFence(text: string): boolean {
  let fence: string | undefined
  for (const [, mark = ''] of text.matchAll(/^ {0,3}(`{3,}|~{3,})/gm)) {
    if (fence === undefined) fence = mark
    else if (mark.startsWith(fence)) fence = undefined
  }
  return fence !== undefined
}

/** Number of characters at the end that may be the beginning of the tag. */
function partOf(tag: string, text: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length -= 1) if (tag.startsWith(text.slice(-length))) return length
  return 0
}
