// Names of tools for the model: `<server>__<tool>` in the alphabet and length that every provider accepts (Anthropic and OpenAI:
// [a-zA-Z0-9_-]{1,64}; Gemini: begins with a letter or `_`). Where that loses information, a hash of both names is appended, so a
// name never depends on other servers. A server "assent" always gets one: `assent__<tool>` is built in.

/** Built-in search for tools whose definitions were not sent. */
export const FIND_TOOLS = 'assent__find_tools'

const LIMIT = 64
/** Characters of a server's name that are kept. */
const LEAST_OF_SERVER = 8
const clean = (text: string): string => text.replace(/[^a-zA-Z0-9_-]/g, '_')
const beginning = (name: string): string => (/^[a-zA-Z_]/.test(name) ? name : `_${name}`)

/** FNV-1a over UTF-16 units, 64 bits in base 36. Not for security: the catalogue resolves collisions. */
function shortHash(text: string): string {
  let hash = 0xcbf29ce484222325n
  for (let i = 0; i < text.length; i++) hash = ((hash ^ BigInt(text.charCodeAt(i))) * 0x100000001b3n) & 0xffffffffffffffffn
  return hash.toString(36).padStart(13, '0').slice(-8)
}

/** Name of a tool for the model; always the same for the same two names. `limit`: characters. */
export function toolModelName(server: string, tool: string, limit = LIMIT): string {
  const plain = beginning(`${clean(server)}__${clean(tool)}`)
  const ambiguous =
    server.includes('__') || server.endsWith('_') || tool.startsWith('_') || tool === '' || server.toLowerCase() === 'assent'
  if (plain === `${server}__${tool}` && plain.length <= limit && !ambiguous) return plain
  const suffix = `_${shortHash(`${server}\0${tool}`)}`
  // A long name of the server is cut first: the tool's says what it does.
  const room = Math.max(LEAST_OF_SERVER, limit - suffix.length - '__'.length - clean(tool).length)
  return beginning(`${clean(server).slice(0, room)}__${clean(tool)}`).slice(0, limit - suffix.length) + suffix
}
