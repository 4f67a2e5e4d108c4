// Reads the entries of a server's lists. Texts are kept as they are: data, never instructions. A definition that a model or a
// person could not use is left out with a warning; the rest of the list stays.
import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { canonicalToolJson } from '#app/canonical-json.ts'
import { toolModelName } from '#app/chat/tools/tool-names.ts'
import { definitionTokens } from '#app/chat/tools/tool-switches.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { defined } from '#app/or-else.ts'
import {
  type PromptEntry,
  promptEntry,
  type ResourceEntry,
  type ResourceTemplateEntry,
  resourceEntry,
  resourceTemplateEntry,
  type ToolEntry,
  toolEntry,
} from '#app/server/catalogue.ts'
import type { Session } from '#app/server/server-state.ts'
import { deepest, isDeeperThan } from '#main/base/json-size.ts'
import { mirrorAnnotation, mirrorsIn } from '#main/servers/transport/http/mirrored-headers.ts'

/**
 * Returns the SHA-256, in hexadecimal, over all that a person or a model is told about a tool. Approvals are bound to it.
 * @throws {RangeError} when the definition is nested too deeply.
 */
export function toolFingerprint(
  tool: Pick<ToolEntry, 'name' | 'title' | 'description' | 'inputSchema' | 'outputSchema'> & { readonly annotations?: object | undefined },
): string {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool
  const told = defined({ name, inputSchema, title, description, outputSchema, annotations: annotations as JsonObject | undefined })
  return createHash('sha256').update(canonicalToolJson(told)).digest('hex')
}

/** Whether two definitions of a tool differ in nothing but the headers that they ask for. */
export const differOnlyInHeaders = (one: ToolEntry, other: ToolEntry): boolean => unmirrored(one) === unmirrored(other)

const unmirrored = (tool: ToolEntry): string => toolFingerprint({ ...tool, inputSchema: without(tool.inputSchema) as JsonObject })

function without(value: Json): Json {
  if (Array.isArray(value)) return value.map(without)
  if (!isJsonObject(value)) return value
  const kept = Object.entries(value).filter(([key, each]) => key !== mirrorAnnotation || typeof each !== 'string')
  return Object.fromEntries(kept.map(([key, each]) => [key, without(each ?? null)]))
}

export interface Entries<T> {
  readonly entries: T[]
  readonly warnings: string[]
}

/** JSON text of all definitions of one list together. */
const maxListCharacters = 8_000_000
const maxResourceCharacters = 32_000_000
/** Entries that are read before other work gets its turn; a tool has a schema to read, measure and hash. */
const atOnce = { resources: 1000, tools: 100 }
/** JSON text of one definition: the model reads it in every request, and a person before they say yes. */
const maxEntryCharacters = 256_000
const maxWarnings = 20
const longestReason = 300

/**
 * Schema of a tool's arguments, which are an object. Converters leave `type` out: zod-to-json-schema 3 of a schema of zod 4 (mcp-obsidian issue 17,
 * typescript-sdk issue 2145). Then any arguments fit, as the schema says.
 */
const inputSchema = z.looseObject({ type: z.literal('object').optional() }).transform((schema) => ({ ...schema, type: 'object' as const }))

const toolDefinition = toolEntry
  .pick({ title: true, description: true, outputSchema: true, annotations: true, execution: true, icons: true, _meta: true })
  .extend({ name: z.string().min(1).max(256), inputSchema })

const cut = (why: string): string => (why.length > longestReason ? `${why.slice(0, longestReason).toWellFormed()}…` : why)
const short = (value: unknown): string => JSON.stringify(String(value).slice(0, 80))

/** Some servers write null where they mean nothing. */
const withoutNulls = (item: Json): unknown =>
  isJsonObject(item) ? Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null)) : item

interface Kind<T, R extends object> {
  readonly schema: z.ZodType<T>
  readonly idOf: (entry: T) => string
  readonly make: (entry: T, text: string) => R | string
  readonly maxCharacters: number
}

function createReading<T, R extends object>({ schema, idOf, make, maxCharacters }: Kind<T, R>) {
  const entries: R[] = []
  const warnings: string[] = []
  const seen = new Set<string>()
  let characters = 0
  const leftOut = (item: Json, why: string): true => {
    const name = isJsonObject(item) ? (item['name'] ?? item['uri']) : undefined
    if (warnings.length < maxWarnings) warnings.push(t`${short(name ?? '?')} was left out: ${cut(why)}.`)
    return true
  }
  const take = (item: Json): boolean => {
    const parsed = schema.safeParse(withoutNulls(item))
    if (!parsed.success) {
      const issue = parsed.error.issues[0]
      return leftOut(item, issue?.path.length ? t`“${issue.path.join('.')}” is not valid` : t`not an object`)
    }
    const id = idOf(parsed.data)
    if (seen.has(id)) return leftOut(item, t`the name appears twice`)
    if (isDeeperThan(parsed.data, deepest)) return leftOut(item, t`too deeply nested`)
    const text = JSON.stringify(parsed.data)
    if (text.length > maxEntryCharacters) return leftOut(item, t`too long`)
    characters += text.length
    if (characters > maxCharacters) {
      leftOut(item, t`too long`)
      return false
    }
    const made = make(parsed.data, text)
    if (typeof made === 'string') leftOut(item, made)
    else entries.push(made)
    seen.add(id)
    return true
  }
  return { take, entries, warnings }
}

function read<T, R extends object>(items: readonly Json[], kind: Kind<T, R>): Entries<R> {
  const { take, entries, warnings } = createReading(kind)
  items.every(take)
  return { entries, warnings }
}

/** There can be very many: so many at a time, with room for others between. */
async function readInTurns<T, R extends object>(items: readonly Json[], kind: Kind<T, R>, count: number): Promise<Entries<R>> {
  const { take, entries, warnings } = createReading(kind)
  for (let from = 0; from < items.length; from += count) {
    if (from > 0) await nextTurn()
    if (!items.slice(from, from + count).every(take)) break
  }
  return { entries, warnings }
}

type DefinedTool = Omit<ToolEntry, 'modelName' | 'tokens' | 'enabled' | 'fingerprint'>

function kindOfTools(server: string, session: Session | undefined): Kind<DefinedTool, ToolEntry> {
  return {
    schema: toolDefinition as unknown as z.ZodType<DefinedTool>,
    maxCharacters: maxListCharacters,
    idOf: ({ name }) => name,
    make: (tool): ToolEntry | string => {
      const mirrors = session && mirrorsIn(tool.inputSchema, session)
      if (mirrors?.kind === 'invalid') return mirrors.reason
      const modelName = toolModelName(server, tool.name)
      return {
        ...tool,
        modelName,
        tokens: definitionTokens(modelName, tool.description ?? '', tool.inputSchema),
        enabled: true,
        fingerprint: toolFingerprint(tool),
      }
    },
  }
}

/** Restores stored tools with their measures and hashes. Names for the model follow the server's name, which may have changed. */
export const keptTools = (server: string, tools: readonly ToolEntry[], disabled: ReadonlySet<string>): ToolEntry[] =>
  tools.map((tool) => ({ ...tool, modelName: toolModelName(server, tool.name), enabled: !disabled.has(tool.name) }))

/** Reads tools as the server lists them, and lets other work run between. `disabled`: called once all are read. */
export async function readTools(
  server: string,
  items: readonly Json[],
  disabled: () => ReadonlySet<string>,
  session?: Session,
): Promise<Entries<ToolEntry>> {
  const { entries, warnings } = await readInTurns(items, kindOfTools(server, session), atOnce.tools)
  // One order, whatever order the server lists in: the model's prompt cache depends on it.
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  const off = disabled()
  return { entries: off.size === 0 ? entries : entries.map((tool) => ({ ...tool, enabled: !off.has(tool.name) })), warnings }
}

const plainKind = <T extends object>(schema: z.ZodType<T>, idOf: (entry: T) => string, maxCharacters = maxListCharacters): Kind<T, T> => ({
  schema,
  idOf,
  maxCharacters,
  make: (entry) => entry,
})

export const readResources = (items: readonly Json[]): Promise<Entries<ResourceEntry>> =>
  readInTurns(
    items,
    plainKind(resourceEntry, ({ uri }) => uri, maxResourceCharacters),
    atOnce.resources,
  )

export const readResourceTemplates = (items: readonly Json[]): Entries<ResourceTemplateEntry> =>
  read(
    items,
    plainKind(resourceTemplateEntry, ({ uriTemplate }) => uriTemplate),
  )

export const readPrompts = (items: readonly Json[]): Entries<PromptEntry> =>
  read(
    items,
    plainKind(promptEntry, ({ name }) => name),
  )

/** Compares like `isDeepStrictEqual`, and lets other work run between. */
export async function isSameList(a: readonly ResourceEntry[], b: readonly ResourceEntry[]): Promise<boolean> {
  if (a.length !== b.length) return false
  for (let from = 0; from < a.length; from += atOnce.resources) {
    if (from > 0) await nextTurn()
    const to = from + atOnce.resources
    if (!isDeepStrictEqual(a.slice(from, to), b.slice(from, to))) return false
  }
  return true
}
