// Reader of any text that is pasted into "Add a server": commands, JSON, YAML, addresses, install links, and pages of Markdown with some
// of these. Nothing is opened or fetched. Lines and columns of problems are those of the pasted text.
import { t } from '#app/i18n/translate.ts'
import { asDefined, type Candidate, emptySnippet, movePlaces, onlyProblem, type Snippet, toCandidate } from '../candidate.ts'
import { positionAt } from '../config/json-tree.ts'
import type { HostId } from './app-names.ts'
import { nameOfUrl } from './command-programs.ts'
import { readLink } from './formats/install-links.ts'
import { readCommands } from './formats/read-commands.ts'
import { looksLikeToml, readAsYaml, readData, readFileText, readJsonConfig } from './formats/read-json.ts'
import { addressAlone } from './formats/server-card.ts'
import { isPlaceholder, notRun, notServer, pasteRemedy, readAs } from './import-notes.ts'
import { normalizeReferences } from './normalize-references.ts'
import { joinedLines } from './shell-words.ts'
import { codeBlocks, dataBlocks, lineBreaks, preBlocks, type TextBlock, withoutEntities } from './text-blocks.ts'
import { withUnread } from './unread-values.ts'

function jsonInProse(text: string): string | undefined {
  const start = /^[ \t]*(?:\{(?=[\s"'“}/]|$)|\[[ \t]*\{|["“][\w.@/ -]{1,80}["”][ \t]*:[ \t]*[{[])/m.exec(text)
  if (!start) return undefined
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'))
  if (end < start.index) return undefined
  return lineBreaks(text.slice(0, start.index)) + text.slice(start.index, end + 1)
}

/** Markup before the address of an image: `![words](` and `src="`. */
const beforeImage = /!\[[^[\]\n]*\]\($|\bsrc\s*=\s*["']?$/i
/** Names of files, which no server has as its path. */
const imageFile = /\.(?:svg|png|jpe?g|gif|webp|ico|json|ya?ml|toml|sh|ps1|zip|md|html?|mcpb|dxt)$/i
/** A bundle, which is installed and not connected to. */
const bundle = /^https?:\/\/[^\s?#]*\/([^\s/?#]+\.(?:mcpb|dxt))(?:[?#]\S*)?$/i
/** Pages about a server, of its source and its packages. */
const about =
  /^https?:\/\/(?:[\w-]+\.)*(?:github\.com|gitlab\.com|npmjs\.(?:com|org)|pypi\.org|shields\.io|hub\.docker\.com|vscode\.dev)(?:[/:?#]|$)|^https?:\/\/(?:www\.)?(?:smithery\.ai|glama\.ai|mcp\.so|pulsemcp\.com|lobehub\.com|modelcontextprotocol\.io)(?:[/:?#]|$)|^https?:\/\/docs\.(?![^/]*mcp)|\/docs\//i
const schemes = 'https?://|(?:vscode|vscode-insiders|vscodium):(?=/*mcp/)|(?:cursor|goose|lmstudio|kiro|cherrystudio|assent)://'

const addressesIn = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(new RegExp(`(?:${schemes})(?:[^\\s<>"'\`()\\]]|\\([^\\s()]*\\))+`, 'gi'))]
      .filter(({ index }) => !beforeImage.test(text.slice(Math.max(0, index - 300), index)))
      // `…?id=<id>` is a part of an address.
      .filter(({ 0: url, index }) => !(url.endsWith('=') && /^[<{]/.test(text.slice(index + url.length))))
      .map(([url]) => url.replace(/[.,;:!?]+$/, '')),
  ),
]

/** Blanks out calls of `curl`, lines with options and what stands behind a prompt: the address alone would lose the rest. */
const withoutCalls = (text: string): string =>
  text.replace(
    /^[ \t]*(?:(?:[$%>] +)?(?:curl|wget|iwr|irm)\b|\$ +\w|[a-z][\w.-]* (?=[^\n]*(?:^|\s)--[a-z]))(?:[^\n]*\\\n)*[^\n]*$/gm,
    (call) => lineBreaks(call),
  )

const mayBeServer = (url: string): boolean =>
  URL.canParse(url) && /^https?:/i.test(url) && !imageFile.test(new URL(url).pathname) && !about.test(url)

const looksLikeServer = (url: string): boolean =>
  mayBeServer(url) && /(^|[./-])(mcp|sse)([./-]|$)/i.test(url.replace(/^https?:\/\/|[?#].*$/g, ''))

/** UTF-16 units. */
const longestSnippet = 2_000_000

/** Reads any text. Never throws: what cannot be read is among the problems. `file`: name of the text in problems. `alone`: see `readPart`. */
export function readSnippet(pasted: string, file = t`the pasted text`, alone = true): Snippet {
  const plain = pasted
    .replace(/^\uFEFF/, ' ')
    .replaceAll('\r\n', '\n')
    .replace(/^[ \t]*\u00A0[ \t\u00A0]*/gm, (indent) => indent.replaceAll('\u00A0', ' '))
  const whole = plain.includes('&quot;') && !plain.includes('"') ? withoutEntities(plain) : plain
  // All of it is a quotation.
  const text = /^(?:[ \t]*(?:>[^\n]*)?(?:\n|$))+$/.test(whole) ? whole.replace(/^([ \t]*)>/gm, '$1 ') : whole
  if (text.trim() === '') return emptySnippet
  if (text.length > longestSnippet) return onlyProblem({ file, line: 1, column: 1 }, t`The text is too long.`, pasteRemedy())
  return withUnread(oneEach(readPage(text, file, alone)), text, file, codeBlocks(text).length > 0)
}

function readPage(text: string, file: string, alone: boolean): Snippet {
  const fenced = codeBlocks(text)
  const marked = fenced.length > 0 ? fenced : preBlocks(text)
  const blocks = marked.length > 0 ? marked : sourceOf(text) === undefined ? dataBlocks(text) : []
  if (blocks.length === 0) return readPart(text, file, { alone })
  const parts = blocks.map((block) => shiftLines(readBlock(block, file), block.before))
  const sure = parts.map((part, at) => ({
    ...part,
    servers: part.servers.filter((server) => marked.length === 0 || !isAside(server, part.format, blocks[at]?.text ?? '')),
  }))
  const read = sure.some(({ servers }) => servers.length > 0) ? sure : parts
  const all = joinSnippets(read)
  if (all.servers.length > 0) {
    const others = blocks.flatMap((block, index) => (read[index]?.servers.length === 0 ? problemsIn(block, read[index], file) : []))
    return { ...all, problems: [...all.problems, ...others].slice(0, mostProblems) }
  }
  const [only] = blocks
  return (
    read.find(({ problems }) => problems.length > 0) ??
    (only !== undefined && blocks.length === 1 ? shiftLines(readPart(only.text, file), only.before) : readPart(text, file))
  )
}

/** Reads a block of a page. Of the text around data only commands, links and addresses on lines of their own count. */
const readBlock = ({ language, text }: TextBlock, file: string): Snippet =>
  language === 'text'
    ? withBeside(readCommands(text, { file, strict: true }), text, file)
    : readPart(text, file, { language, alone: false })

/** Adds the install links and the addresses on lines of their own that stand beside commands. */
function withBeside(lines: Snippet, text: string, file: string): Snippet {
  const links = readLinks(addressesIn(text), file) ?? emptySnippet
  const known = JSON.stringify([...lines.servers, ...links.servers])
  const own = [...text.matchAll(/(?<![\\^`][ \t]*\n)^[ \t]*(?:[-*] +)?(https?:\/\/\S+)[ \t]*$/gm)]
    .map(([, url = '']) => url)
    .filter((url) => looksLikeServer(url) && !known.includes(url))
  return joinSnippets([lines, links, ...(own.length > 0 ? [readAddresses(own, text)] : [])])
}

/** Tells what a page with a server shows beside it: a script of the project (`npm run lint`), or `{ "url": … }` of another site. */
const isAside = ({ definition }: Candidate, format: Snippet['format'], block: string): boolean =>
  definition.transport === 'stdio'
    ? format === 'command' &&
      /^(?:npm|pnpm|yarn|bun)$/.test(definition.command) &&
      /^(?:run|start|dev)$/.test(definition.args[0] ?? '') &&
      definition.cwd === undefined
    : definition.transport !== 'builtin' && /^\s*\{\s*"url"\s*:[^{}]*\}\s*$/.test(block) && !looksLikeServer(definition.url)

/** Keeps one entry of each name, the first: a README shows one server in many ways. */
function oneEach(snippet: Snippet): Snippet {
  const named = Map.groupBy(snippet.servers, ({ name, project }) => `${name.toLowerCase()} ${project ?? ''}`)
  if (named.size === snippet.servers.length) return snippet
  const servers = [...named.values()].map(([first, ...others]): Candidate => {
    if (!first || others.length === 0) return first as Candidate
    const more = {
      ...{ file: t`the pasted text`, line: others[0]?.line, column: others[0]?.column, server: first.name },
      ...readAs(`${others.length + 1} × ${first.name}`, first.name),
    }
    return { ...first, problems: [...first.problems, more] }
  })
  return { ...snippet, servers }
}

const mostProblems = 100

/** Problems of a block that names a server. A block without a server is nothing to report beside one with servers. */
function problemsIn(block: TextBlock, { problems }: Snippet, file: string): Snippet['problems'] {
  const named = problems.filter(({ server }) => server !== undefined)
  if (named.length > 0 || problems.length === 0 || looksLikeJson(block.text.trim())) return named
  return shiftLines(readCommands(block.text, { file, strict: true }), block.before).problems
}

const shiftLines = (snippet: Snippet, lines: number): Snippet =>
  movePlaces(snippet, (place) => (place.line === undefined ? place : { ...place, line: place.line + lines }))

/** Tells JSON from a link or a badge of Markdown, which begins with a bracket too. */
const looksLikeJson = (text: string): boolean => /^(?:\{|\[(?!!\[|<|[^\]\n"{]*\](?:\(|:))|["“][^"”\n]*["”]\s*:|\/[/*])/.test(text)
const looksLikeYaml = (text: string): boolean =>
  /^(?:(?:[ \t]*#[^\n]*|---)?\n)*[ \t]*(?:- )?["']?[\w.@/-]+["']?:(?:[ \t]|\n)[\s\S]*\n/.test(text)

/** One line of a program that is not known, with an option or a pipe: its address may be anything. */
const isCommand = /^[a-z][\w.-]* (?!.*\n)(?:.* )?(?:--?[a-z][\w-]*|\|)(?:[ =]|$)/

/** Reads JSON values that stand one below the other. */
function readJsonValues(text: string, file: string): Snippet {
  const parts = text.split(/(?<=^\}[ \t]*\n)(?=(?:[ \t]*(?:\/\/[^\n]*)?\n)*\{)/m)
  let lines = 0
  const read = parts.map((part) => {
    const before = lines
    lines += lineBreaks(part).length
    return shiftLines(readJsonConfig(part, file), before)
  })
  return parts.length === 1 ? (read[0] ?? emptySnippet) : joinSnippets(read)
}

interface PartOptions {
  readonly language?: string
  /** Nothing else was pasted, so that any line may be a command. */
  readonly alone?: boolean
}

function readPart(text: string, file: string, { language = '', alone = true }: PartOptions = {}): Snippet {
  const trimmed = text.trim()
  const start = { file, line: 1, column: 1 }
  const link = /^[a-z][a-z-]*:/i.test(trimmed) ? readLink(trimmed, file) : undefined
  if (link) return link
  const archive = bundle.exec(trimmed)?.[1]
  if (archive !== undefined) {
    const { message, remedy } = notServer(archive)
    return onlyProblem(start, message, remedy)
  }
  const site = addressAlone(trimmed)
  if (site !== undefined) return { ...readAddresses([site], text), site }
  if (/^https?:\/\/[^\s/]*[<{[][^\s]*$/i.test(trimmed) && !URL.canParse(trimmed)) {
    const { message, remedy } = isPlaceholder(trimmed)
    return onlyProblem(start, message, remedy)
  }
  const deployment = deploymentOf(text)
  if (deployment !== undefined) {
    const { message, remedy } = notServer(deployment)
    return onlyProblem(start, message, remedy)
  }
  const isJson = looksLikeJson(trimmed)
  if (language === 'toml' || (looksLikeToml(text) && !/^[{]/.test(trimmed))) return readData('toml', text, file)
  const yaml = !isJson && (/^ya?ml$/.test(language) || looksLikeYaml(`${text}\n`)) ? readAsYaml(text, file) : undefined
  if (yaml) return yaml
  if (/^ya?ml$/.test(language)) return readData('yaml', text, file)
  if (isJson) return readJsonValues(text, file)
  const badges = /^(?:[-*|] +)?(?:\[|!\[|<|\*\*)/.test(trimmed) ? readLinks(addressesIn(text), file) : undefined
  if (badges !== undefined) return badges
  const lines = readCommands(text, { file, strict: true })
  const json = lines.servers.length === 0 || lines.format === 'command' ? jsonInProse(text) : undefined
  if (lines.servers.length > 0) {
    const below = json === undefined ? emptySnippet : readJsonConfig(json, file)
    return withBeside(below.servers.length === 0 ? lines : joinSnippets([lines, below]), text, file)
  }
  const below = json === undefined ? undefined : readJsonConfig(json, file)
  if (below && (below.servers.length > 0 || below.problems.some(({ server }) => server !== undefined))) return below
  const source = lines.problems.length === 0 ? sourceOf(text) : undefined
  if (source !== undefined) {
    const { message, remedy } = notServer(source)
    return onlyProblem(start, message, remedy)
  }
  const spans = readSpans(text, file)
  if (spans !== undefined) return spans
  if (below) return below
  if (lines.problems.length > 0) return lines
  const addresses = addressesIn(withoutCalls(text))
  const line = joinedLines(trimmed)
  const { message, remedy } = notServer(line)
  if (addresses.length > 0 && isCommand.test(line)) return onlyProblem(start, message, remedy)
  const links = readLinks(addresses, file)
  if (links !== undefined) return links
  const likely = addresses.filter(looksLikeServer)
  if (likely.length > 0) return readAddresses(likely, text)
  if (addresses.length === 1 && !trimmed.includes('\n') && mayBeServer(addresses[0] ?? '')) return readAddresses(addresses, text)
  if (!alone) return emptySnippet
  const isText = isProse(trimmed)
  const nothing = onlyProblem(start, t`No server is named here.`, pasteRemedy())
  if (
    /^<(?:!|\?|(?:html|head|body|h\d|p|div|br|img|a|details|table|center|picture)\b)/i.test(trimmed) ||
    (isText && !trimmed.includes('\n'))
  )
    return nothing
  const any = readCommands(text, { file, strict: false })
  if (any.servers.length > 0 ? !isText : any.problems.length > 0) return any
  return isText || trimmed.includes('\n') ? nothing : readCommands(text, { file, strict: false, unknown: true })
}

/** Reads the commands that stand in backticks within prose or a table. */
function readSpans(text: string, file: string): Snippet | undefined {
  const spans = [...text.matchAll(/`([^`\n]{1,1000})`/g)]
    .filter(([, span = '']) => /\S\s\S/.test(span))
    .map(({ 1: span = '', index }) => {
      const { line } = positionAt(text, index)
      return shiftLines(readCommands(span, { file, strict: true }), line - 1)
    })
  const joined = joinSnippets(spans.filter(({ servers }) => servers.length > 0))
  return joined.servers.length > 0 ? joined : undefined
}

const deploymentOf = (text: string): string | undefined => {
  if (/^apiVersion:/m.test(text) && /^kind:/m.test(text)) return 'Kubernetes'
  if (/^\s*(?:graph|flowchart) [A-Z]{2}\s/.test(text)) return 'Mermaid'
  if (/^[\w.-]+ = \{$/m.test(text) && /^\s*\};$/m.test(text)) return 'Nix'
  return /^services:[ \t]*$/m.test(text) ? 'Docker Compose' : undefined
}

const sourceLine =
  /^\s*(?:import (?:\{|\* as |type |[\w.]+(?:$| as |, | from ))|from [\w.]+ import |(?:async )?def \w+\(|(?:pub |export |public |abstract )*(?:class|struct|interface|enum|fn|func|function) \w+.*[{:(]|(?:export )?(?:const|let|var) [\w{]+.*=|use \w+::|#include |@\w+[.(]|(?:Get|Set|New|Find|Save|Import|Remove|Copy|Test|Start|Add|Write)-[A-Z][A-Za-z]+ |\$\w+ = (?:\[|Join-Path|Get-))/

/** First line of a program's source text, whose strings and comments are no commands; a sentence may stand above. */
function sourceOf(text: string): string | undefined {
  const lines = text.split('\n', 200).filter((line) => !/^\s*(?:#(?!include)|\/\/|\/?\*|$)/.test(line))
  const found = lines.filter((line) => sourceLine.test(line))
  return found.length > 1 || (found[0] !== undefined && lines.indexOf(found[0]) < 2) ? found[0]?.trim() : undefined
}

const isProse = (text: string): boolean => /\S[.!?:]$/.test(text) || /^[A-Z][a-z]+ [a-z]/.test(text) || text.split('\n').length > 20

function readLinks(addresses: readonly string[], file: string): Snippet | undefined {
  const links = addresses.flatMap((url) => readLink(url, file) ?? [])
  return links.length === 0 ? undefined : joinSnippets(links)
}

function readAddresses(addresses: readonly string[], text: string): Snippet {
  return joinSnippets(
    addresses.map((url) => {
      const place = positionAt(text, Math.max(0, text.indexOf(url)))
      return { ...emptySnippet, format: 'url', servers: [readUrl(url, place)] }
    }),
  )
}

const readUrl = (url: string, place: { readonly line: number; readonly column: number }): Candidate => {
  const { pathname, hostname } = new URL(url)
  // Paths that end so are by custom HTTP+SSE. A server that speaks Streamable HTTP there says so when it is asked.
  const transport = /\/sse(?:\/|\/[\w-]{8,})?$/.test(pathname) ? 'sse' : 'streamable-http'
  const definition = { ...asDefined, transport, url, headers: {} } as const
  const own = normalizeReferences(definition, { note: () => undefined, declare: () => undefined })
  return toCandidate(nameOfUrl(new URL(url)) || hostname, own, place)
}

/** Joins the readings of several parts. The same server counts once. */
function joinSnippets(parts: readonly Snippet[]): Snippet {
  const used = parts.filter(({ servers }) => servers.length > 0)
  const [first] = used
  if (!first) return parts.find(({ problems }) => problems.length > 0) ?? emptySnippet
  if (used.length === 1) return first
  // A name that is written counts more than one made of a command.
  const servers = Map.groupBy(
    used.flatMap((part) => part.servers.map((server) => ({ server, isNamed: part.format !== 'command' }))),
    ({ server }) => JSON.stringify(server.definition),
  )
  const inputs = new Map(used.flatMap((part) => part.inputs.map((input) => [input.id, input] as const)))
  return {
    format: used.every(({ format }) => format === first.format) ? first.format : 'unknown',
    servers: [...servers.values()].flatMap((same) => (same.find(({ isNamed }) => isNamed) ?? same[0])?.server ?? []),
    inputs: [...inputs.values()],
    problems: used.flatMap(({ problems }) => problems),
  }
}

/** Applications by the unit of `timeout` that their documentation names. */
const seconds: ReadonlySet<HostId> = new Set(['cline', 'codex', 'roo-code', 'crush'])
const milliseconds: ReadonlySet<HostId> = new Set(['claude-code', 'continue', 'gemini-cli', 'qwen-code', 'amazon-q'])

/** Reads Crush's script: each `mcp add` in it, wherever it stands. Nothing of it is run; files that it reads in are named. */
function readScript(text: string, file: string): Snippet {
  const read = readCommands(text, { file, strict: true })
  const others = [...text.matchAll(/^[ \t]*((?:source|\.) [^\n#]+)/gm)].map(({ 1: line = '', index }) => ({
    ...{ file, ...positionAt(text, index) },
    ...notRun(line.trim()),
  }))
  return { ...read, problems: [...read.problems, ...others] }
}

/** Reads a config file of another application. `file`: its path, for problems. */
export const readHostFile = (host: HostId, text: string, file: string): Snippet =>
  /(?:^|[\\/])\.?crushrc$/.test(file)
    ? readScript(text, file)
    : host === 'other'
      ? readSnippet(text, file, false)
      : readFileText(text, file, {
          language: /\.toml$/i.test(file) ? 'toml' : /\.ya?ml$/i.test(file) ? 'yaml' : 'json',
          unit: seconds.has(host) ? 's' : milliseconds.has(host) ? 'ms' : 'guess',
        })
