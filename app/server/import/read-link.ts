// Links that install a server in another program, decoded: VS Code's, Cursor's, LM Studio's, Goose's, and pages that lead to
// them. A link is somebody else's text like any other; nothing is opened or fetched.
import { t } from '../../words/translate.ts'
import { nameOfCommand, nameOfUrl } from './names.ts'
import { readJson } from './read-json.ts'
import { emptySnippet, type Snippet } from './snippet.ts'

const longestLink = 65_536

/** Undefined: it is no such link. */
export function readLink(text: string, file: string): Snippet | undefined {
  if (text.length > longestLink || /\s/.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  const wrong = (message: string): Snippet => ({
    ...emptySnippet,
    format: 'install-link',
    problems: [{ file, line: 1, column: 1, message, remedy: t`Look for the command or the JSON on the page that has the link.` }],
  })
  const inner = url.searchParams.get('url')
  if (inner !== null && /^(vscode|vscode-insiders|cursor):/.test(inner) && /^https?:$/.test(url.protocol)) return readLink(inner, file)
  const config = url.searchParams.get('config')
  const isInstall = /install|add_mcp|mcp\/add/.test(url.host + url.pathname)
  const isEditor = /^vscode(-insiders)?:$|^vscodium:$/.test(url.protocol) && /^\/*mcp\//.test(url.host + url.pathname)
  const json = decoded(url.search.slice(1))
  if ((isEditor || isInstall) && json.startsWith('{')) return asLink(readJson(json, file), undefined, wrong)
  if (isEditor && config === null) return wrong(t`The link names a server of a gallery, not its command.`)
  const isGoose = url.protocol === 'goose:' || /(^|[./])goose([./]|$)/.test(url.host + url.pathname)
  if (isGoose && /(^|\/)extension$/.test(url.host + url.pathname)) return readGooseLink(url, file, wrong)
  if (config === null || !isInstall) return undefined
  const carried = jsonOf(config)
  if (carried === undefined) return wrong(t`What the link carries cannot be decoded.`)
  const inputs = jsonOf(url.searchParams.get('inputs') ?? '')
  return asLink(
    readJson(inputs === undefined ? carried : withInputs(carried, inputs), file),
    url.searchParams.get('name') ?? undefined,
    wrong,
  )
}

function asLink(snippet: Snippet, name: string | undefined, wrong: (message: string) => Snippet): Snippet {
  if (snippet.servers.length === 0 && snippet.problems.length === 0) return wrong(t`The link carries no server.`)
  const place = { line: 1, column: 1 }
  return {
    ...snippet,
    format: 'install-link',
    servers: snippet.servers.map((server) => ({
      ...server,
      ...place,
      ...(name !== undefined && snippet.servers.length === 1 ? { name: nameFrom(name) ?? server.name } : {}),
      problems: server.problems.map((problem) => ({ ...problem, ...place })),
    })),
    problems: snippet.problems.map((problem) => ({ ...problem, ...place })),
  }
}

const nameFrom = (name: string): string | undefined => {
  const trimmed = name.trim().slice(0, 64).trim()
  return trimmed === '' || /\p{C}/u.test(trimmed) || trimmed === '__proto__' ? undefined : trimmed
}

const withInputs = (json: string, inputs: string): string => json.replace(/\}\s*$/, `,"inputs":${inputs}}`)

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // It is not encoded, or badly: what stands there is looked at as it is.
    return text
  }
}

/** JSON as it is, encoded once more, or in Base64. */
function jsonOf(text: string): string | undefined {
  for (const candidate of [text, decoded(text)]) if (/^\s*[[{]/.test(candidate)) return candidate
  try {
    const plain = text.replaceAll('-', '+').replaceAll('_', '/').replaceAll(' ', '+')
    const bytes = Uint8Array.from(atob(plain), (char) => char.charCodeAt(0))
    const json = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return /^\s*[[{]/.test(json) ? json : undefined
  } catch {
    // Neither JSON nor Base64: the link carries something else.
    return undefined
  }
}

/** `goose://extension?cmd=npx&arg=-y&arg=x&name=…&env=KEY%3Dwhat%20it%20is`: its variables are only described. */
function readGooseLink(url: URL, file: string, wrong: (message: string) => Snippet): Snippet {
  const { searchParams } = url
  const command = searchParams.get('cmd')
  const address = searchParams.get('url')
  if (command === null && address === null) return wrong(t`The link names neither a command nor an address.`)
  const variables = searchParams.getAll('env').map((text) => /^([^=]+)=?(.*)$/s.exec(text) ?? [])
  const env = Object.fromEntries(variables.flatMap(([, name]) => (name === undefined ? [] : [[name, `\${input:${name}}`]])))
  const inputs = variables.flatMap(([, id, description]) =>
    id === undefined ? [] : [{ id, type: 'promptString', description: description ?? '', password: true }],
  )
  const headers = Object.fromEntries(
    searchParams.getAll('header').map((text) => [text.split('=')[0] ?? '', text.slice(text.indexOf('=') + 1)]),
  )
  const args = searchParams.getAll('arg')
  const seconds = Number(searchParams.get('timeout') ?? 0)
  const entry =
    address === null
      ? { command, args, env, ...(seconds > 0 ? { timeout: seconds * 1000 } : {}) }
      : { url: address, headers, ...(searchParams.get('type') === 'sse' ? { type: 'sse' } : {}) }
  const unnamed =
    address === null ? nameOfCommand([command ?? '', ...args]) : URL.canParse(address) ? nameOfUrl(new URL(address)) : 'server'
  const name = nameFrom(searchParams.get('id') ?? searchParams.get('name') ?? '') ?? unnamed
  return asLink(readJson(JSON.stringify({ mcpServers: { [name]: entry }, inputs }), file), undefined, wrong)
}
