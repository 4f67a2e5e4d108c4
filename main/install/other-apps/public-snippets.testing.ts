// Public snippets, word for word, each with the reading of an expert. A file holds `%%% SOURCE`, the text, `%%=`, and what is expected:
//   NAME = PROGRAM ARGUMENT…    or NAME = [sse] ADDRESS; the name `*` is any
//     VARIABLE=VALUE            or HEADER: VALUE; `.cwd`, `.timeout`, `.off` and `.oauth KEY=VALUE` are the other fields
//   ~ WORDS                     which a note or a problem says
//   ! WORDS || WORDS            it is refused, and the reason says one of them
// `{?}` is asked for before the first start, `{$NAME}` is a variable of the person, `{folder}` the shared folder; `…` at the end: and so on.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ServerDefinition } from '#app/server/definition.ts'
import { unfilledIn } from '#app/server/import/placeholders.ts'
import { readSnippet } from '#app/server/import/read-snippet.ts'
import { splitCommandLine } from '#app/server/import/shell-words.ts'

interface Entry {
  readonly name: string
  readonly line: readonly string[]
  readonly fields: Readonly<Record<string, string>>
}

export interface PublicSnippet {
  readonly source: string
  readonly text: string
  readonly entries: readonly Entry[]
  readonly notes: readonly string[]
  /** Any of these words; undefined: it is read. */
  readonly refused: readonly string[] | undefined
}

export type Outcome = 'exact' | 'refused' | 'flawed' | 'wrong reason' | 'silent'

const folder = join(import.meta.dirname, '../../../app/server/import/snippets')

/** Reads the snippets of the files whose name begins so. */
export const publicSnippets = (set: 'corpus' | 'held-out'): PublicSnippet[] =>
  readdirSync(folder)
    .filter((name) => name.startsWith(set))
    .sort()
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split(/^%%% /m).slice(1).map(snippetOf))

function snippetOf(part: string): PublicSnippet {
  const [, source = '', text = '', wanted = ''] = /^(.*)\n([\s\S]*?)\n%%=\n([\s\S]*)$/.exec(part) ?? []
  const entries: { name: string; line: string[]; fields: Record<string, string> }[] = []
  const notes: string[] = []
  let refused: string[] | undefined
  for (const line of wanted.split('\n').filter((one) => one.trim() !== '')) {
    if (line.startsWith('! ')) refused = line.slice(2).split(' || ')
    else if (line.startsWith('~ ')) notes.push(line.slice(2))
    else if (line.startsWith('  ')) addField(entries.at(-1)?.fields ?? {}, line.trim())
    else {
      const [name = '', ...rest] = line.split(' = ')
      entries.push({
        name,
        line: splitCommandLine(rest.join(' = ').replaceAll('$', '\u0001')).map((word) => word.replaceAll('\u0001', '$')),
        fields: {},
      })
    }
  }
  return { source, text, entries, notes, refused }
}

function addField(fields: Record<string, string>, line: string): void {
  const [, key = '', value = ''] = /^(\.oauth \w+(?==)|\.\w+|[\w.-]+)(?:=|: | |$)([\s\S]*)$/.exec(line) ?? []
  fields[key] = value
}

const plain = (text: string): string =>
  text
    .replace(/\$\{input:[^}]*\}/g, '{?}')
    .replace(/\$\{env:(\w+)\}/g, '{$$$1}')
    .replaceAll('$' + '{userHome}', '~')
    .replaceAll('$' + '{workspaceFolder}', '{folder}')

function entryOf(name: string, definition: ServerDefinition): Entry {
  const fields: Record<string, string> = definition.enabled ? {} : { '.off': '' }
  const put = (values: object): void => {
    for (const [key, value] of Object.entries(values)) fields[key] = plain(Array.isArray(value) ? value.join(',') : String(value))
  }
  if (definition.transport === 'builtin') return { name, line: ['builtin'], fields }
  // A program or a host takes no input: the server cannot be added before a person writes it.
  const [first, shown] =
    definition.transport === 'stdio' ? [definition.command, unfilledIn(definition)] : [definition.url, unfilledIn(definition)]
  const unfilled = shown === undefined ? undefined : first.replace(shown, '{?}')
  if (definition.timeoutMs !== undefined) put({ '.timeout': definition.timeoutMs })
  if (definition.transport === 'stdio') {
    put(definition.env)
    if (definition.cwd !== undefined) put({ '.cwd': definition.cwd })
    return { name, line: [unfilled ?? definition.command, ...definition.args].map(plain), fields }
  }
  put(definition.headers)
  for (const [key, value] of Object.entries(definition.oauth ?? {})) put({ [`.oauth ${key}`]: value })
  return { name, line: [...(definition.transport === 'sse' ? ['sse'] : []), plain(unfilled ?? definition.url)], fields }
}

/** Compares a value. What is asked for may be more or less of the word than the expert took. */
function alike(wanted: string, found: string): boolean {
  if (wanted === found || (/^https?:/.test(wanted) && wanted.replace(/(^https?:\/\/[^/?]+)\?/, '$1/?') === found)) return true
  if (wanted.endsWith('…')) return found.startsWith(wanted.slice(0, -1))
  if (!wanted.includes('{?}') || !found.includes('{?}')) return false
  const [one = ''] = wanted.split('{?}')
  const [other = ''] = found.split('{?}')
  return one.startsWith(other) || other.startsWith(one)
}

const same = (wanted: Entry, found: Entry): boolean =>
  (wanted.name === '*' || wanted.name === found.name) &&
  wanted.line.length === found.line.length &&
  wanted.line.every((word, index) => alike(word, found.line[index] ?? '')) &&
  Object.keys({ ...wanted.fields, ...found.fields }).every(
    (key) =>
      (key === '.timeout' && wanted.fields[key] === undefined) || alike(wanted.fields[key] ?? '\u0000', found.fields[key] ?? '\u0001'),
  )

/** Judges how a snippet is read. `silent`: it is read wrongly and nothing is said. */
export function judge({ text, entries, notes, refused }: PublicSnippet) {
  const { servers, problems } = readSnippet(text)
  const found = servers.map(({ name, definition }) => entryOf(name, definition))
  const said = [...servers.flatMap((server) => server.problems), ...problems].map(
    ({ server, message, remedy }) => `${server ?? ''}: ${message} ${remedy}`,
  )
  const says = (words: string): boolean => said.some((message) => message.toLowerCase().includes(words.toLowerCase()))
  const outcome = (): Outcome => {
    if (refused !== undefined)
      return found.length > 0 ? (said.length > 0 ? 'flawed' : 'silent') : refused.some(says) ? 'refused' : 'wrong reason'
    if (found.length === 0) return 'wrong reason'
    const right = found.length === entries.length && entries.every((entry, index) => same(entry, found[index] ?? entry))
    return right && notes.every(says) ? 'exact' : said.length > 0 ? 'flawed' : 'silent'
  }
  return { outcome: outcome(), found, said }
}
