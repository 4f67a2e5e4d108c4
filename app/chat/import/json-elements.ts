// Splits a long JSON text into elements as it streams in, holding one conversation at a time: the items of a top-level array, those
// of `items` or `conversations`, or the single conversation that the text is. Elements are not parsed here.

/** Characters and nesting of one element. */
const elementLimits = { longest: 64_000_000, deepest: 200 }

type Refusal = 'too-long' | 'too-deep'

export type Element =
  | { readonly kind: 'element'; readonly text: string }
  /** Skipped element. `beginning`: identifies it to a person. */
  | { readonly kind: 'refused'; readonly reason: Refusal; readonly beginning: string }

const LISTS = new Set(['items', 'conversations'])
/** Keys that hold the messages of a ChatGPT or Claude conversation. */
const MESSAGES = new Set(['mapping', 'chat_messages'])

/** Buffers the element being read; of a refused one only the beginning. */
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
    keep(text: string, from: number, to: number): void {
      if (!parts || to <= from) return
      length += to - from
      if (length > longest) refused ??= 'too-long'
      if (!refused || parts.length === 0) parts.push(text.slice(from, refused ? Math.min(to, from + 200) : to))
    },
    close(found: Element[]): void {
      if (!parts) return
      const text = parts.join('')
      found.push(refused ? { kind: 'refused', reason: refused, beginning: text.slice(0, 200) } : { kind: 'element', text })
      drop()
    },
  }
}

export function createElementReader({ longest, deepest } = elementLimits) {
  let depth = 0
  let inString = false
  let escaped = false
  /** Depth of the array of elements; 0: the text itself is one; undefined: not reached yet. */
  let list: number | undefined
  let listEnded = false
  /** Element being read: an object without a list yet may be the only element. */
  const element = createElementBuffer(longest)
  /** Last string at the top of an object: a name when a colon follows. */
  let name: string | undefined
  let nameStart = -1
  /** Beginning of a name that continues in the next chunk. */
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
      } else if (code === 44 && depth === list) closeAt(at)
    }
    element.keep(text, from, text.length)
    if (nameStart >= 0) {
      nameBegun = (nameBegun + text.slice(nameStart)).slice(0, 100)
      nameStart = 0
    }
    return found
  }

  /** Whether the text was of a known form, and complete. */
  const end = () => (listEnded ? 'whole' : list === undefined || unknown ? 'unknown' : 'cut')
  return { push, end }
}
