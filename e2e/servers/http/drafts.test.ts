// The drafts of 2026 number their errors otherwise: `UnsupportedProtocolVersion` is -32602 there, told by `data.supported`.
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import { called, error, handshake, json, result } from './raw-http.ts'
import { call, closeAfterEach, host, serve } from './support.ts'

closeAfterEach()

const unsupported = (supported: string[]) => ({
  code: -32602,
  message: 'Unsupported protocol version',
  data: { supported, requested: '2026-07-28' },
})

describe('a server that numbers its errors as the drafts do', () => {
  it.each([200, 400])('and speaks only another draft is told apart, whether it says so with %d', async (status) => {
    const raw = await serve(({ message }, response) => {
      json(response, error(message, unsupported(['DRAFT-2026-v2'])), {}, status)
      return true
    })
    const servers = host(raw)
    await expect(servers.start('raw')).rejects.toMatchObject({
      code: 'server.version-mismatch',
      data: { supported: ['DRAFT-2026-v2'], ours: expect.arrayContaining(['2026-07-28', '2024-11-05', 'DRAFT-2026-v1']) },
    })
    expect(raw.verbs()).toEqual(['POST server/discover'])
  })

  it.each([200, 400])('and an older revision too is spoken to in that, whether it says so with %d', async (status) => {
    const raw = await serve(({ verb, message }, response) => {
      if (verb !== 'POST') return false
      if (message.method === 'server/discover') json(response, error(message, unsupported(['DRAFT-2026-v1', '2025-11-25'])), {}, status)
      else if (message.id === undefined) response.writeHead(202).end()
      else json(response, handshake(message, '2025-11-25') ?? called(message, 'ok'))
      return true
    })
    const servers = host(raw)
    await servers.start('raw')
    expect(servers.view('raw')?.session).toMatchObject({ era: 'legacy', protocolVersion: '2025-11-25', transport: 'streamable-http' })
    expect(await call(servers, 'echo')).toBe('ok')
    expect(raw.verbs().slice(0, 2)).toEqual(['POST server/discover', 'POST initialize'])
  })
})

// The versioning and tools pages of the draft (docs/protocol/draft-2026-versioning.md): each request names its revision, a list has
// neither `resultType` nor `ttlMs`. googleapis/mcp-toolbox#3544 served it under `--enable-draft-specs` and refused every other name;
// googleapis/mcp-toolbox-sdk-python#704 spoke it.
describe('a server that speaks DRAFT-2026-v1 and nothing else', () => {
  const revision = ({ params }: { readonly params?: JsonObject | undefined }): unknown =>
    (params?.['_meta'] as JsonObject | undefined)?.['io.modelcontextprotocol/protocolVersion']
  const amount = { type: 'number', 'x-mcp-header': 'Amount' }
  const tools = [{ name: 'echo', inputSchema: { type: 'object', properties: { amount } } }]

  it.each<[string, number, 'refuses' | 'lists']>([
    ['refuses ours with 400', 400, 'refuses'],
    ['refuses ours with 200', 200, 'refuses'],
    ['lists it when asked in ours', 200, 'lists'],
  ])('and %s is connected to, listed and called in it', async (_how, status, how) => {
    const raw = await serve(({ verb, headers, message }, response) => {
      if (verb !== 'POST' || message.id === undefined) return false
      const asked = revision(message)
      const discovers = message.method === 'server/discover'
      if (asked !== 'DRAFT-2026-v1' && !(discovers && how === 'lists'))
        json(response, error(message, unsupported(['DRAFT-2026-v1'])), {}, status)
      else if (headers['mcp-protocol-version'] !== asked || headers['mcp-method'] !== message.method)
        json(response, error(message, { code: -32001, message: 'Header mismatch' }), {}, 400)
      else if (discovers) json(response, result(message, { supportedVersions: ['DRAFT-2026-v1'], capabilities: { tools: {} } }))
      else if (message.method === 'tools/list') json(response, result(message, { tools }))
      else
        json(response, result(message, { resultType: 'complete', content: [{ type: 'text', text: String(headers['mcp-param-amount']) }] }))
      return true
    })
    const servers = host(raw)
    await servers.start('raw')
    expect(servers.view('raw')?.session).toMatchObject({ era: 'modern', protocolVersion: 'DRAFT-2026-v1', foundBy: 'discover' })
    expect(await call(servers, 'echo', { amount: 3.14 })).toBe('3.14')
    const question = 'POST server/discover'
    expect(raw.verbs()).toEqual([...(how === 'lists' ? [question] : [question, question]), 'POST tools/list', 'POST tools/call'])
  })

  it('and is greeted, as its transports page has it, is called in a session of it', async () => {
    const raw = await serve(({ verb, headers, message }, response) => {
      if (verb !== 'POST') return false
      if (message.method === 'server/discover') json(response, error(message, { code: -32601, message: 'Method not found' }), {}, 400)
      else if (message.method === 'initialize') json(response, handshake(message, 'DRAFT-2026-v1') ?? {}, { 'mcp-session-id': 's' })
      else if (headers['mcp-protocol-version'] !== 'DRAFT-2026-v1' || headers['mcp-session-id'] !== 's')
        json(response, error(message, unsupported(['DRAFT-2026-v1'])), {}, 400)
      else if (message.id === undefined) response.writeHead(202).end()
      else json(response, handshake(message, 'DRAFT-2026-v1') ?? called(message, 'ok'))
      return true
    })
    const servers = host(raw)
    await servers.start('raw')
    expect(servers.view('raw')?.session).toMatchObject({ era: 'legacy', protocolVersion: 'DRAFT-2026-v1' })
    expect(await call(servers, 'echo')).toBe('ok')
  })
})
