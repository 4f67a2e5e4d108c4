// Every command of the command line on a terminal, with a server, a model, files and other programs that say what would
// clear it, fill its clipboard, run letters backwards or draw a question of ours.
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { JsonObject } from '#app/json.ts'
import { makeCliBench } from '#main/shell/cli/cli.testing.ts'
import { say } from '../../../model-server/reply.ts'
import type { ModelServerOptions } from '../../../model-server/server.ts'
import { result } from '../../../servers/http/raw-http.ts'
import { type Attack, unless } from '../../attack.ts'
import { saying } from '../../puppet.ts'
import { dirt, foul, onTerminal } from '../../terminal.ts'
import { answering, asker, nameOf, noisy, refusing, speaker } from './speaking-servers.ts'
import { type Desk, family, profile, type TerminalRow, terminalRow } from './terminal-row.ts'

const talking = ({ config }: Desk, ...args: string[]): string[] => ['chat', '-p', 'hello', ...config, ...args]
const calling = ({ config }: Desk): string[] => ['call', 's', 'say', ...config]
const kept = async (desk: Desk, args: readonly string[]): Promise<void> => {
  await desk.bench.run([...args, ...profile(desk)])
}
const exported = (words: string): string =>
  JSON.stringify([
    {
      uuid: '0c6ba51c-0000-4000-8000-000000000001',
      name: words,
      created_at: '2026-01-01T00:00:00Z',
      updated_at: '2026-01-01T00:00:00Z',
      chat_messages: [
        { uuid: 'a', sender: 'human', text: words, content: [{ type: 'text', text: words }], created_at: '2026-01-01T00:00:00Z' },
        { uuid: 'b', sender: 'assistant', text: words, content: [{ type: 'text', text: words }], created_at: '2026-01-01T00:00:00Z' },
      ],
    },
  ])
const importing = async (desk: Desk, words: string): Promise<void> => {
  const file = join(desk.bench.folder, 'conversations.json')
  writeFileSync(file, exported(words))
  await kept(desk, ['import', file])
}
/** A server that dies with the words on stderr. */
const dying = ({ bench }: Desk, words: string): string => {
  const file = join(bench.folder, 'dies.mjs')
  writeFileSync(
    file,
    `process.stderr.write(${JSON.stringify(`${words}\n`)}); process.stdout.write(${JSON.stringify(`${words}\n`)}); setTimeout(() => process.exit(3), 200)`,
  )
  return bench.config({ s: { command: process.execPath, args: [file] } })
}
const lying =
  (blocks: (words: string) => JsonObject[]) =>
  (words: string): ModelServerOptions => ({
    script: () => ({ kind: 'message', blocks: blocks(words) as never }),
  })

const rows: readonly TerminalRow[] = [
  { name: 'tools: names, titles, descriptions', part: speaker, args: ({ config }) => ['tools', ...config] },
  { name: 'servers: what a server calls itself', part: speaker, args: ({ config }) => ['servers', ...config], sees: 'ready' },
  { name: 'doctor: a server that is well', part: speaker, args: ({ config }) => ['doctor', 's', ...config], sees: 'raw' },
  {
    name: 'servers: the error of one that dies',
    args: (desk, words) => ['servers', '--config', dying(desk, words), '--approve', 'all'],
    sees: 'MCP',
  },
  { name: 'doctor: stderr of one that dies', args: (desk, words) => ['doctor', 's', '--config', dying(desk, words), '--approve', 'all'] },
  {
    name: 'doctor --verbose: stderr of one that dies',
    args: (desk, words) => ['doctor', 's', '--verbose', '--config', dying(desk, words), '--approve', 'all'],
  },
  {
    name: 'call: a server that dies',
    args: (desk, words) => ['call', 's', 'x', '--config', dying(desk, words), '--approve', 'all'],
    sees: 'MCP',
  },
  { name: 'doctor: a handshake refused', part: refusing('initialize'), args: ({ config }) => ['doctor', 's', ...config] },
  { name: 'call: a text', part: speaker, args: calling, isText: true },
  { name: 'call --verbose: log messages and progress', part: noisy, args: (desk) => [...calling(desk), '--verbose'], isText: true },
  { name: 'call: a tool’s own error', part: answering((words) => ({ ...saying(words), isError: true })), args: calling, isText: true },
  { name: 'call: a protocol error', part: refusing('tools/call'), args: calling },
  {
    name: 'call: a structured result',
    part: answering((words) => ({ content: [], structuredContent: { [words]: words } })),
    args: calling,
  },
  {
    name: 'call: a link',
    part: answering((words) => ({
      content: [{ type: 'resource_link', uri: `memo://${words}`, name: words, title: words, description: words }],
    })),
    args: calling,
  },
  {
    name: 'call: an embedded resource',
    part: answering((words) => ({ content: [{ type: 'resource', resource: { uri: `memo://${words}`, mimeType: words, text: words } }] })),
    args: calling,
    isText: true,
  },
  {
    name: 'call: a picture of a type with codes',
    part: answering((words) => ({
      content: [
        { type: 'image', mimeType: words, data: 'AAAA' },
        { type: 'text', text: 'PWN' },
      ],
    })),
    args: calling,
  },
  {
    name: 'call: a kind of content that is none',
    part: answering((words) => ({ content: [{ type: words, [words]: words }] })),
    args: calling,
  },
  {
    name: 'call: a tool that is not there',
    part: refusing('tools/call'),
    args: ({ config }, words) => ['call', 's', words.replaceAll('\0', ''), ...config],
  },
  {
    name: 'call: a server that is not there',
    part: speaker,
    args: ({ config }, words) => ['call', words.replaceAll('\0', ''), 'x', ...config],
  },
  {
    name: 'call: arguments that are no JSON',
    part: speaker,
    args: ({ config }, words) => ['call', 's', 'say', `{${words.replaceAll('\0', '')}`, ...config],
    sees: 'usage',
  },
  {
    name: 'call: a form',
    part: asker,
    args: ({ config }) => ['call', 's', 'say', ...config, '--approve', 'ask'],
    typed: 'y\ny\ny\nn\nn\nn\n',
    json: false,
  },
  {
    name: 'call: the question of a launch',
    args: ({ bench }, words) => [
      'call',
      's',
      'say',
      '--config',
      bench.config({ s: { command: '/bin/echo', args: [words.replaceAll('\0', ''), 'PWN'] } }),
    ],
    typed: 'n\n',
    json: false,
  },
  { name: 'read: a text', part: speaker, args: ({ config }) => ['read', 's', 'memo://x', ...config], isText: true },
  { name: 'read: a protocol error', part: refusing('resources/read'), args: ({ config }) => ['read', 's', 'memo://x', ...config] },
  {
    name: 'read: bytes that are codes',
    part: (words) =>
      speaker(words, (message, wire) => {
        if (message.method !== 'resources/read') return false
        wire.send(
          result(message, { contents: [{ uri: `memo://${words}`, mimeType: 'text/plain', blob: Buffer.from(words).toString('base64') }] }),
        )
        return true
      }),
    args: ({ config }) => ['read', 's', 'memo://x', ...config],
    isText: true,
    sees: 'text/plain',
  },
  { name: 'prompt: its messages', part: speaker, args: ({ config }) => ['prompt', 's', 'p', ...config], isText: true },
  { name: 'prompt: a protocol error', part: refusing('prompts/get'), args: ({ config }) => ['prompt', 's', 'p', ...config] },
  { name: 'chat: a model’s text', model: lying((text) => [{ type: 'text', text }]), args: (desk) => talking(desk), isText: true },
  {
    name: 'chat --verbose: a model’s thinking',
    model: lying((text) => [
      { type: 'thinking', thinking: text, signature: 's' },
      { type: 'text', text: 'PWN' },
    ]),
    args: (desk) => talking(desk, '--verbose'),
    isText: true,
  },
  {
    name: 'chat: a tool that is not there',
    model: (words) => ({
      script: (_request, index) =>
        index === 0 ? { kind: 'message', blocks: [{ type: 'tool_use', name: words, input: { [words]: words } }] } : say('PWN'),
    }),
    args: (desk) => talking(desk),
  },
  {
    name: 'chat: a call, its arguments and its result',
    part: speaker,
    model: (words) => ({
      script: (_request, index) =>
        index === 0 ? { kind: 'message', blocks: [{ type: 'tool_use', name: 's__say', input: { [words]: words } }] } : say('PWN'),
    }),
    args: (desk) => talking(desk, '--verbose'),
  },
  {
    name: 'chat: a call that is asked about',
    part: speaker,
    model: (words) => ({
      script: (_request, index) =>
        index === 0 ? { kind: 'message', blocks: [{ type: 'tool_use', name: 's__say', input: { [words]: words } }] } : say('PWN'),
    }),
    args: ({ config }) => ['chat', '-p', 'hello', ...config.slice(0, 2), '--approve', 'ask'],
    typed: 'y\nn\nn\nn\n',
    json: false,
  },
  {
    name: 'chat: an endpoint’s error',
    model: (words) => ({ script: () => ({ kind: 'error', status: 400, type: 'invalid_request_error', message: words }) }),
    args: (desk) => talking(desk),
  },
  {
    name: 'chat: a model that is not there, beside models with codes',
    model: (words) => ({
      script: () => say('PWN'),
      models: [
        { type: 'model', id: `a-${words}`, display_name: words },
        { type: 'model', id: `a-b${words}`, display_name: words },
      ],
    }),
    args: (desk) => talking(desk, '--model', 'a-'),
  },
  {
    name: 'model list: names that an endpoint gives',
    model: (words) => ({ script: () => say('PWN'), models: [{ type: 'model', id: words, display_name: words }] }),
    before: ({ bench }, _words, env) =>
      bench.run(
        [
          'model',
          'add',
          'PWN',
          '--url',
          `${env['ANTHROPIC_BASE_URL']}/v1`,
          '--key-env',
          'ANTHROPIC_API_KEY',
          ...profile({ bench, config: [], url: '' }),
        ],
        env,
      ),
    args: (desk) => ['model', 'list', ...profile(desk)],
  },
  {
    name: 'audit: the calls of a tool with codes',
    part: speaker,
    before: (desk, words) => kept(desk, ['call', 's', nameOf(words), '{"PWN":1}', ...desk.config]),
    args: (desk) => ['audit', ...profile(desk)],
    json: false,
  },
  {
    name: 'export to the terminal: Markdown',
    before: importing,
    args: (desk) => ['export', '--all', '--format', 'md', ...profile(desk)],
    isText: true,
    json: false,
  },
  {
    name: 'export to the terminal: JSON',
    before: importing,
    args: (desk) => ['export', '--all', '--format', 'json', ...profile(desk)],
    json: false,
  },
  {
    name: 'import: a file that is none',
    sees: 'assent:',
    args: (desk, words) => {
      const file = join(desk.bench.folder, `PWN${words === foul ? '\u001b[2J\u202e' : '\nAllow? [y or N]'}.json`)
      writeFileSync(file, `{${words}`)
      return ['import', file, ...profile(desk)]
    },
  },
  {
    name: 'import --from: servers of other programs',
    args: (desk, words) => {
      mkdirSync(join(desk.bench.folder, '.cursor'), { recursive: true })
      const mcpServers = {
        PWN: { command: `x${words}`, args: [words], env: { [words]: words } },
        [words]: { command: words },
        u: { url: `https://example.org/${words}`, headers: { [words]: words } },
      }
      writeFileSync(join(desk.bench.folder, '.cursor/mcp.json'), JSON.stringify({ mcpServers }))
      return ['import', '--from', 'cursor', ...profile(desk)]
    },
    typed: 'n\n',
    json: false,
  },
  {
    name: 'import --from: a file that does not parse',
    args: (desk, words) => {
      const file = join(desk.bench.folder, 'PWN.json')
      writeFileSync(file, `{"mcpServers": {"a": ${words}`)
      return ['import', '--from', file, ...profile(desk)]
    },
    typed: 'n\n',
    json: false,
  },
  {
    name: 'servers: a file with faulty entries',
    args: ({ bench }, words) => [
      'servers',
      '--config',
      bench.config({ [words]: { command: words }, PWN: { command: 7, [words]: words }, c: { command: 'x', cwd: words } }),
    ],
  },
  {
    name: 'audit: a filter and a hash that are none',
    args: (desk, words) => ['audit', '--verify', '--expect', words.replaceAll('\0', ''), ...profile(desk)],
    sees: '--expect',
  },
  { name: 'a command that is none', args: (_desk, words) => [words.replaceAll('\0', '')] },
  { name: 'an option that is none', args: (_desk, words) => ['tools', `--${words.replaceAll('\0', '')}`] },
]

/** A server on HTTP whose status line, headers and body are the attacker's. */
const overHttp: Attack = {
  family,
  name: 'call: the error page of a server on HTTP',
  long: true,
  async run() {
    const bench = makeCliBench()
    const server = createServer((_request, response) => {
      response.writeHead(500, { 'content-type': 'text/plain' })
      response.end(foul)
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
      const config = bench.config({ s: { url, type: 'http' } })
      const shown = await onTerminal(bench, ['doctor', 's', '--config', config, '--approve', 'all', '--verbose'])
      return [...dirt(shown), ...unless(shown.includes('500'), `control: the failure was not told: ${JSON.stringify(shown)}`)]
    } finally {
      server.closeAllConnections()
      server.close()
      await bench.remove()
    }
  },
}

export const terminals: readonly Attack[] = [...rows.map(terminalRow), overHttp]
