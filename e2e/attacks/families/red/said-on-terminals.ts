// Servers, packages, files and addresses whose words no terminal row had yet.
// Written from the promise that every byte that is not ours is escaped, and that `--json` is JSON, not from the code.
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { makeZip } from '#main/install/bundles/bundles.testing.ts'
import { result } from '../../../servers/http/raw-http.ts'
import { type Part, saying, tool } from '../../puppet.ts'
import { nameOf, speaker } from '../outsiders/speaking-servers.ts'
import { type Desk, profile, type TerminalRow } from '../outsiders/terminal-row.ts'
import { ask, fileOf, folderOf, servers, written } from '../promises/prompt-desk.ts'

export const flat = (words: string): string => nameOf(words).replaceAll(/[\n\r\u2028\u2029\u0085\v]/g, '')
export const call = (desk: Desk, ...more: string[]): string[] => ['call', 's', 'say', '{}', ...desk.config, ...more]
export const links =
  '\u001b]8;;https://evil.example\u0007PWN\u001b]8;;\u0007\u001b]8;id=1;file:///etc/passwd\u001b\\x\u001b]8;;\u001b\\\u001b]52;c;UFdO\u001b\\END'
/** Sequences of single terminals: titles, notifications, files, pictures, keyboards, macros, answers that are typed back. */
export const exotic = [
  'PWN',
  '\u001b]0;title\u0007\u001b]9;note\u0007\u001b]777;notify;a;b\u0007',
  '\u001b]1337;File=name=eA==;inline=1:AAAA\u0007\u001b_Ga=T,f=100;AAAA\u001b\\\u001bP0;0q#0\u001b\\',
  '\u001b[>4;2m\u001b[?1049h\u001b[?2004h\u001b[?1000h\u001b[6n\u001b[c\u001b[>q\u001b]11;?\u0007\u001bP$q"p\u001b\\',
  '\u001bP1000p\u001b\\\u001b[5i\u001b[4i\u001b[20t\u001b[21t\u001bZ\u001b#8\u001b(0\u000e\u000f\u0005',
  '\u001b]4;1;?\u0007\u001b]50;#1\u0007\u001b]133;A\u0007\u001b]633;E;rm\u0007\u001b^pm\u001b\\\u001bXsos\u001b\\',
  '\u001b[3J\u001b[1;1H\u001b[9999A\u001b[0;30;40m\u001b[1;1r\u001b[4h\u001b[?5h',
  'END',
].join('')
export const saysThat =
  (words: string): ((given: string) => Part) =>
  (given) => ({ ...speaker(`${given}${words}`), call: () => saying(words) })
const site =
  (body: (words: string) => string, type = 'application/json') =>
  async (words: string) => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': type }).end(body(words))
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: async () => server.close() }
  }
const fake = (desk: Desk, name: string, words: string): string => {
  const file = join(desk.bench.folder, name)
  writeFileSync(file, `#!/bin/sh\nprintf '%s\\n' ${`'${nameOf(words).replaceAll("'", '')}'`} >&2\nexit 1\n`, { mode: 0o755 })
  return file
}

export const saidOnTerminals: readonly TerminalRow[] = [
  {
    name: 'tools: 40 tools whose descriptions are links and macros',
    part: () => ({
      ...speaker(exotic),
      tools: () =>
        Array.from({ length: 40 }, (_, at) => tool(`t${at}`, { title: links, description: exotic, annotations: { title: links } })),
    }),
    args: ({ config }) => ['tools', ...config],
  },
  { name: 'tools: a server that is none', part: speaker, args: ({ config }, words) => ['tools', nameOf(words), ...config] },
  { name: 'doctor: a server that is none', part: speaker, args: ({ config }, words) => ['doctor', nameOf(words), ...config], sees: 'PWN' },
  {
    name: 'doctor: instructions, icons and a site with codes',
    part: (words) => ({
      ...speaker(words),
      hello: {
        capabilities: { tools: {}, experimental: { [words]: { [words]: words } } },
        serverInfo: { name: 'PWN', version: words, websiteUrl: `https://a.example/${words}`, icons: [{ src: words, sizes: [words] }] },
        instructions: words,
      },
    }),
    args: ({ config }) => ['doctor', 's', '--verbose', ...config],
    sees: 's',
  },
  {
    name: 'doctor: a protocol version with codes',
    part: (words) => ({ ...speaker(words), hello: { protocolVersion: words, capabilities: { tools: {} } } }),
    args: ({ config }) => ['doctor', 's', ...config],
  },
  {
    name: 'doctor: an answer that is none',
    part: (words) =>
      speaker(words, (message, wire) => {
        if (message.method !== 'initialize') return false
        wire.send({ jsonrpc: '2.0', id: message.id, result: words } as never)
        return true
      }),
    args: ({ config }) => ['doctor', 's', '--verbose', ...config],
    sees: 's',
  },
  {
    name: 'doctor: npx and a package whose name and version have codes',
    args: (desk, words) => [
      'doctor',
      's',
      ...servers(desk, {
        s: { command: 'npx', args: ['-y', `pwn@${flat(words)}`, `PWN${flat(words)}`], env: { npm_config_registry: 'http://127.0.0.1:9/' } },
      }),
      '--approve',
      'all',
    ],
    sees: 's',
  },
  {
    name: 'doctor: what a fake uvx says',
    args: (desk, words) => [
      'doctor',
      's',
      '--verbose',
      ...servers(desk, { s: { command: fake(desk, 'uvx', words), args: ['PWN'] } }),
      '--approve',
      'all',
    ],
  },
  {
    name: 'doctor: what a fake docker says',
    args: (desk, words) => [
      'doctor',
      's',
      '--verbose',
      ...servers(desk, { s: { command: fake(desk, 'docker', words), args: ['run', `PWN:${flat(words)}`] } }),
      '--approve',
      'all',
    ],
  },
  {
    name: 'doctor: a header, a folder and an env file with codes',
    args: (desk, words) => [
      'doctor',
      ...servers(desk, {
        PWN: { url: 'http://127.0.0.1:9/mcp', headers: { [`X-${flat(words)}`]: words } },
        b: { command: 'x', envFile: `/nowhere/${flat(words)}` },
        c: { type: words, command: words },
      }),
      '--approve',
      'all',
    ],
  },
  {
    name: 'servers: grants of a sandbox with codes',
    args: (desk, words) => [
      'servers',
      ...servers(desk, {
        PWN: {
          command: '/bin/echo',
          sandboxEnabled: true,
          sandbox: { filesystem: { allowRead: [`/${words}`], allowWrite: [words] }, network: { allowedDomains: [words] } },
        },
      }),
      '--approve',
      'all',
    ],
    sees: 'sandbox',
  },
  {
    name: 'call: the question of a launch with grants of a sandbox',
    args: (desk, words) => [
      'call',
      's',
      'x',
      ...servers(desk, {
        s: {
          command: '/bin/echo',
          args: ['PWN'],
          sandboxEnabled: true,
          sandbox: {
            filesystem: { allowRead: [`/srv/${flat(words)}`], allowWrite: [`/srv/${flat(words)}`] },
            network: { allowedDomains: ['a.example'] },
          },
        },
      }),
      ...ask,
    ],
    typed: 'n\n',
    json: false,
  },
  {
    name: 'read: an address with codes',
    part: speaker,
    args: ({ config }, words) => ['read', 's', `memo://${nameOf(words)}`, ...config],
    isText: true,
  },
  {
    name: 'read: contents of three kinds, with codes in each address',
    part: (words) =>
      speaker(words, (message, wire) => {
        if (message.method !== 'resources/read') return false
        wire.send(
          result(message, {
            contents: [
              { uri: words, text: 'PWN' },
              { uri: `a:${words}`, mimeType: 'image/png', blob: 'AAAA' },
              { uri: 'b', mimeType: words, blob: words },
            ],
          }),
        )
        return true
      }),
    args: ({ config }) => ['read', 's', 'memo://x', ...config],
    isText: true,
    sees: 's',
  },
  {
    name: 'prompt: arguments that are missing, named with codes',
    part: (words) =>
      speaker(words, (message, wire) => {
        if (message.method !== 'prompts/list') return false
        wire.send(
          result(message, { prompts: [{ name: 'p', title: words, arguments: [{ name: words, required: true, description: words }] }] }),
        )
        return true
      }),
    args: ({ config }) => ['prompt', 's', 'p', ...config],
    isText: true,
  },
  {
    name: 'prompt: a name and arguments with codes',
    part: speaker,
    args: ({ config }, words) => ['prompt', 's', nameOf(words), JSON.stringify({ [words]: words }), ...config],
    isText: true,
  },
  {
    name: 'import: an archive whose names have codes',
    args: (desk, words) => {
      const path = join(folderOf(desk, words), 'PWN.zip')
      writeFileSync(
        path,
        makeZip([
          { name: `${fileOf(words)}.json`, text: '{' },
          { name: 'conversations.json', text: `[{"uuid":${JSON.stringify(words)},"name":${JSON.stringify(words)}}]` },
        ]),
      )
      return ['import', path, ...profile(desk)]
    },
    sees: 'PWN',
  },
  {
    name: 'import: chats of ChatGPT with codes in model, tool and title',
    args: (desk, words) => [
      'import',
      written(
        desk,
        words,
        JSON.stringify([
          {
            id: words,
            title: words,
            create_time: 1,
            current_node: 'b',
            mapping: {
              a: {
                id: 'a',
                parent: null,
                children: ['b'],
                message: { id: 'a', author: { role: words }, content: { content_type: words, parts: [words] } },
              },
              b: {
                id: 'b',
                parent: 'a',
                children: [],
                message: {
                  id: 'b',
                  author: { role: 'assistant', name: words },
                  content: { content_type: 'text', parts: [words] },
                  metadata: { model_slug: words },
                },
              },
            },
          },
        ]),
      ),
      ...profile(desk),
    ],
    sees: 'Imported',
  },
  {
    name: 'import --from: a site that names servers with codes',
    beside: site((words) =>
      JSON.stringify({
        mcpServers: { [words]: { url: `https://a.example/${words}` }, PWN: { command: words } },
        servers: [{ name: words, description: words }],
      }),
    ),
    args: (desk) => ['import', '--from', desk.url, ...profile(desk)],
    typed: 'n\n',
    json: false,
    sees: '127.0.0.1',
  },
  {
    name: 'import --from: YAML and TOML with codes',
    args: (desk, words) => {
      mkdirSync(join(desk.bench.folder, '.codex'), { recursive: true })
      writeFileSync(
        join(desk.bench.folder, '.codex/config.toml'),
        `[mcp_servers.PWN]\ncommand = ${JSON.stringify(flat(words)).replaceAll(/[\u007f-\u009f]/g, '')}\nargs = ["${'x'}"]\n[mcp_servers.${JSON.stringify(flat(words)).replaceAll(/[\u007f-\u009f]/g, '')}]\ncommand = 7\n`,
      )
      return ['import', '--from', 'codex', ...profile(desk)]
    },
    sees: 'config.toml',
    typed: 'n\n',
    json: false,
  },
  {
    name: 'import --from: a program that is none',
    args: (desk, words) => ['import', '--from', nameOf(words), ...profile(desk)],
    typed: 'n\n',
    json: false,
  },
  {
    name: 'import --from --dry-run: notes on a text with codes',
    args: (desk, words) => [
      'import',
      '--from',
      written(
        desk,
        words,
        JSON.stringify({
          mcpServers: { [words]: { command: words, args: [words], type: words, [words]: words, env: { [words]: words } } },
          [words]: words,
        }),
      ),
      '--dry-run',
      ...profile(desk),
    ],
  },
  {
    name: 'export: a format that is none',
    args: (desk, words) => ['export', '--all', '--format', nameOf(words), ...profile(desk)],
    json: false,
  },
  {
    name: 'export: a file in a folder that is not there',
    args: (desk, words) => ['export', '--all', '--out', `/nowhere/${flat(words)}/x`, ...profile(desk)],
    json: false,
    sees: 'PWN',
  },
  { name: 'serve: a port with codes', args: (_desk, words) => ['serve', '--port', nameOf(words)], json: false },
  {
    name: 'serve: folders with codes that are not there',
    args: (desk, words) => ['serve', '--no-open', '--roots', `/nowhere/${flat(words)}`, '--port', 'x', ...profile(desk)],
    json: false,
    sees: 'assent',
  },
  { name: 'help: a command that is none', args: (_desk, words) => ['help', nameOf(words)], json: false },
  {
    name: 'model add: a query, a header and a format with codes',
    args: (desk, words) => [
      'model',
      'add',
      'PWN',
      '--url',
      'http://127.0.0.1:9/v1',
      '--format',
      nameOf(words),
      '--header',
      `X${nameOf(words)}=${nameOf(words)}`,
      '--query',
      `${nameOf(words)}=1`,
      ...profile(desk),
    ],
    typed: 'k\n',
    json: false,
  },
  {
    name: 'model add: an address with codes',
    args: (desk, words) => ['model', 'add', 'PWN', '--url', `http://127.0.0.1:9/${nameOf(words)}`, ...profile(desk)],
    typed: 'k\n',
    json: false,
    sees: 'assent',
  },
  {
    name: 'model add --unchecked, then list: a name with codes',
    before: ({ bench }, words) =>
      bench.run([
        'model',
        'add',
        [...flat(words)].slice(0, 40).join(''),
        '--url',
        'http://127.0.0.1:9/v1',
        '--unchecked',
        '--data-dir',
        join(bench.folder, 'data'),
      ]),
    args: (desk) => ['model', 'list', ...profile(desk)],
    sees: 'm',
  },
  {
    name: 'a terminal that says it has other columns and colours',
    part: saysThat(exotic),
    args: (desk) => call(desk),
    env: (_desk, words) => ({ COLUMNS: '7', LINES: '2', NO_COLOR: '', FORCE_COLOR: '3', TERM: 'dumb', TERM_PROGRAM: nameOf(words) || 'x' }),
    isText: true,
    sees: 'P',
  },
]
