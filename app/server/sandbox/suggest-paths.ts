// Files and folders that a launch names: among its arguments, and in its variables. The home folder and what holds it are never among
// them, nor the script that runs. Pure.
import { parseJson } from '#app/or-else.ts'
import type { StdioDefinition } from '#app/server/definition.ts'
import { programName } from '#app/text/format-text.ts'

// What the name of a variable says of its value: an address to call or one to listen on, a folder to write or one of the system's. Pure.

/** Variables whose addresses a server does not call: proxies, addresses that it listens on, and those that others come back to. */
const notCalled =
  /_proxy$|^(?:HOST|HOSTNAME|PORT|NO_PROXY)$|(?:^|_)(?:REDIRECT|CALLBACK|ORIGINS?|ALLOWED|BIND|LISTEN|FASTMCP|SSE|REFERER)(?:_|$)|MCP_(?:SERVER_)?HOST$|_ISSUER$/i

export const isAddressToCall = (name: string): boolean => !notCalled.test(name)

const usualPorts: Readonly<Record<string, number>> = {
  PG: 5432,
  POSTGRES: 5432,
  MYSQL: 3306,
  MARIADB: 3306,
  REDIS: 6379,
  MONGO: 27_017,
  MONGODB: 27_017,
  MSSQL: 1433,
}

/** Port of the host that a variable names: by the variable beside it, else by the first part of its name. */
export function portNamed(name: string, env: Readonly<Record<string, string>>): number | undefined {
  const beside = env[name.replace(/(?:HOST|HOSTNAME|SERVER|ENDPOINT)$/i, 'PORT')]
  if (beside !== undefined && /^\d{1,5}$/.test(beside)) return Number(beside)
  const [, first = ''] = /^(PG|[A-Z]+)/.exec(name) ?? []
  return usualPorts[first]
}

/** Variables of the system and of tools, which say where a program or its parts lie. */
const ofTools =
  /^(?:PATH|SHELL|TMPDIR|TMP|TEMP|HOME|USERPROFILE|PWD|GOPATH|GOROOT|VIRTUAL_ENV|NODE_OPTIONS)$|^(?:LD|DYLD)_|^XDG_|^(?:NODE|PYTHON|PERL5|RUBY)(?:LIB|PATH)$|^(?:npm|pnpm|yarn|bun|pip|uv|pipx)_/i

const isOfTools = (name: string): boolean => ofTools.test(name)

/** Variables whose folders are only read: programs, certificates, development kits, credentials. */
const onlyRead =
  /_HOME$|_SDK(?:_ROOT)?$|(?:^|[_-])(?:bin|executable|command|ca|certs?|certificates?|key|kubeconfig|credentials?)(?:[_-]|$)/i

const isOnlyRead = (name: string): boolean => onlyRead.test(name)

/** Names of variables and options whose files a server writes. */
const written =
  /(?:^|[_-])(?:db|database|sqlite|duckdb|memory|storage|store|cache|token|tokens|log|logs|output|out|history|state|index|data)(?:[_-]|$)/i

const isWritten = (name: string): boolean => written.test(name)

/** Names of variables and options that mean a folder, which may not be there yet. */
const isFolderName = (name: string): boolean =>
  /(?:^|[_-])(?:dirs?|directory|directories|folders?)$|(?:^|[_-])(?:storage|data|base|output|vault|workspace)[_-]path$|(?:dir|folder)$/i.test(
    name,
  )

export interface SuggestedPath {
  readonly list: 'read' | 'write'
  readonly path: string
}

export interface PathFacts {
  readonly home: string
  readonly isFolder: (path: string) => boolean
  readonly isFile: (path: string) => boolean
}

type Launch = Pick<StdioDefinition, 'command' | 'args' | 'env' | 'cwd'>

/** Files that the sandbox shows anyway, since a runtime runs them. */
const script = /\.(?:[cm]?[jt]sx?|py|pyz|jar|rb|php|wasm|dll|sh|lua|pl|exs?)$/i
const dataFile = /\.(?:db|db3|sqlite3?|duckdb|kuzu|jsonl)$/i
/** Programs that run the file in their first argument. */
const interpreters = /^(?:node|deno|bun|python[\d.]*|ruby|perl|php|java|bash|sh)$/
/** Folders of the system, which every sandbox reads and none writes. */
const ofSystem = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/etc', '/opt', '/nix/store', '/System']
/** Folders in which a file of a server's is one of many: only the file is suggested there. */
const shared = ['Desktop', 'Documents', 'Downloads', 'Library', 'Pictures', '.config', '.local/share']

/** Absolute path in one spelling; undefined: the text is none. `cwd`: what a path that begins with a dot is relative to. */
export function pathIn(text: string, home: string, cwd?: string): string | undefined {
  const bare = text.replace(/^(?:sqlite|duckdb|file)(?:\+\w+)?:\/\/(?:localhost)?(?=\/)/i, '').replace(/^\/\/+/, '/')
  const base = cwd === undefined ? undefined : pathIn(cwd, home)
  const whole =
    bare === '~' || bare.startsWith('~/')
      ? home + bare.slice(1)
      : /^\.{1,2}(?:\/|$)/.test(bare) && base !== undefined
        ? `${base}/${bare}`
        : bare
  if (!whole.startsWith('/')) return undefined
  return /[$*\p{C}]/u.test(whole) ? undefined : inOneSpelling(whole)
}

/** The path without `.`, `..` and slashes that say nothing. */
function inOneSpelling(path: string): string {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}

const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)

/** The paths of a text: one, or a list of them (JSON, or apart by commas, semicolons or colons). */
function pathsIn(text: string, home: string, cwd: string | undefined): string[] {
  const json = text.startsWith('[') ? parseJson(text) : undefined
  const lists = Array.isArray(json) ? [json.filter((one) => typeof one === 'string')] : [',', ';', ':'].map((mark) => text.split(mark))
  const one = pathIn(text, home, cwd)
  if (one !== undefined && !/[,;]|:\//.test(text.replace(/^\w+:\/\//, ''))) return [one]
  for (const list of lists) {
    const paths = list.map((each) => pathIn(each.trim(), home, cwd))
    if ((list.length > 1 || Array.isArray(json)) && paths.every((path) => path !== undefined)) return paths
  }
  return one === undefined ? [] : [one]
}

interface Named {
  /** Name of the option or variable; empty for an argument by itself. */
  readonly name: string
  readonly path: string
  readonly isOnlyRead: boolean
}

function suggestOne({ name, path, isOnlyRead: onlyRead }: Named, { home, isFolder, isFile }: PathFacts): SuggestedPath[] {
  if (isWithin(home, path) || script.test(path) || ofSystem.some((folder) => isWithin(path, folder))) return []
  const parent = path.slice(0, path.lastIndexOf('/')) || '/'
  const isWide = isWithin(home, parent) || parent.split('/').length < 3 || shared.some((folder) => parent === `${home}/${folder}`)
  if (isFolder(path)) return [{ list: onlyRead ? 'read' : 'write', path }]
  const keeps = !onlyRead && (dataFile.test(path) || isWritten(name))
  if (isFile(path)) {
    if (!keeps) return [{ list: 'read', path }]
    // Databases and careful writers make files beside it.
    return [{ list: 'write', path: isWide ? path : parent }]
  }
  if (onlyRead || !isFolder(parent)) return []
  const last = path.slice(path.lastIndexOf('/') + 1)
  if (isFolderName(name) && !/\.\w+$/.test(last)) return [{ list: 'write', path }]
  return keeps && /\.\w+$/.test(last) && !isWide ? [{ list: 'write', path: parent }] : []
}

function inArguments({ command, args, cwd }: Launch, facts: PathFacts): SuggestedPath[] {
  const run = interpreters.test(programName(command)) ? args.find((arg) => !arg.startsWith('-')) : undefined
  return args.flatMap((arg, index) => {
    const [, option, joined] = /^--?([\w-]+)(?:=(.*))?$/s.exec(arg) ?? []
    if (arg === run || (option !== undefined && joined === undefined)) return []
    const before = /^--?([\w-]+)$/.exec(args[index - 1] ?? '')?.[1] ?? ''
    const name = option ?? before
    const value = joined ?? arg
    return pathsIn(value, facts.home, cwd).flatMap((path) => suggestOne({ name, path, isOnlyRead: isOnlyRead(name) }, facts))
  })
}

function inVariables({ env, cwd }: Launch, facts: PathFacts): SuggestedPath[] {
  return Object.entries(env).flatMap(([name, value]) =>
    isOfTools(name)
      ? []
      : pathsIn(value, facts.home, cwd).flatMap((path) => suggestOne({ name, path, isOnlyRead: isOnlyRead(name) }, facts)),
  )
}

export const suggestPaths = { inArguments, inVariables }
