// `x-mcp-header` against a raw server of 2026-07-28: what goes out beside a call, and which definitions are not taken.
import { expect, it } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import { approve } from '#main/servers/lifecycle/servers.testing.ts'
import { type Answer, json, result } from './raw-http.ts'
import { closeAfterEach, host, serve, signal } from './support.ts'

closeAfterEach()

const property = (name: string, type = 'string'): JsonObject => ({ type, 'x-mcp-header': name })
const tool = (name: string, properties: JsonObject): JsonObject => ({ name, inputSchema: { type: 'object', properties } })

const offers =
  (tools: JsonObject[]): Answer =>
  ({ verb, message }, response) => {
    if (verb !== 'POST') return false
    const complete = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
    if (message.method === 'server/discover')
      json(response, result(message, { ...complete, supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }))
    else if (message.method === 'tools/list') json(response, result(message, { ...complete, tools }))
    else json(response, result(message, { ...complete, content: [] }))
    return true
  }

it('an argument is mirrored, encoded where it must be, and left out where it is null or absent', async () => {
  const properties = {
    region: property('Region'),
    greeting: property('Greeting'),
    count: property('Count', 'integer'),
    dry: property('Dry', 'boolean'),
    none: property('None'),
    absent: property('Absent'),
    plain: { type: 'string' },
  }
  const raw = await serve(offers([tool('echo', properties)]))
  const servers = host(raw)
  await servers.start('raw')
  const args = { region: 'us-west1', greeting: 'Hello, 世界\r\nX-Evil: 1', count: -7, dry: false, none: null, plain: 'unseen' }
  await servers.call(approve(servers, 'raw', 'echo', args), { signal })
  const { headers, message } = raw.seen.at(-1) ?? {}
  expect(message?.params?.['arguments']).toEqual(args)
  expect(Object.fromEntries(Object.entries(headers ?? {}).filter(([name]) => /^(mcp-param|x-evil)/.test(name)))).toEqual({
    'mcp-param-region': 'us-west1',
    'mcp-param-greeting': `=?base64?${Buffer.from(args.greeting).toString('base64')}?=`,
    'mcp-param-count': '-7',
    'mcp-param-dry': 'false',
  })
})

it('a tool that asks for it wrongly is left out, with its name and the reason, and the others stay', async () => {
  const raw = await serve(
    offers([
      tool('good', { a: property('A') }),
      tool('empty', { a: property('') }),
      tool('twice', { a: property('A'), b: property('a') }),
      tool('listed', { a: property('A', 'array') }),
    ]),
  )
  const servers = host(raw)
  await servers.start('raw')
  expect(servers.catalogue('raw').tools.map(({ name }) => name)).toEqual(['good'])
  expect(servers.view('raw')?.warnings).toEqual(
    ['empty', 'twice', 'listed'].map((name) => expect.stringMatching(new RegExp(`"${name}".*x-mcp-header`))),
  )
  await expect(servers.call(approve(servers, 'raw', 'twice', { a: '1' }), { signal })).rejects.toMatchObject({ code: 'tool.unknown' })
})
