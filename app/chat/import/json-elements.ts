// Takes a long JSON text apart while it comes in, so that no more than one conversation of it is held at a time: the elements
// of the array that the text is, or of the array that stands under `items` or `conversations` in it, or the one object that
// the text is where that is a single conversation. What is in the elements is not looked at; who gets them parses them.

interface ElementLimits {
  /** Characters of one element. */
  readonly longest: number
  /** How deep one may be nested. */
  readonly deepest: number
}
const elementLimits: ElementLimits = { longest: 64_000_000, deepest: 200 }

type Refusal = 'too-long' | 'too-deep'

export type Element =
  | { readonly kind: 'element'; readonly text: string }
  /** It was passed over. `beginning`: so that somebody may know it. */
  | { readonly kind: 'refused'; readonly reason: Refusal; readonly beginning: string }

interface ElementReader {
  push(text: string): Element[]
  /** Whether the text was one of those that it knows, and whole. */
  end(): 'whole' | 'cut' | 'unknown'
}

const LISTS = new Set(['items', 'conversations'])
/** What a conversation of ChatGPT's or Claude's has its messages under. */
const MESSAGES = new Set(['mapping', 'chat_messages'])

/** Holds the element that is being read: all of its text, or of one that is refused its beginning. */
function createElementBuffer(longest: number) {
  let parts: string[] | undefined
  let length = 0
  let refused: Refusal | undefined
  function drop(): void {
    parts = undefined
    refused = undefined
    length = 0
  }
  return {
    isOpen: (): boolean => parts !== undefined,
    begin(): void {
      parts = []
    },
    drop,
    refuse(reason: Refusal): void {
      refused ??= reason
    },
    /** Adds what stands in `text` from `from` to before `to`. */
    keep(text: string, from: number, to: number): void {
      if (!parts || to <= from) return
      length += to - from
      if (length > longest) refused ??= 'too-long'
      if (!refused || parts.length === 0) parts.push(text.slice(from, refused ? Math.min(to, from + 200) : to))
    },
    /** Ends the element, and adds it to `found`. */
    close(found: Element[]): void {
      if (!parts) return
      const text = parts.join('')
      found.push(refused ? { kind: 'refused', reason: refused, beginning: text.slice(0, 200) } : { kind: 'element', text })
      drop()
    },
  }
}

export function createElementReader({ longest, deepest }: ElementLimits = elementLimits): ElementReader {
  /** Of brackets and braces that are open. */
  let depth = 0
  let inString = false
  let escaped = false
  /** Depth of the array whose elements are wanted, 0: the text itself is the one; undefined: it has not come. */
  let list: number | undefined
  let listEnded = false
  /** Of an object that has no list yet, all of it is held, since it may be the one element. */
  const element = createElementBuffer(longest)
  /** At the top of an object: the last string, which is a name when a colon follows. */
  let name: string | undefined
  let nameStart = -1
  /** Of a name that goes on in the next piece of the text. */
  let nameBegun = ''
  let unknown = false

  function push(text: string): Element[] {
    const found: Element[] = []
    if (unknown || listEnded) return found
    let from = 0
    const closeAt = (to: number): void => {
      element.keep(text, from, to)
      element.close(found)
    }
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      if (inString) {
        if (escaped) escaped = false
        else if (code === 92) escaped = true
        else if (code === 34) {
          inString = false
          if (nameStart >= 0) name = nameBegun + text.slice(nameStart, at)
          nameStart = -1
          nameBegun = ''
        }
        continue
      }
      if (code <= 32 || code === 0xfeff) continue
      if (list === undefined) {
        if (depth === 0 && code !== 91 && code !== 123) {
          unknown = true
          return found
        }
        if (depth === 0 && code === 123) {
          element.begin()
          from = at
        }
        if (code === 91 && (depth === 0 || (depth === 1 && name !== undefined && LISTS.has(name)))) {
          element.drop()
          list = depth + 1
        } else if ((code === 91 || code === 123) && depth === 1 && name !== undefined && MESSAGES.has(name)) list = 0
        else if (code === 34 && depth === 1) nameStart = at + 1
      } else if (depth === list && !element.isOpen() && code !== 93 && code !== 44) {
        element.begin()
        from = at
      }
      if (code === 34) inString = true
      else if (code === 91 || code === 123) {
        depth += 1
        if (list !== undefined && element.isOpen() && depth - list > deepest) element.refuse('too-deep')
      } else if (code === 93 || code === 125) {
        if (depth === list) {
          closeAt(at)
          listEnded = true
          return found
        }
        depth -= 1
        if (depth === 0 && list === 0) {
          closeAt(at + 1)
          listEnded = true
          return found
        }
      } else if (code === 44 && depth === list) {
        closeAt(at)
      }
    }
    element.keep(text, from, text.length)
    if (nameStart >= 0) {
      nameBegun = (nameBegun + text.slice(nameStart)).slice(0, 100)
      nameStart = 0
    }
    return found
  }

  return { push, end: () => (listEnded ? 'whole' : list === undefined || unknown ? 'unknown' : 'cut') }
}
