// The drafts of 2026 number their errors otherwise: `UnsupportedProtocolVersion` is -32602 there, told by `data.supported`.
import { describe, expect, it } from 'vitest'
import { called, error, handshake, json } from './raw-http.ts'
import { call, closeAfterEach, host, serve } from './support.ts'

closeAfterEach()

const unsupported = (supported: string[]) => ({
  code: -32602,
  message: 'Unsupported protocol version',
  data: { supported, requested: '2026-07-28' },
})

describe('a server that numbers its errors as the drafts do', () => {
  it.each([200, 400])('and speaks only a draft is told apart, whether it says so with %d', async (status) => {
    const raw = await serve(({ message }, response) => {
      json(response, error(message, unsupported(['DRAFT-2026-v1'])), {}, status)
      return true
    })
    const servers = host(raw)
    await expect(servers.start('raw')).rejects.toMatchObject({
      code: 'server.version-mismatch',
      data: { supported: ['DRAFT-2026-v1'], ours: expect.arrayContaining(['2026-07-28', '2024-11-05']) },
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
