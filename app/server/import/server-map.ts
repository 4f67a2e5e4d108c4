// The servers of one map or list in a tree, each read with the words of the program that wrote it. What is wrong is named
// with its place and left out; the others are taken.

import { t } from '../../words/translate.ts'
import { readEntry } from '../config/entry.ts'
import { type Node, propertiesOf, type TreeError } from '../config/json-tree.ts'
import { Problems, positionAt } from '../config/text-position.ts'
import { serverName } from '../definition.ts'
import type { InputDeclaration } from '../input.ts'
import { entryInOurWords, type TimeUnit } from './entry-in-our-words.ts'
import { found } from './found.ts'
import { hintsFor } from './hints.ts'
import { entriesOf, itemsOf, memberOf, textOf } from './nodes.ts'
import { definitionInOurWords } from './references-in-our-words.ts'
import type { FoundServer } from './snippet.ts'

export interface Reading {
  readonly file: string
  readonly text: string
  /** Where the text is not what its language wants. An entry with such a place in it is not used. */
  readonly errors: readonly TreeError[]
  readonly problems: Problems
  readonly servers: FoundServer[]
  readonly inputs: Map<string, InputDeclaration>
}

export interface MapOptions {
  readonly unit?: TimeUnit
  readonly project?: string
  /** Undefined: it can be read; else why it is no server that another program can run. */
  readonly refuse?: (entry: Node) => string | undefined
}

/** More than anybody has; a file with more is not written by a person. */
const mostServers = 500

export const isServer = (node: Node | undefined): boolean =>
  propertiesOf(node).some(({ name, value }) =>
    name === 'command' || name === 'cmd'
      ? value?.type === 'string' || value?.type === 'array' || memberOf(value, 'path') !== undefined
      : ['url', 'serverUrl', 'httpUrl', 'builtin', 'uri'].includes(name) && value?.type === 'string',
  )

export function readMap(map: Node, reading: Reading, options: MapOptions = {}): void {
  const seen = new Set<string>()
  for (const { name, key, value } of entriesOf(map)) {
    if (seen.has(name))
      reading.problems.add(
        key.offset,
        name.slice(0, 64),
        t`There are two servers named “${name.slice(0, 64)}”.`,
        t`Rename or remove one; the first is used.`,
      )
    else readOne(name, key, value, reading, options)
    seen.add(name)
  }
}

/** Entries with a `name` in each, as Continue lists them. */
export function readList(list: Node, reading: Reading, options: MapOptions = {}): void {
  for (const item of itemsOf(list)) readOne(textOf(memberOf(item, 'name')) ?? 'server', item, item, reading, options)
}

export function readOne(written: string, key: Node, entry: Node, reading: Reading, options: MapOptions = {}): void {
  const { problems, servers, errors, file, text } = reading
  const name = written.trim().slice(0, 64).trim()
  if (!serverName.safeParse(name).success || name === '__proto__') {
    problems.add(
      key.offset,
      undefined,
      t`“${written.slice(0, 80)}” cannot be the name of a server.`,
      t`Use 1 to 64 characters, none of them invisible.`,
    )
    return
  }
  const end = entry.offset + entry.length
  if (errors.some(({ offset }) => offset >= entry.offset && offset <= end)) {
    // A brace that is missing makes those that follow part of this one.
    const within = entriesOf(entry).filter(({ value }) => value.type === 'object' && isServer(value))
    problems.add(key.offset, name, t`“${name}” cannot be read to its end.`, t`It was left out. Correct it, then import it again.`)
    for (const one of within) readOne(one.name, one.key, one.value, reading, options)
    return
  }
  if (servers.length >= mostServers) {
    if (servers.length === mostServers && !problems.found.some(({ message }) => message === tooMany()))
      problems.add(key.offset, undefined, tooMany(), t`Take over the others by pasting them.`)
    return
  }
  const refused = options.refuse?.(entry)
  if (refused !== undefined) {
    problems.add(key.offset, name, refused, t`It was left out.`)
    return
  }
  // A brace that is missing makes the next one part of this one, and another at the end makes up for it.
  const inside = entriesOf(entry).filter((one) => !nesting.has(one.name) && one.value.type === 'object' && isServer(one.value))
  for (const one of inside) {
    problems.add(
      one.key.offset,
      one.name.slice(0, 64),
      t`“${one.name.slice(0, 64)}” stands inside “${name}”: a brace is missing before it.`,
      t`It was read as a server of its own.`,
    )
    readOne(one.name, one.key, one.value, reading, options)
  }
  const notes = new Problems(file, text)
  const own = entryInOurWords(entry, { server: name, unit: options.unit ?? 'guess', notes, problems })
  const definition = own && readEntry(name, own, problems)
  if (!definition) return
  const note = (message: string, remedy: string): void => notes.add(key.offset, name, message, remedy)
  const said = definitionInOurWords(definition, {
    note,
    declare: (input) => reading.inputs.has(input.id) || reading.inputs.set(input.id, input),
  })
  for (const hint of hintsFor(said)) note(hint.message, hint.remedy)
  if (written !== name) note(t`Its name was “${written.slice(0, 80)}”.`, t`It is shortened here.`)
  servers.push(
    found(
      name,
      said,
      { ...positionAt(text, key.offset), ...(options.project === undefined ? {} : { project: options.project }) },
      [...notes.found].sort((one, other) => (one.line ?? 0) - (other.line ?? 0)),
    ),
  )
}

/** Keys of a package or a plugin whose `url` leads to people and pages, not to a server. */
export const people: ReadonlySet<string> = new Set([
  'author',
  'repository',
  'bugs',
  'homepage',
  'publisher',
  'maintainer',
  'funding',
  'license',
  'provider',
])

/** Keys whose value looks like a server and is part of one. */
const nesting = new Set(['transport', 'command', 'config', 'env', 'headers', 'requestInit', 'oauth', 'auth', ...people])

const tooMany = () => t`There are more than ${mostServers} servers.`
