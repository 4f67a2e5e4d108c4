// Tasks over HTTP: what the headers of 2026-07-28 say of each request, and a task of an older server whose session is forgotten.
import { describe, expect, it } from 'vitest'
import { type Answer, error, handshake, json, type Message, result } from './raw-http.ts'
import { call, closeAfterEach, host, serve } from './support.ts'

closeAfterEach()

const done = { content: [{ type: 'text', text: 'done' }] }
const task = (status: string, more: object = {}) => ({
  taskId: 'täsk 1',
  status,
  createdAt: '',
  lastUpdatedAt: '',
  ttlMs: null,
  pollIntervalMs: 100,
  ...more,
})

function modern(): Answer {
  const base = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
  let polls = 0
  const answers: Readonly<Record<string, (message: Message) => object>> = {
    'server/discover': () => ({
      ...base,
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } },
    }),
    'tools/list': () => ({ ...base, tools: [{ name: 'echo', inputSchema: { type: 'object' } }] }),
    'tools/call': () => ({ ...task('working'), resultType: 'task' }),
    'tasks/get'() {
      polls += 1
      if (polls === 1) {
        const inputRequests = { who: { method: 'roots/list' } }
        return { ...task('input_required', { inputRequests }), resultType: 'complete' }
      }
      return { ...task('completed', { result: done }), resultType: 'complete' }
    },
    'tasks/update': () => ({ resultType: 'complete' }),
  }
  return ({ verb, message }, response) => {
    const answer = answers[message.method ?? '']
    if (verb !== 'POST' || !answer) return false
    json(response, result(message, answer(message) as Parameters<typeof result>[1]))
    return true
  }
}

describe('a task over HTTP', () => {
  it('is named in a header of each request about it (2026-07-28)', async () => {
    const raw = await serve(modern())
    const servers = host(raw)
    await servers.start('raw')
    expect(await call(servers, 'echo')).toBe('done')
    const named = `=?base64?${Buffer.from('täsk 1').toString('base64')}?=`
    const about = raw.seen.filter(({ message }) => message.method?.startsWith('tasks/'))
    expect(about.map(({ headers }) => [headers['mcp-method'], headers['mcp-name']])).toEqual([
      ['tasks/get', named],
      ['tasks/update', named],
      ['tasks/get', named],
    ])
  })

  it('is asked for in the next session when the server has forgotten that of the call (2025-11-25)', async () => {
    let sessions = 0
    const raw = await serve(({ verb, headers, message }, response) => {
      if (verb !== 'POST') return false
      const { method } = message
      const forgotten = headers['mcp-session-id'] === 's1' && method === 'tasks/get'
      if (method === 'initialize') {
        sessions += 1
        const capabilities = { tools: {}, tasks: { requests: { tools: { call: {} } } } }
        const answer = { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'raw', version: '1' } }
        json(response, result(message, answer), { 'mcp-session-id': `s${sessions}` })
      } else if (forgotten) response.writeHead(404).end()
      else if (message.id === undefined) response.writeHead(202).end()
      else if (method === 'tools/list')
        json(
          response,
          result(message, { tools: [{ name: 'echo', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } }] }),
        )
      else if (method === 'tools/call') json(response, result(message, { task: { ...task('working'), pollInterval: 100 } }))
      else if (method === 'tasks/get') json(response, result(message, task('completed')))
      else if (method === 'tasks/result') json(response, result(message, done))
      else json(response, handshake(message, '2025-11-25') ?? error(message, { code: -32601, message: 'Method not found' }))
      return true
    })
    const servers = host(raw)
    await servers.start('raw')
    expect(await call(servers, 'echo')).toBe('done')
    const about = raw.seen.filter(({ message }) => message.method?.startsWith('tasks/') || message.method === 'tools/call')
    expect(about.map(({ message, headers }) => [message.method, headers['mcp-session-id']])).toEqual([
      ['tools/call', 's1'],
      ['tasks/get', 's1'],
      ['tasks/get', 's2'],
      ['tasks/result', 's2'],
    ])
  })
})
