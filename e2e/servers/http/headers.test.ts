// What stands in the headers of each request, as the server sees it: a header that says other than the body is refused.
import { describe, expect, it } from 'vitest'
import { approve } from '#main/servers/lifecycle/servers.testing.ts'
import { complete, modern, older } from './eras.ts'
import { called, error, json, type Message, type Seen } from './raw-http.ts'
import { call, closeAfterEach, host, serve, signal } from './support.ts'

closeAfterEach()

const decoded = (value: unknown): unknown => {
  const found = /^=\?base64\?(.*)\?=$/.exec(String(value))
  return found ? Buffer.from(found[1] ?? '', 'base64').toString('utf8') : value
}

/** What the specification's server would say against it; undefined: nothing. */
function fault({ headers, message }: Seen, version: string): string | undefined {
  if (message.method === undefined) return undefined
  const named = message.params?.['name'] ?? message.params?.['uri']
  if (headers['mcp-method'] !== message.method) return 'Mcp-Method'
  if (['tools/call', 'prompts/get', 'resources/read'].includes(message.method) && decoded(headers['mcp-name']) !== named) return 'Mcp-Name'
  const versioned = !['initialize', 'server/discover'].includes(message.method)
  if (versioned && headers['mcp-protocol-version'] !== version) return 'MCP-Protocol-Version'
  return headers.accept?.includes('application/json') && headers.accept.includes('text/event-stream') ? undefined : 'Accept'
}

describe('the headers of a request', () => {
  const names = ['plain', 'größe', ' padded ', 'a\tb', 'line\nbreak', '=?base64?AA==?=', '東京']

  it('mirror its method, its name and the revision, in 2026-07-28', async () => {
    const faults: unknown[] = []
    const inner = modern(
      ({ message }, response) => json(response, complete(message, { content: [{ type: 'text', text: 'ok' }] })),
      ({ message }, response) => json(response, complete(message, { contents: [], resources: [], resourceTemplates: [] })),
      () => names.map((name) => ({ name, inputSchema: { type: 'object' } })),
    )
    const raw = await serve((seen, response) => {
      const wrong = fault(seen, '2026-07-28')
      if (wrong !== undefined) faults.push([seen.message, seen.headers])
      return inner(seen, response)
    })
    const servers = host(raw)
    await servers.start('raw')
    for (const name of names) expect(await call(servers, name)).toBe('ok')
    await servers.readResource('raw', 'raw://größe', { signal })
    expect(faults).toEqual([])
    expect(raw.seen.filter(({ verb, headers }) => verb === 'POST' && headers['mcp-protocol-version'] !== '2026-07-28')).toEqual([])
  })

  it('mirror them in a session too, and in notifications', async () => {
    const faults: unknown[] = []
    const inner = older('2025-11-25', ({ message }, response) => json(response, called(message, 'ok')))
    const raw = await serve((seen, response) => {
      const wrong = seen.verb === 'POST' ? fault(seen, '2025-11-25') : undefined
      if (wrong === undefined) return inner(seen, response)
      faults.push([wrong, seen.message])
      response.writeHead(400).end()
      return true
    })
    const servers = host(raw)
    await servers.start('raw')
    expect(await call(servers, 'echo')).toBe('ok')
    await servers.stop('raw')
    expect(faults).toEqual([])
    const after = raw.seen.filter(({ message }) => !['initialize', 'server/discover'].includes(message.method ?? ''))
    expect(new Set(after.map(({ headers }) => `${headers['mcp-session-id']} ${headers['mcp-protocol-version']}`))).toEqual(
      new Set(['s 2025-11-25']),
    )
  })
})

describe('arguments that a tool wants in headers', () => {
  const schema = {
    type: 'object',
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      limit: { type: 'integer', 'x-mcp-header': 'Limit' },
      dry: { type: 'boolean', 'x-mcp-header': 'Dry-Run' },
      query: { type: 'string' },
      deep: { type: 'object', properties: { zone: { type: 'string', 'x-mcp-header': 'Zone' } } },
    },
  }
  const wrong = { type: 'object', properties: { a: { type: 'string', 'x-mcp-header': 'A' }, b: { type: 'string', 'x-mcp-header': 'a' } } }
  const mirrored = ({ headers }: Seen): object =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('mcp-param-')))

  it.each<[object, object]>([
    [{ region: 'us-west1', query: 'x' }, { 'mcp-param-region': 'us-west1' }],
    [{ region: 'Hello, 世界' }, { 'mcp-param-region': '=?base64?SGVsbG8sIOS4lueVjA==?=' }],
    [{ region: ' padded ' }, { 'mcp-param-region': '=?base64?IHBhZGRlZCA=?=' }],
    [{ region: 'line1\nline2' }, { 'mcp-param-region': '=?base64?bGluZTEKbGluZTI=?=' }],
    [
      { region: null, limit: 42, dry: false, deep: { zone: 'b' } },
      { 'mcp-param-limit': '42', 'mcp-param-dry-run': 'false', 'mcp-param-zone': 'b' },
    ],
    [{ dry: true }, { 'mcp-param-dry-run': 'true' }],
    [{}, {}],
  ])('%j are sent as %j', async (args, headers) => {
    const raw = await serve(
      modern(
        ({ message }, response) => json(response, complete(message, { content: [] })),
        undefined,
        () => [
          { name: 'echo', inputSchema: schema },
          { name: 'wrong', inputSchema: wrong },
        ],
      ),
    )
    const servers = host(raw)
    await servers.start('raw')
    expect(servers.catalogue('raw').tools.map(({ name }) => name)).toEqual(['echo'])
    expect(servers.view('raw')?.warnings).toHaveLength(2)
    await servers.call(approve(servers, 'raw', 'echo', args as never), { signal })
    expect(raw.seen.filter(({ message }) => message.method === 'tools/call').map(mirrored)).toEqual([headers])
  })

  it.each([-32020, -32001])('that have changed are fetched anew and the call made once more, when it was refused with %d', async (code) => {
    const listed = { region: 'Region', query: 'none' }
    const tool = () => ({
      name: 'echo',
      inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': listed.region }, query: { type: 'string' } } },
    })
    const raw = await serve(
      modern(
        ({ message, headers }, response) => {
          if (headers['mcp-param-area'] === 'eu') json(response, complete(message, { content: [{ type: 'text', text: 'ok' }] }))
          else json(response, error(message as Message, { code, message: 'Header mismatch' }), {}, 400)
        },
        undefined,
        () => [tool()],
      ),
    )
    const servers = host(raw)
    await servers.start('raw')
    listed.region = 'Area'
    const { result: answer } = await servers.call(approve(servers, 'raw', 'echo', { region: 'eu' }), { signal })
    expect(answer).toMatchObject({ content: [{ text: 'ok' }] })
    const sent = raw.seen.filter(({ message }) => message.method === 'tools/call').map(mirrored)
    expect(sent).toEqual([{ 'mcp-param-region': 'eu' }, { 'mcp-param-area': 'eu' }])
  })

  it('are not sent again when the tool has become another one, or when the server still refuses', async () => {
    let described = 'Harmless.'
    const raw = await serve(
      modern(
        ({ message }, response) => json(response, error(message, { code: -32020, message: 'Header mismatch' }), {}, 400),
        undefined,
        () => [{ name: 'echo', description: described, inputSchema: schema }],
      ),
    )
    const servers = host(raw)
    await servers.start('raw')
    await expect(servers.call(approve(servers, 'raw', 'echo', { region: 'eu' }), { signal })).rejects.toMatchObject({
      code: 'server.protocol',
    })
    expect(raw.verbs().filter((verb) => verb === 'POST tools/call')).toHaveLength(2)
    described = 'Deletes everything.'
    await expect(servers.call(approve(servers, 'raw', 'echo', { region: 'eu' }), { signal })).rejects.toMatchObject({
      code: 'tool.changed',
    })
    expect(raw.verbs().filter((verb) => verb === 'POST tools/call')).toHaveLength(3)
  })
})
