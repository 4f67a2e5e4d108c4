// Translates references of other applications (`$NAME`, `{env:NAME}`, `${NAME:-default}`) to those of Assent. A placeholder such as
// `<your-key>` becomes an input, whose value is asked for.
import { t } from '#app/i18n/translate.ts'
import { hasHidden } from '#app/text/hidden-characters.ts'
import { looksSecret } from '#app/text/secret-names.ts'
import { type Candidate, toCandidate } from '../candidate.ts'
import type { ConfigProblem, ServerDefinition, StdioDefinition } from '../definition.ts'
import type { InputDeclaration } from '../inputs/input.ts'
import { inputReference, referencesIn, unknownReference } from '../inputs/variable-references.ts'
import { containerOf, programOf } from './command-programs.ts'
import { type ImportNote, isPlaceholder, notRun, readAs } from './import-notes.ts'
import { type AskedIds, unfilledIn, withAskedPath, withInputs } from './placeholders.ts'
import { substitutionIn, wholeLine } from './shell-words.ts'

interface NormalizeReferencesOptions {
  readonly note: (note: ImportNote) => void
  /** Declares an input; an id that is declared already is the same value. */
  readonly declare: (input: InputDeclaration) => void
}

type Field = 'command' | 'args' | 'cwd' | 'url' | 'env' | 'headers' | 'oauth'
/** Fields that are not shown, in which `${env:NAME}` is resolved. */
const hiddenFields = new Set<Field>(['env', 'headers', 'oauth'])

export function normalizeReferences(definition: ServerDefinition, options: NormalizeReferencesOptions): ServerDefinition {
  if (definition.transport === 'builtin') return definition
  const own: Context =
    definition.transport === 'stdio'
      ? { ...options, ids: new Map(), given: new Set(Object.keys(definition.env)), script: scriptOf(definition) }
      : { ...options, ids: new Map(), given: new Set(), script: undefined }
  const change = (field: Field, name: string, text: string): string => translateReferences(field, withInputs(name, text, own.ids), own)
  const unfilled = unfilledIn(definition)
  if (unfilled !== undefined) options.note(isPlaceholder(unfilled))
  const shown = /\bYOUR[-_][A-Z_]+\b|<[A-Za-z][\w -]{0,60}>/.exec(own.script ?? '')?.[0]
  if (shown !== undefined) options.note(isPlaceholder(shown))
  const all = (field: Field, values: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(field, name, value)]))
  if (definition.transport === 'stdio') {
    const { cwd } = definition
    const { command, args } = withWords(unwrapped(definition.command, definition.args), options.note)
    return {
      ...definition,
      command: translateReferences('command', command, own),
      args: args.map((arg, index) => (arg === own.script ? arg : argument(arg, args[index - 1], own))),
      env: all('env', definition.env),
      ...(cwd === undefined ? {} : { cwd: change('cwd', 'folder', cwd) }),
    }
  }
  const { oauth } = definition
  return {
    ...definition,
    url: translateReferences('url', withAskedPath(definition.url, own.ids), own),
    headers: all('headers', definition.headers),
    ...(oauth === undefined ? {} : { oauth: { ...oauth, ...all('oauth', textsOf(oauth)) } }),
  }
}

interface Context extends NormalizeReferencesOptions {
  readonly ids: AskedIds
  readonly given: ReadonlySet<string>
  /** Argument that a shell runs; its references are left to the shell. */
  readonly script: string | undefined
}

const scriptOf = ({ command, args }: StdioDefinition): string | undefined =>
  /^(?:sh|bash|zsh|dash|fish|pwsh|powershell)$/.test(programOf(command))
    ? args[args.findIndex((arg) => /^-[a-z]*c$|^-command$/i.test(arg)) + 1 || args.length]
    : undefined

const textsOf = (values: object): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))

/** Removes `cmd /c`, with which other applications start programs on Windows; Assent does so by itself. */
function unwrapped(command: string, args: readonly string[]): Pick<StdioDefinition, 'command' | 'args'> {
  const [option = '', program, ...rest] = args
  const isWrapped = programOf(command) === 'cmd' && /^\/c$/i.test(option)
  if (!isWrapped || program === undefined || [program, ...rest].some((word) => /[&|<>^%]/.test(word))) return { command, args: [...args] }
  const whole = wholeLine(program)
  return whole?.kind === 'words' ? { command: whole.program, args: [...whole.args, ...rest] } : { command: program, args: rest }
}

/** Splits the word of a package that has more than one: `npx "-y notes-mcp"` starts nothing. */
function withWords({ command, args }: Pick<StdioDefinition, 'command' | 'args'>, note: (note: ImportNote) => void) {
  const at = /^(?:npx|uvx|bunx|dnx)$/.test(programOf(command)) ? args.findIndex((word) => /^(?!-)|\s/.test(word)) : -1
  const words = (args[at] ?? '').trim().split(/\s+/)
  if (words.length < 2) return { command, args }
  note(readAs(args[at] ?? '', `${words[0]} …`))
  return { command, args: args.toSpliced(at, 1, ...words) }
}

/** Replaces placeholders in `--api-key=<key>`, `--api-key <key>` and `KEY=<key>`, under the name of the option or the variable. */
function argument(text: string, before: string | undefined, options: Context): string {
  const [, lead = '', name = '', value] = /^((?:-\w )?-{0,2}([\w.-]{2,})(?:=|: ?))([\s\S]+)$/.exec(text) ?? []
  const option = before?.startsWith('--') && !before.includes('=') && before !== '--env' ? before.slice(2) : ''
  const asked =
    value !== undefined && !/^[a-z]+:\/\//i.test(text)
      ? lead + withInputs(name, value, options.ids)
      : text.startsWith('-')
        ? text
        : withInputs(option, text, options.ids)
  return translateReferences('args', /^https?:\/\//.test(asked) ? withAskedPath(asked, options.ids) : asked, options)
}

/** Translates `${NAME}`, `$NAME`, `{env:NAME}` and `${NAME:-default}`. */
function translateReferences(field: Field, text: string, options: Context): string {
  if (!/[${`]/.test(text)) return text
  const isHidden = hiddenFields.has(field)
  const variable = (name: string): string => {
    if (name === 'HOME') return `\${userHome}`
    if (isHidden || field === 'command') return `\${env:${name}}`
    options.declare({ id: name, description: name, password: looksSecret(name) })
    options.note(readAs(`\${env:${name}}`, inputReference(name)))
    return inputReference(name)
  }
  const bare = (whole: string, name: string): string => {
    if (isPlace(whole) || unknownReference(whole) !== undefined) return whole
    if (isHidden || !options.given.has(name)) return variable(name)
    options.note({ message: t`“${whole}” stays as written; the program reads it.`, remedy: t`Write the value itself.` })
    return whole
  }
  const secret = (_whole: string, name: string): string => {
    options.declare({ id: name, description: name, password: true })
    return inputReference(name)
  }
  let result = text
    // MCPHost writes `${env://NAME:-default}`, Crush `$(echo $NAME)`.
    .replace(/\$\{env:\/\/(?=[A-Za-z_])/g, '${')
    .replace(/^\$\(echo +([^()`|;&<>"']*)\)$/, '$1')
    .replace(/\$\{\{ *(?:secrets|inputs)\.([\w.-]{1,100}) *\}\}/g, secret)
    .replace(/(?<!\$)\{env:([A-Za-z_]\w*)\}|\$env:([A-Za-z_]\w*)/g, (_whole, braced?: string, plain?: string) =>
      variable(braced ?? plain ?? ''),
    )
  if (!isHidden)
    result = result.replace(/\$\{env:([A-Za-z_]\w*)\}/g, (_whole, name: string) =>
      options.given.has(name) ? `\${${name}}` : variable(name),
    )
  result = result
    .replace(/\$\{([A-Za-z_]\w*)\}/g, bare)
    .replace(/\$\{([A-Za-z_]\w*):-([^{}]*)\}/g, (_whole, name: string, byDefault: string) => {
      options.note(readAs(`\${${name}}`, byDefault))
      return byDefault
    })
    .replace(/(?<![\\$])\$([A-Z_][A-Z0-9_]*)\b/g, (whole: string, name: string, at: number, all: string) => {
      if (isHidden && at > 0 && !/[\s=:/,]/.test(all[at - 1] ?? '')) options.note(readAs(whole, `\${env:${name}}`))
      return bare(whole, name)
    })
  const run = substitutionIn(result.replaceAll("'", ''))
  if (run !== undefined) options.note(notRun(run))
  return result
}

const isPlace = (text: string): boolean => referencesIn(text)[0]?.kind === 'place'

/** Translates references and notes hints. `inputs`: collects what is to be asked for; `notes`: those of the reader. */
export function normalizeCandidate(
  name: string,
  definition: ServerDefinition,
  place: Pick<ConfigProblem, 'file' | 'line' | 'column'> & { readonly project?: string | undefined },
  inputs: Map<string, InputDeclaration>,
  notes: readonly ConfigProblem[] = [],
): Candidate {
  const { project: _, ...at } = place
  const all = [...notes]
  const note = (one: ImportNote): void => void all.push({ ...at, server: name, ...one })
  const own = normalizeReferences(definition, {
    note,
    declare: (input) => inputs.has(input.id) || inputs.set(input.id, input),
  })
  for (const hint of hintsFor(own)) note(hint)
  return toCandidate(name, own, place, all)
}

function unseenIn(definition: ServerDefinition): string[] {
  if (definition.transport === 'builtin') return []
  const named: readonly [string, readonly string[]][] =
    definition.transport === 'stdio'
      ? [
          ['command', [definition.command, definition.cwd ?? '']],
          ['args', definition.args],
          ['env', Object.entries(definition.env).flat()],
        ]
      : [
          ['url', [definition.url]],
          ['headers', Object.entries(definition.headers).flat()],
        ]
  return named.flatMap(([field, texts]) => (texts.some(hasHidden) ? [field] : []))
}

function hintsFor(definition: ServerDefinition): ImportNote[] {
  const hints: ImportNote[] = unseenIn(definition).map((field) => ({
    message: t`“${field}” has invisible characters.`,
    remedy: t`Check it in the form.`,
  }))
  if (definition.transport !== 'stdio') return hints
  const { args } = definition
  const program = programOf(definition.command)
  const container = program === 'docker' || program === 'podman' ? containerOf(args) : undefined
  if (container !== undefined) {
    const { options } = container
    if (!options.some((arg) => /^-[a-z]*i[a-z]*$/.test(arg) || arg === '--interactive'))
      hints.push({ message: t`Without -i the container reads no input.`, remedy: t`Add ${'-i'}.` })
    if (options.some((arg) => /^-[a-z]*t[a-z]*$/.test(arg) || arg === '--tty'))
      hints.push({ message: t`The container has a terminal.`, remedy: t`Remove ${'-t'}.` })
  }
  const http = servesHttp([program, ...args])
  if (http !== undefined) hints.push(servesNote(http))
  return hints
}

export const servesNote = (option: string): ImportNote => ({
  message: t`With “${option}” the server listens on an address.`,
  remedy: t`Remove ${option}.`,
})

/** Returns the port that a line of a README gives a server: such a server is for an address. */
export function portIn(args: readonly string[]): string | undefined {
  const at = args.findIndex((word) => /^--(?:port|listen)(?:=|$)/.test(word))
  const isBridge = args.some((word) => /^(?:@[\w-]+\/)?supergateway(?:@|$)/.test(word))
  const isStdio = args.some((word) => word === 'stdio' || (word === '--stdio' && !isBridge) || /^--db/.test(word))
  return at === -1 || isStdio ? undefined : args.slice(at, at + (args[at]?.includes('=') ? 1 : 2)).join(' ')
}

/** Returns the option that makes it an HTTP server. That of a proxy is about the server behind it. */
function servesHttp(words: readonly string[]): string | undefined {
  if (words.some((word) => /(?:^|\/)(?:mcp-remote|mcp-proxy|supergateway)(?:@|$)/.test(word))) return undefined
  const at = words.findIndex(
    (word, index) => /^(?:-t|--transport)(?:=|$)/.test(word) || (/^(?:-m|--mode)$/.test(word) && httpName.test(words[index + 1] ?? '')),
  )
  const [, inline] = /^--transport=(.*)$/.exec(words[at] ?? '') ?? []
  if (at !== -1)
    return httpName.test(inline ?? words[at + 1] ?? '') ? words.slice(at, inline === undefined ? at + 2 : at + 1).join(' ') : undefined
  return words.find((word, index) => index > 1 && httpName.test(word) && !(words[index - 1] ?? '').startsWith('-'))
}

const httpName = /^(?:http|sse|streamable(?:[-_]?http)?|http-?stream)$/i
