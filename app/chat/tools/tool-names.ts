// What the model calls a tool: `<server>__<tool>`, in the letters and length that every provider takes
// (Anthropic and OpenAI: [a-zA-Z0-9_-]{1,64}; Gemini: the first is a letter or `_`). Where that would lose or confuse anything, a short hash of both names
// is appended, so a name depends on nothing but the two and never changes when other servers come or go. A server called
// "assent" always gets one: `assent__<tool>` is a tool of the host's own.
/** The host's own search for tools that were not sent. */
export const FIND_TOOLS = 'assent__find_tools'

const LIMIT = 64
const clean = (text: string): string => text.replace(/[^a-zA-Z0-9_-]/g, '_')
const beginning = (name: string): string => (/^[a-zA-Z_]/.test(name) ? name : `_${name}`)

/** FNV-1a over UTF-16 units, 64 bits in base 36. Not for security: a collision is told apart by the catalogue. */
function shortHash(text: string): string {
  let hash = 0xcbf29ce484222325n
  for (let i = 0; i < text.length; i++) hash = ((hash ^ BigInt(text.charCodeAt(i))) * 0x100000001b3n) & 0xffffffffffffffffn
  return hash.toString(36).padStart(13, '0').slice(-8)
}

/** The name of `tool` of `server` for the model; the same two always give the same name. */
export function toolModelName(server: string, tool: string): string {
  const plain = beginning(`${clean(server)}__${clean(tool)}`)
  const ambiguous =
    server.includes('__') || server.endsWith('_') || tool.startsWith('_') || tool === '' || server.toLowerCase() === 'assent'
  if (plain === `${server}__${tool}` && plain.length <= LIMIT && !ambiguous) return plain
  const suffix = `_${shortHash(`${server}\0${tool}`)}`
  return plain.slice(0, LIMIT - suffix.length) + suffix
}
