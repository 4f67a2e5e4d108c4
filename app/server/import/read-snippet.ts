// Anything that somebody pastes into "Add a server", understood. The one way in for text; see `snippet.ts` for its result.
import { t } from '../../words/translate.ts'
import { positionAt } from '../config/text-position.ts'
import { asDefined, found } from './found.ts'
import { nameOfUrl } from './names.ts'
import { addressesIn, type CodeBlock, codeBlocks, jsonInProse, looksLikeServer, mayBeServer, withoutCalls } from './parts.ts'
import { readCommands } from './read-commands.ts'
import { readJson, readYaml } from './read-json.ts'
import { readLink } from './read-link.ts'
import { definitionInOurWords } from './references-in-our-words.ts'
import { emptySnippet, type FoundServer, type Snippet } from './snippet.ts'
import { hasTomlServers, namedOfToml } from './toml.ts'

/** UTF-16 units. */
export const longestSnippet = 2_000_000

/** `file`: what the text is called in problems. Throws nothing: what cannot be read is among the problems. */
export function readSnippet(pasted: string, file = t`the pasted text`): Snippet {
  const text = pasted.replace(/^\uFEFF/, ' ').replaceAll('\r\n', '\n')
  if (text.trim() === '') return emptySnippet
  if (text.length > longestSnippet) return onlyProblem(file, t`The text is too long.`, t`Paste the entries that you want.`)
  const blocks = codeBlocks(text)
  if (blocks.length === 0) return readPart(text, file)
  const read = blocks.map((block) => movedDown(readPart(block.text, file, block.language), block.before))
  const all = together(read)
  if (all.servers.length > 0) {
    const others = blocks.flatMap((block, index) => (read[index]?.servers.length === 0 ? refusedIn(block, read[index], file) : []))
    return { ...all, problems: [...all.problems, ...others].slice(0, mostProblems) }
  }
  return read.find(({ problems }) => problems.length > 0) ?? readPart(text, file)
}

/** More help nobody. */
const mostProblems = 100

/** What a block of a page names and refuses; that another block is no server at all is no news there. */
function refusedIn(block: CodeBlock, { problems }: Snippet, file: string): Snippet['problems'] {
  const named = problems.filter(({ server }) => server !== undefined)
  if (named.length > 0 || problems.length === 0 || looksLikeJson(block.text.trim())) return named
  return movedDown(readCommands(block.text, { file, strict: true }), block.before).problems
}

/** With the lines of the page that the block stands in. */
function movedDown(snippet: Snippet, lines: number): Snippet {
  const down = <T extends { line?: number | undefined }>(place: T): T =>
    place.line === undefined ? place : { ...place, line: place.line + lines }
  return {
    ...snippet,
    servers: snippet.servers.map((server) => down({ ...server, problems: server.problems.map(down) })),
    problems: snippet.problems.map(down),
  }
}

const yamlKeys = /^(?:mcpServers|mcp_servers|extensions|context_servers)[ \t]*:[ \t]*(?:#.*)?$/m
/** A link or a badge of Markdown begins with a bracket too. */
const looksLikeJson = (text: string): boolean => /^(?:\{|\[(?!!\[|<|[^\]\n"{]*\]\()|["“][^"”\n]*["”]\s*:|\/[/*])/.test(text)

function readPart(text: string, file: string, language = ''): Snippet {
  const trimmed = text.trim()
  const link = /^[a-z][a-z-]*:/i.test(trimmed) ? readLink(trimmed, file) : undefined
  if (link) return link
  if (/^https?:\/\/\S+$/i.test(trimmed) && URL.canParse(trimmed)) return readAddresses([trimmed], text)
  if (/^ya?ml$/.test(language) || (yamlKeys.test(text) && !looksLikeJson(trimmed))) return readYaml(text, file)
  if (hasTomlServers(text)) return namedOfToml(text, file)
  if (/^toml$/.test(language))
    return onlyProblem(file, t`This is TOML, which is not read.`, t`Paste the command or the address of the server itself.`)
  if (looksLikeJson(trimmed)) return readJson(text, file)
  const badges = /^(?:[-*] +)?(?:\[|!\[|<)/.test(trimmed) ? readLinks(addressesIn(text), file) : undefined
  if (badges !== undefined) return badges
  const lines = readCommands(text, { file, strict: true })
  const json = lines.servers.length === 0 || lines.format === 'command' ? jsonInProse(text) : undefined
  if (lines.servers.length > 0) return json === undefined ? lines : withServersOf(lines, readJson(json, file))
  if (json !== undefined) return readJson(json, file)
  if (lines.problems.length > 0) return lines
  const addresses = addressesIn(withoutCalls(text))
  const links = readLinks(addresses, file)
  if (links !== undefined) return links
  const likely = addresses.filter(looksLikeServer)
  if (likely.length > 0) return readAddresses(likely, text)
  if (addresses.length === 1 && !trimmed.includes('\n') && mayBeServer(addresses[0] ?? '')) return readAddresses(addresses, text)
  const deployment = deploymentOf(text)
  if (deployment !== undefined)
    return onlyProblem(
      file,
      t`This is for ${deployment}, which runs servers itself.`,
      t`Paste the command of the server, or the address that it has there.`,
    )
  return isProse(trimmed)
    ? onlyProblem(file, t`No server is in this text.`, t`Paste a command, an address, or the JSON of another program.`)
    : readCommands(text, { file, strict: false })
}

/** Lines and, below them, the JSON of a program. */
const withServersOf = (lines: Snippet, json: Snippet): Snippet => (json.servers.length === 0 ? lines : together([lines, json]))

const deploymentOf = (text: string): string | undefined => {
  if (/^apiVersion:/m.test(text) && /^kind:/m.test(text)) return 'Kubernetes'
  return /^services:[ \t]*$/m.test(text) ? 'Docker Compose' : undefined
}

/** Sentences, rather than a command that is not known. */
const isProse = (text: string): boolean =>
  /^<(?:!|\?|html|head|body)/i.test(text) || /[.!?:]$/.test(text) || /^[A-Z][a-z]+ [a-z]/.test(text) || text.split('\n').length > 20

/** What links that install carry, where there are any: pages beside them only tell of the server. */
function readLinks(addresses: readonly string[], file: string): Snippet | undefined {
  const links = addresses.flatMap((url) => readLink(url, file) ?? [])
  return links.length === 0 ? undefined : together(links)
}

function readAddresses(addresses: readonly string[], text: string): Snippet {
  return together(
    addresses.map((url) => {
      const place = positionAt(text, Math.max(0, text.indexOf(url)))
      return { ...emptySnippet, format: 'url', servers: [readUrl(url, place)] }
    }),
  )
}

const readUrl = (url: string, place: { readonly line: number; readonly column: number }): FoundServer => {
  const { pathname, hostname } = new URL(url)
  // The old transport has its own path by custom; a server that speaks the new one there says so when asked.
  const transport = /\/sse\/?$/.test(pathname) ? 'sse' : 'streamable-http'
  const definition = { ...asDefined, transport, url, headers: {} } as const
  return found(
    nameOfUrl(new URL(url)) || hostname,
    definitionInOurWords(definition, { note: () => undefined, declare: () => undefined }),
    place,
  )
}

const onlyProblem = (file: string, message: string, remedy: string): Snippet => ({
  ...emptySnippet,
  problems: [{ file, line: 1, column: 1, message, remedy }],
})

/** Of several parts; the same server under the same name counts once. */
function together(parts: readonly Snippet[]): Snippet {
  const used = parts.filter(({ servers }) => servers.length > 0)
  const [first] = used
  if (!first) return parts.find(({ problems }) => problems.length > 0) ?? emptySnippet
  if (used.length === 1) return first
  const servers = new Map<string, FoundServer>()
  for (const server of used.flatMap((part) => part.servers)) {
    const key = JSON.stringify([server.name, server.definition])
    if (!servers.has(key)) servers.set(key, server)
  }
  const inputs = new Map(used.flatMap((part) => part.inputs.map((input) => [input.id, input] as const)))
  return {
    format: used.every(({ format }) => format === first.format) ? first.format : 'unknown',
    servers: [...servers.values()],
    inputs: [...inputs.values()],
    problems: used.flatMap(({ problems }) => problems),
  }
}
