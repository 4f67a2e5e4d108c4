// A local HTTP server that speaks Ollama's own API, in the shapes of its types and documentation (ollama/ollama fb30760, api/types.go,
// docs/api.md) and of bodies that were recorded from 0.12.5, 0.12.6 and 0.40.2. Like Ollama, it has models of different abilities, refuses a
// prompt that does not fit, and pulls in layers.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { JsonObject } from '#app/json.ts'

export interface OllamaModel {
  readonly name: string
  readonly bytes: number
  readonly capabilities?: readonly string[]
  readonly info?: JsonObject
  readonly parameters?: string
  readonly remoteHost?: string
  readonly digest?: string
}

export interface OllamaServer {
  readonly url: string
  readonly asked: readonly { readonly path: string; readonly body: JsonObject }[]
  models: OllamaModel[]
  /** Lines of the next answers of `/api/chat`; a status above 399 goes with the first line alone. */
  chat: { readonly status?: number; readonly lines: readonly JsonObject[] }[]
  /** Waits between the lines of a pull until it is called. */
  pull: { readonly lines: readonly JsonObject[]; readonly between?: () => Promise<void> }
  close(): Promise<void>
}

const layer = 'sha256:dde5aa3fc5ffc17176b5e8bdc82f587b24b2678c6c66101bf7da77af9f7ccdff'

export const llama: OllamaModel = {
  name: 'llama3.1:8b',
  bytes: 4_920_753_328,
  capabilities: ['completion', 'tools'],
  info: {
    'general.architecture': 'llama',
    'llama.attention.head_count': 32,
    'llama.attention.head_count_kv': 8,
    'llama.block_count': 32,
    'llama.context_length': 131_072,
    'llama.embedding_length': 4096,
  },
}

export const pulling = (model: string, total: number): JsonObject[] => [
  { status: 'pulling manifest' },
  { status: `pulling ${layer.slice(7, 19)}`, digest: layer, total },
  { status: `pulling ${layer.slice(7, 19)}`, digest: layer, total, completed: Math.round(total / 4) },
  { status: `pulling ${layer.slice(7, 19)}`, digest: layer, total, completed: total },
  { status: `pulling ${model}`, digest: 'sha256:34bb5ab01051', total: 561, completed: 561 },
  { status: 'verifying sha256 digest' },
  { status: 'writing manifest' },
  { status: 'success' },
]

const tagOf = ({ name, bytes, remoteHost, digest = `digest-of-${name}` }: OllamaModel): JsonObject => ({
  name,
  model: name,
  modified_at: '2026-08-20T10:00:00Z',
  size: bytes,
  digest,
  ...(remoteHost === undefined ? {} : { remote_model: name, remote_host: remoteHost }),
  details: { parent_model: '', format: 'gguf', family: 'llama', families: ['llama'], parameter_size: '8.0B', quantization_level: 'Q4_K_M' },
})

function sendLines(response: ServerResponse, status: number, lines: readonly JsonObject[]): void {
  response.writeHead(status, { 'content-type': status < 400 ? 'application/x-ndjson' : 'application/json; charset=utf-8' })
  const whole = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  // Two writes that cut a line in the middle.
  response.write(whole.slice(0, Math.floor(whole.length / 3)))
  response.end(whole.slice(Math.floor(whole.length / 3)))
}

export async function startOllamaServer({ port = 0, version = '0.12.6' } = {}): Promise<OllamaServer> {
  const asked: { path: string; body: JsonObject }[] = []
  const state: Omit<OllamaServer, 'url' | 'asked' | 'close'> = { models: [llama], chat: [], pull: { lines: [] } }
  const answers: Readonly<Record<string, (response: ServerResponse, body: JsonObject) => Promise<void> | void>> = {
    '/api/version': (response) => void response.end(JSON.stringify({ version })),
    '/api/tags': (response) => void response.end(JSON.stringify({ models: state.models.map(tagOf) })),
    '/v1/models': (response) => void response.end(JSON.stringify({ object: 'list', data: null })),
    '/api/show': (response, { model }) => {
      const found = state.models.find(({ name }) => name === model)
      if (!found) return sendLines(response, 404, [{ error: `model '${String(model)}' not found` }])
      const { capabilities, info = {}, parameters } = found
      response.end(JSON.stringify({ modelfile: '', template: '', details: {}, model_info: info, capabilities, parameters }))
    },
    '/api/chat': (response, { model }) => {
      const next = state.chat.shift()
      if (next) return sendLines(response, next.status ?? 200, next.lines)
      sendLines(response, 404, [{ error: `model '${String(model)}' not found` }])
    },
    '/api/pull': async (response, { model }) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' })
      for (const line of state.pull.lines) {
        if (response.destroyed) return
        response.write(`${JSON.stringify(line)}\n`)
        await state.pull.between?.()
      }
      if (state.pull.lines.at(-1)?.['status'] === 'success') state.models = [...state.models, { ...llama, name: String(model) }]
      response.end()
    },
  }
  const server = createServer(async (request, response) => {
    const sent = await text(request)
    const path = (request.url ?? '').replace(/\?.*/, '')
    const body = sent === '' ? {} : (JSON.parse(sent) as JsonObject)
    asked.push({ path, body })
    const answer = answers[path]
    if (answer) await answer(response, body)
    else response.writeHead(404).end('404 page not found')
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return Object.assign(state, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  })
}
