// Contents that vendors refuse: PDFs, blank texts, results and schemas at Bedrock, results that stand apart. Each row is a refusal that others reported;
// the server here refuses what it states, and answers all else. Expected of each, by the vendors' documents alone: the chat is answered, a
// content that the vendor cannot read is refused once, and what a document forbids is not sent at all.
import { expect, test } from 'vitest'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import type { ModelInfo } from '#app/models/models.ts'
import type { ModelAssistantBlock, ModelContent, ModelMessage, ModelRequest } from '../provider.ts'
import { fine, json, type LabFormat, openLab, said } from './lab.testing.ts'

interface Row {
  readonly source: string
  readonly format: LabFormat
  readonly message: string
  readonly request: Partial<ModelRequest>
  readonly refuses: (sent: JsonObject) => boolean
  /** Requests for two questions. */
  readonly requests: number
  readonly facts?: Partial<ModelInfo>
}

const bodies = (format: LabFormat, message: string): object =>
  ({
    anthropic: { type: 'error', error: { type: 'invalid_request_error', message }, request_id: 'req_1' },
    bedrock: { message },
    gemini: { error: { code: 400, message, status: 'INVALID_ARGUMENT' } },
    openai: { error: { message, type: 'invalid_request_error' } },
    'openai-responses': { error: { message, type: 'invalid_request_error' } },
  })[format]

const look = { name: 'look', description: 'Looks', inputSchema: { type: 'object', properties: {} } }
const call = (providerId: string): ModelAssistantBlock => ({ type: 'tool-call', providerId, name: 'look', input: {} })
const answered =
  (...ids: string[]) =>
  (content: readonly ModelContent[], isError = false): Partial<ModelRequest> => ({
    tools: [look],
    messages: [
      said('Look.'),
      { role: 'assistant', model: 'other/m', content: ids.map(call) },
      { role: 'user', content: ids.map((providerId) => ({ type: 'tool-result', providerId, content, isError })) },
    ],
  })
const text = (value: string): ModelContent => ({ type: 'text', text: value })
const pdf: ModelContent = { type: 'document', mimeType: 'application/pdf', data: 'JVBERi0xLjc=', name: 'a.pdf' }
const asked = (...content: ModelContent[]): Partial<ModelRequest> => ({ messages: [{ role: 'user', content }] })
const has = (value: string) => (sent: JsonObject) => JSON.stringify(sent).includes(value)
const messagesOf = (sent: JsonObject): readonly JsonObject[] =>
  Array.isArray(sent['messages']) ? sent['messages'].filter(isJsonObject) : []
const blocksOf = ({ content }: JsonObject): readonly JsonObject[] => (Array.isArray(content) ? content.filter(isJsonObject) : [])
const resultsOf = (sent: JsonObject): readonly JsonObject[] =>
  messagesOf(sent).flatMap((message) => blocksOf(message).flatMap(({ toolResult }) => (isJsonObject(toolResult) ? [toolResult] : [])))
const isBlank = (value: Json | undefined): boolean => typeof value === 'string' && value.trim() === ''

const rows: readonly Row[] = [
  {
    source: 'Claude: a PDF of too many pages, anthropics/claude-code#6231',
    format: 'anthropic',
    message: 'messages.38.content.0.pdf.source.base64.data: A maximum of 100 PDF pages may be provided.',
    request: answered('toolu_1')([text('Read'), pdf]),
    refuses: has('JVBERi0xLjc='),
    requests: 3,
  },
  {
    source: 'Qwen: a part that is a file, QwenLM/qwen-code#1838',
    format: 'openai',
    message: "Invalid value: file. Supported values are: 'text','image_url','video_url' and 'video'.",
    request: asked(text('Read it.'), pdf),
    refuses: has('"type":"file"'),
    requests: 3,
    facts: { documents: true },
  },
  {
    source: 'vLLM: the same, wtdcode/vllm-backport#95',
    format: 'openai',
    message: "Unsupported chat content part type: 'file'. Supported types: text, image_url",
    request: answered('call_1')([pdf]),
    refuses: has('"type":"file"'),
    requests: 3,
    facts: { documents: true },
  },
  {
    source: 'LiteLLM: the same, BerriAI/litellm#11529',
    format: 'openai',
    message: 'Invalid content part type: file',
    request: asked(pdf),
    refuses: has('"type":"file"'),
    requests: 3,
    facts: { documents: true },
  },
  {
    source: 'Bedrock: a blank text, aws-samples/bedrock-engineer#8',
    format: 'bedrock',
    message: 'The text field in the ContentBlock object at messages.15.content.0 is blank. Add text to the text field, and try again.',
    request: { ...asked(text(' \n'), text('Hello.')), system: ' ' },
    refuses: (sent) =>
      messagesOf(sent).some((message) => blocksOf(message).length === 0 || blocksOf(message).some((one) => isBlank(one['text']))),
    requests: 2,
  },
  {
    source: 'Bedrock: an error without words, aws-samples/sample-multi-agent-orchestration-chat-on-agentcore#15',
    format: 'bedrock',
    message: 'The content field at messages.2.content.0.toolResult cannot be empty when status value is error.',
    request: answered('call_1')([], true),
    refuses: (sent) => resultsOf(sent).some((one) => blocksOf(one).length === 0 || blocksOf(one).some(({ text: words }) => words === '')),
    requests: 2,
  },
  {
    source: 'Bedrock: a result that is a list, sigoden/aichat#1550',
    format: 'bedrock',
    message:
      'The format of the value at messages.2.content.0.toolResult.content.0.json is invalid. Provide a json object for the field and try again.',
    request: answered('call_1')([text('[1, 2]')]),
    refuses: (sent) => resultsOf(sent).some((one) => blocksOf(one).some((part) => 'json' in part && !isJsonObject(part['json']))),
    requests: 2,
  },
  {
    source: 'Bedrock: ids of another vendor (ToolUseBlock of its reference: [a-zA-Z0-9_-]{1,64})',
    format: 'bedrock',
    message: "Value 'functions.look:0' at 'messages.2.member.content.1.member.toolResult.toolUseId' failed to satisfy constraint",
    request: answered('functions.look:0', `call_${'x'.repeat(80)}`)([text('Done')]),
    refuses: (sent) => resultsOf(sent).some(({ toolUseId }) => !/^[a-zA-Z0-9_-]{1,64}$/.test(String(toolUseId))),
    requests: 2,
  },
  {
    source: 'Bedrock: a schema that is no object’s, kirodotdev/Kiro#11027',
    format: 'bedrock',
    message: 'The value at toolConfig.tools.26.toolSpec.inputSchema.json.type must be one of the following: object.',
    request: { tools: [{ ...look, inputSchema: { properties: { a: { type: 'string' } } } }] },
    refuses: (sent) => !has('"type":"object","')(sent) && !has('"type":"object"}')(sent),
    requests: 2,
  },
  {
    source: 'OpenAI: the same, sandialabs/atlas-ui-3#727',
    format: 'openai',
    message: `Invalid schema for function 'lookup': schema must be a JSON Schema of 'type: "object"', got 'type: "string"'.`,
    request: { tools: [{ ...look, inputSchema: { type: 'string', description: 'the document title' } }] },
    refuses: (sent) => !has('"type":"object"')(sent),
    requests: 2,
  },
  {
    source: 'Claude: a blank text, anomalyco/opencode#15715',
    format: 'anthropic',
    message: 'messages: text content blocks must be non-empty',
    request: {
      messages: [
        said('Hello.'),
        {
          role: 'assistant',
          model: 'lab/m',
          content: [
            { type: 'text', text: '' },
            { type: 'text', text: 'Yes?' },
          ],
        },
        { role: 'user', content: [text(''), text('Go on.')] },
      ],
    },
    refuses: (sent) => messagesOf(sent).some((message) => blocksOf(message).some((one) => one['type'] === 'text' && isBlank(one['text']))),
    requests: 2,
  },
  {
    source: 'Claude: results of one answer apart, MoonshotAI/kosong#45',
    format: 'anthropic',
    message:
      'messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_2. Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
    request: answered('toolu_1', 'toolu_2', 'toolu_3')([text('Done')]),
    refuses: (sent) => {
      const messages = messagesOf(sent)
      return messages.some((message, at) => {
        const used = blocksOf(message).filter(({ type }) => type === 'tool_use').length
        return blocksOf(messages[at + 1] ?? {}).filter(({ type }) => type === 'tool_result').length < used
      })
    },
    requests: 2,
  },
  {
    source: 'Claude: five marks for the cache (its guide to prompt caching: at most four)',
    format: 'anthropic',
    message: 'A maximum of 4 blocks with cache_control may be provided. Found 5.',
    request: {
      system: 'Be kind.',
      tools: [look, { ...look, name: 'read' }],
      messages: Array.from(
        { length: 9 },
        (_, at): ModelMessage =>
          at % 2 === 0 ? said(`Ask ${at}`) : { role: 'assistant', model: 'lab/m', content: [{ type: 'text', text: 'So.' }] },
      ),
    },
    refuses: (sent) => (JSON.stringify(sent).match(/cache_control/g) ?? []).length > 4,
    requests: 2,
  },
]

test.each(rows.map((row) => [row.source, row] as const))('%s', async (_, { format, message, request, refuses, requests, facts = {} }) => {
  const lab = await openLab(format, (sent) => (refuses(sent) ? json(400, bodies(format, message)) : fine[format]), facts)
  const outcomes = [await lab.ask(request), await lab.ask(request)]
  expect([outcomes.map(({ code, text: words }) => code ?? words), lab.requests.length]).toEqual([['Fine.', 'Fine.'], requests])
})
