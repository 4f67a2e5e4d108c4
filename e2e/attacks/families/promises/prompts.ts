import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { say } from '../../../model-server/reply.ts'
import type { Attack } from '../../attack.ts'
import { nameOf } from '../outsiders/speaking-servers.ts'
import { profile, type TerminalRow, terminalRow } from '../outsiders/terminal-row.ts'
import { announcedTexts } from './announced-texts.ts'
import { ask, during, fileOf, folderOf, form, fromPart, servers } from './prompt-desk.ts'

const rows: readonly TerminalRow[] = [
  {
    name: 'model add: the question for a key, for a name with codes',
    model: () => ({ script: () => say('hi'), key: 'sk-typed' }),
    args: (desk, words) => ['model', 'add', [...nameOf(words)].slice(0, 50).join(''), '--url', `${desk.url}/v1`, ...profile(desk)],
    typed: 'sk-typed\n',
    json: false,
  },
  {
    name: 'model add: the error of an endpoint',
    beside: async (words) => {
      const server = createServer((_request, response) => {
        response.writeHead(403, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message: words, type: words } }))
      })
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
      return {
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
        close: async () => server.close(),
      }
    },
    args: (desk) => ['model', 'add', 'PWN', '--url', desk.url, ...profile(desk)],
    typed: 'sk-typed\n',
    json: false,
  },
  {
    name: 'model add: a preset, a field and a variable with codes',
    args: (desk, words) => [
      'model',
      'add',
      'PWN',
      '--preset',
      nameOf(words),
      '--set',
      `${nameOf(words)}=${nameOf(words)}`,
      ...profile(desk),
    ],
    typed: 'sk-typed\n',
    json: false,
  },
  {
    name: 'model add: a variable that is not set',
    args: (desk, words) => ['model', 'add', 'PWN', '--url', 'http://127.0.0.1:9/v1', '--key-env', nameOf(words), ...profile(desk)],
    json: false,
    sees: 'FIELD=VALUE',
  },
  {
    name: 'model remove: a name that is none',
    args: (desk, words) => ['model', 'remove', nameOf(words), ...profile(desk)],
  },
  {
    name: 'call: the question for a value that a server needs',
    args: (desk, words) => [
      'call',
      's',
      'say',
      ...servers(
        desk,
        { s: { command: '/bin/echo', args: [nameOf(words)], env: { T: `\${input:token}` } } },
        { inputs: [{ id: 'token', type: 'pickString', options: [words, 'b'], default: words, description: words }] },
      ),
      ...ask,
    ],
    typed: 'y\nx\nn\nn\n',
    json: false,
  },
  {
    name: 'call: the question of a launch of a server with codes in name, folder and variables',
    args: (desk, words) => [
      'call',
      nameOf(words),
      'say',
      ...servers(desk, {
        [nameOf(words)]: {
          command: `/bin/${fileOf(words)}`,
          args: [words],
          cwd: folderOf(desk, words),
          env: { NODE_OPTIONS: words, [words]: words, PATH: words },
        },
      }),
      ...ask,
    ],
    typed: 'n\n',
    json: false,
  },
  {
    name: 'call: the question of a first connection to an address with codes',
    args: (desk, words) => [
      'call',
      'u',
      'say',
      ...servers(desk, { u: { url: `http://127.0.0.1:9/${nameOf(words).replaceAll(/[\n\r]/g, '')}` } }),
      ...ask,
    ],
    typed: 'n\n',
    json: false,
    sees: '127.0.0.1',
  },
  {
    name: 'call: a form of choices',
    part: form((words) => ({
      one: {
        type: 'string',
        title: words,
        oneOf: [
          { const: words, title: words },
          { const: 'b', title: `x${words}` },
        ],
      },
      old: { type: 'string', enum: ['a', 'b'], enumNames: [words, words] },
      many: {
        type: 'array',
        title: words,
        items: {
          anyOf: [
            { const: words, title: words },
            { const: 'c', title: words },
          ],
        },
      },
    })),
    args: (desk) => ['call', 's', 'say', ...fromPart(desk), ...ask],
    typed: 'y\ny\ny\n9\n1\n1\n1\ny\nn\nn\nn\n',
    json: false,
  },
  {
    name: 'call: a form with proposals, patterns and what does not fit',
    part: form(
      (words) => ({
        a: { type: 'string', title: words, default: words, minLength: 3, format: 'email' },
        n: { type: 'integer', title: words, description: words, minimum: 5, default: 7 },
        b: { type: 'boolean', title: words, description: words, default: true },
      }),
      { required: ['a', 'n'] },
    ),
    args: (desk) => ['call', 's', 'say', ...fromPart(desk), ...ask],
    typed: 'y\ny\ny\nx\nx\n1\nx\nn\nn\nn\nn\n',
    json: false,
  },
  {
    name: 'call: a page that is to be opened',
    part: during('elicitation/create', (words) => ({
      mode: 'url',
      message: words,
      url: `https://example.org/${words}?${words}#${words}`,
      elicitationId: words,
    })),
    args: (desk) => ['call', 's', 'say', ...fromPart(desk), ...ask],
    typed: 'y\ny\nn\nn\n',
    json: false,
  },
  {
    name: 'call: a model that is to be sampled',
    part: during('sampling/createMessage', (words) => ({
      systemPrompt: words,
      messages: [{ role: 'user', content: { type: 'text', text: words } }],
      modelPreferences: { hints: [{ name: words }] },
      stopSequences: [words],
      maxTokens: 10,
    })),
    model: (words) => ({ script: () => say(words) }),
    args: (desk) => ['call', 's', 'say', ...fromPart(desk), '--model', 'claude-large-1', ...ask],
    typed: 'y\ny\ny\ny\nn\n',
    json: false,
  },
  {
    name: 'call: folders that are asked for',
    part: during('roots/list', () => ({})),
    args: (desk, words) => ['call', 's', 'say', ...fromPart(desk), '--roots', folderOf(desk, words), ...ask],
    typed: 'y\ny\ny\nn\nn\n',
    json: false,
  },
  ...announcedTexts,
]

export const prompts: readonly Attack[] = rows.map((row) => terminalRow({ ...row, name: `prompts: ${row.name}` }))
