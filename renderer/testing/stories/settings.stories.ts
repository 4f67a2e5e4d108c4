// For looking at a history with nothing in it, a search that finds nothing, what was used against a budget, and data that was
// taken along.

import type { LinkedApp } from '#app/contract/gate-requests.ts'
import type { Snapshot } from '#app/contract/snapshot.ts'
import { HostError } from '#app/errors.ts'
import type { GateClientSummary } from '#app/gate.ts'
import type { ModelInfo, ProviderSummary } from '#app/models/models.ts'
import type { UsageRow } from '#app/models/usage.ts'
import { makeConversation, makeSnapshot, makeToolRequest } from '../builders.ts'
import { createFakeConnection, type FakeAnswers, type FakeConnection } from '../fake-link.ts'

const scene =
  (part: Partial<Snapshot>, answers: FakeAnswers = {}) =>
  (theme: 'light' | 'dark'): FakeConnection =>
    createFakeConnection({
      snapshot: { ...part, settings: { ...makeSnapshot().settings, ...part.settings, theme, welcomed: true } },
      answers: {
        'search.find': () => ({
          hits: [],
          more: {},
          counts: { all: 0, messages: 0, results: 0, titles: 0, capped: false },
          next: null,
        }),
        ...answers,
      },
    })

const day = 86_400_000
const dayOf = (ago: number): string => new Date(Date.now() - ago * day).toISOString().slice(0, 10)
const row = (key: string, cost: number, part: Partial<UsageRow> = {}): UsageRow => ({
  key,
  requests: Math.ceil(cost * 40),
  inputTokens: Math.round(cost * 41_000),
  outputTokens: Math.round(cost * 6200),
  cacheReadTokens: Math.round(cost * 230_000),
  cacheWriteTokens: Math.round(cost * 9000),
  cost,
  unpriced: 0,
  ...part,
})
const report = {
  total: row('', 21.4, { unpriced: 3 }),
  days: Array.from({ length: 30 }, (_, ago) => row(dayOf(29 - ago), ((ago * 37) % 11) / 8)),
  models: [
    row('anthropic/claude-large-1', 18.2),
    row('openrouter/some-vendor/a-model-with-a-long-name:free', 3.2, { unpriced: 3 }),
    row('ollama/qwen', 0),
  ],
  conversations: [
    row('c1', 9.1, { title: 'Tidy September invoices' }),
    row('c2', 6.02, { title: 'Bank CSV into the ledger, with the corrections that Anna sent on Monday' }),
    row('c9', 3.3),
    row('', 0.8),
  ],
}

const facts = { bytes: 48_200_000, conversations: 212, messages: 9604, changedAt: Date.now() - day }

const ollamaModel = (name: string, part: Partial<ModelInfo> = {}): ModelInfo => ({
  id: `ollama/${name}`,
  provider: 'ollama',
  name,
  contextTokens: 32_768,
  tools: true,
  reasoning: false,
  images: false,
  ollama: { digest: name, bytes: 4_920_753_328, most: 131_072 },
  ai: true,
  ...part,
})
const router = (name: string, part: Partial<ModelInfo> = {}): ModelInfo => ({
  id: `openrouter/${name}`,
  provider: 'openrouter',
  name,
  contextTokens: 262_144,
  tools: true,
  price: { input: 0.6, output: 2.5 },
  ai: true,
  ...part,
})
const ollama: ProviderSummary = {
  ...{ id: 'ollama', name: 'Ollama', key: { kind: 'not-needed' }, endpoint: 'local', ollama: true, modelCount: 4 },
  baseUrl: 'http://127.0.0.1:11434/v1',
}
const openrouter: ProviderSummary = {
  ...{ id: 'openrouter', name: 'OpenRouter', endpoint: 'added', format: 'openai', modelCount: 15, baseUrl: 'https://openrouter.ai/api/v1' },
  key: { kind: 'set', hint: 'sk-or-…81fd', source: 'keyring' },
  headers: { 'X-Title': 'Assent', 'X-Api-Token': '' },
  query: { 'api-version': 'preview' },
}
const asked = makeConversation({ model: 'ollama/llama3.1:8b', createdAt: Date.now(), updatedAt: Date.now() })
const modelLists: Partial<Snapshot> = {
  conversations: [asked],
  models: [
    router('Claude Sonnet 4.6', { reasoning: true, webSearch: true, images: true, documents: true, price: { input: 3, output: 15 } }),
    router('A model with a name that is far too long for one line of any menu', { status: 'deprecated', tools: false }),
    router('Text Embedding 3', { chat: false }),
    ...Array.from({ length: 12 }, (_, at) => router(`Model ${at + 1}`, at === 3 ? { status: 'preview' } : {})),
    ollamaModel('llama3.1:8b'),
    ollamaModel('qwen3:8b', { reasoning: true, contextTokens: 20_000 }),
    ollamaModel('gpt-oss:120b-cloud', { ollama: { digest: 'c', bytes: 384, most: 131_072, cloud: true }, contextTokens: 131_072 }),
    ollamaModel('nomic-embed-text', { chat: false }),
    { id: 'practice/practice', provider: 'practice', name: 'Practice model', ai: false },
  ],
  providers: [{ id: 'anthropic', name: 'Anthropic', key: { kind: 'missing' }, modelCount: 0 }, openrouter, ollama],
  settings: {
    ...makeSnapshot().settings,
    contextSizes: { 'ollama/qwen3:8b': 20_000 },
    favouriteModels: ['ollama/llama3.1:8b'],
    defaultModel: 'ollama/llama3.1:8b',
  },
}
const modelAnswers: FakeAnswers = {
  'conversation.get': () => ({ revision: 10, conversation: asked, messages: [], branches: {} }),
  'models.catalogue': () => ({ date: '2026-07-02' }),
  'models.refreshCatalogue': () => {
    throw new HostError('model.offline', 'models.dev could not be reached.')
  },
  'models.pullSize': () => ({ bytes: 5_225_387_923 }),
  'endpoint.variables': () => ({ variables: ['MISTRAL_API_KEY'] }),
}
const noManifest = 'pull model manifest: file does not exist'

const personal: Snapshot['personal'] = {
  prompts: [
    { id: 'p1', name: 'Release notes', text: 'Write the release notes for {{version}}.\nTone: {{tone}}.' },
    { id: 'p2', name: 'Explain like a colleague', text: 'Explain this to a colleague who knows the field but not this code.' },
  ],
  assistants: [
    { id: 'a1', name: 'Bookkeeper', instructions: 'You file invoices and never guess an amount.', servers: ['files'] },
    { id: 'a2', name: 'Reviewer', instructions: 'Review code for correctness first, then for style.' },
  ],
  facts: [
    { id: 'f1', text: 'Prefers answers in euros.', at: Date.now() - day },
    {
      id: 'f2',
      text: 'The invoices lie in ~/Documents/2026.',
      at: Date.now() - 3 * day,
      conversationId: 'c1',
      sources: [{ from: { kind: 'server', server: 'files' }, untrusted: true }],
    },
  ],
}

const linkedApps: LinkedApp[] = [
  { id: 'a1', host: 'claude-code', path: '/Users/maya/.claude.json', state: 'connected', client: 'g1', servers: [] },
  {
    ...{ id: 'a2', host: 'cursor', path: '/Users/maya/.cursor/mcp.json', state: 'absent' },
    servers: [
      { name: 'notes', here: true },
      { name: 'github', here: false },
    ],
  },
  { id: 'a3', host: 'zed', path: '/Users/maya/.config/zed/settings.json', state: 'changed', servers: [] },
  {
    ...{ id: 'a4', host: 'vscode', path: '/Users/maya/Library/Application Support/Code/User/mcp.json', state: 'refused' },
    ...{ problem: 'The file is a link out of your home folder.', servers: [] },
  },
]
const agent = { client: 'g1', name: 'Claude Code', program: '/opt/homebrew/bin/claude', folder: '/Users/maya/invoices', verified: true }
const gateClients: GateClientSummary[] = [
  {
    ...{ id: 'g1', name: 'Claude Code', app: 'claude-code', servers: 'all', createdAt: 1 },
    connections: [{ ...agent, id: 'x1', since: Date.now() - 60_000, transport: 'stdio' }],
  },
  { id: 'g2', name: 'Build machine', servers: ['files', 'notes'], createdAt: 2, lastSeen: Date.now() - 3 * day, connections: [] },
]
const cursorBefore = '{\n  "mcpServers": {\n    "notes": { "command": "npx", "args": ["-y", "notes-mcp"] } // mine\n  }\n}\n'
const cursorAfter = cursorBefore.replace(
  ' } // mine',
  ' }, // mine\n    "assent": {\n      "command": "/Applications/Assent.app/Contents/MacOS/Assent",\n      "args": ["mcp"],\n      "env": { "ASSENT_MCP_TOKEN": "•••" }\n    }',
)
const appAnswers: FakeAnswers = {
  'appLink.list': () => ({ apps: linkedApps }),
  'appLink.preview': ({ to }) => {
    const [before, after] = to === 'disconnect' ? [cursorAfter, cursorBefore] : [cursorBefore, cursorAfter]
    return { change: 'c1', path: '/Users/maya/.cursor/mcp.json', before, after, exact: to === 'disconnect' }
  },
  'appLink.apply': () => ({ client: 'g3' }),
  'gate.list': () => ({ clients: gateClients, http: { url: 'http://127.0.0.1:6284/mcp' } }),
  'gate.add': ({ draft }) => ({ client: { ...draft, id: 'g4', createdAt: 3 }, token: 'assent_mcp_example' }),
}

export const comfortScenes = {
  apps: scene(
    {
      consentRequests: [makeToolRequest({ conversationId: undefined, agent: { ...agent, claimed: 'claude-code 2.1.59' } })],
      settings: { ...makeSnapshot().settings, gateHttp: true },
    },
    appAnswers,
  ),
  'apps-none': scene({}),

  personal: scene(
    { personal, settings: { ...makeSnapshot().settings, instructions: 'Answer in metric units.', memory: true } },
    {
      'mention.find': () => ({ offers: [], found: 0, unknown: [] }),
    },
  ),
  models: scene(
    { ...modelLists, pulls: [{ endpoint: 'ollama', model: 'qwen3:30b', completed: 4_700_000_000, total: 18_556_000_000 }] },
    modelAnswers,
  ),
  'models-none': scene(
    {
      providers: [
        { id: 'anthropic', name: 'Anthropic', key: { kind: 'missing' }, modelCount: 0 },
        { ...ollama, modelCount: 0 },
      ],
    },
    modelAnswers,
  ),
  'models-failed': scene(
    {
      ...modelLists,
      providers: [
        { ...openrouter, error: { code: 'model.key-refused', message: 'OpenRouter refused the key.' } },
        { ...ollama, error: { code: 'model.offline', message: 'Nothing answers at 127.0.0.1:11434.' } },
      ],
      pulls: [
        {
          ...{ endpoint: 'ollama', model: 'a-model-that-nobody-has:latest', completed: 0, total: 0 },
          error: { code: 'model.server-error', message: 'Ollama answered with an error of its own.', data: { detail: noManifest } },
        },
      ],
    },
    modelAnswers,
  ),
  'history-empty': scene({ shell: { kind: 'web', os: 'linux', canChooseFolder: false, secrets: 'memory' } }),
  usage: scene(
    {
      models: [{ id: 'anthropic/claude-large-1', provider: 'anthropic', name: 'Claude Large 1', ai: true }],
      conversations: [makeConversation({ updatedAt: Date.now() })],
      settings: { ...makeSnapshot().settings, monthBudget: { unit: 'dollars', amount: 20 } },
      notices: [{ kind: 'budget', budget: { unit: 'dollars', amount: 20 }, used: 21.4, level: 'over' }],
    },
    { 'usage.report': () => report },
  ),
  updates: scene({
    shell: { kind: 'electron', os: 'linux', canChooseFolder: true, secrets: 'keyring' },
    notices: [
      {
        kind: 'update',
        update: { kind: 'available', version: '1.3.0', notes: '### Added\n\n- **Faster** starts\n- A `--safe` start' },
      },
    ],
  }),
  data: scene(
    { shell: { kind: 'web', os: 'linux', canChooseFolder: false, secrets: 'memory' } },
    {
      'import.begin': () => ({ id: 'i1' }),
      'import.push': () => imported,
      'import.end': () => imported,
      'backup.diskUse': () => ({
        database: 48_300_000,
        attachments: 21_000_000,
        unsent: 420_000,
        free: 3_100_000,
        backups: 96_400_000,
        logs: 1_204_000,
        bundles: 310_000_000,
        rest: 48_000,
      }),
      'backup.list': () => ({
        staged: false,
        backups: Array.from({ length: 7 }, (_, at) => ({
          path: `/home/maya/.local/share/assent/backups/assent-2026-09-${20 - at}T081500.db`,
          kind: at === 1 ? 'replaced' : at === 6 ? 'older' : 'backup',
          at: Date.now() - at * day * 3,
          bytes: 48_200_000 - at * 1_000_000,
        })),
      }),
      'backup.check': () => ({
        ...facts,
        digest: 'd1',
        permissions: [
          { kind: 'rules', count: 14, names: [] },
          { kind: 'launches', count: 1, names: [] },
          { kind: 'endpoints', count: 3, names: ['https://models.example.com/v1', 'http://127.0.0.1:11434'] },
          { kind: 'settings', count: 2, names: [] },
        ],
      }),
      'backup.restore': () => facts,
    },
  ),
}

const imported = {
  conversations: 148,
  messages: 6120,
  already: 12,
  broken: 2,
  faults: [
    { name: 'Plans for the‮ garden', reason: 'it has no messages that can be read' },
    {
      name: 'A chat whose title goes on for longer than the line that it stands in has room for, at any width of the window',
      reason: 'it is not a conversation',
    },
  ],
  sources: ['chatgpt' as const, 'claude' as const],
  cut: true,
}
