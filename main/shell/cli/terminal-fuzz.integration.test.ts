// Every command of the command table with foreign bytes wherever it takes any: arguments, options, environment, files, paths, server and
// model. Nothing that a terminal obeys or hides may reach stdout or stderr, and `--json` writes one value a line. A new command is covered by
// standing in the table. Seeded: `ASSENT_FUZZ_SEED` and `ASSENT_FUZZ_ROUNDS` choose other walks.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Json, JsonObject } from '#app/json.ts'
import { type ModelServer, startModelServer } from '../../../e2e/model-server/server.ts'
import { error, json, type RawHttp, rawHttp, result, type Seen, stream } from '../../../e2e/servers/http/raw-http.ts'
import { type CliBench, makeCliBench } from './cli.testing.ts'
import { type CommandName, commands } from './command-line.ts'

const seed = Number(process.env['ASSENT_FUZZ_SEED'] ?? 20_261_127)
const rounds = Number(process.env['ASSENT_FUZZ_ROUNDS'] ?? 6)

/** Mulberry32, a small generator of numbers from 0 to 1. */
function randomFrom(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
const random = randomFrom(seed)
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
const chance = (of: number): boolean => random() < of

const range = (from: number, to: number): string[] => Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at))
/** What a terminal obeys, draws over, reverses or does not draw. */
const foreign: readonly string[] = [
  ...range(1, 8),
  ...range(0xb, 0x1f),
  ...range(0x7f, 0x9f),
  ...[
    '\u001b[2J',
    '\u001b[31m',
    '\u001b[8m',
    '\u001b]52;c;UFdO\u0007',
    '\u001b]8;;http://evil.example\u001b\\',
    '\u001bP1$q\u001b\\',
    '\u001bc',
  ],
  ...['\u009b2J', '\u009d0;title\u009c', '\u001b[6n', '\r\u001b[1A', '\u001b', '\u001b[', '\u001b]52;'],
  ...['\u00ad', '\u034f', '\u061c', '\u115f', '\u1160', '\u17b4', '\u180e', '\u2800', '\u3164', '\uffa0', '\ufe0f', '\u{e0100}', '\ufff9'],
  ...range(0x200b, 0x200f),
  ...range(0x2028, 0x202e),
  ...range(0x2060, 0x206f),
  ...['\ufeff', '\u{e0001}', '\u{e0041}\u{e007f}', '\u{1d173}', '\ue000', '\u{f0000}'],
]
/** A terminal obeys, hides or reverses each of these: first and last of each range. Written apart from the code that escapes them. */
const badRanges: readonly (readonly [number, number])[] = [
  ...([
    [0, 8],
    [0xb, 0x1f],
    [0x7f, 0x9f],
    [0xad, 0xad],
    [0x34f, 0x34f],
    [0x61c, 0x61c],
    [0x115f, 0x1160],
    [0x17b4, 0x17b5],
  ] as const),
  ...([
    [0x180b, 0x180f],
    [0x200b, 0x200f],
    [0x2028, 0x202e],
    [0x2060, 0x206f],
    [0x2800, 0x2800],
    [0x3164, 0x3164],
  ] as const),
  ...([
    [0xd800, 0xdfff],
    [0xe000, 0xf8ff],
    [0xfe00, 0xfe0f],
    [0xfeff, 0xfeff],
    [0xffa0, 0xffa0],
    [0xfff0, 0xfffb],
  ] as const),
  ...([
    [0x1d173, 0x1d17a],
    [0xe0000, 0xe0fff],
    [0xf0000, 0x10ffff],
  ] as const),
]
/** What a question of ours moves the cursor by. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what it is
const cursor = /\u001b\[\d+G|\u001b\[0J/g
/** Index of the first character that may not be written; -1: there is none. */
function badAt(text: string): number {
  let at = 0
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    if (badRanges.some(([from, to]) => code >= from && code <= to)) return at
    at += character.length
  }
  return -1
}
const marker = 'PWN'
const word = (): string => `${marker}${Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(foreign)).join('x')}END`
/** A word that is a file's name or a variable's value. */
const plainWord = (): string => word().replaceAll('/', '')

/** Any JSON of words. */
const anyJson = (depth = 0): Json =>
  depth > 1 || chance(0.4) ? word() : chance(0.5) ? [anyJson(depth + 1), 7, null] : { [word()]: anyJson(depth + 1), n: 1 }
const content = (): JsonObject =>
  pick<() => JsonObject>([
    () => ({ type: 'text', text: word() }),
    () => ({ type: 'image', mimeType: word(), data: 'AAAA' }),
    () => ({ type: 'resource_link', uri: `memo://${word()}`, name: word(), title: word(), description: word() }),
    () => ({ type: 'resource', resource: { uri: `memo://${word()}`, mimeType: word(), text: word() } }),
    () => ({ type: 'resource', resource: { uri: `memo://${word()}`, blob: 'AAAA' } }),
    () => ({ type: word(), [word()]: anyJson() }),
  ])()
const tool = (name: string): JsonObject => ({
  name,
  title: word(),
  description: `${word()}\n${word()}`,
  inputSchema: { type: 'object', properties: { [word()]: { type: 'string', description: word() } } },
  annotations: { title: word() },
})

/** Answers of a server whose every text is foreign. */
const results: Readonly<Record<string, () => JsonObject>> = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {}, resources: {}, prompts: {}, logging: {} },
    serverInfo: { name: word(), title: word(), version: word() },
    instructions: word(),
  }),
  'tools/list': () => ({ tools: [tool('say'), tool(word())] }),
  'tools/call': () => ({
    content: [content(), content()],
    ...(chance(0.3) ? { structuredContent: { [word()]: anyJson() } } : {}),
    ...(chance(0.3) ? { isError: true } : {}),
  }),
  'resources/list': () => ({ resources: [{ uri: `memo://${word()}`, name: word(), title: word(), description: word() }] }),
  'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: `memo://{${word()}}`, name: word() }] }),
  'resources/read': () => ({ contents: [{ uri: word(), mimeType: word(), ...(chance(0.5) ? { text: word() } : { blob: 'AAAA' }) }] }),
  'prompts/list': () => ({
    prompts: [{ name: 'p', title: word(), description: word(), arguments: [{ name: word(), description: word() }] }],
  }),
  'prompts/get': () => ({ description: word(), messages: [{ role: 'user', content: content() }] }),
  'logging/setLevel': () => ({}),
  ping: () => ({}),
}
const fragile = new Set(['initialize', 'tools/call', 'resources/read', 'prompts/get'])

/** What a server asks in the course of a call. */
const question = (): JsonObject =>
  pick<() => JsonObject>([
    () => ({
      method: 'elicitation/create',
      params: {
        message: word(),
        requestedSchema: {
          type: 'object',
          properties: Object.fromEntries([
            [word(), { type: 'string', title: word(), description: word(), default: word() }],
            [word(), { type: 'string', enum: [word(), word()], enumNames: [word(), word()] }],
            ['one', { type: 'string', title: word(), oneOf: [{ const: word(), title: word() }] }],
            ['many', { type: 'array', title: word(), items: { type: 'string', enum: [word(), word()] } }],
            [word(), { type: pick(['boolean', 'integer']), title: word(), description: word() }],
          ]),
        },
      },
    }),
    () => ({
      method: 'elicitation/create',
      params: { mode: 'url', message: word(), url: `https://example.org/${word()}`, elicitationId: word() },
    }),
    () => ({
      method: 'sampling/createMessage',
      params: {
        systemPrompt: word(),
        messages: [{ role: 'user', content: { type: 'text', text: word() } }],
        stopSequences: [word()],
        maxTokens: 9,
      },
    }),
    () => ({ method: 'roots/list' }),
  ])()
const asked = new Map<string, () => void>()

function answer({ verb, message }: Seen, response: ServerResponse): boolean | undefined {
  if (verb !== 'POST') return false
  if (message.method === undefined && typeof message.id === 'string') {
    response.writeHead(202).end()
    asked.get(message.id)?.()
    asked.delete(message.id)
    return undefined
  }
  if (message.id === undefined) return void response.writeHead(202).end()
  const { method = '' } = message
  const make = results[method]
  const fails = fragile.has(method) && chance(0.25)
  if (fails && chance(0.5)) return void response.writeHead(pick([400, 404, 418, 500]), { 'content-type': 'text/plain' }).end(word())
  const said = make && !fails ? result(message, make()) : error(message, { code: -32_000, message: word(), data: anyJson() as JsonObject })
  if (method !== 'tools/call' || chance(0.3)) return json(response, said) as undefined
  const events = stream(response)
  const log = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'error', logger: word(), data: anyJson() } }
  const tell = (...all: readonly object[]): void => all.forEach((one) => void events.write(`data: ${JSON.stringify(one)}\n\n`))
  tell(log)
  const end = (): void => {
    tell(said)
    events.end()
  }
  if (chance(0.4)) return void end()
  const id = `ask-${random()}`
  asked.set(id, end)
  return void tell({ jsonrpc: '2.0', id, ...question() })
}

let bench: CliBench
let server: RawHttp
let model: ModelServer
beforeAll(async () => {
  bench = makeCliBench()
  server = await rawHttp(answer)
  model = await startModelServer({
    models: [{ type: 'model', id: `m-${word()}`, display_name: word() }],
    script: (_request, index) =>
      index % 4 === 3
        ? { kind: 'error', status: 400, type: word(), message: word() }
        : {
            kind: 'message',
            blocks: [
              { type: 'thinking', thinking: word(), signature: 's' },
              { type: 'text', text: `${word()}\n${word()}` },
              ...(index % 4 === 0 ? [{ type: 'tool_use', name: pick(['s__say', word()]), input: { [word()]: anyJson() } }] : []),
            ] as never,
          },
  })
})
afterAll(async () => {
  await bench.remove()
  await server.close()
  await model.close()
})

/** Files of each kind that a command reads, with foreign text in their names and contents. */
function madeFile(): string {
  const folder = join(bench.folder, `files ${plainWord()}`)
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${plainWord()}.json`)
  const servers: JsonObject = {
    s: { url: server.url, type: 'http' },
    [word()]: { command: word(), args: [word()], env: { [word()]: word() } },
  }
  const text = pick<() => string>([
    () => JSON.stringify({ mcpServers: servers, [word()]: anyJson() }),
    () => JSON.stringify({ mcpServers: { ...servers, [word()]: { command: 7, [word()]: anyJson() } } }),
    () => `{"mcpServers": {"a": ${word()}`,
    conversations,
    () => word(),
  ])()
  writeFileSync(path, text)
  return path
}
const conversations = (): string =>
  JSON.stringify([
    {
      uuid: '0c6ba51c-0000-4000-8000-000000000001',
      name: word(),
      created_at: '2026-01-01T00:00:00Z',
      updated_at: '2026-01-01T00:00:00Z',
      chat_messages: [
        { uuid: 'a', sender: 'human', text: word(), content: [{ type: 'text', text: word() }], created_at: '2026-01-01T00:00:00Z' },
      ],
    },
  ])
const config = (): string =>
  bench.config({ s: { url: server.url, type: 'http' }, ...(chance(0.3) ? { [word()]: { command: word() } } : {}) })
const profile = (): string => join(bench.folder, 'data')

/** Values that a positional or an option may mean; else it is a word. */
const known: Readonly<Record<string, () => string>> = {
  SERVER: () => pick(['s', 's', word()]),
  TOOL: () => pick(['say', 'say', word()]),
  URI: () => pick(['memo://x', word()]),
  NAME: () => pick(['p', word()]),
  JSON: () => pick([() => JSON.stringify({ [word()]: anyJson() }), () => '{}', word])(),
  'add|list|remove': () => pick(['list', 'add', 'set', 'remove', word()]),
  'set|list|remove': () => pick(['list', 'add', 'set', 'remove', word()]),
  FILE: () => pick([madeFile, word])(),
  config: () => pick([config, config, madeFile, word])(),
  'data-dir': () => pick([profile, () => join(bench.folder, plainWord())])(),
  approve: () => pick(['all', 'ask', 'ask', 'none', word()]),
  elicit: () => pick(['{}', JSON.stringify({ [word()]: word() }), word()]),
  from: () => pick([madeFile, () => 'cursor', () => 'all', word])(),
  roots: () => pick([bench.folder, word()]),
  model: () => pick(['m-', word()]),
  port: () => pick(['0', word()]),
  format: () => pick(['json', 'md', word()]),
  url: () => pick([`${model.url}/v1`, word()]),
  'key-env': () => pick(['ANTHROPIC_API_KEY', word()]),
  header: () => `${pick(['x-a', word()])}=${word()}`,
  query: () => `${word()}=${word()}`,
  set: () => `${word()}=${word()}`,
  since: () => pick(['2026-01-01', word()]),
  timeout: () => pick(['5', word()]),
}
const flags = new Set(['help', 'json', 'no-open', 'verify', 'all', 'unchecked', 'verbose'])
/** Options that lead a command to where it prints anything. */
const usual = new Set(['config', 'approve', 'data-dir', 'prompt'])
const noNul = (text: string): string => text.replaceAll('\0', '')
const textFor = (name: string): string => noNul((known[name] ?? word)())

function lineOf(command: CommandName): string[] {
  const { positionals, options, ...rest } = commands[command]
  const optional = 'optional' in rest ? rest.optional : 0
  const given = positionals.slice(0, positionals.length - (chance(0.3) ? optional : 0)).map(textFor)
  const typed = options.flatMap((option) => {
    if (option === 'help' || !chance(usual.has(option) ? 0.8 : 0.2)) return []
    return flags.has(option) ? [`--${option}`] : [`--${option}=${textFor(option)}`]
  })
  // A page that a test opens is opened in nobody's browser.
  const closed = (options as readonly string[]).includes('no-open') && !typed.includes('--no-open') ? ['--no-open'] : []
  return [command, ...given, ...typed, ...closed, ...(chance(0.1) ? [`--${noNul(word())}`] : []), ...(chance(0.05) ? [noNul(word())] : [])]
}

const foreignVariables = [
  'LANG',
  'LC_ALL',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'TRACEPARENT',
  'BROWSER',
  'DISPLAY',
  'ASSENT_INPUT_X',
  'OPENAI_BASE_URL',
]
const environment = (): Record<string, string> => ({
  ANTHROPIC_API_KEY: 'sk-ant-test',
  ANTHROPIC_BASE_URL: model.url,
  ASSENT_LOCAL_MODEL_PORTS: '',
  ...(chance(0.3) ? { [pick(foreignVariables)]: noNul(word()) } : {}),
})

const parses = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const told = new Map<string, number>()
let questions = 0
it.each(Object.keys(commands) as CommandName[])(
  '%s writes nothing that a terminal obeys or hides',
  { timeout: 300_000 },
  async (command) => {
    const wrong: string[] = []
    // Chats with foreign text, for what lists or writes them.
    const chats = join(bench.folder, 'conversations.json')
    writeFileSync(chats, conversations())
    await bench.runShared(['import', chats, '--data-dir', profile()])
    // More rounds, where chance has let no foreign word reach the output yet.
    for (let round = 0; round < rounds || (round < 10 * rounds && !told.get(command)); round += 1) {
      const [args, env] = [lineOf(command), environment()]
      // At every other a person sits: who says yes or no, takes the first choice, or types what is none.
      const typed = round % 2 === 0 ? undefined : Array.from({ length: 12 }, () => pick(['y', 'y', 'y', 'n', '1', '', 'x']))
      const { stdout, stderr } = await bench.runShared(args, env, {
        terminal: true,
        endAfterMs: command === 'serve' ? 1000 : 20_000,
        ...(typed ? { typed } : {}),
      })
      const where = `${JSON.stringify(args)} with ${JSON.stringify(env)}`
      for (const [stream, written] of [
        ['stdout', stdout],
        ['stderr', stderr],
      ] as const) {
        const text = written.replaceAll(cursor, '')
        const at = badAt(text)
        if (at < 0) continue
        const around = JSON.stringify(text.slice(Math.max(0, at - 60), at + 40))
        wrong.push(`${stream} has U+${text.codePointAt(at)?.toString(16)}: ${around} of ${where}`)
      }
      if (args.includes('--json'))
        for (const line of stdout.split('\n'))
          if (line !== '' && !parses(line)) wrong.push(`not JSON: ${JSON.stringify(line.slice(0, 200))} of ${where}`)
      questions += `${stdout}${stderr}`.split('[y/N]').length - 1
      told.set(command, (told.get(command) ?? 0) + (`${stdout}${stderr}`.split(marker).length - 1))
    }
    rmSync(profile(), { recursive: true, force: true })
    expect(wrong).toEqual([])
    // The control: foreign words did reach the output, in letters.
    expect(told.get(command)).toBeGreaterThan(0)
  },
)

it('put questions to whoever sat at the terminal', () => {
  expect(questions).toBeGreaterThan(0)
})
