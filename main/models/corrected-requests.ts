// Refused requests, corrected as the refusal asks and sent once more. The correction is made in the request itself, before it is converted,
// so one rule serves every format; what a refusal says of a field of one format is corrected there (`vendor-table.ts`). Pure but for what is
// remembered in this run.
import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { HostError } from '#app/errors.ts'
import { isJsonObject, type Json, type JsonObject, ownMember } from '#app/json.ts'
import { defined, orElse } from '#app/or-else.ts'
import type { ModelAssistantBlock, ModelContent, ModelEvent, ModelMessage, ModelRequest, ModelUserBlock } from './provider.ts'

type Asked = Omit<ModelRequest, 'model'>

interface Correction {
  readonly refusal: RegExp
  /** Refusals that say it of the model for good; of others nothing is remembered. */
  readonly always?: RegExp
  /** Returns the corrected request. `times`: how often the same correction was made before. */
  readonly correct: (request: Asked, refusal: string, times: number) => Asked
}

const TOO_MANY_TOOLS = /array too long\b.{0,60}?maximum length (\d+)/i

const corrections: readonly Correction[] = [
  // OpenAI
  { refusal: TOO_MANY_TOOLS, always: /^/, correct: withFewerTools },
  // All; Gemini and llama.cpp name declarations and grammars
  { refusal: /schema|function_?declaration|function\W+parameters|grammar/i, always: /^/, correct: withPlainSchemas },
  // Mistral's and Gemma's templates
  { refusal: /\bgot system\b|system role|developer instruction/i, always: /^/, correct: withoutSystem },
  // DeepSeek, OpenRouter, Anthropic, llama.cpp, vLLM, Qwen, LiteLLM
  { refusal: /\bimages?\b|image_url|multimodal|mmproj|\bpdf\b|part type: '?file/i, correct: withoutMedia },
  // Anthropic, Gemini; Cerebras, Groq and Mistral, which do not know the field
  { refusal: /signature|thinking|thought|reasoning/i, always: /unsupported|not permitted/i, correct: withoutThoughts },
]

const MOST = 4

/** Returns a function that asks with what earlier refusals have taught, and once more with each correction that a refusal asks for. */
export function createCorrections() {
  /** Corrections by model, with the refusal that taught them, and hashes of images and PDFs that it refused. */
  const learnt = new Map<string, { readonly corrections: Map<Correction, string>; readonly media: Set<string> }>()

  return async function* corrected(
    modelId: string,
    request: Asked,
    ask: (request: Asked) => AsyncIterable<ModelEvent>,
  ): AsyncGenerator<ModelEvent> {
    const known = learnt.get(modelId) ?? { corrections: new Map<Correction, string>(), media: new Set<string>() }
    learnt.set(modelId, known)
    let asked = known.media.size === 0 ? request : dropMedia(request, (data) => known.media.has(hashOf(data)))
    for (const [{ correct }, refusal] of known.corrections) asked = correct(asked, refusal, 0)
    const made: (readonly [correction: Correction, refusal: string])[] = []
    for (;;) {
      let answered = false
      try {
        for await (const event of ask(asked)) {
          if (!answered && event.type !== 'usage' && event.type !== 'retrying') {
            answered = true
            for (const [correction, refusal] of made) if (correction.always?.test(refusal)) known.corrections.set(correction, refusal)
            if (made.length > 0) {
              const left = new Set(mediaIn(asked))
              for (const data of mediaIn(request)) if (!left.has(data)) known.media.add(hashOf(data))
            }
          }
          yield event
        }
        return
      } catch (error) {
        const refusal = answered || made.length >= MOST ? undefined : refusalIn(error)
        if (refusal === undefined) throw error
        const next = corrections
          .filter((one) => one.refusal.test(refusal))
          .map((one) => [one, one.correct(asked, refusal, made.filter(([before]) => before === one).length)] as const)
          .find(([, request]) => !isDeepStrictEqual(request, asked))
        if (!next) throw error
        made.push([next[0], refusal])
        asked = next[1]
      }
    }
  }
}

function refusalIn(error: unknown): string | undefined {
  if (!(error instanceof HostError) || error.code !== 'model.request-refused') return undefined
  const { detail } = error.data
  return typeof detail === 'string' ? detail : undefined
}

function withFewerTools(request: Asked, refusal: string): Asked {
  const most = Number(TOO_MANY_TOOLS.exec(refusal)?.[1])
  const called = new Set(request.messages.flatMap(({ content }) => content.flatMap((one) => (one.type === 'tool-call' ? [one.name] : []))))
  const first = request.tools.toSorted((a, b) => Number(called.has(b.name)) - Number(called.has(a.name))).slice(0, most)
  return { ...request, tools: request.tools.filter((tool) => first.includes(tool)) }
}

function withPlainSchemas({ tools, searchable, ...request }: Asked): Asked {
  const plain = (list: typeof tools) => list.map((tool) => ({ ...tool, inputSchema: plainSchema(tool.inputSchema) }))
  return { ...request, tools: plain(tools), ...(searchable ? { searchable: plain(searchable) } : {}) }
}

/** Moves the system prompt into the first message of the person. */
function withoutSystem(request: Asked): Asked {
  const [first, ...rest] = request.messages
  if (request.system.trim() === '' || first?.role !== 'user') return request
  const content: ModelUserBlock[] = [{ type: 'text', text: request.system, byHost: true }, ...first.content]
  return { ...request, system: '', messages: [{ ...first, content }, ...rest] }
}

function withoutThoughts(request: Asked): Asked {
  const bare = (block: ModelAssistantBlock): ModelAssistantBlock[] => {
    if (block.type === 'thinking') return []
    if (block.type !== 'tool-call') return [block]
    const { providerData: _, ...call } = block
    return [call]
  }
  return {
    ...request,
    messages: request.messages.map((message) =>
      message.role === 'user' ? message : { ...message, content: message.content.flatMap(bare) },
    ),
  }
}

/** Leaves out images and PDFs of the last message that has any: those before it were taken. A second time all. */
function withoutMedia(request: Asked, _: string, times: number): Asked {
  const last = request.messages.findLast((message) => mediaOf(message).length > 0)
  const dropped = new Set(times === 0 && last ? mediaOf(last) : mediaIn(request))
  return dropMedia(request, (data) => dropped.has(data))
}

const REFUSED: ModelContent = {
  type: 'text',
  text: '[An image or PDF that stood here is left out: your provider refused it. You have not seen it.]',
  byHost: true,
}
const hashOf = (data: string): string => createHash('sha256').update(data).digest('hex')
const mediaIn = ({ messages }: Asked): string[] => messages.flatMap(mediaOf)
const mediaOf = (message: ModelMessage): string[] => (message.role === 'user' ? message.content.flatMap(mediaData) : [])
const mediaData = (block: ModelUserBlock): string[] =>
  block.type === 'tool-result' ? block.content.flatMap(mediaData) : block.type === 'text' ? [] : [block.data]

function dropMedia(request: Asked, isDropped: (data: string) => boolean): Asked {
  const keep = (block: ModelContent): ModelContent => (block.type !== 'text' && isDropped(block.data) ? REFUSED : block)
  const keepIn = (block: ModelUserBlock): ModelUserBlock =>
    block.type === 'tool-result' ? { ...block, content: block.content.map(keep) } : keep(block)
  return {
    ...request,
    messages: request.messages.map((message) => (message.role === 'user' ? { ...message, content: message.content.map(keepIn) } : message)),
  }
}

// A tool's schema in the words that every vendor takes: types, properties, items and enums of texts, without references, conditions, bounds or
// patterns. The model knows less of the tool then; the server still checks against its own schema.
const types: ReadonlySet<Json | undefined> = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean'])
const text: JsonObject = { type: 'string' }
const anything: JsonObject = {
  anyOf: [text, { type: 'number' }, { type: 'boolean' }, { type: 'object', properties: {} }, { type: 'array', items: text }],
}
const DEEPEST = 16
const MOST_NODES = 5000

function plainSchema(root: JsonObject): JsonObject {
  let nodes = 0

  function plain(value: Json | undefined, depth: number): JsonObject {
    nodes += 1
    if (typeof value === 'string' && types.has(value)) return plain({ type: value }, depth)
    if (!isJsonObject(value) || depth > DEEPEST || nodes > MOST_NODES) return anything
    const { $ref: reference, allOf, ...own } = value
    const parts = [...(typeof reference === 'string' ? [resolve(reference)] : []), ...(Array.isArray(allOf) ? allOf : [])]
    const schema = parts.filter(isJsonObject).reduce(merged, own)
    // A part may have references or parts of its own.
    return '$ref' in schema || 'allOf' in schema ? plain(schema, depth + 1) : describe(schema, depth)
  }

  function describe(schema: JsonObject, depth: number): JsonObject {
    const note = defined({ description: typeof schema['description'] === 'string' ? schema['description'] : undefined })
    const given = Array.isArray(schema['type']) ? schema['type'] : [schema['type']]
    const listed = given.filter((one) => types.has(one))
    const choices = 'properties' in schema ? [] : alternativesOf(schema)
    if (choices.length > 0 && listed[0] !== 'object') {
      const found = choices.map((one) => plain(one, depth + 1))
      return { ...note, ...(found.length === 1 ? found[0] : { anyOf: found }) }
    }
    if (listed.length > 1) return { ...note, anyOf: listed.map((type) => plain({ ...schema, type }, depth + 1)) }
    const type = listed[0] ?? impliedBy(schema)
    if (type === 'object') return { type, ...note, ...membersOf(schema, depth) }
    if (type === 'array') return { type, ...note, items: itemsOf(schema, depth) }
    return type === undefined ? { ...note, ...anything } : { type, ...note, ...valuesOf(schema, type, note) }
  }

  function membersOf({ properties, required }: JsonObject, depth: number): JsonObject {
    const named = Object.entries(isJsonObject(properties) ? properties : {}).filter(([name]) => /^[\w.-]{1,64}$/.test(name))
    const members = Object.fromEntries(named.map(([name, one]) => [name, plain(one, depth + 1)]))
    const needed = Array.isArray(required) ? required.filter((name) => Object.hasOwn(members, String(name))) : []
    return { properties: members, ...(needed.length > 0 ? { required: needed } : {}) }
  }

  function itemsOf({ items, prefixItems }: JsonObject, depth: number): JsonObject {
    const [first] = [items, prefixItems].flat().filter(isJsonObject)
    return first ? plain(first, depth + 1) : text
  }

  function resolve(reference: string): Json | undefined {
    if (!reference.startsWith('#')) return undefined
    const names = reference.slice(1).split('/').slice(1)
    const unescaped = names.map((name) =>
      orElse(() => decodeURIComponent(name), name)
        .replaceAll('~1', '/')
        .replaceAll('~0', '~'),
    )
    return unescaped.reduce<Json | undefined>(
      (at, name) => (Array.isArray(at) ? at[Number(name)] : isJsonObject(at) ? ownMember(at, name) : undefined),
      root,
    )
  }

  const { anyOf: _any, oneOf: _one, ...top } = root
  return { ...plain({ ...top, type: 'object', properties: top['properties'] ?? {} }, 0) }
}

/** Joins two schemas that both hold. */
function merged(one: JsonObject, other: JsonObject): JsonObject {
  const objects = [one['properties'], other['properties']].filter(isJsonObject)
  const needed = [one['required'], other['required']].flatMap((list) => (Array.isArray(list) ? list : []))
  return {
    ...other,
    ...one,
    ...(objects.length > 0 ? { properties: { ...objects[0], ...objects[1] } } : {}),
    ...(needed.length > 0 ? { required: needed } : {}),
  }
}

/** Alternatives that say something: an empty `not` and `null` stand for an optional value. */
const alternativesOf = ({ anyOf, oneOf }: JsonObject): readonly Json[] =>
  [anyOf, oneOf]
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .filter((one) => isJsonObject(one) && !('not' in one) && one['type'] !== 'null')

function impliedBy(schema: JsonObject): string | undefined {
  if (isJsonObject(schema['properties'])) return 'object'
  if ('items' in schema || 'prefixItems' in schema) return 'array'
  const [first] = enumOf(schema)
  return first === undefined ? undefined : typeof first === 'number' ? 'number' : typeof first === 'boolean' ? 'boolean' : 'string'
}

const enumOf = (schema: JsonObject): readonly Json[] =>
  Array.isArray(schema['enum']) ? schema['enum'] : schema['const'] === undefined ? [] : [schema['const']]

/** Texts stay an enum; other values are named in the description. */
function valuesOf(schema: JsonObject, type: Json, { description = '' }: { readonly description?: string }): JsonObject {
  const values = enumOf(schema)
  if (values.length === 0) return {}
  const texts = values.filter((one) => typeof one === 'string' && one !== '')
  if (type === 'string' && texts.length > 0) return { enum: texts }
  return { description: `${description} One of: ${values.map((one) => JSON.stringify(one)).join(', ')}.`.trim() }
}
