// A local HTTP server that speaks Anthropic's Messages API and OpenAI's chat completions, answered by one script. In-process for tests; `main.ts` runs
// it as a program for Playwright. It keeps every request, so that a test can look at what was really sent.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject } from '#app/json.ts'
import { sendCompletion } from './chat-completions.ts'
import type { Reply } from './reply.ts'
import { openStream, sendBlocks, sendEnd, sendStart } from './stream.ts'

export interface RecordedRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: JsonObject
  readonly at: number
  /** Aborts when the caller hung up before the answer was complete. */
  readonly gone: AbortSignal
}

export type Script = (request: RecordedRequest, index: number) => Reply | Promise<Reply>

export interface ScriptedModel {
  readonly id: string
  readonly display_name: string
  readonly [fact: string]: unknown
}

export interface ModelServerOptions {
  readonly script: Script
  readonly models?: readonly ScriptedModel[]
  /** What a key must be; any other gets a 401. Absent: any key. */
  readonly key?: string
  readonly port?: number
  /** What `/v1/messages/count_tokens` answers. */
  readonly countTokens?: number
  /** Answers paths of its own before the API does; false: not its. */
  readonly control?: (request: IncomingMessage, response: ServerResponse) => Promise<boolean>
}

export interface ModelServer {
  readonly url: string
  /** Requests to `/v1/messages`, `/v1/chat/completions` and `/v1/responses`, in order. */
  readonly requests: readonly RecordedRequest[]
  /** Requests to `/v1/models`. */
  readonly listings: readonly RecordedRequest[]
  setScript(script: Script): void
  setKey(key: string | undefined): void
  close(): Promise<void>
}

export const scriptedModels: readonly ScriptedModel[] = [
  { type: 'model', id: 'claude-large-1', display_name: 'Claude Large 1', max_input_tokens: 200_000, max_tokens: 32_000 },
  { type: 'model', id: 'claude-small-1', display_name: 'Claude Small 1', max_input_tokens: 200_000, max_tokens: 8192 },
]

/** Responses are played raw only. */
const answered = new Set(['/v1/messages', '/v1/chat/completions', '/v1/responses'])

export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const requests: RecordedRequest[] = []
  const listings: RecordedRequest[] = []
  let { script, key } = options
  const models = options.models ?? scriptedModels

  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (options.control && (await options.control(incoming, response))) return
    const recorded = await record(incoming, response)
    if (key !== undefined && keyOf(recorded.headers) !== key) return sendError(response, 401, 'authentication_error')
    if (recorded.path === '/v1/models' && recorded.method === 'GET') {
      listings.push(recorded)
      const last = models.at(-1)?.id ?? null
      return sendJson(response, 200, { data: models, has_more: false, first_id: models[0]?.id ?? null, last_id: last })
    }
    if (recorded.path === '/v1/messages/count_tokens') return sendJson(response, 200, { input_tokens: options.countTokens ?? 10 })
    if (!answered.has(recorded.path)) return sendError(response, 404, 'not_found_error')
    requests.push(recorded)
    await sendReply(response, recorded, await script(recorded, requests.length - 1))
  }

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) => {
      if (!response.headersSent) sendJson(response, 500, { type: 'error', error: { type: 'api_error', message: String(error) } })
      else response.destroy()
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    listings,
    setScript: (next) => {
      script = next
    },
    setKey: (next) => {
      key = next
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The SDK sends its key as a bearer token; other clients of the API send `x-api-key`. */
export const keyOf = (headers: Readonly<Partial<Record<string, string>>>): string | undefined =>
  headers['authorization']?.replace(/^Bearer /, '') ?? headers['x-api-key']

export async function readBody(incoming: IncomingMessage): Promise<JsonObject> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString('utf8')
  return text === '' ? {} : (JSON.parse(text) as JsonObject)
}

async function record(incoming: IncomingMessage, response: ServerResponse): Promise<RecordedRequest> {
  const gone = new AbortController()
  response.on('close', () => {
    if (!response.writableFinished) gone.abort()
  })
  const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]))
  const path = new URL(incoming.url ?? '/', 'http://localhost').pathname
  return { method: incoming.method ?? '', path, headers, body: await readBody(incoming), at: Date.now(), gone: gone.signal }
}

export function sendJson(response: ServerResponse, status: number, body: object, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_scripted', ...headers })
  response.end(JSON.stringify(body))
}

function sendError(response: ServerResponse, status: number, type: string): void {
  sendJson(response, status, { type: 'error', error: { type, message: 'scripted' }, request_id: 'req_scripted' })
}

async function sendReply(response: ServerResponse, request: RecordedRequest, reply: Reply): Promise<void> {
  switch (reply.kind) {
    case 'hang':
      return
    case 'drop':
      return void response.destroy()
    case 'raw':
      response.writeHead(reply.status, reply.headers)
      return void response.end(reply.body)
    case 'error': {
      const error = { type: reply.type, message: reply.message ?? 'scripted', ...(reply.details ? { details: reply.details } : {}) }
      return sendJson(response, reply.status, { type: 'error', error, request_id: 'req_scripted' }, reply.headers)
    }
    default:
  }
  if (request.path === '/v1/chat/completions') return sendCompletion(response, request, reply)
  const send = openStream(response)
  const usage = reply.kind === 'message' ? (reply.usage ?? {}) : {}
  sendStart(send, String(request.body['model']), usage)
  await sendBlocks(send, reply.blocks, request.gone)
  if (request.gone.aborted) return
  if (reply.kind === 'error-event') send('error', { error: { type: reply.type, message: 'scripted' } })
  else if (reply.kind === 'message') {
    const usesTools = reply.blocks.some((block) => block.type === 'tool_use')
    sendEnd(send, reply.stopReason ?? (usesTools ? 'tool_use' : 'end_turn'), usage)
  } else if (reply.how === 'reset') return void response.socket?.destroySoon()
  response.end()
}
