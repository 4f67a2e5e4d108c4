// Histories and fields that vendors refuse. Each row is a refusal that others reported; the server here refuses what it states, and answers
// all else. Expected of each, by the vendors' documents alone: the chat is answered, with no more requests than the corrections that the
// refusal asks for, and what a refusal says of the model for good is not sent to it again.
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import type { ModelAssistantBlock, ModelContent, ModelMessage, ModelRequest } from '../provider.ts'
import { fine, json, type LabFormat, openLab, said } from './lab.testing.ts'

interface Row {
  readonly source: string
  readonly format: LabFormat
  readonly status: number
  readonly body: object | string
  readonly request: Partial<ModelRequest>
  readonly refuses: (sent: JsonObject) => boolean
  /** Most requests for two questions; default: a refused one, and two that are answered. */
  readonly most?: number
}

const invalid = (message: string, more: object = {}): object => ({ error: { message, type: 'invalid_request_error', ...more } })
const claude = (message: string): object => ({ type: 'error', error: { type: 'invalid_request_error', message }, request_id: 'req_1' })
const extra = (field: string): object => ({
  detail: [
    { type: 'extra_forbidden', loc: ['body', 'messages', 1, 'assistant', field], msg: 'Extra inputs are not permitted', input: 'Hm' },
  ],
})

const tools: ModelRequest['tools'] = [{ name: 'look', description: 'Looks', inputSchema: { type: 'object', properties: {} } }]
const call: ModelAssistantBlock = { type: 'tool-call', providerId: 'call_1', name: 'look', input: {} }
const result = (...content: ModelContent[]): ModelMessage => ({
  role: 'user',
  content: [{ type: 'tool-result', providerId: 'call_1', content, isError: false }],
})
const ok: ModelContent = { type: 'text', text: 'Done' }
const image: ModelContent = { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' }
const asked = (content: readonly ModelAssistantBlock[], ...rest: readonly ModelMessage[]): Partial<ModelRequest> => ({
  tools,
  messages: [said('Look.'), { role: 'assistant', model: 'lab/m', content }, ...rest],
})
const thought = (proof: object): ModelAssistantBlock => ({ type: 'thinking', text: 'Hm', ...proof })
const withThought = (proof: object, providerData?: JsonObject): Partial<ModelRequest> =>
  asked([thought(proof), providerData ? { ...call, providerData } : call], result(ok))
const withImage = asked([call], result(ok, image))
const has = (text: string) => (sent: JsonObject) => JSON.stringify(sent).includes(text)

const rows: readonly Row[] = [
  {
    source: 'Cerebras: thinking in another field, Kilo-Org/kilocode#10375',
    format: 'openai',
    status: 400,
    body: {
      message: "messages.2.assistant.reasoning_content: property 'messages.2.assistant.reasoning_content' is unsupported",
      type: 'invalid_request_error',
      param: 'validation_error',
      code: 'wrong_api_format',
    },
    request: withThought({ signature: 'reasoning_content' }),
    refuses: has('"reasoning_content"'),
  },
  {
    source: 'Groq, tashfeenahmed/freellmapi#1070',
    format: 'openai',
    status: 400,
    body: invalid(
      "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning_content' is unsupported)]",
    ),
    request: asked(
      [thought({ signature: 'reasoning_content' }), call],
      result(ok),
      { role: 'assistant', model: 'x/y', content: [{ type: 'text', text: 'Seen.' }] },
      said('And?'),
      { role: 'assistant', model: 'lab/m', content: [thought({ signature: 'reasoning_content' }), call] },
      result(ok),
    ),
    refuses: has('"reasoning_content"'),
  },
  {
    source: 'Mistral: `reasoning`, co-l/openfox#220',
    format: 'openai',
    status: 422,
    body: extra('reasoning'),
    request: withThought({ signature: 'reasoning' }),
    refuses: has('"reasoning"'),
  },
  {
    source: 'Mistral: `reasoning_content`, BerriAI/litellm#30835',
    format: 'openai',
    status: 422,
    body: extra('reasoning_content'),
    request: withThought({ signature: 'reasoning_content' }),
    refuses: has('"reasoning_content"'),
  },
  {
    source: 'Claude: a signature of another channel, ding113/claude-code-hub#518',
    format: 'anthropic',
    status: 400,
    body: {
      type: 'error',
      error: { type: 'request_fail', upstream_error: claude('messages.1.content.0: Invalid `signature` in `thinking` block') },
    },
    request: withThought({ signature: 'c2ln' }),
    refuses: has('"thinking":"Hm"'),
    most: 4,
  },
  {
    source: 'Claude: thinking that was changed, anthropics/claude-code#63284',
    format: 'anthropic',
    status: 400,
    body: claude(
      'messages.3.content.8: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.',
    ),
    request: withThought({ redacted: 'ZGF0YQ==' }),
    refuses: has('redacted_thinking'),
    most: 4,
  },
  {
    source: 'Gemini: a signature that is not valid any more, google-gemini/gemini-cli#13467',
    format: 'gemini',
    status: 400,
    body: { error: { code: 400, message: 'Corrupted thought signature.', status: 'INVALID_ARGUMENT' } },
    request: withThought({}, { google: { thoughtSignature: 'c3RhbGU=' } }),
    refuses: has('c3RhbGU='),
    most: 4,
  },
  {
    source: 'Gemini behind OpenRouter, massgen/MassGen#665',
    format: 'openai',
    status: 400,
    body: {
      error: {
        message: 'Provider returned error',
        code: 400,
        metadata: {
          raw: '{\n  "error": {\n    "code": 400,\n    "message": "Corrupted thought signature.",\n    "status": "INVALID_ARGUMENT"\n  }\n}\n',
          provider_name: 'Google AI Studio',
        },
      },
    },
    request: withThought({ details: [{ type: 'reasoning.encrypted', data: 'c3RhbGU=' }] }),
    refuses: has('c3RhbGU='),
    most: 4,
  },
  {
    source: 'Vertex in OpenAI’s format, decolua/9router#301',
    format: 'openai',
    status: 400,
    body: [
      { error: { code: 400, message: 'Unable to submit request because Thought signature is not valid.', status: 'INVALID_ARGUMENT' } },
    ],
    request: withThought({}, { extra_content: { google: { thought_signature: 'c3RhbGU=' } } }),
    refuses: has('c3RhbGU='),
    most: 4,
  },
  {
    source: 'Gemini 3 in OpenAI’s format: calls of another model, Gitlawb/openclaude#67',
    format: 'openai',
    status: 400,
    body: [
      {
        error: {
          code: 400,
          message:
            'Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly. Additional data, function call `default_api:look`, position 2.',
          status: 'INVALID_ARGUMENT',
        },
      },
    ],
    // ai.google.dev/gemini-api/docs/thought-signatures: a call of another model gets `skip_thought_signature_validator`.
    request: { tools, messages: [said('Look.'), { role: 'assistant', model: 'other/gpt', content: [call] }, result(ok)] },
    refuses: (sent) => !has('"thought_signature":"skip_thought_signature_validator"')(sent),
  },
  {
    source: 'DeepSeek: an image, rikkahub/rikkahub#1433',
    format: 'openai',
    status: 400,
    body: invalid(
      'Failed to deserialize the JSON body into the target type: messages[1]: unknown variant `image_url`, expected `text` at line 1 column 679289',
    ),
    request: withImage,
    refuses: has('image_url'),
  },
  {
    source: 'Xiaomi: an image, JohnnyZ93/oai-compatible-copilot#230',
    format: 'openai',
    status: 404,
    body: { error: { code: '404', message: 'No endpoints found that support image input', param: '', type: '' } },
    request: { messages: [{ role: 'user', content: [ok, image] }] },
    refuses: has('image_url'),
  },
  {
    source: 'Claude: an image that it cannot read, anthropics/claude-code#46127',
    format: 'anthropic',
    status: 400,
    body: claude('Could not process image'),
    request: withImage,
    refuses: has('"image"'),
  },
  {
    source: 'Claude: an image of too many pixels, anthropics/claude-code#4778',
    format: 'anthropic',
    status: 400,
    body: claude(
      'messages.7.content.2.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels',
    ),
    request: withImage,
    refuses: has('"image"'),
  },
  {
    source: 'Claude: an image of too many bytes, anthropics/claude-code#19631',
    format: 'anthropic',
    status: 400,
    body: claude('messages.2.content.0.image.source.base64: image exceeds 5 MB maximum: 8259148 bytes > 5242880 bytes'),
    request: withImage,
    refuses: has('"image"'),
  },
  {
    source: 'llama.cpp: a template that alternates, ggml-org/llama.cpp#19851',
    format: 'openai',
    status: 500,
    body: {
      error: {
        code: 500,
        message:
          "\n------------\nWhile executing CallExpression at line 189, column 32 in source:\n{{- raise_exception('After the optional system message, con...\nError: Jinja Exception: After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.",
        type: 'server_error',
      },
    },
    request: withImage,
    refuses: ({ messages }) =>
      (messages as unknown as readonly JsonObject[]).some(({ role }, at, all) => role === 'user' && all[at - 1]?.['role'] === 'tool'),
  },
  {
    source: 'Ministral: no system message, anomalyco/opencode#5034',
    format: 'openai',
    status: 500,
    body: {
      error: {
        code: 500,
        message: 'Only user, assistant and tool roles are supported, got system. at row 96, column 111',
        type: 'server_error',
      },
    },
    request: { system: 'Be kind.' },
    refuses: (sent) => has('"system"')(sent) || !has('Be kind.')(sent),
  },
  {
    source: 'Qwen: a forced call while it thinks, cloudwego/eino#994',
    format: 'openai',
    status: 400,
    body: {
      error: {
        message:
          '<400> InternalError.Algo.InvalidParameter: The tool_choice parameter does not support being set to required or object in thinking mode',
        type: 'invalid_request_error',
        param: null,
        code: 'invalid_parameter_error',
      },
    },
    request: { tools, toolChoice: 'required' },
    refuses: has('"tool_choice":"required"'),
  },
  {
    source: 'DeepSeek: the same, XiaomiMiMo/MiMo-Code#2068',
    format: 'openai',
    status: 400,
    body: invalid('Thinking mode does not support this tool_choice'),
    request: { tools, toolChoice: 'required' },
    refuses: has('"tool_choice":"required"'),
  },
  {
    source: 'Fireworks: stream_options, FlowiseAI/Flowise#2866',
    format: 'openai',
    status: 400,
    body: invalid("Extra inputs are not permitted, field: 'stream_options'"),
    request: {},
    refuses: has('stream_options'),
  },
  {
    source: 'vLLM: its list of faults, gpustack/gpustack#429',
    format: 'openai',
    status: 400,
    body: {
      object: 'error',
      message:
        "[{'type': 'extra_forbidden', 'loc': ('body', 'stream_options'), 'msg': 'Extra inputs are not permitted', 'input': {'include_usage': True}}]",
      type: 'BadRequestError',
      param: null,
      code: 400,
    },
    request: {},
    refuses: has('stream_options'),
  },
  {
    source: 'Moonshot: a temperature, countbot-ai/CountBot#61',
    format: 'openai',
    status: 400,
    body: invalid('invalid temperature: only 1 is allowed for this model'),
    request: { temperature: 0.5 },
    refuses: has('temperature'),
  },
  {
    source: 'Cloudflare: too long an answer, anomalyco/models.dev#5824',
    format: 'openai',
    status: 400,
    body: {
      errors: [{ message: 'AiError: max_completion_tokens is too large: 1298829. This model supports at most 1048576', code: 8007 }],
      success: false,
      result: {},
      messages: [],
    },
    request: { maxTokens: 4000 },
    refuses: has('max_tokens'),
  },
  {
    source: 'Anthropic: too long an answer, microsoft/vscode#295720',
    format: 'anthropic',
    status: 400,
    body: claude('max_tokens: 16000 > 4096, which is the maximum allowed number of output tokens for claude-3-haiku-20240307'),
    request: { maxTokens: 4097 },
    refuses: ({ max_tokens }) => Number(max_tokens) > 4096,
    most: 2,
  },
]

describe('a request that is refused for its history or a field', () => {
  test.each(rows.map((row) => [row.source, row] as const))('%s', async (_, { format, status, body, request, refuses, most = 3 }) => {
    const lab = await openLab(format, (sent) => (refuses(sent) ? json(status, body) : fine[format]))
    const outcomes = [await lab.ask(request), await lab.ask(request)]
    expect({
      codes: outcomes.map(({ code }) => code),
      text: outcomes.map(({ text }) => text),
      inTime: lab.requests.length <= most,
      waits: outcomes.flatMap(({ waits }) => waits),
    }).toEqual({ codes: [undefined, undefined], text: ['Fine.', 'Fine.'], inTime: true, waits: [] })
  })

  test('the model is told that an image is left out, and new images are tried again', async () => {
    const good: ModelContent = { type: 'image', mimeType: 'image/png', data: 'R09PRA==' }
    const lab = await openLab('anthropic', (sent) =>
      has('iVBORw0KGgo=')(sent) ? json(400, claude('Could not process image')) : fine.anthropic,
    )
    const { messages = [] } = withImage
    await lab.ask(withImage)
    expect([lab.requests.length, has('"type":"text","text":"[An image')(lab.requests.at(-1) ?? {})]).toEqual([2, true])
    await lab.ask({
      ...withImage,
      messages: [
        ...messages,
        { role: 'assistant', model: 'lab/m', content: [{ type: 'text', text: 'So.' }] },
        { role: 'user', content: [good] },
      ],
    })
    expect(has('R09PRA==')(lab.requests.at(-1) ?? {})).toBe(true)
  })

  test('schemas that refer to themselves, to nothing, or to what cannot be decoded are made plain as well', async () => {
    const properties = { self: { $ref: '#' }, loop: { $ref: '#/$defs/l' }, none: { $ref: '#/$defs/n' }, odd: { $ref: '#/%E0%A4%A' } }
    const inputSchema = { type: 'object', properties, $defs: { l: { $ref: '#/$defs/l' } } }
    const lab = await openLab('openai', (sent) =>
      has('$ref')(sent) ? json(400, invalid('references must start with #/$defs/ in a schema')) : fine.openai,
    )
    expect(await lab.ask({ tools: [{ name: 'look', description: '', inputSchema }] })).toMatchObject({ text: 'Fine.', code: undefined })
    expect(Object.keys(properties).filter((name) => !has(`"${name}":{`)(lab.requests.at(-1) ?? {}))).toEqual([])
  })

  test('of more than 128 tools, as many go as OpenAI takes, those that were called among them (anomalyco/opencode#4909)', async () => {
    const many = Array.from({ length: 142 }, (_, at) => ({
      name: `t${at}`,
      description: '',
      inputSchema: { type: 'object', properties: {} },
    }))
    const sentTools = (sent: JsonObject): string[] =>
      (sent['tools'] as unknown as readonly { function: { name: string } }[]).map((one) => one.function.name)
    const message = "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 142 instead."
    const body = invalid(message, { param: 'tools', code: 'array_above_max_length' })
    const lab = await openLab('openai', (sent) => (sentTools(sent).length > 128 ? json(400, body) : fine.openai))
    const called: ModelAssistantBlock = { ...call, name: 't141' }
    const { text } = await lab.ask({
      tools: many,
      messages: [said('Look.'), { role: 'assistant', model: 'lab/m', content: [called] }, result(ok)],
    })
    const names = sentTools(lab.requests.at(-1) ?? {})
    expect([text, names.length <= 128, names.includes('t141'), names.includes('t0')]).toEqual(['Fine.', true, true, true])
  })
})
