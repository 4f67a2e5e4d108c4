// A server with the tools, resources and prompts that the official suite's server scenarios call, over Streamable HTTP in either era.
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import {
  acceptedContent,
  createMcpHandler,
  createRequestStateCodec,
  fromJsonSchema,
  type InputRequests,
  inputRequired,
  isInitializeRequest,
  isLegacyRequest,
  McpServer,
  ResourceTemplate,
  type ServerContext,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'

const image = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const audio = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA='
const states = createRequestStateCodec<Record<string, unknown>>({ key: crypto.getRandomValues(new Uint8Array(32)) })
const tell = (send: () => void) => {
  send()
  return text('told')
}
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] })
const resource = (uri: string, mimeType: string, words: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: words },
})
const object = (properties: Record<string, unknown> = {}, more: Record<string, unknown> = {}) =>
  fromJsonSchema<Record<string, string>>({ type: 'object', properties, ...more } as never)

const form = (field: string, type = 'string') => ({
  message: `Please give ${field}`,
  requestedSchema: { type: 'object' as const, properties: { [field]: { type } }, required: [field] } as never,
})
const askForm = (field: string, type?: string) => inputRequired.elicit(form(field, type))
const askModel = () =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text: 'Say a word' } }], maxTokens: 50 })
const responses = ({ mcpReq }: ServerContext) => mcpReq.inputResponses as Record<string, never> | undefined
type Accepted = Readonly<Record<string, string>>
const accepted = (context: ServerContext, key: string) => acceptedContent<Accepted>(context.mcpReq.inputResponses, key)

/** Sends a question of the older era; what goes wrong is part of the result. */
async function ask(context: ServerContext, method: 'sampling/createMessage' | 'elicitation/create', params: Record<string, unknown>) {
  try {
    return JSON.parse(JSON.stringify(await context.mcpReq.send({ method, params }))) as object
  } catch (error) {
    return { failed: String(error) }
  }
}

const choices = (one: string, two: string) => [
  { const: one, title: 'First' },
  { const: two, title: 'Second' },
]
const enums = {
  untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
  titledSingle: { type: 'string', oneOf: choices('value1', 'value2') },
  legacyEnum: { type: 'string', enum: ['opt1', 'opt2'], enumNames: ['Option One', 'Option Two'] },
  untitledMulti: { type: 'array', minItems: 1, maxItems: 3, items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
  titledMulti: { type: 'array', minItems: 1, maxItems: 3, items: { anyOf: choices('value1', 'value2') } },
}
const presets = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
}
const schema2020 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $defs: { address: { $anchor: 'addressDef', type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } } },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
}

type Work = (context: ServerContext, args: Record<string, string>) => Promise<object> | object
const plain: Readonly<Record<string, Work>> = {
  test_simple_text: () => text('This is a simple text response for testing.'),
  test_image_content: () => ({ content: [{ type: 'image', data: image, mimeType: 'image/png' }] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: audio, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({
    content: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }),
  test_multiple_content_types: () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      { type: 'image', data: image, mimeType: 'image/png' },
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }),
  async test_tool_with_logging({ mcpReq }) {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } })
      await pause(50)
    }
    return text('done')
  },
  async test_tool_with_progress({ mcpReq }) {
    const progressToken = mcpReq._meta?.progressToken
    if (progressToken !== undefined)
      for (const progress of [0, 50, 100]) {
        await mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100, message: `step ${progress}` },
        })
        await pause(50)
      }
    return text(String(progressToken ?? 'none'))
  },
  test_error_handling() {
    throw new Error('This tool intentionally returns an error for testing')
  },
  async test_logging_tool({ mcpReq }) {
    await mcpReq.log('info', 'ran')
    return text('logged')
  },
  test_streaming_elicitation: () => text('nothing was asked'),
  test_missing_capability: (context) =>
    responses(context)?.['llm_answer'] ? text('answered') : inputRequired({ inputRequests: { llm_answer: askModel() } }),
  async test_elicitation_sep1034_defaults(context) {
    return text(
      JSON.stringify(
        await ask(context, 'elicitation/create', {
          message: 'Defaults',
          requestedSchema: { type: 'object', properties: presets, required: [] },
        }),
      ),
    )
  },
  async test_elicitation_sep1330_enums(context) {
    return text(
      JSON.stringify(
        await ask(context, 'elicitation/create', {
          message: 'Choose',
          requestedSchema: { type: 'object', properties: enums, required: [] },
        }),
      ),
    )
  },
  test_input_required_result_elicitation(context) {
    const name = accepted(context, 'user_name')?.['name']
    return name === undefined ? inputRequired({ inputRequests: { user_name: askForm('name') } }) : text(`Hello, ${name}!`)
  },
  test_input_required_result_sampling(context) {
    const answer = responses(context)?.['capital_question']
    return answer === undefined ? inputRequired({ inputRequests: { capital_question: askModel() } }) : text(JSON.stringify(answer))
  },
  test_input_required_result_list_roots(context) {
    const roots = responses(context)?.['client_roots']
    return roots === undefined ? inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } }) : text(JSON.stringify(roots))
  },
  async test_input_required_result_request_state(context) {
    if (accepted(context, 'confirm') && context.mcpReq.requestState()) return text('state-ok')
    return inputRequired({ inputRequests: { confirm: askForm('ok', 'boolean') }, requestState: await states.mint({ nonce: randomUUID() }) })
  },
  async test_input_required_result_tampered_state(context) {
    if (accepted(context, 'confirm') && context.mcpReq.requestState()) return text('integrity-ok')
    return inputRequired({ inputRequests: { confirm: askForm('ok', 'boolean') }, requestState: await states.mint({ nonce: randomUUID() }) })
  },
  async test_input_required_result_multiple_inputs(context) {
    const given = responses(context)
    if (accepted(context, 'user_name') && given?.['greeting'] && given['client_roots']) return text('all given')
    return inputRequired({
      inputRequests: { user_name: askForm('name'), greeting: askModel(), client_roots: inputRequired.listRoots() },
      requestState: await states.mint({ nonce: randomUUID() }),
    })
  },
  async test_input_required_result_multi_round(context) {
    const round = Number(context.mcpReq.requestState<Record<string, unknown>>()?.['round'] ?? 0)
    if (round === 2) return text(`complete: ${accepted(context, 'step2')?.['color'] ?? ''}`)
    const [key, field] = round === 0 ? ['step1', 'name'] : ['step2', 'color']
    const inputRequests = { [key as string]: askForm(field as string) }
    return inputRequired({ inputRequests, requestState: await states.mint({ round: round + 1, nonce: randomUUID() }) })
  },
  test_input_required_result_capabilities(context) {
    const can = ((context.mcpReq.envelope as Record<string, unknown> | undefined)?.['io.modelcontextprotocol/clientCapabilities'] ??
      {}) as Record<string, unknown>
    const inputRequests: InputRequests = {
      ...(can['elicitation'] ? { user_name: askForm('name') } : {}),
      ...(can['sampling'] ? { greeting: askModel() } : {}),
      ...(can['roots'] ? { client_roots: inputRequired.listRoots() } : {}),
    }
    return responses(context) || Object.keys(inputRequests).length === 0 ? text('fulfilled') : inputRequired({ inputRequests })
  },
}

/** Started with `notify`, which tells listeners of the newer era. */
function createFixture(notify: () => Record<'toolsChanged' | 'promptsChanged', () => void>): McpServer {
  const server = new McpServer(
    { name: 'suite-fixture', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        logging: {},
        completions: {},
      },
      requestState: { verify: states.verify },
    },
  )
  const add = (name: string, inputSchema: ReturnType<typeof object>, work: Work): void =>
    void server.registerTool(name, { description: `For the suite: ${name}`, inputSchema }, (async (
      args: Record<string, string>,
      context: ServerContext,
    ) => work(context, args)) as never)
  for (const [name, work] of Object.entries(plain)) add(name, object(), work)
  add('test_trigger_tool_change', object(), () => tell(notify().toolsChanged))
  add('test_trigger_prompt_change', object(), () => tell(notify().promptsChanged))
  add('test_x_mcp_header', object({ region: { type: 'string', 'x-mcp-header': 'Region' } }), (_context, { region }) =>
    text(`region=${region}`),
  )
  add('test_sampling', object({ prompt: { type: 'string' } }, { required: ['prompt'] }), async (context, { prompt }) => {
    const params = { messages: [{ role: 'user', content: { type: 'text', text: prompt } }], maxTokens: 100 }
    return text(`LLM response: ${JSON.stringify(await ask(context, 'sampling/createMessage', params))}`)
  })
  add('test_elicitation', object({ message: { type: 'string' } }, { required: ['message'] }), async (context, { message }) =>
    text(`User response: ${JSON.stringify(await ask(context, 'elicitation/create', { ...form('response'), message }))}`),
  )
  const fields = {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  }
  add('json_schema_2020_12_tool', object(fields, schema2020), (_context, args) => text(JSON.stringify(args)))

  for (const [name, uri, mimeType, content] of [
    ['static-text', 'test://static-text', 'text/plain', { text: 'This is the content of the static text resource.' }],
    ['static-binary', 'test://static-binary', 'image/png', { blob: image }],
    ['watched-resource', 'test://watched-resource', 'text/plain', { text: 'Watched resource content' }],
  ] as const)
    server.registerResource(
      name,
      uri,
      { description: name, mimeType },
      async () => ({ contents: [{ uri, mimeType, ...content }] }) as never,
    )
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { mimeType: 'application/json' },
    async (uri, { id }) => ({
      contents: [
        { uri: uri.toString(), mimeType: 'application/json', text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) },
      ],
    }),
  )
  server.server.setRequestHandler('resources/subscribe', async () => ({}))
  server.server.setRequestHandler('resources/unsubscribe', async () => ({}))
  server.server.setRequestHandler('logging/setLevel', async () => ({}))
  server.server.setRequestHandler('completion/complete', async () => ({ completion: { values: [], total: 0, hasMore: false } }))

  const says = (...content: object[]) => ({ messages: content.map((one) => ({ role: 'user', content: one })) }) as never
  server.registerPrompt('test_simple_prompt', { description: 'A simple prompt' }, async () =>
    says({ type: 'text', text: 'This is a simple prompt for testing.' }),
  )
  server.registerPrompt(
    'test_prompt_with_arguments',
    {
      description: 'With arguments',
      argsSchema: object({ arg1: { type: 'string' }, arg2: { type: 'string' } }, { required: ['arg1', 'arg2'] }),
    },
    async ({ arg1, arg2 }) => says({ type: 'text', text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` }),
  )
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'With a resource', argsSchema: object({ resourceUri: { type: 'string' } }, { required: ['resourceUri'] }) },
    async ({ resourceUri }) =>
      says(resource(resourceUri ?? '', 'text/plain', 'Embedded resource content for testing.'), {
        type: 'text',
        text: 'Please process it.',
      }),
  )
  server.registerPrompt('test_prompt_with_image', { description: 'With an image' }, async () =>
    says({ type: 'image', data: image, mimeType: 'image/png' }, { type: 'text', text: 'Please look.' }),
  )
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks first' }, (async (context: ServerContext) => {
    const given = accepted(context, 'user_context')?.['context']
    return given === undefined
      ? inputRequired({ inputRequests: { user_context: askForm('context') } })
      : says({ type: 'text', text: `Use ${given}` })
  }) as never)
  return server
}

/** Serves the fixture at a free port of 127.0.0.1. `older`: as a server that knows no newer era. */
export async function serveFixture(older: boolean): Promise<{ readonly url: string; close(): Promise<void> }> {
  const modern = createMcpHandler(() => createFixture(() => modern.notify), { legacy: 'reject' })
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>()
  async function answer(request: Request, parsedBody: unknown): Promise<Response> {
    const { hostname } = new URL(`http://${request.headers.get('x-host')}`)
    if (!['127.0.0.1', 'localhost'].includes(hostname)) return new Response(null, { status: 403 })
    if (!older && !(await isLegacyRequest(request, parsedBody))) return modern.fetch(request, { parsedBody })
    const id = request.headers.get('mcp-session-id')
    const known = id === null ? undefined : sessions.get(id)
    if (known) return known.handleRequest(request, { parsedBody })
    if (!isInitializeRequest(parsedBody)) return new Response(null, { status: id === null ? 400 : 404 })
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (made) => void sessions.set(made, transport),
      onsessionclosed: (made) => void sessions.delete(made),
    })
    await createFixture(() => modern.notify).connect(transport)
    return transport.handleRequest(request, { parsedBody })
  }
  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = incoming.method === 'POST' ? await buffer(incoming) : undefined
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const { host = '', ...headers } = incoming.headers as Record<string, string>
    const request = new Request('http://127.0.0.1/mcp', {
      method: incoming.method ?? 'GET',
      headers: { ...headers, 'x-host': host },
      signal: gone.signal,
      ...(body ? { body } : {}),
    })
    let parsed: unknown
    try {
      parsed = body ? JSON.parse(String(body)) : undefined
    } catch {
      parsed = undefined // The SDK says what is wrong with it.
    }
    const answered = await answer(request, parsed)
    response.writeHead(answered.status, Object.fromEntries(answered.headers))
    response.flushHeaders()
    for await (const chunk of answered.body ?? []) response.write(chunk)
    response.end()
  }
  const server = createServer((incoming, response) => void serve(incoming, response).catch(() => response.destroy()))
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async close() {
      await modern.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
