// Schemas of tools that vendors refuse, as MCP servers publish them. One such tool fails every request of a chat. Each row is a refusal that
// others reported, with the rule that it states; the server here refuses whatever breaks that rule, and answers all else. Expected of each,
// by the vendors' documents alone: the chat is answered with the tool still offered, its parameters under their names, and the next request
// is not refused again. The MCP server checks arguments against its own schema in any case. Reports of Claude name no schema: what draft 2020-12
// forbids stands for them.
import { describe, expect, test } from 'vitest'
import { toolModelName } from '#app/chat/tools/tool-names.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import type { ModelTool } from '../provider.ts'
import { fine, json, type LabFormat, openLab } from './lab.testing.ts'

type Rule = (node: JsonObject, root: JsonObject, at: string) => boolean
interface Row {
  readonly source: string
  readonly format: LabFormat
  readonly status: number
  readonly body: object | string
  readonly parameter: Json
  /** Whether a schema breaks the rule. */
  readonly breaks: Rule
  /** Members beside `properties` at the top. */
  readonly top?: JsonObject
}

/** All schemas within a schema, with the keyword or `properties` before each. */
function* nodesOf(node: Json | undefined, at = ''): Generator<readonly [node: JsonObject, at: string]> {
  if (Array.isArray(node)) for (const one of node) yield* nodesOf(one as Json, at)
  if (!isJsonObject(node)) return
  yield [node, at]
  for (const map of ['properties', '$defs', 'definitions', 'patternProperties'])
    if (isJsonObject(node[map])) for (const one of Object.values(node[map])) yield* nodesOf(one, map)
  for (const key of ['items', 'anyOf', 'oneOf', 'allOf', 'not', 'additionalProperties', 'prefixItems', 'if', 'then', 'else'])
    yield* nodesOf(node[key], key)
}

function schemaSent(format: LabFormat, { tools }: JsonObject): JsonObject {
  const [first] = tools as unknown as readonly JsonObject[]
  const found = {
    openai: (first?.['function'] as JsonObject | undefined)?.['parameters'],
    'openai-responses': first?.['parameters'],
    anthropic: first?.['input_schema'],
    bedrock: undefined,
    gemini: (first?.['functionDeclarations'] as readonly JsonObject[] | undefined)?.[0]?.['parameters'],
  }[format]
  return isJsonObject(found) ? found : {}
}

const invalid = (message: string, more: object = {}): object => ({ error: { message, type: 'invalid_request_error', ...more } })
const moonshot = (details: string): object =>
  invalid(`Invalid request: tools.function.parameters is not a valid moonshot flavored json schema, details: <At path '${details}>`)
const gemini = (message: string): object => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } })
const claude = (message: string): object => ({ type: 'error', error: { type: 'invalid_request_error', message }, request_id: 'req_1' })
const llama = (code: number, message: string): object => ({
  error: { code, message, type: code === 400 ? 'invalid_request_error' : 'server_error' },
})
const isSchema = (value: Json): boolean => isJsonObject(value) || typeof value === 'boolean'
const isMeta: Rule = (node, _, at) =>
  (at === 'properties' || at === 'items') && !('type' in node) && !('anyOf' in node) && !('$ref' in node)
const noItems: Rule = ({ type, items }) => type === 'array' && items === undefined
const anyOfWithType: Rule = ({ type, anyOf, oneOf }) => type !== undefined && (anyOf !== undefined || oneOf !== undefined)
const numbersInEnum: Rule = (node) => Array.isArray(node['enum']) && node['enum'].some((one) => typeof one !== 'string')
const uses =
  (...keywords: string[]): Rule =>
  (node) =>
    keywords.some((one) => one in node)

const array = { type: 'array', description: 'Words' }
const items = (name: string): object =>
  invalid(`Invalid schema for function 'pods_exec': In context=('properties', '${name}'), array schema missing items.`, {
    param: 'tools[7].function.parameters',
    code: 'invalid_function_parameters',
  })
const draft = claude(
  'tools.12.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12). Learn more about tool use at https://docs.claude.com/en/docs/tool-use.',
)
const grammar = llama(400, 'Failed to initialize samplers: failed to parse grammar')
const ref = { $ref: '#/properties/filters/properties/duration' }

const rows: readonly Row[] = [
  {
    source: 'OpenAI: a list without items, mark3labs/mcphost#35',
    format: 'openai',
    status: 400,
    body: items('p'),
    parameter: array,
    breaks: noItems,
  },
  {
    source: 'OpenAI’s Responses: the same, ogx-ai/ogx#3602',
    format: 'openai-responses',
    status: 400,
    body: items('p'),
    parameter: { type: ['array', 'null'], items: array },
    breaks: (node, root, at) =>
      noItems(node, root, at) || (Array.isArray(node['type']) && node['type'].includes('array') && !node['items']),
  },
  {
    source: 'OpenAI: a type that is none, blurrah/mcp-graphql#14',
    format: 'openai',
    status: 400,
    body: invalid("Invalid schema for function 'query-graphql': 'any' is not valid under any of the given schemas.", {
      code: 'invalid_function_parameters',
    }),
    parameter: { type: 'any' },
    breaks: ({ type }) => typeof type === 'string' && !/^(?:object|array|string|number|integer|boolean|null)$/.test(type),
  },
  {
    source: 'OpenAI’s Responses: an enum on the null branch, can1357/oh-my-pi#2652',
    format: 'openai-responses',
    status: 400,
    body: invalid("Invalid schema for function 'look': enum value A does not validate against {'enum': ['A', 'B'], 'type': 'null'}"),
    parameter: {
      anyOf: [
        { type: 'string', enum: ['A', 'B'] },
        { type: 'null', enum: ['A', 'B'] },
      ],
    },
    breaks: (node) => node['type'] === 'null' && Array.isArray(node['enum']) && node['enum'].some((one) => one !== null),
  },
  {
    source: 'Moonshot: type beside anyOf, openJiuwen-ai/jiuwenswarm#3942',
    format: 'openai',
    status: 400,
    body: moonshot("properties.questions': when using anyOf, type should be defined in anyOf items instead of the parent schema"),
    parameter: {
      type: 'array',
      items: { type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }], properties: { a: { type: 'string' } } },
    },
    breaks: anyOfWithType,
  },
  {
    source: 'Moonshot: a reference elsewhere than $defs, CommandCodeAI/command-code#594',
    format: 'openai',
    status: 400,
    body: moonshot("properties.filters.properties.hiddenPageDuration.$ref': references must start with #/$defs/"),
    parameter: ref,
    top: { properties: { p: ref, filters: { type: 'object', properties: { duration: { type: 'string' } } } } },
    breaks: (node) => typeof node['$ref'] === 'string' && !node['$ref'].startsWith('#/$defs/'),
  },
  {
    source: 'Moonshot: no type, earendil-works/pi#5822',
    format: 'openai',
    status: 400,
    body: moonshot("properties.task': type is not defined"),
    parameter: { description: 'The task' },
    breaks: isMeta,
  },
  {
    source: 'Moonshot: allOf with two conditions, earendil-works/pi#5822',
    format: 'openai',
    status: 400,
    body: invalid("Conflict in schema definitions for key 'if'. Previous: {'required': ['expand']}, New: {'required': ['collect']}"),
    parameter: {
      type: 'object',
      properties: { expand: { type: 'string' }, collect: { type: 'string' } },
      allOf: [{ if: { required: ['expand'] } }, { if: { required: ['collect'] } }],
    },
    breaks: uses('allOf'),
  },
  {
    source: 'Moonshot: what zod makes of an optional, TencentCloudBase/CloudBase-AI-Toolkit#626',
    format: 'openai',
    status: 400,
    body: invalid('400 invalid parameter value: tools.function.parameters'),
    parameter: { anyOf: [{ not: {} }, { type: 'object', additionalProperties: {} }] },
    breaks: (node) => 'not' in node || (isJsonObject(node['additionalProperties']) && !('type' in node['additionalProperties'])),
  },
  {
    source: 'Gemini in OpenAI’s format: additionalProperties, karthink/gptel#806',
    format: 'openai',
    status: 400,
    body: [
      gemini(
        `Invalid JSON payload received. Unknown name "additionalProperties" at 'tools[0].function_declarations[7].parameters.properties[1].value.items': Cannot find field.`,
      ),
    ],
    parameter: { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false } },
    breaks: uses('additionalProperties'),
  },
  {
    source: 'Gemini in OpenAI’s format: const, zed-industries/zed#45552',
    format: 'openai',
    status: 400,
    body: [
      gemini(
        `Invalid JSON payload received. Unknown name "const" at 'tools[0].function_declarations[9].parameters.properties[1].value.any_of[0].properties[0].value': Cannot find field.`,
      ),
    ],
    parameter: {
      anyOf: [
        { type: 'object', properties: { kind: { const: 'page' } } },
        { type: 'object', properties: { kind: { const: 'row' } } },
      ],
    },
    breaks: uses('const'),
  },
  {
    source: 'Gemini: numbers in an enum, rikkahub/rikkahub#477',
    format: 'gemini',
    status: 400,
    body: gemini(`Invalid value at 'tools[0].function_declarations[1].parameters.properties[4].value.enum[0]' (TYPE_STRING), 2`),
    parameter: { type: 'integer', enum: [2, 8, 10, 16] },
    breaks: numbersInEnum,
  },
  {
    source: 'Gemini: an empty word in an enum, sbroenne/mcp-server-excel#607',
    format: 'gemini',
    status: 400,
    body: gemini('* GenerateContentRequest.tools[6].function_declarations[0].parameters.properties[action].enum[3]: cannot be empty'),
    parameter: { type: 'string', enum: ['list', 'open', ''] },
    breaks: (node) => Array.isArray(node['enum']) && node['enum'].includes(''),
  },
  {
    source: 'Gemini: properties of what is no object, anomalyco/opencode#11889',
    format: 'gemini',
    status: 400,
    body: gemini(
      '* GenerateContentRequest.tools[0].function_declarations[80].parameters.properties[data].properties: only allowed for OBJECT type',
    ),
    parameter: { type: 'string', properties: { a: { type: 'string' } }, required: ['a'] },
    breaks: (node) => node['type'] !== 'object' && ('properties' in node || 'required' in node),
  },
  {
    source: 'Vertex: no type, google-gemini/gemini-cli#4400',
    format: 'gemini',
    status: 400,
    body: gemini(
      "Unable to submit request because flutter_driver functionDeclaration parameters.keyValueType schema didn't specify the schema type field.",
    ),
    parameter: { description: 'Kind of key', enum: ['text', 'type'] },
    breaks: isMeta,
  },
  {
    source: 'Gemini: no type in an alternative, zereight/gitlab-mcp#166',
    format: 'gemini',
    status: 400,
    body: gemini(
      `Invalid value at 'tools[0].function_declarations[6].parameters.properties[11].value.any_of[0].type' (type.googleapis.com/google.ai.generativelanguage.v1beta.Type), ""`,
    ),
    parameter: { anyOf: [{ enum: ['None', 'Any'] }, { items: { type: 'string' } }] },
    breaks: (node, _, at) => at === 'anyOf' && !('type' in node),
  },
  {
    source: 'Claude: a parameter that is no schema, anthropics/anthropic-sdk-java#241',
    format: 'anthropic',
    status: 400,
    body: draft,
    parameter: 'number',
    breaks: (node) => isJsonObject(node['properties']) && !Object.values(node['properties']).every(isSchema),
  },
  {
    source: 'Claude: bounds of draft 4, anthropics/claude-code#63673',
    format: 'anthropic',
    status: 400,
    body: draft,
    parameter: { type: 'integer', minimum: 0, exclusiveMinimum: true },
    breaks: (node) => typeof node['exclusiveMinimum'] === 'boolean',
  },
  {
    source: 'Claude: items as a list, anthropics/claude-code#9605',
    format: 'anthropic',
    status: 400,
    body: draft,
    parameter: { type: 'array', items: [{ type: 'number' }, { type: 'number' }] },
    breaks: (node) => Array.isArray(node['items']),
  },
  {
    source: 'Claude: `required` of draft 3, BeehiveInnovations/pal-mcp-server#241',
    format: 'anthropic',
    status: 400,
    body: draft,
    parameter: { type: 'string', required: true },
    breaks: (node) => 'required' in node && !Array.isArray(node['required']),
  },
  {
    source: 'llama.cpp: a pattern that is not anchored, containers/kubernetes-mcp-server#758',
    format: 'openai',
    status: 400,
    body: llama(400, "JSON schema conversion failed:\nPattern must start with '^' and end with '$'"),
    parameter: { type: 'string', pattern: '[a-z]+' },
    breaks: (node) => typeof node['pattern'] === 'string' && !/^\^.*\$$/.test(node['pattern']),
  },
  {
    source: 'llama.cpp: `not: {}`, ggml-org/llama.cpp#17574',
    format: 'openai',
    status: 500,
    body: llama(500, 'JSON schema conversion failed:\nUnrecognized schema: {"not":{}}'),
    parameter: { anyOf: [{ not: {} }, { type: 'number' }] },
    breaks: uses('not'),
  },
  {
    source: 'llama.cpp: long bounds, AtomicBot-ai/Atomic-Chat#272 and QwenLM/qwen-code#10520',
    format: 'openai',
    status: 400,
    body: grammar,
    parameter: { type: 'array', items: { type: 'string', maxLength: 10_000 }, maxItems: 100 },
    breaks: uses('maxLength', 'maxItems'),
  },
  {
    source: 'llama.cpp: classes in a pattern, NousResearch/hermes-agent#18530',
    format: 'openai',
    status: 400,
    body: llama(400, 'parse: error parsing grammar: unknown escape at \\d"{4,4}"'),
    parameter: { type: 'string', pattern: '^\\d{4,4}$', format: 'date' },
    breaks: uses('pattern'),
  },
  {
    source: 'Fireworks: no type, docker/mcp-gateway#234',
    format: 'openai',
    status: 500,
    body: {
      error:
        "fireworks_chat_tp: 400: JSON Schema not supported: could not understand the instance `{'description': 'Configuration value'}`",
    },
    parameter: { description: 'Configuration value' },
    breaks: isMeta,
  },
  {
    source: 'LM Studio: an object without properties within, unclecode/crawl4ai#2207',
    format: 'openai',
    status: 400,
    body: [
      {
        code: 'invalid_type',
        expected: 'object',
        received: 'undefined',
        path: [0, 'function', 'parameters', 'properties'],
        message: 'Required',
      },
    ],
    parameter: { type: 'object' },
    breaks: (node) => node['type'] === 'object' && !('properties' in node),
  },
]

describe('a tool whose schema is refused', () => {
  test.each(rows.map((row) => [row.source, row] as const))('%s', async (_, { format, status, body, parameter, breaks, top }) => {
    const inputSchema: JsonObject = { type: 'object', properties: { p: parameter }, required: ['p'], ...top }
    const tools: ModelTool[] = [{ name: 'look', description: 'Looks', inputSchema }]
    const isRefused = (sent: JsonObject): boolean => {
      const schema = schemaSent(format, sent)
      return [...nodesOf(schema)].some(([node, at]) => breaks(node, schema, at))
    }
    const lab = await openLab(format, (sent) => (isRefused(sent) ? json(status, body) : fine[format]))
    const first = await lab.ask({ tools })
    const asked = lab.requests.length
    const second = await lab.ask({ tools })
    const sent = schemaSent(format, lab.requests.at(-1) ?? {})
    expect({
      codes: [first.code, second.code],
      text: [first.text, second.text],
      parameters: Object.keys((sent['properties'] as JsonObject | undefined) ?? {}).includes('p'),
      again: lab.requests.length - asked,
      waits: first.waits,
    }).toEqual({ codes: [undefined, undefined], text: ['Fine.', 'Fine.'], parameters: true, again: 1, waits: [] })
  })

  test('Claude: a parameter whose name it refuses is left out, n8n-io/n8n#30590', async () => {
    const message = "tools.0.custom.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'"
    const names = (sent: JsonObject): string[] => Object.keys((schemaSent('anthropic', sent)['properties'] as JsonObject | undefined) ?? {})
    const isRefused = (sent: JsonObject): boolean => !names(sent).every((name) => /^[a-zA-Z0-9_.-]{1,64}$/.test(name))
    const lab = await openLab('anthropic', (sent) => (isRefused(sent) ? json(400, claude(message)) : fine.anthropic))
    const properties = { place: { type: 'string' }, 'Straße $': { type: 'string' } }
    const { text } = await lab.ask({ tools: [{ name: 'look', description: '', inputSchema: { type: 'object', properties } }] })
    expect([text, names(lab.requests.at(-1) ?? {})]).toEqual(['Fine.', ['place']])
  })

  test('a schema that is accepted goes as it is, and a refusal of something else changes none', async () => {
    const inputSchema = {
      type: 'object',
      properties: { p: { type: 'string', pattern: 'a', additionalProperties: false } },
      required: ['p'],
    }
    const lab = await openLab('openai', () => json(400, invalid('The image could not be read.')))
    const { code } = await lab.ask({ tools: [{ name: 'look', description: '', inputSchema }] })
    expect([code, lab.requests.map((sent) => schemaSent('openai', sent))]).toEqual(['model.request-refused', [inputSchema]])
  })
})

test('names of tools fit what each vendor takes', () => {
  // Anthropic (home-assistant/core#147760, netclaw-dev/netclaw#1133), OpenAI (chatboxai/chatbox#2400, Lucassssss/eechat#52), Moonshot
  // (MoonshotAI/kimi-cli#2531: not with a digit first), Gemini (BerriAI/litellm#12543), Cerebras (danny-avila/LibreChat#11357: no dots).
  const published = [
    ['caldav-mcp', 'caldav-mcp.create-event'],
    ['todoist', 'todoist/find-tasks'],
    ['21st-dev', '21st_magic_component_builder'],
    ['company', 'company.createProject'],
    ['gradle server', 'run gradle task'],
    ['fda', 'get_drug_name_by_abuse_types_and_related_adverse_reactions_and_controlled_substance_status'],
    ['玩具', '查找'],
  ] as const
  const names = published.map(([server, tool]) => toolModelName(server, tool))
  expect(names.filter((name) => !/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/.test(name))).toEqual([])
  expect(new Set(names).size).toBe(names.length)
})
