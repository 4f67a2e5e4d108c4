// Changes between two definitions of a tool, in the parts that a person reads. Schemas are compared as lines, one for each place that says
// something: every keyword is in some line, and texts stand in quotes with their line ends escaped, so none can pass for a line. A
// schema whose lines are alike though its JSON differs is compared as JSON.
import { canonicalToolJson } from '#app/canonical-json.ts'
import type { ToolCallRequest } from '#app/consent/request.ts'
import { definitionOf, type ToolDefinition } from '#app/consent/tool-definition.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { type DiffLine, diffLines } from '#renderer/ui/lib/text-diff.ts'

/** `place`: in the schema, such as `edits[].path`; empty for the whole. `text`: the whole line, beginning with the place. */
type SchemaLine = { readonly place: string; readonly text: string }

const byNameOf = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'] as const
const listsOf = ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const
const singles = ['items', 'additionalProperties', 'contains', 'not', 'if', 'then', 'else', 'propertyNames'] as const
const structural: ReadonlySet<string> = new Set([...byNameOf, ...listsOf, ...singles])

/** Quotes a name that could be taken for something else. */
const quotedName = (name: string): string => (/^[\w$-]+$/.test(name) ? name : JSON.stringify(name))

/** Lines of a schema, sorted by place: the order in which a server writes them does not count. */
export function schemaLines(schema: JsonObject): SchemaLine[] {
  const lines: SchemaLine[] = []
  walk(schema, '', undefined, lines)
  return lines.sort(byPlace)
}

const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const byPlace = (a: SchemaLine, b: SchemaLine): number => byCodeUnit(a.place, b.place)

/** Adds the lines of a schema and those within it. `needed`: the property is required. */
function walk(schema: Json, place: string, needed: boolean | undefined, lines: SchemaLine[]): void {
  const facts: string[] = []
  const within: (() => void)[] = []
  const enter = (child: Json, at: string, must?: boolean): void => void within.push(() => walk(child, at, must, lines))
  if (isJsonObject(schema)) {
    const required = namesIn(schema['required'])
    const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
    facts.push(...wordsOf(schema, required, properties))
    for (const key of byNameOf) {
      const children = schema[key]
      if (!isJsonObject(children)) continue
      for (const [name, child] of Object.entries(children))
        if (key === 'properties') enter(child, place === '' ? quotedName(name) : `${place}.${quotedName(name)}`, required.has(name))
        else enter(child, `${place}(${key} ${quotedName(name)})`)
    }
    for (const key of listsOf) {
      const children = schema[key]
      if (Array.isArray(children)) for (const [index, child] of children.entries()) enter(child as Json, `${place}(${key} ${index + 1})`)
    }
    for (const key of singles) {
      const child = schema[key]
      if (isJsonObject(child)) enter(child, key === 'items' ? `${place}[]` : `${place}(${key})`)
    }
  } else facts.push(schema === true ? t`anything` : schema === false ? t`nothing` : canonicalToolJson(schema))
  if (needed) facts.splice(1, 0, t`required`)
  const text = [place, facts.join(', ')].filter(Boolean).join('  ')
  if (place !== '' || facts.length > 0) lines.push({ place, text })
  for (const go of within) go()
}

/** Words of one line: the type, then every keyword without lines of its own by name, then the description. */
function wordsOf(schema: JsonObject, required: ReadonlySet<string>, properties: JsonObject): string[] {
  const { type, description } = schema
  const plain =
    typeof type === 'string' ? type : Array.isArray(type) && type.every((one) => typeof one === 'string') ? type.join(' or ') : undefined
  const words = plain === undefined ? [] : [plain]
  const rest = Object.keys(schema)
    .filter((key) => key !== 'description' && key !== 'required' && !(key === 'type' && plain !== undefined))
    .filter((key) => !structural.has(key) || !isWalked(key, schema[key]))
    .sort(byCodeUnit)
  for (const key of rest) words.push(`${quotedName(key)} ${canonicalToolJson(schema[key] ?? null)}`)
  const unlisted = [...required].filter((name) => !Object.hasOwn(properties, name)).sort(byCodeUnit)
  if (unlisted.length > 0) words.push(t`required ${JSON.stringify(unlisted)}`)
  if (schema['required'] !== undefined && !isNames(schema['required'])) words.push(t`required ${canonicalToolJson(schema['required'])}`)
  if (description !== undefined) words.push(canonicalToolJson(description))
  return words
}

const isWalked = (key: string, value: Json | undefined): boolean =>
  (listsOf as readonly string[]).includes(key) ? Array.isArray(value) : isJsonObject(value)

const isNames = (value: Json | undefined): boolean => Array.isArray(value) && value.every((name) => typeof name === 'string')
const namesIn = (value: Json | undefined): ReadonlySet<string> => new Set(isNames(value) ? (value as readonly string[]) : [])

export interface ChangedPart {
  readonly title: string
  /** Purpose of the part, or the number of its changes. */
  readonly note: string
  readonly lines: readonly DiffLine[]
}

type DefinitionDiff = ReturnType<typeof definitionDiff>

/** The changed parts, and the titles of the others. */
export function definitionDiff(before: ToolDefinition, after: ToolDefinition) {
  const parts: readonly ChangedPart[] = [
    { title: t`Title`, note: '', lines: textLines(before.title, after.title) },
    { title: t`Description`, note: '', lines: textLines(before.description, after.description) },
    schemaPart(t`Arguments`, before.inputSchema, after.inputSchema),
    schemaPart(t`Returns`, before.outputSchema, after.outputSchema),
    { title: t`Annotations`, note: '', lines: pairLines(claimLines(before), claimLines(after)).lines },
  ]
  const isSame = ({ lines }: ChangedPart): boolean => lines.every(({ kind }) => kind === 'same')
  return {
    changed: parts.filter((part) => !isSame(part)),
    same: parts.filter((part) => isSame(part) && part.lines.length > 0).map(({ title }) => title.toLowerCase()),
  }
}

/** The changes as text for the clipboard, with the signs that are shown. */
export const diffText = ({ changed }: DefinitionDiff): string =>
  changed
    .map(({ title, lines }) => [title, ...lines.map(({ kind, text }) => `${{ same: ' ', out: '-', in: '+' }[kind]} ${text}`)].join('\n'))
    .join('\n\n')

function textLines(before: string | undefined, after: string | undefined): readonly DiffLine[] {
  if (before !== undefined && after !== undefined) return diffLines(before, after)
  const all = (kind: 'in' | 'out', text: string | undefined): DiffLine[] => (text ?? '').split('\n').map((line) => ({ kind, text: line }))
  return before === after ? [] : after === undefined ? all('out', before) : all('in', after)
}

function schemaPart(title: string, before: JsonObject | undefined, after: JsonObject | undefined): ChangedPart {
  const pairs = pairLines(before ? schemaLines(before) : [], after ? schemaLines(after) : [])
  const alike = pairs.lines.every(({ kind }) => kind === 'same')
  if (alike && jsonOf(before) !== jsonOf(after)) return { title, note: t`as JSON`, lines: diffLines(jsonOf(before), jsonOf(after)) }
  return { title, note: pairs.note, lines: pairs.lines }
}

const jsonOf = (value: JsonObject | undefined): string =>
  value === undefined ? '' : JSON.stringify(JSON.parse(canonicalToolJson(value)), null, 2)

const claimLines = ({ annotations = {} }: ToolDefinition): SchemaLine[] =>
  Object.entries(annotations as JsonObject)
    .map(([name, value]) => ({ place: quotedName(name), text: `${quotedName(name)}  ${canonicalToolJson(value)}` }))
    .sort(byPlace)

/** Pairs lines by place. Unchanged places are named in one line before the others. */
function pairLines(before: readonly SchemaLine[], after: readonly SchemaLine[]): { readonly lines: DiffLine[]; readonly note: string } {
  const was = new Map(before.map(({ place, text }) => [place, text]))
  const is = new Map(after.map(({ place, text }) => [place, text]))
  const places = [...new Set([...was.keys(), ...is.keys()])].sort(byCodeUnit)
  const same = places.filter((place) => place !== '' && was.get(place) === is.get(place))
  const added = places.filter((place) => !was.has(place)).length
  const removed = places.filter((place) => !is.has(place)).length
  const others = places.filter((place) => was.get(place) !== is.get(place))
  const changed = others.length - added - removed
  const lines = others.flatMap((place): readonly DiffLine[] => {
    const [from, to] = [was.get(place), is.get(place)]
    if (from === undefined) return [{ kind: 'in', text: to ?? '' }]
    return to === undefined ? [{ kind: 'out', text: from }] : diffLines(from, to)
  })
  const words = [
    added > 0 ? t`${added} added` : '',
    removed > 0 ? t`${removed} removed` : '',
    changed > 0 ? t`${changed} changed` : '',
  ].filter(Boolean)
  const unchanged: DiffLine[] = same.length > 0 ? [{ kind: 'same', text: t`${same.join(', ')}   unchanged` }] : []
  return { lines: [...unchanged, ...lines], note: words.join(', ') }
}

export const definitionAsked = (request: ToolCallRequest): ToolDefinition => definitionOf({ ...request, name: request.tool })
