// Ways in: the add screen and its test run, the take-over, links that wait, the first page, servers.json as text.

import type { Conversation } from '#app/chat/conversation.ts'
import type { AppImportHost, AppImportServer, AppImportState } from '#app/consent/config-import.ts'
import type { ConfigImportRequest, LaunchRequest, LaunchTarget } from '#app/consent/request.ts'
import type { Snapshot } from '#app/contract/snapshot.ts'
import { HostError } from '#app/errors.ts'
import type { ModelInfo, ProviderSummary } from '#app/models/models.ts'
import type { ConnectionTestPhase } from '#app/server/connection-test.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import { noGrants, type SandboxGrants } from '#app/server/sandbox/sandbox-settings.ts'
import { makeReport, makeServer, makeSnapshot } from '../builders.ts'
import { createFakeConnection, type FakeAnswers, type FakeConnection } from '../fake-link.ts'

const common = { enabled: true, start: 'needed', trusted: false } as const
const stdio = (command: string, ...args: string[]): ServerDefinition => ({ ...common, transport: 'stdio', command, args, env: {} })

function found(name: string, state: AppImportState, definition: ServerDefinition, more: Partial<AppImportServer> = {}): AppImportServer {
  const target =
    definition.transport === 'stdio'
      ? { transport: 'stdio' as const, command: definition.command, args: definition.args, envNames: [] }
      : undefined
  return {
    id: `${name} ${JSON.stringify(definition)}`,
    name,
    definition,
    ...(target ? { target } : {}),
    secrets: [],
    problems: [],
    needs: [],
    state,
    ...more,
  }
}

const path = '/home/maya/.cursor/mcp.json'
const note = {
  file: path,
  line: 9,
  column: 5,
  message: '“autoApprove” was left out.',
  remedy: 'Check it in the form.',
}
const elsewhere: AppImportHost[] = [
  {
    host: 'cursor',
    files: [
      {
        path,
        servers: [
          found('notes', { kind: 'new' }, stdio('npx', '-y', 'notes-mcp@2.1.0', '--dir', '/home/maya/notes'), {
            secrets: ['NOTES_TOKEN'],
            problems: [note],
          }),
          found('fіles', { kind: 'new' }, stdio('npx', '-y', 'files-mcp'), { needs: [{ kind: 'key' }] }),
          found(
            'github',
            { kind: 'different', here: { transport: 'stdio', command: 'docker', args: ['run', '-i', 'ghcr.io/github/mcp'], envNames: [] } },
            stdio('npx', '-y', '@github/mcp'),
          ),
          found('calendar', { kind: 'same', as: 'calendar' }, stdio('npx', 'calendar-mcp')),
        ],
        problems: [
          {
            file: path,
            line: 31,
            column: 3,
            server: 'half',
            message: '“half” cannot be read.',
            remedy: 'Correct it, then import it again.',
          },
        ],
      },
    ],
  },
  {
    host: 'vscode',
    files: [
      {
        path: '/home/maya/books/.vscode/mcp.json',
        servers: [
          found('ledger', { kind: 'new' }, stdio('uvx', 'ledger-mcp', '/home/maya/books'), {
            project: '/home/maya/books',
            needs: [{ kind: 'program', name: 'uv' }],
          }),
        ],
        problems: [],
      },
    ],
  },
  {
    host: 'codex',
    files: [
      {
        path: '/home/maya/.codex/config.toml',
        servers: [],
        problems: [
          {
            file: '/home/maya/.codex/config.toml',
            line: 12,
            column: 1,
            server: 'docs',
            message: '“docs” is in TOML, which is not read.',
            remedy: 'Paste what “codex mcp list --json” prints.',
          },
        ],
      },
    ],
  },
]

const request: LaunchRequest = {
  id: 'q1',
  kind: 'launch',
  createdAt: Date.now(),
  server: 'notes',
  why: { kind: 'first-launch' },
  connectionTest: true,
  fingerprint: 'f',
  target: {
    transport: 'stdio',
    command: 'npx',
    args: ['-y', 'notes-mcp@2.1.0', '--dir', '~/notes\u200b'],
    envNames: ['NOTES_TOKEN (kept secret: notes-token)'],
  },
}
const phases: Readonly<Record<string, ConnectionTestPhase>> = {
  waiting: { kind: 'waiting', requestId: 'q1' },
  running: { kind: 'starting', step: 'negotiating' },
  failed: {
    kind: 'failed',
    error: { code: 'server.command-not-found', message: 'nopx was not found.' },
    diagnosis: {
      code: 'command-not-found',
      short: 'nopx was not found',
      message: 'nopx was not found.',
      why: 'No folder of your PATH has a program of that name.',
      remedy: 'Is it npx? That one is there.',
      tone: 'bad',
      actions: [
        { kind: 'use-command', label: 'Use npx', command: 'npx' },
        { kind: 'retry', label: 'Try again' },
      ],
    },
  },
  works: {
    kind: 'works',
    offers: {
      session: { era: 'modern', protocolVersion: '2026-07-28', foundBy: 'discover', serverInfo: { name: 'notes-mcp', version: '2.1.0' } },
      tools: [
        { name: 'add_note', description: 'Writes a note down' },
        { name: 'find_notes', description: 'Finds notes by words' },
      ],
      counts: { tools: 2, resources: 14, prompts: 1 },
      tokens: 420,
      warnings: [],
    },
  },
}

const configText = `{
  // Mine: do not touch.
  "mcpServers": {
    "notes": {
      "command": "npx",
      "args": ["-y", "notes-mcp@2.1.0", "--dir", "/home/maya/notes"],
      "env": { "NOTES_TOKEN": "\${input:notes-token}" },
      "startt": "launch"
    },
    "search": { "url": "https://mcp.search.example/v1", "timeout": "soon" }
  }
}
`

const scene =
  (answers: FakeAnswers = {}, change: Partial<Snapshot> = {}, welcomed = true) =>
  (theme: 'light' | 'dark'): FakeConnection =>
    createFakeConnection({
      snapshot: {
        servers: ['files', 'github', 'calendar'].map((name) => makeServer({ name })),
        ...change,
        settings: { ...makeSnapshot().settings, ...change.settings, theme, welcomed },
      },
      answers: {
        'appImport.look': () => ({ hosts: elsewhere }),
        'config.get': () => ({ path: '/home/maya/.config/Assent/servers.json', text: configText, problems: [] }),
        'server.catalogue': () => ({ tools: [], resources: [], resourceTemplates: [], prompts: [], fetchedAt: 1 }),
        'server.log': () => ({ lines: [], dropped: 0, earlier: [] }),
        ...answers,
      },
    })

const practice: ModelInfo = { id: 'practice/practice', provider: 'practice', name: 'Practice model', ai: false }
const sonnet: ModelInfo = { id: 'anthropic/sonnet', provider: 'anthropic', name: 'Claude Sonnet 4.5', ai: true, tools: true }
const anthropic: ProviderSummary = { id: 'anthropic', name: 'Anthropic', key: { kind: 'missing' }, modelCount: 0 }
const localOne = (id: string, name: string, more: Partial<ProviderSummary>): ProviderSummary => ({
  ...{ id, name, key: { kind: 'not-needed' }, endpoint: 'local', modelCount: 3 },
  ...more,
})
const setup: Partial<Snapshot> = {
  servers: [
    makeServer({ name: 'demo', definition: { transport: 'builtin', module: 'demo', enabled: true, start: 'needed', trusted: false } }),
  ],
  conversations: [],
  models: [practice],
  providers: [
    anthropic,
    localOne('ollama', 'Ollama', { ollama: true }),
    localOne('lmstudio', 'LM Studio', { error: { code: 'model.offline', message: 'Nothing answers.' }, modelCount: 0 }),
  ],
}
const started = (name: string, target: LaunchTarget, more: Partial<LaunchRequest> = {}): ConfigImportRequest['servers'][number] => ({
  ...{ name, from: 'Cursor', file: path, target, secrets: name === 'notes' ? ['NOTES_TOKEN'] : [] },
  launch: {
    ...{
      id: `start-${name}`,
      kind: 'launch',
      createdAt: 1,
      server: name,
      why: { kind: 'first-launch' },
      target,
      fingerprint: 'f',
      ...more,
    },
  },
})
const sandboxed = (args: readonly string[], grants: Partial<SandboxGrants> = {}): LaunchTarget => ({
  ...{ transport: 'stdio', command: 'npx', args: [...args], envNames: [], folder: '/home/maya' },
  sandbox: { kind: 'on', ownFolder: true, ...noGrants, ...grants },
})
const importRequest: ConfigImportRequest = {
  id: 'i1',
  kind: 'config-import',
  createdAt: 1,
  server: 'Cursor, VS Code',
  why: { kind: 'person-asks' },
  servers: [
    started(
      'files',
      sandboxed(['-y', '@modelcontextprotocol/server-filesystem', '/home/maya/invoices'], { read: ['/home/maya/invoices'] }),
      { suggested: [{ list: 'read', value: '/home/maya/invoices', reason: 'argument' }] },
    ),
    started('notes', sandboxed(['-y', 'notes-mcp@2.1.0', '--dir', '/home/maya/notes'], { write: ['/home/maya/notes'] })),
    started('linear', { transport: 'streamable-http', url: 'https://mcp.linear.app/mcp', headerNames: [] }),
  ],
}
const chatOf = (id: string, title: string, ago: number, more: Partial<Conversation> = {}): Conversation => ({
  ...{ id, title, model: sonnet.id, createdAt: 1, updatedAt: Date.now() - ago * 3_600_000, activity: { kind: 'idle' } },
  ...more,
})
const chats: Conversation[] = [
  chatOf('d1', 'Tidy September invoices', 2, { activity: { kind: 'waiting', turnId: 't', requests: 1 } }),
  chatOf('d2', 'Release notes for 2.4', 1, { activity: { kind: 'working', turnId: 't', since: 1 } }),
  chatOf('d3', 'Vendor VAT numbers', 3),
  chatOf('d4', 'Why did the sync job fail?', 26),
  chatOf('d5', 'Lisbon trip, expenses', 30),
  chatOf('d6', 'Bank CSV into the ledger', 120),
  chatOf('d7', 'Monthly close', 10, { pinned: true }),
  chatOf('d8', 'Standup summary', 70, { pinned: true }),
]
const daily: Partial<Snapshot> = {
  conversations: chats.toSorted((a, b) => b.updatedAt - a.updatedAt),
  sections: Object.fromEntries(['loose', 'pinned', 'archived'].map((name) => [name, { end: null }])),
  models: [sonnet],
  settings: { ...makeSnapshot().settings, defaultModel: sonnet.id },
  consentRequests: [{ ...request, id: 'd', conversationId: 'd1' }],
}
const dailyAnswers: FakeAnswers = {
  'audit.list': () => ({
    rows: Array.from({ length: 12 }, (_, seq) => ({
      ...{ seq, time: Date.now(), kind: 'decision' as const, server: 'files', tool: 'rename_file', decision: 'allowed', by: 'person' },
      ...{ conversationId: 'd1', detail: { request: 'tool-call', scope: 'once' }, previous: '', hash: '' },
    })),
  }),
}

const connectionTest = (phase: keyof typeof phases) =>
  scene(
    {
      'server.testConnection': () => ({ id: 't1' }),
      'server.watchTest': ({ after }) =>
        after < 0
          ? {
              revision: 1,
              phase: phases[phase] ?? { kind: 'refused' },
              over: phase === 'works' || phase === 'failed',
              report: makeReport({ server: 'notes' }),
            }
          : new Promise(() => {}),
    },
    { consentRequests: phase === 'waiting' ? [request] : [] },
  )

const link = (name: string, command: string): string =>
  `assent://install?name=${name}&trusted=true&config=${encodeURIComponent(JSON.stringify({ command, args: ['-y', 'notes-mcp'] }))}`

/** Open `#/servers//add`, `#/servers//takeover`, `#/servers//config`, `#/chat`. */
export const waysScenes: Readonly<Record<string, (theme: 'light' | 'dark') => FakeConnection>> = {
  ways: scene(),
  'ways-none': scene({ 'appImport.look': () => ({ hosts: [] }) }),
  'ways-first': scene({}, { servers: [], conversations: [] }, false),
  start: scene({}, setup, false),
  'start-rejected': scene(
    {
      'key.set': () => {
        throw new HostError('model.key-refused', 'The key was refused.')
      },
    },
    setup,
    false,
  ),
  'start-none': scene({ 'appImport.look': () => ({ hosts: [] }) }, { ...setup, providers: [anthropic] }, false),
  'start-import': scene(
    { 'appImport.take': () => new Promise(() => {}) },
    {
      ...setup,
      consentRequests: [importRequest],
      models: [practice, sonnet],
      providers: [{ ...anthropic, key: { kind: 'set', hint: '…q7Rw', source: 'keyring' }, modelCount: 6 }],
      settings: { ...makeSnapshot().settings, defaultModel: sonnet.id, setup: ['invoices'] },
    },
    false,
  ),
  daily: scene(dailyAnswers, daily),
  'daily-quiet': scene({ 'appImport.look': () => ({ hosts: [] }) }, { ...daily, conversations: chats.filter(({ pinned }) => !pinned) }),
  'ways-link': scene(
    {},
    {
      outside: [
        { kind: 'link', id: 'o1', text: link('notes', 'npx') },
        { kind: 'link', id: 'o2', text: link('other', 'uvx') },
      ],
    },
  ),
  'ways-link-bad': scene({}, { outside: [{ kind: 'link', id: 'o1', text: 'assent://install?name=x' }] }),
  ...Object.fromEntries(Object.keys(phases).map((phase) => [`ways-trial-${phase}`, connectionTest(phase)])),
}
