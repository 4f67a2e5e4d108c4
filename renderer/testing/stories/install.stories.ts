// Ways in: the add screen and its test run, the take-over, links that wait, the first page, servers.json as text.

import type { AppImportHost, AppImportServer, AppImportState } from '#app/consent/config-import.ts'
import type { LaunchRequest } from '#app/consent/request.ts'
import type { Snapshot } from '#app/contract/snapshot.ts'
import type { ConnectionTestPhase } from '#app/server/connection-test.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
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
          found('fіles', { kind: 'new' }, stdio('npx', '-y', 'files-mcp')),
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
        servers: [found('ledger', { kind: 'new' }, stdio('uvx', 'ledger-mcp', '/home/maya/books'), { project: '/home/maya/books' })],
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
            remedy: 'Paste what `codex mcp list --json` prints.',
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
        settings: { ...makeSnapshot().settings, theme, welcomed },
        ...change,
      },
      answers: {
        'appImport.look': () => ({ hosts: elsewhere }),
        'config.get': () => ({ path: '/home/maya/.config/Assent/servers.json', text: configText, problems: [] }),
        'server.catalogue': () => ({ tools: [], resources: [], resourceTemplates: [], prompts: [], fetchedAt: 1 }),
        'server.log': () => ({ lines: [], dropped: 0, earlier: [] }),
        ...answers,
      },
    })

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
