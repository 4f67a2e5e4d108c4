import { describe, expect, it } from 'vitest'
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

it.each(['https://<your-host>/mcp', 'https://[host]/mcp'])('says that %s alone is a placeholder', (text) => {
  const { servers, problems } = readSnippet(text)
  expect([servers, problems.map(({ message }) => message)]).toEqual([[], [`“${text}” is a placeholder.`]])
})
