// Reader of install links, as badges and sites have them: `cursor://…?config=…`, `vscode:mcp/install?…`, `goose://extension?…` and others.
import { t } from '#app/i18n/translate.ts'
import { movePlaces, onlyProblem, type Snippet } from '../../candidate.ts'
import { nameOfCommand, nameOfUrl } from '../command-programs.ts'
import { leftOut, pasteRemedy } from '../import-notes.ts'
import { decodeReferences } from '../placeholders.ts'
import { readJsonConfig } from './read-json.ts'

const longestLink = 65_536

export const refusedLink = (file: string): Snippet =>
  onlyProblem({ file, line: 1, column: 1 }, t`No server is named here.`, pasteRemedy(), 'install-link')

/** Reads an install link of any application; undefined for another address. */
export function readLink(text: string, file: string): Snippet | undefined {
  if (text.length > longestLink || /\s/.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  const refuse = (): Snippet => refusedLink(file)
  const inner = url.searchParams.get('url')
  if (inner !== null && /^(vscode|vscode-insiders|cursor):/.test(inner) && /^https?:$/.test(url.protocol)) return readLink(inner, file)
  const config = url.searchParams.get('config') ?? url.searchParams.get('servers')
  const isInstall = /install|add_mcp|mcp\/add/.test(url.host + url.pathname)
  const isEditor = /^vscode(-insiders)?:$|^vscodium:$/.test(url.protocol) && /^\/*mcp\//.test(url.host + url.pathname)
  const query = decodeReferences(url.search.slice(1))
  if ((isEditor || isInstall) && query.startsWith('{')) return linkSnippet(readJsonConfig(query, file), undefined, refuse)
  if (isEditor && config === null) return refuse()
  const isGoose = url.protocol === 'goose:' || /(^|[./])goose([./]|$)/.test(url.host + url.pathname)
  if (isGoose && /(^|\/)extension$/.test(url.host + url.pathname)) return readGooseLink(url, file, refuse)
  if (config === null || !isInstall) return undefined
  const carried = jsonOf(config)
  if (carried === undefined) return refuse()
  const inputs = jsonOf(url.searchParams.get('inputs') ?? '')
  const json = inputs === undefined ? carried : withInputs(carried, inputs)
  const others = [...new Set(url.searchParams.keys())].filter((name) => !knownParameters.test(name)).slice(0, 10)
  const read = linkSnippet(readJsonConfig(json, file), url.searchParams.get('name') ?? undefined, refuse)
  const notes = others.map((name) => ({ file, line: 1, column: 1, ...leftOut(name) }))
  return { ...read, servers: read.servers.map((server) => ({ ...server, problems: [...server.problems, ...notes] })) }
}

/** Parameters that are read, and those about the link itself. */
const knownParameters = /^(?:name|config|servers|inputs|url|id|title|description|icon|quality|source|ref|type|utm_\w+)$/

function linkSnippet(snippet: Snippet, name: string | undefined, refuse: () => Snippet): Snippet {
  if (snippet.servers.length === 0 && snippet.problems.length === 0) return refuse()
  const placed = movePlaces(snippet, (place) => ({ ...place, line: 1, column: 1 }))
  const [only, ...others] = placed.servers
  const servers = name !== undefined && only && others.length === 0 ? [{ ...only, name: nameFrom(name) ?? only.name }] : placed.servers
  return { ...placed, format: 'install-link', servers }
}

const nameFrom = (name: string): string | undefined => {
  const trimmed = name.trim().slice(0, 64).trim()
  return trimmed === '' || /\p{C}/u.test(trimmed) || trimmed === '__proto__' ? undefined : trimmed
}

const withInputs = (json: string, inputs: string): string => json.replace(/\}\s*$/, `,"inputs":${inputs}}`)

/** Finds JSON that stands there as it is, percent-encoded once more, or in Base64. */
function jsonOf(text: string): string | undefined {
  for (const candidate of [text, decodeReferences(text)]) if (/^\s*[[{]/.test(candidate)) return candidate
  try {
    const plain = text.replaceAll('-', '+').replaceAll('_', '/').replaceAll(' ', '+')
    const bytes = Uint8Array.from(atob(plain), (char) => char.charCodeAt(0))
    const json = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return /^\s*[[{]/.test(json) ? json : undefined
  } catch {
    return undefined // Neither JSON nor Base64.
  }
}

/** `goose://extension?cmd=npx&arg=-y&arg=x&name=…&env=KEY%3Dwhat%20it%20is`. A variable has a description in place of its value. */
function readGooseLink(url: URL, file: string, refuse: () => Snippet): Snippet {
  const { searchParams } = url
  const command = searchParams.get('cmd')
  const address = searchParams.get('url')
  if (command === null && address === null) return refuse()
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
  return linkSnippet(readJsonConfig(JSON.stringify({ mcpServers: { [name]: entry }, inputs }), file), undefined, refuse)
}
