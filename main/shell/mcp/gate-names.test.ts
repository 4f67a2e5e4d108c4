import { describe, expect, test } from 'vitest'
import { CALL_TOOL, chosenTool, createGateNames, type GateServer, gateResult, mostToolsOf, SEARCH_TOOLS } from './gate-names.ts'

const tool = (name: string, description = '') => ({ name, description, inputSchema: { type: 'object' } })
const server = (name: string, part: Partial<GateServer> = {}): GateServer => ({
  ...{ name, tools: [], resources: [], resourceTemplates: [], prompts: [] },
  ...part,
})

describe('what the gate offers', () => {
  test('is a search beyond the tools that the agent takes, known by its entry or what it calls itself', () => {
    const tools = Array.from({ length: 60 }, (_, n) => tool(`tool_${n}`))
    const shown = (...names: (string | undefined)[]) => createGateNames([server('a', { tools })], mostToolsOf(...names)).tools().length
    expect([shown(), shown('claude-code'), shown('cursor'), shown(undefined, 'cursor-vscode 1.0'), shown('windsurf')]).toEqual([
      60, 60, 2, 2, 60,
    ])
    expect([undefined, 'Windsurf', 'windsurf-client', 'antigravity', 'Visual Studio Code'].map((name) => mostToolsOf(name))).toEqual([
      128, 100, 100, 100, 128,
    ])
  })

  test('of one server has its own names, of several those of chats, whatever the order', () => {
    const [a, b] = [server('a', { tools: [tool('x')] }), server('b', { tools: [tool('x')] })]
    const named = (...servers: GateServer[]) =>
      createGateNames(servers)
        .tools()
        .map(({ name }) => name)
    expect([named(a), named(a, b), named(b, a)]).toEqual([['x'], ['a__x', 'b__x'], ['b__x', 'a__x']])
    expect(createGateNames([a, b]).tool('b__x')).toMatchObject({ server: 'b', name: 'x' })
  })

  test('of many tools is a search, which names the fitting ones first, and a call of what it found', () => {
    const tools = Array.from({ length: 200 }, (_, n) => tool(`tool_${n}`, n === 7 ? 'Books a room' : 'Does nothing'))
    const names = createGateNames([server('a', { tools: [...tools, tool('room_list', 'Lists rooms')] })])
    expect(names.tools().map(({ name }) => name)).toEqual([SEARCH_TOOLS, CALL_TOOL])
    expect(
      names
        .search('a ROOM')
        .slice(0, 2)
        .map(({ name }) => name),
    ).toEqual(['room_list', 'tool_7'])
    expect(names.tool('tool_199')).toMatchObject({ server: 'a', name: 'tool_199' })
    expect(chosenTool({ name: CALL_TOOL, arguments: { name: 'tool_7', arguments: { day: 1 } } })).toEqual({
      name: 'tool_7',
      arguments: { day: 1 },
    })
  })

  test('by address is of the server that lists it, whose template it fits, or of the only one that has any', () => {
    const lists = server('a', { resources: [{ name: 'r', uri: 'x://1' }] })
    const fits = server('b', { resourceTemplates: [{ name: 't', uriTemplate: 'y://{id}/end' }] })
    const names = createGateNames([lists, fits, server('c')])
    expect(['x://1', 'y://7/end', 'y://7', 'z://1'].map(names.serverOf)).toEqual(['a', 'b', undefined, undefined])
    expect(createGateNames([lists, server('c')]).serverOf('z://1')).toBe('a')
  })
})

test('names and schemas are those that models take, also of one server', () => {
  const odd = { ...tool('get page.v1'), inputSchema: { type: 'object', required: null } }
  const names = createGateNames([server('a', { tools: [odd, tool('plain_1')] })])
  expect(names.tools().map(({ name }) => /^[a-zA-Z0-9_-]{1,51}$/.test(String(name)))).toEqual([true, true])
  expect(names.tools()).toMatchObject([{ inputSchema: { type: 'object' } }, { name: 'plain_1' }])
  expect(names.tools()[0]?.['inputSchema']).not.toHaveProperty('required')
  expect(names.tool(String(names.tools()[0]?.['name']))).toMatchObject({ server: 'a', name: 'get page.v1' })
})

test('a result of structured content alone is told as text too', () => {
  const [bare, both] = [{ structuredContent: { a: 1 } }, { structuredContent: { a: 1 }, content: [{ type: 'text', text: 'one' }] }]
  expect(gateResult({ kind: 'ran', result: bare } as never)).toEqual({ ...bare, content: [{ type: 'text', text: '{"a":1}' }] })
  expect(gateResult({ kind: 'ran', result: both } as never)).toEqual(both)
})

test('a refusal is a result that says who refused, with the reason quoted', () => {
  expect(gateResult({ kind: 'denied', by: 'rule' })).toMatchObject({ isError: true })
  expect(JSON.stringify(gateResult({ kind: 'denied', by: 'person', word: 'no "now"' }))).toContain('no \\\\\\"now')
  expect(() => gateResult({ kind: 'protocol-error', code: -32602, message: 'm' })).toThrow('m')
})
