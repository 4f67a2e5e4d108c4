// Repairs the arguments of a tool call as small local models write them, where nothing has to be guessed. A value that was cut off is
// never completed: "/un" may have been "/unsorted".
import { isJsonObject, type JsonObject, ownMember } from '#app/json.ts'
import { parseJson } from '#app/or-else.ts'

/** `cut`: the answer ended at the model's limit, so that no closing brackets may be added. */
export function repairJson(text: string, cut = false): JsonObject | undefined {
  const plain = unfenced(text.trim())
  return objectOf(plain) ?? objectOf(once(plain)) ?? objectOf(normalise(plain, cut))
}

/** Parses an object, also one that was written as a string of JSON. */
function objectOf(text: string | undefined): JsonObject | undefined {
  const value = text === undefined ? undefined : parseJson(text)
  const inner = typeof value === 'string' ? parseJson(value) : value
  return isJsonObject(inner) ? inner : undefined
}

const unfenced = (text: string): string => /^```(?:json)?[^\S\n]*\n([\s\S]*)```$/.exec(text)?.[1]?.trim() ?? text

/** Returns half of a text that stands there twice: some endpoints send the whole once more at the end. */
function once(text: string): string | undefined {
  const half = text.length / 2
  return Number.isInteger(half) && text.slice(0, half) === text.slice(half) ? text.slice(0, half) : undefined
}

const literals: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null' }
const controls: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Converts Python's quotes and literals, escapes raw line breaks, drops commas before closing brackets, and adds missing brackets. */
function normalise(text: string, cut: boolean): string | undefined {
  const open: string[] = []
  let out = ''
  for (let at = 0; at < text.length; ) {
    const char = text[at] as string
    if (char === '"' || char === "'") {
      const end = endOfString(text, at)
      if (end === undefined) return undefined
      out += quoted(text.slice(at + 1, end), char)
      at = end + 1
    } else if (/[A-Za-z]/.test(char)) {
      const word = /^[A-Za-z]+/.exec(text.slice(at))?.[0] ?? char
      out += ownMember(literals, word) ?? word
      at += word.length
    } else {
      if (char === '{' || char === '[') open.push(char === '{' ? '}' : ']')
      if (char === '}' || char === ']') {
        if (open.pop() !== char) return undefined
        out = out.replace(/,\s*$/, '')
      }
      out += char
      at += 1
    }
  }
  if (open.length === 0) return out
  // A number or a word at the end may have been longer, and after a comma something is missing.
  return cut || !/["}\]]\s*$/.test(out) ? undefined : out + open.reverse().join('')
}

function endOfString(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === text[start]) return at
  }
  return undefined
}

function quoted(inner: string, quote: string): string {
  const escaped = inner.replace(/[\n\r\t]/g, (char) => controls[char] ?? char)
  return quote === '"' ? `"${escaped}"` : `"${escaped.replaceAll("\\'", "'").replace(/(?<!\\)"/g, '\\"')}"`
}
