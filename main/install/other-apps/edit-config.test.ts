// Files as programs and people write them: a key that is not there yet, comments in every place, commas at the end, one line, tabs, CR LF,
// a byte order mark. Places and shapes are those that the programs' documentation names (`source` in `known-apps.ts`).
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '#app/json.ts'
import { addServer, applySplices, cutServer, putServerBack, type ServerMap, type Splice, serversIn } from './edit-config.ts'
import { invertSplices } from './plan-change.ts'

const entry = { command: '/opt/assent', args: ['mcp'], env: { TOKEN: 'x' } }
const json: ServerMap = { format: 'json', keys: ['mcpServers'] }
const toml: ServerMap = { format: 'toml', keys: ['mcp_servers'] }
const yaml: ServerMap = { format: 'yaml', keys: ['extensions'] }

const added = (text: string, map: ServerMap, own: JsonObject = entry): string => applySplices(text, addServer(text, map, 'assent', own))
const cut = (text: string, map: ServerMap, name = 'assent'): string => applySplices(text, cutServer(text, map, name).splices)

describe('a server is added where a person would write it', () => {
  it.each<[string, string, string]>([
    ['no text', '', '{\n  "mcpServers": {\n    "assent": { "a": 1 }\n  }\n}\n'],
    ['no map', '{\n\t"x": 1\n}', '{\n\t"x": 1,\n\t"mcpServers": {\n\t\t"assent": { "a": 1 }\n\t}\n}'],
    ['an empty map', '{ "mcpServers": {} }', '{ "mcpServers": {\n  "assent": { "a": 1 }\n} }'],
    [
      'a comment after the last server',
      '{\n  "mcpServers": {\n    "b": {} // mine, keep\n    // end\n  }\n}',
      '{\n  "mcpServers": {\n    "b": {}, // mine, keep\n    "assent": { "a": 1 }\n    // end\n  }\n}',
    ],
    ['a comma at the end', '{"mcpServers": {\n "b": {},\n}}', '{"mcpServers": {\n "b": {},\n "assent": { "a": 1 },\n}}'],
    ['all on one line', '{"mcpServers":{"b":{}}}', '{"mcpServers":{"b":{}, "assent": { "a": 1 }}}'],
    ['CR LF', '{\r\n "mcpServers": {\r\n }\r\n}', '{\r\n "mcpServers": {\r\n  "assent": { "a": 1 }\r\n }\r\n}'],
    ['a byte order mark', '\uFEFF{ "mcpServers": { "b": {} } }', '\uFEFF{ "mcpServers": { "b": {}, "assent": { "a": 1 } } }'],
    ['only a comment in the map', '{"mcpServers": {\n  // none yet\n}}', '{"mcpServers": {\n  // none yet\n  "assent": { "a": 1 }\n}}'],
  ])('JSON, %s', (_, text, wanted) => {
    const compact = (one: string): string => one.replace(/\{\s*"a": 1\s*\}/, '{ "a": 1 }')
    expect(compact(added(text, json, { a: 1 }))).toBe(wanted)
  })

  it.each<[string, string, string]>([
    ['no text', '', '[mcp_servers.assent]\na = 1\n'],
    ['tables', 'model = "x"\n[mcp_servers.b] # own\nc = 1\n', 'model = "x"\n[mcp_servers.b] # own\nc = 1\n\n[mcp_servers.assent]\na = 1\n'],
    ['no line break at the end', '[a]\nb = 1', '[a]\nb = 1\n\n[mcp_servers.assent]\na = 1\n'],
  ])('TOML, %s', (_, text, wanted) => expect(added(text, toml, { a: 1 })).toBe(wanted))

  it.each<[string, string, string]>([
    ['no text', '', 'extensions:\n  assent:\n    a: 1\n'],
    [
      'a map with comments',
      'extensions: # all\n    # first\n    b:\n      c: 1\nz: 2\n',
      'extensions: # all\n    assent:\n      a: 1\n    # first\n    b:\n      c: 1\nz: 2\n',
    ],
    ['an empty map', 'extensions: {} # none\nz: 1\n', 'extensions:\n  assent:\n    a: 1 # none\nz: 1\n'],
    ['no value', 'extensions:\nz: 1\n', 'extensions:\n  assent:\n    a: 1\nz: 1\n'],
    ['a map on one line', 'extensions: { b: { c: 1 } }\n', 'extensions: { "assent": {"a":1}, b: { c: 1 } }\n'],
    ['no map', 'z: 1\n', 'z: 1\nextensions:\n  assent:\n    a: 1\n'],
  ])('YAML, %s', (_, text, wanted) => expect(added(text, yaml, { a: 1 })).toBe(wanted))
})

describe('a text that cannot be edited so is refused', () => {
  it.each<[string, string, ServerMap]>([
    ['half written', '{ "mcpServers": { "b": ', json],
    ['no object', '[]', json],
    ['null in place of the map', '{ "mcpServers": null }', json],
    ['a list in place of the map', '{ "mcpServers": [] }', json],
    ['the name is taken', '{ "mcpServers": { "assent": {} } }', json],
    ['not TOML', 'a = \n', toml],
    ['a table in one line, which ends there', 'mcp_servers = { b = { c = 1 } }\n', toml],
    ['not YAML', 'a: [\n', yaml],
    ['several documents', 'a: 1\n---\nb: 1\n', yaml],
    ['a list of extensions', 'extensions:\n  - b\n', yaml],
  ])('%s', (_, text, map) => expect(() => added(text, map)).toThrow())
})

describe('a server is cut out, and put back', () => {
  const codex =
    '# mine\n[mcp_servers.a]\ncommand = "a" # keep\n\n[mcp_servers.a.env]\nK = "[x]"\n\n# about b\n[mcp_servers.b]\nt = """\n[mcp_servers.a]\n"""\n'
  const goose = 'extensions:\n  # of a\n  a:\n    cmd: a # why\n    args: [-y]\n  b:\n    cmd: b\nz: 1\n'
  const zed = '{\n  // servers\n  "mcpServers": {\n    // of a\n    "a": { "command": "a" /* why */ }, // after a\n    "b": {}\n  },\n}\n'

  it.each<[string, string, ServerMap, string]>([
    ['JSON', zed, json, '{\n  // servers\n  "mcpServers": {\n    // of a\n    // after a\n    "b": {}\n  },\n}\n'],
    ['TOML', codex, toml, '# mine\n# about b\n[mcp_servers.b]\nt = """\n[mcp_servers.a]\n"""\n'],
    ['YAML', goose, yaml, 'extensions:\n  # of a\n  b:\n    cmd: b\nz: 1\n'],
  ])('%s: its own comments go with it and come back, all others stay', (_, text, map, without) => {
    const { splices, raw } = cutServer(text, map, 'a')
    const after = applySplices(text, splices)
    expect(after.replace(/^ +\/\/ after/m, '    // after')).toBe(without)
    expect(applySplices(after, invertSplices(text, splices))).toBe(text)
    const own = serversIn(text, map)['a']
    const back = applySplices(after, putServerBack(after, map, 'a', raw, own))
    expect(serversIn(back, map)).toEqual(serversIn(text, map))
    expect(back).toContain(map.format === 'json' ? '/* why */' : map.format === 'toml' ? '# keep' : '# why')
  })

  it.each<[string, string, ServerMap]>([
    ['JSON, the last', '{\n  "mcpServers": {\n    "b": {} // b\n  }\n}\n', json],
    ['JSON, in one line', '{ "mcpServers": { "b": {} } }', json],
    ['JSON, the only one', '{ "mcpServers": {} }', json],
    ['TOML', 'a = 1\n\n[mcp_servers.b]\nc = 1\n', toml],
    ['YAML', 'extensions:\n  b:\n    c: 1\n', yaml],
  ])('%s: what was added goes without a trace', (_, text, map) => expect(cut(added(text, map), map)).toBe(text))

  it('of two entries of one name none is cut', () => expect(() => cut('{ "mcpServers": { "a": {}, "a": {} } }', json, 'a')).toThrow())
})

/** Text of JSON with white space and comments between all of its tokens, and commas at the end. */
const trivia = fc
  .array(fc.constantFrom(' ', '\n', '\t', '\r\n', '/* c */', '// c\n', '/* a\n b */'), { maxLength: 3 })
  .map((parts) => parts.join(''))
const written = (value: Json): fc.Arbitrary<string> => {
  const list = (open: string, close: string, members: fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
    fc
      .tuple(fc.tuple(...members), fc.array(trivia, { minLength: members.length * 2 + 1, maxLength: members.length * 2 + 1 }), fc.boolean())
      .map(([texts, gaps, comma]) => {
        const inner = texts.map((text, at) => `${gaps[at * 2]}${text}${gaps[at * 2 + 1]}`).join(',')
        return `${open}${inner}${comma && texts.length > 0 ? ',' : ''}${gaps.at(-1)}${close}`
      })
  if (Array.isArray(value)) return list('[', ']', value.map(written))
  if (typeof value !== 'object' || value === null) return fc.constant(JSON.stringify(value))
  return list(
    '{',
    '}',
    Object.entries(value).map(([key, one]) =>
      fc.tuple(trivia, trivia, written(one as Json)).map(([a, b, text]) => `${JSON.stringify(key)}${a}:${b}${text}`),
    ),
  )
}
const key = fc.constantFrom('a', 'b', 'mcpServers', '$schema', 'ключ', '"q"')
const values = fc.dictionary(
  key,
  fc.oneof(
    fc.constant({}),
    fc.constant([]),
    fc.constantFrom<Json>(1, null, 'x // no', true),
    fc.dictionary(key, fc.constantFrom<Json>(1, { c: [2] })),
  ),
  { maxKeys: 4 },
)
const servers = fc.dictionary(fc.constantFrom('a', 'b', 'files'), fc.constant({ command: 'c', args: ['-y'] }), { maxKeys: 3 })
const files = fc
  .tuple(values, fc.option(servers, { nil: undefined }))
  .map(([rest, own]) => ({ ...(rest as JsonObject), mcpServers: own ?? {} }))
  .chain((value) => fc.tuple(written(value), trivia))
  .map(([text, after]) => text + after)

/** Text that an edit takes away, without white space. */
const taken = (text: string, splices: readonly Splice[]): string =>
  splices
    .map(({ offset, length }) => text.slice(offset, offset + length))
    .join('')
    .replace(/\s/g, '')

describe('whatever the file', () => {
  it('adding takes nothing away, and is undone byte for byte', () => {
    fc.assert(
      fc.property(files, (text) => {
        const splices = addServer(text, json, 'assent', entry)
        const after = applySplices(text, splices)
        expect(taken(text, splices)).toBe('')
        expect(applySplices(after, invertSplices(text, splices))).toBe(text)
        expect(serversIn(cut(after, json), json)).toEqual(serversIn(text, json))
      }),
      { numRuns: 150 },
    )
  })

  it('a server that is cut takes its own text and one comma with it, and comes back as it was', () => {
    fc.assert(
      fc.property(files, (text) => {
        const own = serversIn(text, json)
        for (const name of Object.keys(own)) {
          const { splices, raw } = cutServer(text, json, name)
          const after = applySplices(text, splices)
          const bare = raw.replace(/\s/g, '')
          expect([bare, `,${bare}`, `${bare},`, `{${bare}}`, `{${bare},}`]).toContain(taken(text, splices))
          expect(applySplices(after, invertSplices(text, splices))).toBe(text)
          expect(serversIn(applySplices(after, putServerBack(after, json, name, raw, own[name])), json)).toEqual(own)
        }
      }),
      { numRuns: 150 },
    )
  })
})
