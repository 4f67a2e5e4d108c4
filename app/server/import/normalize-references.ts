// Translates references of other applications (`$NAME`, `{env:NAME}`, `${NAME:-default}`) to those of Assent. A placeholder such as
// `<your-key>` becomes an input, whose value is asked for.
import { t } from '#app/i18n/translate.ts'
import { orElse } from '#app/or-else.ts'
import { hasHidden } from '#app/text/hidden-characters.ts'
import { looksSecret } from '#app/text/secret-names.ts'
import type { ConfigProblem, ServerDefinition, StdioDefinition } from '../definition.ts'
import type { InputDeclaration } from '../inputs/input.ts'
import { inputReference, referencesIn, unknownReference } from '../inputs/variable-references.ts'
import { type Candidate, toCandidate } from './candidate.ts'
import { containerOf, programOf } from './command-programs.ts'
import { type ImportNote, isPlaceholder, notRun, readAs } from './import-notes.ts'
import { substitutionIn, wholeLine } from './shell-words.ts'

interface NormalizeReferencesOptions {
  readonly note: (note: ImportNote) => void
  /** Declares an input; an id that is declared already is the same value. */
  readonly declare: (input: InputDeclaration) => void
}

type Field = 'command' | 'args' | 'cwd' | 'url' | 'env' | 'headers' | 'oauth'
/** Fields that are not shown, in which `${env:NAME}` is resolved. */
const hiddenFields = new Set<Field>(['env', 'headers', 'oauth'])

/** Whole values that a README shows in place of a key. */
const placeholder =
  /^(?:<[^<>]{1,80}>|\[[^[\]]{1,80}\]|\{\{?[\w -]{1,60}\}?\}|(?:[a-z]{2,10}[-_])?your[-_ ].{1,60}|(?:[您你]的|あなたの|請輸入|请输入|ваш|твой).{1,40}|(?:tu|su|votre|ton|seu|sua|dein|ihr)[-_](?:api|token|clave|clé|cle|chave|key|schluessel).{0,40}|.{0,40}[-_ ]?your[-_ ](?:api|token|key|secret|access|bot|personal).{0,40}|(?:my|the|an?)[-_ ](?:api[-_ ]?key|token|secret)|[x*]{3,}|\.{3}|…|change[-_ ]?me|replace[-_ ]?(?:me|with.{0,40})|(?:insert|enter|put|paste|add)[-_ ].{1,60}|todo|.{1,40}[-_ ]here|(?:sk|ghp|gho|xox[a-z]|pat|lin_api|secret|ntn|key|tok)[-_](?:[x*.…]{3,}|[-_.…a-z]{0,16}[.…]{2,}.{0,10}))$/i
const scheme = /^(Bearer|Basic|Token|ApiKey|Api-Key) +/i

export function normalizeReferences(definition: ServerDefinition, options: NormalizeReferencesOptions): ServerDefinition {
  if (definition.transport === 'builtin') return definition
  const own: Context =
    definition.transport === 'stdio'
      ? { ...options, given: new Set(Object.keys(definition.env)), script: scriptOf(definition) }
      : { ...options, given: new Set(), script: undefined }
  const change = (field: Field, name: string, text: string): string => {
    const asked = inputForPlaceholder(name, text)
    if (asked === undefined && field === 'env') notePlaceholder(text, options)
    return asked ?? translateReferences(field, text, own)
  }
  const all = (field: Field, values: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(field, name, value)]))
  if (definition.transport === 'stdio') {
    const { cwd } = definition
    const { command, args } = unwrapped(definition.command, definition.args)
    notePlaceholder(command, options)
    return {
      ...definition,
      command: translateReferences('command', command, own),
      args: args.map((arg, index) => (arg === own.script ? arg : argument(arg, args[index - 1], own))),
      env: all('env', definition.env),
      ...(cwd === undefined ? {} : { cwd: translateReferences('cwd', cwd, own) }),
    }
  }
  const { oauth } = definition
  return {
    ...definition,
    url: address(definition.url, own),
    headers: all('headers', definition.headers),
    ...(oauth === undefined ? {} : { oauth: { ...oauth, ...all('oauth', textsOf(oauth)) } }),
  }
}

interface Context extends NormalizeReferencesOptions {
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

const idOf = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase()
    .slice(0, 60) || 'value'

/** Returns a reference to an input in place of a placeholder; undefined for other text. The input is not declared: each server has its own. */
function inputForPlaceholder(name: string, text: string): string | undefined {
  const before = scheme.exec(text)?.[0] ?? ''
  const bare = text.slice(before.length)
  if (!placeholder.test(bare)) return undefined
  const id = idOf(name.toLowerCase() === 'authorization' ? 'token' : name)
  return before + inputReference(id)
}

/** Replaces placeholders in `--api-key=<key>`, `--api-key <key>` and `KEY=<key>`; in any other argument a note names them. */
function argument(text: string, before: string | undefined, options: Context): string {
  const [, lead = '', name = '', value] = /^(-{0,2}([\w.-]+)[=:] ?)(.+)$/.exec(text) ?? []
  if (value !== undefined && !/^[a-z]+:\/\//i.test(text)) {
    const asked = inputForPlaceholder(name, value)
    if (asked !== undefined) return lead + asked
  }
  if (before?.startsWith('--') && !before.includes('=')) {
    const asked = inputForPlaceholder(before.replace(/^-+/, ''), text)
    if (asked !== undefined) return asked
  }
  notePlaceholder(text, options)
  return translateReferences('args', /https?:\/\//.test(text) ? withAskedQuery(text) : text, options)
}

function notePlaceholder(text: string, { note }: NormalizeReferencesOptions): void {
  if (
    /^<.+>$|(?:^|[\\/={"'])path(?:[\\/]to|_to_\w+)(?:[\\/]|$)|(?:^|[\\/])(?:your[-_ ]?(?:user)?name|username|<[^>]+>)(?:[\\/]|$)|https?:\/\/(?:[^/?#]*[.-])?your[-_.]/i.test(
      text,
    )
  )
    note(isPlaceholder(text))
}

function address(url: string, options: Context): string {
  const [, host = ''] = /^https?:\/\/([^/?#]+)/i.exec(url) ?? []
  if (/(?:^|[.-])your[-_.]|^your|<[^>]*>/i.test(host)) options.note(isPlaceholder(host))
  return translateReferences('url', withAskedQuery(url), options)
}

const withAskedQuery = (url: string): string =>
  url.replace(/([?&])([\w.-]+)=([^&#]+)/g, (whole: string, sign: string, name: string, value: string) => {
    const text = inputForPlaceholder(name, decodeReferences(value))
    return text === undefined ? whole : `${sign}${name}=${text}`
  })

/** Decodes percent-encoding; a text without, or a broken one, is read as it is. */
export const decodeReferences = (text: string): string => orElse(() => decodeURIComponent(text), text)

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
    options.note({ message: t`“${whole}” is left for the program.`, remedy: t`Write the value itself.` })
    return whole
  }
  const secret = (_whole: string, name: string): string => {
    options.declare({ id: name, description: name, password: true })
    return inputReference(name)
  }
  let result = text
    // Crush writes `$(echo $NAME)`.
    .replace(/^\$\(echo +([^()`|;&<>"']*)\)$/, '$1')
    .replace(/\$\{\{ *(?:secrets|inputs)\.([\w.-]{1,100}) *\}\}/g, secret)
    .replace(/(?<!\$)\{env:([A-Za-z_]\w*)\}|\$env:([A-Za-z_]\w*)/g, (_whole, braced?: string, plain?: string) =>
      variable(braced ?? plain ?? ''),
    )
  if (!isHidden) result = result.replace(/\$\{env:([A-Za-z_]\w*)\}/g, (_whole, name: string) => variable(name))
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
  if (http !== undefined)
    hints.push({
      message: t`With “${http}” the server listens on an address.`,
      remedy: t`Remove ${http}.`,
    })
  return hints
}

/** Returns the option that makes it an HTTP server. That of a proxy is about the server behind it. */
function servesHttp(words: readonly string[]): string | undefined {
  if (words.some((word) => /(?:^|\/)(?:mcp-remote|mcp-proxy|supergateway)(?:@|$)/.test(word))) return undefined
  const at = words.findIndex((word) => /^(?:-t|--transport)(?:=|$)/.test(word))
  const [, inline] = /^--transport=(.*)$/.exec(words[at] ?? '') ?? []
  if (at === -1 || !/^(?:http|sse|streamable[-_]?http|http-?stream)$/i.test(inline ?? words[at + 1] ?? '')) return undefined
  return words.slice(at, inline === undefined ? at + 2 : at + 1).join(' ')
}
