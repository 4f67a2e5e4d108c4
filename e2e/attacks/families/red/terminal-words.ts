// Commands and sources of words that no terminal row had yet: secrets, agents, accounts, packages, lists of grants, sites, archives, long lines.
// Written from the promise that every byte that is not ours is escaped, and that `--json` is JSON, not from the code.
import { join } from 'node:path'
import { say } from '../../../model-server/reply.ts'
import type { Attack } from '../../attack.ts'
import { saying, tool } from '../../puppet.ts'
import { answering, nameOf, speaker } from '../outsiders/speaking-servers.ts'
import { profile, type TerminalRow, terminalRow } from '../outsiders/terminal-row.ts'
import { ask, during, form, fromPart, servers } from '../promises/prompt-desk.ts'
import { call, exotic, flat, links, saidOnTerminals, saysThat } from './said-on-terminals.ts'

const rows: readonly TerminalRow[] = [
  {
    name: 'secret list: servers and ids with codes',
    args: (desk, words) => [
      'secret',
      'list',
      ...servers(
        desk,
        { [nameOf(words)]: { command: 'x', args: [`\${input:tok}`] } },
        { inputs: [{ id: 'tok', description: words, type: 'promptString', password: true }] },
      ),
      ...profile(desk),
    ],
    json: false,
  },
  {
    name: 'secret list --json: ids with codes',
    args: (desk, words) => [
      'secret',
      'list',
      ...servers(desk, { PWN: { command: 'x', env: { [words]: `\${input:tok}` } } }, { inputs: [{ id: 'tok', description: words }] }),
      ...profile(desk),
    ],
    sees: 'tok',
  },
  { name: 'secret: a word that is none of its own', args: (_desk, words) => ['secret', nameOf(words)], json: false },
  {
    name: 'mcp: a token with codes',
    args: (desk) => ['mcp', '--data-dir', join(desk.bench.folder, 'data')],
    env: (_desk, words) => ({ ASSENT_MCP_TOKEN: flat(words) || 'PWN' }),
    sees: 'assent',
    json: false,
  },
  { name: 'mcp: an option that is none', args: (_desk, words) => ['mcp', `--status=${nameOf(words)}`], json: false, sees: 'assent' },
  {
    name: 'audit: a date that is none',
    args: (desk, words) => ['audit', '--since', `2026${nameOf(words)}`, ...profile(desk)],
    json: false,
  },
  {
    name: 'audit --verify: a hash with codes',
    args: (desk, words) => ['audit', '--verify', '--expect', `${'a'.repeat(64)}${nameOf(words)}`, ...profile(desk)],
    json: false,
  },
  {
    name: 'chat: an assistant that is none',
    model: () => ({ script: () => say('PWN') }),
    args: (desk, words) => ['chat', '-p', 'hello', '--assistant', nameOf(words), ...profile(desk)],
  },
  {
    name: 'chat: the person’s own words with codes, in a title',
    model: () => ({ script: () => say('PWN') }),
    args: (desk, words) => ['chat', '-p', nameOf(words), ...profile(desk)],
    isText: true,
  },
  {
    name: 'chat: a model that asks to continue with codes in its reason',
    model: (words) => ({ script: () => ({ kind: 'error', status: 529, type: words, message: words }) }),
    args: ({ config }) => ['chat', '-p', 'hello', ...config],
    sees: 'assent',
  },
  {
    name: 'chat --verbose: a tool that fails with codes',
    part: answering((words) => ({ ...saying(words), isError: true })),
    model: () => ({
      script: (_request, index) =>
        index === 0 ? { kind: 'message', blocks: [{ type: 'tool_use', name: 's__say', input: {} }] } : say('PWN'),
    }),
    args: ({ config }) => ['chat', '-p', 'hello', '--verbose', ...config],
    isText: true,
  },
  {
    name: 'call: a timeout with codes',
    part: speaker,
    args: (desk, words) => call(desk, '--timeout', nameOf(words)),
    json: false,
    sees: '--timeout',
  },
  {
    name: 'call: answers of forms that are no JSON',
    part: speaker,
    args: (desk, words) => call(desk, '--elicit', `{${nameOf(words)}`),
    json: false,
    sees: '--elicit',
  },
  {
    name: 'call: folders with codes that are not there',
    part: speaker,
    args: (desk, words) => call(desk, '--roots', `/nowhere/${flat(words)},/also/${flat(words)}`),
    json: false,
    sees: 'PWN',
  },
  {
    name: 'call: a word for the sandbox that is none',
    part: speaker,
    args: (desk, words) => call(desk, '--sandbox', nameOf(words)),
    json: false,
  },
  {
    name: 'call: a word for the answers that is none',
    part: speaker,
    args: (desk, words) => ['call', 's', 'say', '{}', ...fromPart(desk), '--approve', nameOf(words)],
    json: false,
  },
  { name: 'call: a model that is none', part: speaker, args: (desk, words) => call(desk, '--model', nameOf(words)), isText: true },
  { name: 'call: links and clipboards in a result', part: saysThat(links), args: (desk) => call(desk), isText: true },
  { name: 'call: sequences of single terminals in a result', part: saysThat(exotic), args: (desk) => call(desk), isText: true },
  {
    name: 'call: half characters and half sequences in a result',
    part: saysThat('PWN\ud83d\u001b\u001b[\u001b]\u001b[38;5\u009b\u0090END'),
    args: (desk) => call(desk),
    isText: true,
  },
  {
    name: 'call: a line of 300 kB with returns in a result',
    part: saysThat(`PWN${'x\r'.repeat(150_000)}\u001b[2JEND`),
    args: (desk) => call(desk),
    isText: true,
  },
  {
    name: 'call --json: separators, keys of the prototype and half characters',
    part: answering(() => ({
      content: [{ type: 'text', text: 'PWN\u2028\u2029\ud83d\u0085' }],
      structuredContent: { ['__proto__']: 'x', 'a\u2028b': '\udc00', constructor: 1 },
    })),
    args: (desk) => call(desk),
    isText: true,
  },
  {
    name: 'call: a mime type, a link’s size and annotations with codes',
    part: answering((words) => ({
      content: [
        {
          type: 'resource_link',
          uri: `file:///${words}`,
          name: 'PWN',
          mimeType: words,
          size: words,
          annotations: { audience: [words], lastModified: words, priority: words },
        },
      ],
    })),
    args: (desk) => call(desk),
  },
  {
    name: 'call: metadata with codes',
    part: answering((words) => ({ ...saying('PWN'), _meta: { [words]: words, progressToken: words } })),
    args: (desk) => call(desk, '--verbose'),
  },
  {
    name: 'call: a structured result that does not fit its schema',
    part: (words) => ({
      ...speaker(words),
      tools: () => [
        tool('say', {
          outputSchema: {
            type: 'object',
            required: [words],
            properties: { [words]: { type: 'string', description: words, enum: [words] } },
          },
        }),
      ],
      call: () => ({ content: [{ type: 'text', text: 'PWN' }], structuredContent: { x: words } }),
    }),
    args: (desk) => call(desk),
    sees: 'assent',
  },
  {
    name: 'call: arguments that do not fit a schema with codes',
    part: (words) => ({
      ...speaker(words),
      tools: () => [
        tool('say', {
          inputSchema: { type: 'object', required: [words], properties: { [words]: { type: 'integer', title: words, pattern: words } } },
        }),
      ],
      call: () => saying('PWN'),
    }),
    args: (desk) => call(desk),
    sees: 's',
  },
  {
    name: 'call: a form that asks for a number, a date and a list by words with codes',
    part: form((words) => ({
      n: { type: 'number', title: words, minimum: 1, maximum: 2 },
      d: { type: 'string', format: 'date-time', title: words },
      l: { type: 'array', minItems: 1, maxItems: 1, title: words, items: { type: 'string', enum: [words, 'b'] } },
    })),
    args: (desk) => ['call', 's', 'say', ...fromPart(desk), ...ask],
    typed: 'y\ny\ny\n3\n1\nx\n2026-01-01T00:00:00Z\n9\n1\ny\nn\nn\nn\n',
    json: false,
  },
  {
    name: 'call: a page to be opened at a host of another alphabet',
    part: during('elicitation/create', (words) => ({
      mode: 'url',
      message: words,
      url: 'https://b\u0430nk.example/PWN\u202e',
      elicitationId: 'x',
    })),
    args: (desk) => ['call', 's', 'say', ...fromPart(desk), ...ask],
    typed: 'y\ny\nn\nn\n',
    json: false,
  },
  {
    name: 'call: a model that is sampled with a picture and a tool’s words',
    part: during('sampling/createMessage', (words) => ({
      messages: [
        { role: 'user', content: { type: 'image', mimeType: words, data: 'AAAA' } },
        { role: 'user', content: { type: 'text', text: words } },
      ],
      maxTokens: 10,
      metadata: { [words]: words },
    })),
    model: (words) => ({ script: () => say(words) }),
    args: (desk) => ['call', 's', 'say', ...fromPart(desk), '--model', 'claude-large-1', ...ask],
    typed: 'y\ny\ny\ny\nn\n',
    json: false,
  },
  ...saidOnTerminals,
]

export const terminalWords: readonly Attack[] = rows.map((row) => terminalRow({ ...row, name: `words: ${row.name}` }))
