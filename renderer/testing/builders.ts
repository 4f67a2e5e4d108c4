// Small facts for tests and the harness page; each builder takes what matters and fills in the rest.
import type { Conversation } from '#app/chat/conversation.ts'
import type { AssistantMessage, SummaryMessage, ToolCall, UserMessage } from '#app/chat/message.ts'
import type { AuditRow } from '#app/consent/audit-row.ts'
import type { LaunchRequest, SignInRequest, ToolCallRequest } from '#app/consent/request.ts'
import type { Snapshot } from '#app/contract/snapshot.ts'
import type { DoctorReport } from '#app/server/doctor.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { defaultSettings } from '#app/settings.ts'

export const makeReport = (change: Partial<DoctorReport> = {}): DoctorReport => ({
  server: 'files',
  ok: false,
  diagnosis: null,
  startedAt: 1,
  command: 'npx files-mcp',
  resolved: null,
  path: null,
  pathSource: null,
  cwd: null,
  exit: null,
  stderr: [],
  output: [],
  steps: [],
  sandbox: null,
  ...change,
})

export const makeConversation = (change: Partial<Conversation> = {}): Conversation => ({
  id: 'c1',
  title: 'Tidy September invoices',
  model: 'practice/practice',
  createdAt: 1000,
  updatedAt: 1000,
  activity: { kind: 'idle' },
  ...change,
})

export const makeUserMessage = (change: Partial<UserMessage> = {}): UserMessage => ({
  role: 'user',
  id: 'm1',
  conversationId: 'c1',
  turnId: 't1',
  createdAt: 1000,
  text: 'Hello',
  ...change,
})

export const makeAnswer = (change: Partial<AssistantMessage> = {}): AssistantMessage => ({
  role: 'assistant',
  id: 'm2',
  conversationId: 'c1',
  turnId: 't1',
  createdAt: 2000,
  model: 'practice/practice',
  parts: [],
  state: 'done',
  ...change,
})

export const makeSummary = (change: Partial<SummaryMessage> = {}): SummaryMessage => ({
  role: 'summary',
  id: 'm9',
  conversationId: 'c1',
  turnId: 't1',
  createdAt: 3000,
  model: 'anthropic/sonnet',
  by: 'length',
  covers: { until: 'm2', messages: 2 },
  text: 'What was said.',
  state: 'done',
  ...change,
})

export const makeCall = (change: Partial<ToolCall> = {}): ToolCall => ({
  id: 'call1',
  providerId: 'p1',
  modelName: 'files__move_file',
  server: 'files',
  tool: 'move_file',
  arguments: { source: '~/in/a.pdf', destination: '~/out/b.pdf' },
  state: { kind: 'queued' },
  ...change,
})

export function makeToolRequest(change: Partial<ToolCallRequest> = {}): ToolCallRequest {
  const args = change.arguments ?? { source: '~/invoices/inbox/scan-0231.pdf', destination: '~/invoices/2026/09/2026-09-04.pdf' }
  return {
    id: 'r1',
    kind: 'tool-call',
    createdAt: 3000,
    server: 'files',
    conversationId: 'c1',
    callId: 'call1',
    why: { kind: 'no-rule' },
    tool: 'move_file',
    title: 'Move a file',
    trusted: false,
    inputSchema: { type: 'object' },
    arguments: args,
    argumentsText: JSON.stringify(args),
    fingerprint: 'f'.repeat(64),
    ...change,
  }
}

export const makeSignInRequest = (change: Partial<SignInRequest> = {}): SignInRequest => ({
  id: 'r1',
  kind: 'sign-in',
  createdAt: 3000,
  server: 'tracker',
  why: { kind: 'sign-in-needed' },
  resource: 'https://mcp.tracker.example/mcp',
  issuer: 'https://auth.tracker.example',
  url: 'https://auth.tracker.example/authorize?client_id=c&state=s',
  scopes: ['read', 'write'],
  granted: [],
  client: 'registered',
  ...change,
})

/** Time of a row: its number. */
export const makeAuditRow = (seq: number, change: Partial<AuditRow> = {}): AuditRow => ({
  seq,
  time: seq,
  kind: 'decision',
  server: null,
  tool: null,
  decision: null,
  by: null,
  conversationId: null,
  detail: {},
  previous: 'a'.repeat(64),
  hash: 'b'.repeat(64),
  ...change,
})

export const makeLaunchRequest = (change: Partial<LaunchRequest> = {}): LaunchRequest => ({
  id: 'r1',
  kind: 'launch',
  createdAt: 3000,
  server: 'notes',
  conversationId: 'c1',
  why: { kind: 'first-launch' },
  target: { transport: 'stdio', command: 'npx', args: ['-y', 'notes-mcp'], envNames: [] },
  fingerprint: 'f',
  ...change,
})

export const makeServer = (change: Partial<ServerSummary> = {}): ServerSummary => ({
  name: 'files',
  definition: {
    transport: 'stdio',
    command: 'npx',
    args: ['-y', 'files-mcp'],
    env: {},
    enabled: true,
    start: 'needed',
    trusted: false,
  },
  state: {
    kind: 'ready',
    since: 1000,
    session: { era: 'legacy', protocolVersion: '2025-06-18', foundBy: 'initialize', serverInfo: { name: 'files-mcp', version: '1.0.0' } },
    pid: 4242,
  },
  inputs: [],
  plainSecrets: [],
  counts: { tools: 14, enabledTools: 14, resources: 0, prompts: 0 },
  tokens: 2300,
  warnings: [],
  catalogueRevision: 1,
  ...change,
})

export const makeSnapshot = (change: Partial<Snapshot> = {}): Snapshot => ({
  epoch: 'e1',
  revision: 10,
  version: '0.1.0',
  dataDir: '/home/maya/.local/share/assent',
  shell: { kind: 'electron', os: 'mac', canChooseFolder: true, secrets: 'keyring' },
  servers: [],
  conversations: [],
  sections: { pinned: { end: null }, loose: { end: null } },
  chatFolders: [],
  personal: { prompts: [], assistants: [], facts: [] },
  consentRequests: [],
  overdueCalls: [],
  rules: [],
  models: [{ id: 'practice/practice', provider: 'practice', name: 'Practice model', ai: false }],
  providers: [],
  pulls: [],
  settings: defaultSettings,
  notices: [],
  drafts: {},
  ...change,
})
