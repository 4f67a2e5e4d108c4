// What a pasted text holds beside a plain command: what only a shell can do, values that are given in another way, and
// what describes a server without being one. Shaped after lines of public guides (`public-snippets.json` has them whole).
import { describe, expect, it } from 'vitest'
import { readHostFile, readSnippet } from './read-snippet.ts'
import { codeBlocks } from './text-blocks.ts'

const read = (text: string) => {
  const { servers, problems } = readSnippet(text)
  return {
    servers: servers.map(({ definition }) => definition),
    notes: servers.flatMap((server) => server.problems.map(({ message }) => message)),
    reasons: problems.map(({ message, remedy }) => `${message} ${remedy}`),
  }
}
const dollar = (text: string): string => text.replaceAll('@', '$')

describe('a command line', () => {
  it.each<[line: string, piece: string]>([
    ['npx -y notes-mcp && echo done', '&&'],
    ['npx -y notes-mcp || true', '||'],
    ['npx -y notes-mcp; ls', ';'],
    ['npx -y notes-mcp &', '&'],
    ['npx -y notes-mcp | tee log', '|'],
    ['cat config.json | npx -y notes-mcp', '|'],
    ['npx -y notes-mcp 2>/dev/null', '>'],
    ['npx -y notes-mcp < config.json', '<'],
    ['npx -y notes-mcp --key `cat key.txt`', '`cat key.txt`'],
    ['npx -y notes-mcp --key "@(cat key.txt)"', '$(cat key.txt)'],
    ['TOKEN=@(op read x) npx -y notes-mcp', '$(op read x)'],
    ['claude mcp add notes -- npx -y notes-mcp > /dev/null 2>&1', '>'],
    ['claude mcp add notes -e KEY=@(cat key | head -1) -- npx notes-mcp', '$(cat key | head -1)'],
    ['droid mcp add notes "npx -y notes-mcp | tee log"', '|'],
    ['{ "mcpServers": { "notes": { "command": "npx -y notes-mcp | tee log" } } }', '|'],
    ['{ "mcpServers": { "notes": { "command": ["npx -y notes-mcp > log"] } } }', '>'],
  ])('that only a shell can run is refused as a whole, and the piece is named: %s', (line, piece) => {
    const { servers, reasons } = read(dollar(line))
    expect([servers, reasons.map((reason) => reason.includes(`“${piece}”`))]).toEqual([[], [true]])
  })

  it.each<[line: string, args: string[]]>([
    ['npx -y notes-mcp --origins "a;b" --query \'x|y\'', ['-y', 'notes-mcp', '--origins', 'a;b', '--query', 'x|y']],
    ['claude mcp add notes -- npx notes-mcp && claude mcp list', ['notes-mcp']],
    ['npm install -g notes-mcp && npx notes-mcp', ['notes-mcp']],
    ['npx notes-mcp --url https://notes.example/?a=1&b=2', ['notes-mcp', '--url', 'https://notes.example/?a=1&b=2']],
    ['C:\\> npx notes-mcp --dir C:\\notes', ['notes-mcp', '--dir', 'C:\\notes']],
    ['npx notes-mcp --mode install', ['notes-mcp', '--mode', 'install']],
  ])('without any such is read whole: %s', (line, args) => {
    expect(read(line).servers).toMatchObject([{ command: 'npx', args }])
  })

  it('says which variable the shell would have worked out', () => {
    const { servers, notes } = read(dollar('export TOKEN=@(op read x)\nnpx -y notes-mcp'))
    expect([servers.length, notes.filter((note) => note.includes('TOKEN') && note.includes('$(op read x)')).length]).toEqual([1, 1])
  })
})

describe('a page of several blocks', () => {
  // Shaped after getsentry/XcodeBuildMCP and github/github-mcp-server: one block for each client.
  const page = (...blocks: string[]): string => blocks.map((block) => `Text.\n\n\`\`\`\n${block}\n\`\`\`\n`).join('\n')

  it('says what a block refuses though another block gave a server, with its line', () => {
    const text = page('npx -y notes-mcp', dollar('claude mcp add notes -e KEY=@(cat key) -- npx notes-mcp'))
    const { servers, problems } = readSnippet(text)
    expect([servers.length, problems.map(({ message, line }) => [line, message])]).toEqual([
      1,
      [[10, '“$(cat key)” needs a shell, which Assent does not use.']],
    ])
  })

  it('says nothing of blocks that are about something else', () => {
    const { servers, problems } = readSnippet(page('npx -y notes-mcp', 'git clone x\nnpm install', '{ "level": "debug" }', 'Made by hand.'))
    expect([servers.length, problems]).toEqual([1, []])
  })
})

describe('WORD mcp add', () => {
  it.each<[line: string, server: object]>([
    ['otto mcp add notes -- npx notes-mcp', { command: 'npx', args: ['notes-mcp'] }],
    ['gh copilot mcp add --name notes --url https://notes.example/mcp', { url: 'https://notes.example/mcp' }],
    ['otto mcp add notes https://notes.example/mcp --header K v', { headers: { K: 'v' } }],
    ['otto mcp add notes https://notes.example/mcp --header K=v', { headers: { K: 'v' } }],
    ['otto mcp add notes https://notes.example/mcp --headers \'{"K":"v"}\'', { headers: { K: 'v' } }],
    ['otto mcp add notes --command npx --args \'["-y","notes-mcp"]\'', { command: 'npx', args: ['-y', 'notes-mcp'] }],
    [
      'codex mcp add notes --url https://notes.example/mcp --bearer-token-env-var T',
      { headers: { Authorization: dollar('Bearer @{env:T}') } },
    ],
  ])('is read of any program: %s', (line, server) => {
    expect(read(line)).toMatchObject({ servers: [server], notes: [], reasons: [] })
  })

  it.each<[line: string, word: string]>([
    ['otto mcp add notes --weird y -- npx notes-mcp', '--weird'],
    ['otto mcp add notes https://notes.example/mcp --weird y', '--weird'],
    ['otto mcp add notes --header "K: v" -- npx notes-mcp', 'K'],
    ['otto mcp add notes -e K=v https://notes.example/mcp', 'K'],
  ])('names what it does not take over: %s', (line, word) => {
    const { servers, notes } = read(line)
    expect([servers.length, notes.filter((note) => note.includes(word)).length]).toEqual([1, 1])
  })

  it.each<[line: string, word: string]>([
    ['otto mcp add --weird y notes npx notes-mcp', '--weird'],
    ['otto mcp install notes', 'otto mcp install'],
    ['/mcp add', '/mcp add'],
    ['claude mcp add [options] <name> -- <command> [args...]', '[options]'],
    ['npx notes-mcp --help', '--help'],
  ])('is refused by its name where it cannot be read: %s', (line, word) => {
    const { servers, reasons } = read(line)
    expect([servers, reasons.filter((reason) => reason.includes(word)).length]).toEqual([[], 1])
  })
})

describe('an entry', () => {
  const entry = (fields: object) => dollar(JSON.stringify({ mcpServers: { notes: fields } }))

  it.each<[title: string, entry: object, wanted: object, words: string[]]>([
    [
      'variables in headers',
      { url: 'https://n.example', headers: { A: 'Bearer @T', B: '@{T}', C: '{env:T}', D: '@env:T' } },
      { headers: { A: 'Bearer @{env:T}', B: '@{env:T}', C: '@{env:T}', D: '@{env:T}' } },
      [],
    ],
    ['a variable in the middle of a value', { command: 'n', env: { P: 'pa@WORD' } }, { env: { P: 'pa@{env:WORD}' } }, ['@WORD']],
    [
      'variables in arguments',
      { command: 'n', args: ['--key', '@{KEY}', '--other', '@OTHER'] },
      { args: ['--key', '@{input:KEY}', '--other', '@{input:OTHER}'] },
      ['KEY', 'OTHER'],
    ],
    [
      'a variable that the entry gives itself',
      { command: 'n', args: ['K: @{KEY}'], env: { KEY: 'v' } },
      { args: ['K: @{KEY}'] },
      ['@{KEY}'],
    ],
    ['the script of a shell', { command: 'bash', args: ['-c', 'exec n @{KEY} @(pwd)'] }, { args: ['-c', 'exec n @{KEY} @(pwd)'] }, []],
    ['what is not run', { command: 'n', env: { A: '@(id)' } }, { env: { A: '@(id)' } }, ['@(id)']],
    [
      'variables in the sign-in',
      { url: 'https://n.example', oauth: { clientId: '{env:ID}', scope: 'a b' } },
      { oauth: { clientId: '@{env:ID}', scopes: ['a', 'b'] } },
      [],
    ],
    ['true for the sign-in', { url: 'https://n.example', oauth: true }, { url: 'https://n.example' }, []],
    [
      'variables for headers',
      { url: 'https://n.example', bearer_token_env_var: 'T', env_http_headers: { K: 'V' } },
      { headers: { Authorization: 'Bearer @{env:T}', K: '@{env:V}' } },
      [],
    ],
    ['a key that is not known', { command: 'n', wibble: 1, description: 'x' }, { command: 'n' }, ['wibble']],
    [
      'the rest of requestInit',
      { url: 'https://n.example', requestInit: { headers: { A: 'b' }, mode: 'cors' } },
      { headers: { A: 'b' } },
      ['mode'],
    ],
  ])('with %s says all of it', (_, fields, wanted, words) => {
    const { servers, notes } = read(entry(fields))
    expect(servers).toMatchObject([JSON.parse(dollar(JSON.stringify(wanted)))])
    expect(notes.length).toBe(words.length)
    for (const [index, word] of words.entries()) expect(notes[index]).toContain(dollar(word))
  })

  it('is read alike where it is pasted and in the file of any program', () => {
    const text = entry({ command: 'npx', args: ['notes-mcp', '--key', '@{KEY}'] })
    const pasted = readSnippet(text, 'mcp.json')
    for (const host of ['claude-code', 'cursor', 'other'] as const) expect(readHostFile(host, text, 'mcp.json')).toEqual(pasted)
  })
})

describe('a page', () => {
  const badge = '[![Install](https://cursor.com/deeplink/mcp-install-dark.svg)]'
  const config = btoa(JSON.stringify({ command: 'npx', args: ['notes-mcp'] }))

  it.each([
    `${badge}(https://cursor.com/install-mcp?name=notes&config=${config})`,
    `${badge}(cursor://anysphere.cursor-deeplink/mcp/install?name=notes&config=${config})`,
    `<a href="https://cursor.com/install-mcp?name=notes&config=${config}"><img src="https://cursor.com/deeplink/mcp-install-dark.svg"></a>`,
    `# Notes\n\nSee https://mcp.notes.example/mcp, or [add it](vscode:mcp/install?name=notes&config=${encodeURIComponent('{"command":"npx","args":["notes-mcp"]}')}).`,
  ])('with a link that installs has the server of the link alone: %s', (text) => {
    expect(read(text).servers).toMatchObject([{ command: 'npx', args: ['notes-mcp'] }])
  })

  it.each([
    '![logo](https://notes.example/mcp.svg)',
    '[![Smithery](https://smithery.ai/badge/@notes/mcp)](https://smithery.ai/server/@notes/mcp)',
    'Run it with your client, or visit https://github.com/notes/notes-mcp.',
    'Docker is optional; see https://docs.notes.example/mcp for more.',
    '{ "name": "notes", "version": "1.0.0", "author": { "name": "Ada", "url": "https://ada.example" } }',
    '{ "name": "notes", "mcpServers": "./.mcp.json", "author": { "name": "Ada", "url": "https://ada.example" } }',
  ])('about a server brings none, and says so: %s', (text) => {
    const { servers, reasons } = read(text)
    expect([servers, reasons.length]).toEqual([[], 1])
  })

  it('is handed on in pieces that are together no longer than it', () => {
    const page = '# Notes\n\n```json\n{ "mcpServers": {} }\n```\n\nSome words.\n\n> ```\n> npx notes-mcp\n> ```\n'.repeat(500)
    const blocks = codeBlocks(page)
    expect(blocks.length).toBe(1000)
    expect(blocks.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(page.length)
    expect(readSnippet(`${page}\n\`\`\`\nclaude mcp add a -- npx a\n\`\`\`\n`).servers.map(({ line }) => line)).toEqual([10, 5503])
  })
})

describe('what reaches no server', () => {
  it.each<[text: string, piece: string]>([
    ['Connect to https://notes.example/mcp with the header `Authorization: Bearer YOUR_KEY`.', 'Authorization'],
    ['NOTES_KEY=abc\n\n{ "mcpServers": { "notes": { "command": "npx", "args": ["notes-mcp"] } } }', 'NOTES_KEY'],
    ['KEY=x ./notes-mcp --stdio\nnpx -y other-mcp', 'KEY=x ./notes-mcp --stdio'],
    ['{ "mcpServers": { "notes": { "url": "https://a.example/mcp", "serverUrl": "https://b.example/mcp" } } }', 'serverUrl'],
    ['cursor://x/mcp/install?name=notes&config=%7B%22command%22%3A%22npx%22%2C%22args%22%3A%5B%22notes-mcp%22%5D%7D&env=KEY', 'env'],
    [
      '{ "mcpServers": { "notes": { "command": "python", "args": ["/Users/ada/notes-mcp/server.py"] } } }',
      '/Users/ada/notes-mcp/server.py',
    ],
    ['npx -y notes-mcp to start the server', 'to start the server'],
    ['npx type-coverage', 'type-coverage'],
  ])('is named: %s', (text, piece) => {
    const { servers, notes, reasons } = read(text)
    expect([servers.length, [...notes, ...reasons].some((said) => said.includes(`“${piece}”`))]).toEqual([1, true])
  })

  it.each<[text: string, count: number]>([
    ['{ "mcpServers": { "a": { "command": "a-mcp" } }, "servers": { "b": { "command": "b-mcp" } } }', 2],
    ['[{ "mcpServers": { "a": { "command": "a-mcp" } } }, { "mcpServers": { "b": { "command": "b-mcp" } } }]', 2],
    ['{ "mcpServers": [{ "a": { "command": "a-mcp" } }, { "b": { "url": "https://b.example/mcp" } }] }', 2],
    ['Run:\n\nnpx a-mcp\n\nOr write:\n\nmcpServers:\n  b:\n    command: b-mcp\n\nThen restart.', 2],
  ])('is none of several servers: %s', (text, count) => {
    expect(read(text).servers.length).toBe(count)
  })

  it('is not the source text of a program', () => {
    const { servers, reasons } = read(
      'from fastmcp import FastMCP\n\ndef main() -> None:\n    """Run `python -m notes`."""\n    mcp.run()\n',
    )
    expect([servers, reasons.length]).toEqual([[], 1])
  })

  it('joins the folders of several cd', () => {
    expect(read('cd notes-mcp\ncd server/src\ncd ..\nnode index.js').servers).toMatchObject([{ cwd: 'notes-mcp/server' }])
  })
})
