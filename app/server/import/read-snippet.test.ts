import { describe, expect, it } from 'vitest'
import { unfilledIn } from './placeholders.ts'
import { readSnippet } from './read-snippet.ts'

const notes = { enabled: true, start: 'needed', trusted: false, transport: 'stdio', command: 'npx', args: [], env: {} }

describe('readSnippet', () => {
  const entry = '"a": { "command": "npx" }'
  it.each([
    `{ "mcpServers": { ${entry} } }`,
    `"mcpServers": { ${entry} }`,
    `"mcpServers": { ${entry} },\n`,
    `{ ${entry} }`,
    entry,
    `${entry},`,
    `"mcpServers": { ${entry}`,
    `{ "mcpServers": { ${entry} }`,
    `{ "servers": { ${entry} } }`,
    `// add this\n{ "mcpServers": { ${entry} } }`,
  ])('finds the server in %j', (text) => {
    expect(readSnippet(text)).toMatchObject({ servers: [{ name: 'a', definition: notes, secrets: [], problems: [] }], problems: [] })
  })

  it('leaves it to the person whom to trust, and what starts with the app', () => {
    const text = '{ "a": { "command": "npx", "trusted": true, "start": "launch" }, "demo": { "builtin": "demo" } }'
    expect(readSnippet(text).servers.map(({ definition }) => [definition.trusted, definition.start])).toEqual([
      [false, 'needed'],
      [true, 'launch'],
    ])
  })

  it.each(['{ "a": 1 }', '[]', '{'])('says that there is none in %j', (text) => {
    const { servers, problems } = readSnippet(text)
    expect([servers, problems.length]).toEqual([[], 1])
  })

  it('takes nothing for nothing', () => {
    expect(readSnippet(' \n')).toEqual({ format: 'unknown', servers: [], inputs: [], problems: [] })
  })
})

it.each([
  ['example.com', 'https://example.com'],
  ['mcp.linear.app/mcp', 'https://mcp.linear.app/mcp'],
  [' https://example.com/mcp\n', 'https://example.com/mcp'],
  ['localhost:3000/mcp', 'http://localhost:3000/mcp'],
  ['127.0.0.1:8080', 'http://127.0.0.1:8080'],
])('reads %s, a host alone, as an address, and offers to look at its site', (text, url) => {
  const { servers, site } = readSnippet(text)
  expect([servers.map(({ definition }) => definition), site]).toEqual([
    [expect.objectContaining({ transport: 'streamable-http', url })],
    url,
  ])
})

it.each(['server.py', 'my.server.mjs', 'npx', 'npx example.com', 'run.cmd', 'a.b/c d'])('takes %s for no host', (text) => {
  expect(readSnippet(text).site).toBeUndefined()
})

it('reads a map under a dotted key, as a settings file has it', () => {
  const { servers } = readSnippet('{ "mcp.servers": { "notes": { "command": "npx", "args": ["-y", "notes-mcp"] } } }')
  expect(servers.map(({ name }) => name)).toEqual(['notes'])
})

it.each([
  'claude mcp add x <YOUR_URL>',
  'claude mcp add --transport http x "[your server url]"',
  'claude mcp add --transport http x http://<host>:<port>/mcp',
  'claude mcp add --transport sse x https://{tenant}.acme.example/sse',
  'codex mcp add x --url YOUR_MCP_URL',
  'droid mcp add x {{MCP_URL}} --type http',
  'gemini mcp add x $MCP_URL --transport http',
  'claude mcp add --transport http x https://...',
  `{"mcpServers":{"x":{"url":"$\{MCP_URL}"}}}`,
  '{"mcpServers":{"x":{"url":"your-server-url"}}}',
])('asks for the address of %s', (text) => {
  const { servers, problems } = readSnippet(text)
  expect(problems).toEqual([])
  expect(servers.map(({ name, definition }) => [name, unfilledIn(definition)])).toEqual([['x', expect.stringMatching(/^your/i)]])
})

it.each(['https://<your-host>/mcp', 'https://[host]/mcp'])('says that %s alone is a placeholder', (text) => {
  const { servers, problems } = readSnippet(text)
  expect([servers, problems.map(({ message }) => message)]).toEqual([[], [`“${text}” is a placeholder.`]])
})

describe('text as people copy it', () => {
  const lines = (text: string) =>
    readSnippet(text).servers.map(({ name, definition }) =>
      definition.transport === 'stdio' ? [name, definition.command, ...definition.args] : [name, 'url' in definition ? definition.url : ''],
    )
  it.each([
    ['& "C:\\Program Files\\Notes\\notes.exe" --stdio', [['notes', 'C:\\Program Files\\Notes\\notes.exe', '--stdio']]],
    ['npm run build\n```\n\nThen:\n\n```json\n{ "mcpServers": { "a": { "command": "npx" } } }\n```\n', [['a', 'npx']]],
    ['  [mcp_servers.a]\n  command = "npx"\n', [['a', 'npx']]],
    ['    extensions:\n      a:\n        type: stdio\n        cmd: npx\n', [['a', 'npx']]],
    ['q mcp add --name a --command npx --args "-y,notes\\,mcp"', [['a', 'npx', '-y', 'notes,mcp']]],
    ['openclaw mcp set a \'{"command":"npx"}\'', [['a', 'npx']]],
    ['codex mcp add a --startup-timeout-sec 20 -- npx notes', [['a', 'npx', 'notes']]],
    ['go mod download\ndotnet tool restore\n./gradlew build\nnpx -y notes-mcp', [['notes', 'npx', '-y', 'notes-mcp']]],
    ['{ "mcpServers": { "a": { "base_url": "https://a.example/mcp" } } }', [['a', 'https://a.example/mcp']]],
  ])('reads %s', (text, expected) => {
    expect(lines(text)).toEqual(expected)
  })

  it.each(['arctl run notes', 'uv run fastmcp install cursor server.py', 'mcp install server.py', 'https://a.example/x.dxt?raw=1'])(
    'refuses %s',
    (text) => {
      expect([lines(text), readSnippet(text).problems.length]).toEqual([[], 1])
    },
  )

  it('asks for what only begins like a key', () => {
    const { servers } = readSnippet('npx notes --a ab_cd_... --b lin_api_KEY\nnpx notes2 --c up-xxxx')
    expect(JSON.stringify(servers)).not.toMatch(/ab_cd|lin_api_KEY|up-xxxx/)
  })
})
