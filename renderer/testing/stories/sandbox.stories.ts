// Sandboxes in their states: on the card of a launch, on the Permissions tab, in the list and at a call.
import type { LaunchRequest } from '#app/consent/request.ts'
import type { ListedAttempt } from '#app/server/sandbox/sandbox-report.ts'
import { type LaunchSandbox, noGrants, type ServerSandbox } from '#app/server/sandbox/sandbox-settings.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { defaultSettings } from '#app/settings.ts'
import { makeAnswer, makeCall, makeConversation, makeServer, makeUserMessage } from '../builders.ts'
import { createFakeConnection, type FakeAnswers, type FakeConnection } from '../fake-link.ts'
import { toolEntries } from './library.stories.ts'

type Theme = 'light' | 'dark'
const now = Date.now()
const minute = 60_000

const on: Extract<LaunchSandbox, { kind: 'on' }> = {
  kind: 'on',
  ownFolder: true,
  ...noGrants,
  read: ['/home/me/notes'],
  write: ['/home/me/notes'],
  hosts: ['registry.npmjs.org', 'api.notes.example'],
}

const launch = (sandbox: LaunchSandbox, change: Partial<LaunchRequest> = {}): LaunchRequest => ({
  id: 'r1',
  kind: 'launch',
  createdAt: now,
  server: 'notes',
  conversationId: 'c1',
  why: { kind: 'first-launch' },
  target: {
    transport: 'stdio',
    command: 'npx',
    args: ['-y', 'notes-mcp@2.1.0', '--dir', '/home/me/notes'],
    envNames: ['NODE_OPTIONS', 'NOTES_TOKEN (kept secret: notes-token)'],
    variables: [{ name: 'NODE_OPTIONS', value: '--require ./trace.js', effect: 'code' }],
    folder: '/home/me',
    sandbox,
  },
  suggested: [
    { list: 'read', value: '/home/me/notes', reason: 'argument' },
    { list: 'write', value: '/home/me/notes', reason: 'argument' },
    { list: 'hosts', value: 'registry.npmjs.org', reason: 'install' },
    { list: 'hosts', value: 'api.notes.example', reason: 'known-server' },
  ],
  fingerprint: 'f',
  ...change,
})

const conversation = makeConversation({ title: 'Tidy September invoices', updatedAt: now })

function scene(change: { requests?: LaunchRequest[]; servers?: ServerSummary[]; answers?: FakeAnswers; blocked?: boolean }) {
  return (theme: Theme): FakeConnection => {
    const { requests = [], servers = [notes()], answers } = change
    const messages = [
      makeUserMessage({ text: 'What is new in my notes?' }),
      ...(change.blocked
        ? [
            makeAnswer({
              state: 'streaming',
              parts: [
                {
                  kind: 'tool-call',
                  call: makeCall({
                    id: 'call1',
                    server: 'notes',
                    tool: 'sync_notes',
                    arguments: { since: 'Monday' },
                    state: { kind: 'running', decision: { allowed: true, by: 'person', scope: 'once' }, startedAt: now - 3000 },
                  }),
                },
              ],
            }),
          ]
        : []),
    ]
    return createFakeConnection({
      snapshot: {
        servers,
        conversations: [conversation],
        consentRequests: requests,
        settings: { ...defaultSettings, theme, welcomed: true },
      },
      answers: {
        'conversation.get': () => ({ revision: 10, conversation, messages, branches: {} }),
        'server.catalogue': () => ({ tools: [...toolEntries], fetchedAt: now }),
        'server.log': () => ({ lines: [], dropped: 0 }),
        'server.sandboxAttempts': () => ({ attempts, lost: 0 }),
        'server.answerSandboxAttempt': () => ({ holds: 'next-start' }),
        ...answers,
      },
    })
  }
}

const grants = { ...noGrants, read: ['/home/me/notes'], write: ['/home/me/notes'], hosts: ['api.notes.example', 'old.notes.example'] }
const running = (name: string, sandbox: ServerSandbox, more: Partial<ServerSummary> = {}): ServerSummary =>
  makeServer({
    name,
    sandbox,
    tokens: 900,
    counts: { tools: 8, enabledTools: 7, resources: 0, prompts: 0 },
    state: {
      kind: 'ready',
      since: now - 360 * minute,
      session: { era: 'modern', protocolVersion: '2026-07-28', foundBy: 'discover' },
      pid: 8,
    },
    ...more,
  })

const notes = (more: Partial<ServerSummary> = {}): ServerSummary =>
  running(
    'notes',
    { kind: 'on', grants },
    {
      blocked: 3,
      definition: {
        transport: 'stdio',
        command: 'npx',
        args: ['notes-mcp@2.1.0'],
        env: { NOTES_TOKEN: '••••', PATH: '/opt/node/bin' },
        enabled: true,
        start: 'needed',
        trusted: false,
      },
      state: {
        kind: 'ready',
        since: now - 41 * minute,
        session: { era: 'modern', protocolVersion: '2026-07-28', foundBy: 'discover' },
        pid: 7,
      },
      ...more,
    },
  )

const seen = (attempt: Partial<ListedAttempt> & Pick<ListedAttempt, 'kind' | 'target'>): ListedAttempt => ({
  refused: 'not-granted',
  count: 1,
  firstAt: now - 60 * minute,
  lastAt: now - 12 * minute,
  allowance: 'click',
  ...attempt,
})
const ofCall = { tool: 'sync_notes', callId: 'call1' } as const
const attempts: ListedAttempt[] = [
  seen({ kind: 'host', target: 'telemetry.notes.example', port: 443, count: 41, ...ofCall }),
  seen({ kind: 'write', target: '/home/me/notes-archive', count: 2, ...ofCall }),
  seen({ kind: 'read', target: '/home/me/.ssh/config', allowance: 'review', ...ofCall }),
  seen({ kind: 'host', target: '192.168.0.7', port: 9200, refused: 'private-address', allowance: 'never' }),
  seen({ kind: 'host', target: 'ads.example', port: 443, refused: 'denied', count: 3 }),
  { kind: 'host', target: 'api.notes.example', port: 443, count: 118, firstAt: now - 60 * minute, lastAt: now, allowance: 'never' },
]

const remedy = 'Install bubblewrap and socat (on Debian and Ubuntu: sudo apt install bubblewrap socat), then start Assent again.'
const missing = { kind: 'missing', reason: 'not-installed', remedy } as const

const remote = running(
  'github',
  { kind: 'not-needed', because: 'remote' },
  {
    definition: {
      transport: 'streamable-http',
      url: 'https://mcp.github.example/mcp',
      headers: {},
      enabled: true,
      start: 'needed',
      trusted: false,
    },
  },
)
const list = [
  notes(),
  remote,
  running('calendar', { kind: 'off', by: 'person' }),
  running('files', { kind: 'on', grants }),
  running('browser', { kind: 'on', grants }, { state: { kind: 'stopped', reason: 'never-started' } }),
  running('database', { kind: 'not-needed', because: 'container' }),
  running('old', { kind: 'off', by: 'earlier' }),
  running('entry', { kind: 'off', by: 'entry' }),
]

export const sandboxScenes: Readonly<Record<string, (theme: Theme) => FakeConnection>> = {
  'sandbox-launch': scene({ requests: [launch(on)] }),
  'sandbox-before': scene({ requests: [launch(on, { why: { kind: 'launch-sandbox' } })] }),
  'sandbox-missing': scene({ requests: [launch({ ...missing, byDefault: true }, { suggested: [] })] }),
  'sandbox-off': scene({ requests: [launch({ kind: 'off' }, { suggested: [] })] }),
  'sandbox-servers': scene({ servers: list }),
  'sandbox-next': scene({
    servers: [notes({ nextSandbox: { kind: 'on', grants: { ...grants, read: ['/home/me/notes', '/home/me/more'] } } })],
  }),
  'sandbox-none-blocked': scene({
    servers: [running('notes', { kind: 'on', grants })],
    answers: { 'server.sandboxAttempts': () => ({ attempts: [], lost: 0 }) },
  }),
  'sandbox-no-engine': scene({ servers: [running('notes', missing)] }),
  'sandbox-call': scene({ blocked: true }),
}
