import { describe, expect, it } from 'vitest'
import type { ServerDefinition } from '../definition.ts'
import { readConfig } from './read-config.ts'

const stdio = (more: Partial<Extract<ServerDefinition, { transport: 'stdio' }>> = {}): ServerDefinition => ({
  enabled: true,
  start: 'needed',
  trusted: false,
  transport: 'stdio',
  command: 'npx',
  args: [],
  env: {},
  ...more,
})
const http = (more: Partial<Extract<ServerDefinition, { transport: 'streamable-http' | 'sse' }>> = {}): ServerDefinition => ({
  enabled: true,
  start: 'needed',
  trusted: false,
  transport: 'streamable-http',
  url: 'https://mcp.example.com/mcp',
  headers: {},
  ...more,
})

const one = (entry: string): string => `{ "mcpServers": { "a": ${entry} } }`

describe('readConfig', () => {
  const good: [title: string, entry: string, definition: ServerDefinition][] = [
    ['a command', '{ "command": "npx" }', stdio()],
    [
      'all of a local server',
      '{ "type": "stdio", "command": "npx", "args": ["-y", "x"], "env": { "A": "1" }, "cwd": "/tmp", "disabled": true, "start": "launch", "trusted": true, "timeout": 5, "idleMinutes": 30 }',
      stdio({
        args: ['-y', 'x'],
        env: { A: '1' },
        cwd: '/tmp',
        enabled: false,
        start: 'launch',
        trusted: true,
        timeoutMs: 5,
        idleMinutes: 30,
      }),
    ],
    ['an address', '{ "url": "https://mcp.example.com/mcp" }', http()],
    [
      'settings for signing in, with what other programs write there',
      `{ "url": "https://mcp.example.com/mcp", "oauth": { "clientId": "a", "clientSecret": "\${env:S}", "callbackPort": 8080, "scopes": ["x"], "dpop": true, "theirs": 1 } }`,
      http({ oauth: { clientId: 'a', clientSecret: `\${env:S}`, callbackPort: 8080, scopes: ['x'], dpop: true } }),
    ],
    ['settings for signing in that are all another’s', '{ "url": "https://mcp.example.com/mcp", "oauth": { "theirs": 1 } }', http()],
    [
      'an address with headers',
      '{ "type": "http", "url": "https://mcp.example.com/mcp", "headers": { "X": "y" } }',
      http({ headers: { X: 'y' } }),
    ],
    ['an old SSE address', '{ "type": "sse", "url": "https://mcp.example.com/mcp" }', http({ transport: 'sse' })],
    ['comments, a trailing comma and unknown keys', '{ /* why */ "command": "npx", "icon": 3, }', stdio()],
    ['the built-in demo', '{ "builtin": "demo" }', { enabled: true, start: 'launch', trusted: true, transport: 'builtin', module: 'demo' }],
    ['a variable named __proto__', '{ "command": "npx", "env": { "__proto__": "x" } }', stdio({ env: JSON.parse('{"__proto__":"x"}') })],
  ]
  it.each(good)('reads %s', (_title, entry, definition) => {
    const read = readConfig(one(entry), 'servers.json')
    expect([read.problems, [...read.definitions]]).toEqual([[], [['a', definition]]])
  })

  it.each(['', '{}', '{ "mcpServers": {} }'])('takes %j as no servers', (text) => {
    expect(readConfig(text, 'f')).toMatchObject({ usable: true, problems: [] })
  })

  const broken: [title: string, entry: string, line: number, column: number][] = [
    ['an entry that is no object', '"npx"', 1, 25],
    ['neither command nor url', '{}', 1, 25],
    ['a type named like a method', '{ "url": "https://x", "type": "constructor" }', 1, 55],
    ['both command and url', '{ "command": "x",\n "url": "https://x" }', 2, 2],
    ['a number among the arguments', '{ "command": "x",\n  "args": ["a", 1] }', 2, 17],
    ['arguments as one text', '{ "command": "x", "args": "-y" }', 1, 51],
    ['a number as a variable', '{ "command": "x", "env": { "A": 1 } }', 1, 57],
    [
      'a command line that no system starts',
      `{ "command": "x", "args": ["${'a'.repeat(66_000)}"], "env": { "A": "${'b'.repeat(66_000)}" } }`,
      1,
      25,
    ],
    ['an empty command', '{ "command": "" }', 1, 38],
    ['a line break in a command', '{ "command": "a\\nb" }', 1, 38],
    ['an address without a scheme', '{ "url": "mcp.example.com" }', 1, 34],
    ['a file address', '{ "url": "file:///etc/passwd" }', 1, 34],
    ['an unknown transport', '{ "type": "pigeon", "url": "https://x" }', 1, 35],
    ['a type that does not fit', '{ "type": "http", "command": "x" }', 1, 35],
    ['a text where true or false belongs', '{ "command": "x", "disabled": "yes" }', 1, 55],
    ['an unknown start', '{ "command": "x", "start": "later" }', 1, 52],
    ['a timeout of nothing', '{ "command": "x", "timeout": 0 }', 1, 54],
    ['an unknown built-in', '{ "builtin": "shell" }', 1, 38],
    ['settings for signing in that are a text', '{ "url": "https://x", "oauth": "me" }', 1, 56],
    ['an unknown way to sign in', '{ "url": "https://x", "oauth": { "grant": "password" } }', 1, 67],
    ['a port that is none', '{ "url": "https://x", "oauth": { "callbackPort": 70000 } }', 1, 74],
    ['an empty client id', '{ "url": "https://x", "oauth": { "clientId": "" } }', 1, 70],
    ['a number among the scopes', '{ "url": "https://x", "oauth": { "scopes": ["a", 1] } }', 1, 68],
    ['an issuer that is no address', '{ "url": "https://x", "oauth": { "issuer": "as.example" } }', 1, 68],
    ['a setting for signing in that is there twice', '{ "url": "https://x", "oauth": { "dpop": true,\n"dpop": false } }', 2, 1],
    ['a key that is there twice', '{ "command": "x",\n"command": "y" }', 2, 1],
  ]
  it.each(broken)('names %s, and starts the others', (_title, entry, line, column) => {
    const text = `{ "mcpServers": { "a": ${entry}, "fine": { "command": "npx" } } }`.replace('"a": ', '"a":  ')
    const read = readConfig(text, 'servers.json')
    expect([...read.definitions.keys()]).toEqual(['fine'])
    expect(read.problems).toHaveLength(1)
    expect(read.problems[0]).toMatchObject({ file: 'servers.json', server: 'a', line, column, remedy: expect.stringMatching(/./) })
  })

  it('never repeats a secret in what it says of it', () => {
    const text = '{ "mcpServers": { "a": { "url": "https://x", "oauth": { "clientSecret": 1234567, "privateKey": ["s3cret"] } } } }'
    const { problems } = readConfig(text, 'f')
    expect(problems).toHaveLength(2)
    expect(JSON.stringify(problems)).not.toMatch(/1234567|s3cret/)
  })

  it('says of a grant with a line break what is wrong in it', () => {
    const text = '{ "mcpServers": { "a": { "command": "x", "sandbox": { "filesystem": { "allowRead": ["a\\nb"] } } } } }'
    const [problem] = readConfig(text, 'f').problems
    expect(problem).toMatchObject({ message: expect.stringContaining('line break'), remedy: expect.stringContaining('one line') })
  })

  const unusable: [text: string, isJson: boolean, line: number][] = [
    ['{ "mcpServers": { "a": { "command": "x" }\n', false, 2],
    ['{ "mcpServers":\n { "a": { "command" "x" } } }', false, 2],
    ['hello', false, 1],
    ['[]', true, 1],
    ['{ "mcpServer": {} }', true, 1],
    ['{\n "mcpServers": [] }', true, 2],
  ]
  it.each(unusable)('can use nothing of %j', (text, isJson, line) => {
    const read = readConfig(text, 'f')
    expect(read).toMatchObject({ usable: false, isJson })
    expect(read.problems[0]).toMatchObject({ line })
  })

  it('refuses names that could pass for others, and a second server of the same name', () => {
    const text =
      '{ "mcpServers": { "a\\u200b": { "command": "x" }, " b": { "command": "x" }, "c": { "command": "1" }, "c": { "command": "2" } } }'
    const read = readConfig(text, 'f')
    expect([...read.definitions]).toEqual([['c', stdio({ command: '1' })]])
    expect(read.problems).toHaveLength(3)
  })
})
