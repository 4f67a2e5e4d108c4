// Every kind of question, at its longest and with all that can be wrong with it, for looking at; the rules and the record.
import type { AuditRow } from '#app/consent/audit-row.ts'
import type { ConsentRequest, LaunchTarget } from '#app/consent/request.ts'
import type { Rule } from '#app/consent/rules/rule.ts'
import type { Snapshot } from '#app/contract/snapshot.ts'
import type { JsonObject } from '#app/json.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { defaultSettings } from '#app/settings.ts'
import { makeAnswer, makeAuditRow, makeCall, makeConversation, makeServer, makeToolRequest, makeUserMessage } from '../builders.ts'
import { createFakeConnection, type FakeConnection } from '../fake-link.ts'

type Theme = 'light' | 'dark'
const now = Date.now()
const base = { id: 'r1', createdAt: now, server: 'ledger', conversationId: 'c1', callId: 'call1', why: { kind: 'server-asks' } } as const
const remote = (name: string, url: string): ServerSummary =>
  makeServer({
    name,
    definition: { transport: 'streamable-http', url, headers: {}, enabled: true, start: 'needed', trusted: false },
  })
const servers = [makeServer({ name: 'files' }), makeServer({ name: 'notes' }), remote('ledger', 'https://mcp.ledger.example/mcp')]
const tools = [{ name: 'write_file', description: 'Writes a file.', inputSchema: { type: 'object' }, enabled: true }]

function scene(requests: readonly ConsentRequest[], change: Partial<Snapshot> = {}) {
  return (theme: Theme): FakeConnection => {
    const conversation = makeConversation({
      title: 'Lisbon trip, expenses',
      updatedAt: now,
      activity: { kind: 'waiting', turnId: 't1', requests: 1 },
    })
    const messages = [
      makeUserMessage({ text: 'File the Lisbon expenses with the ledger.' }),
      makeAnswer({
        state: 'streaming',
        parts: [
          { kind: 'text', text: 'I have the six receipts.' },
          { kind: 'tool-call', call: makeCall({ id: 'call1', state: { kind: 'waiting', requestId: 'r1' } }) },
        ],
      }),
    ]
    return createFakeConnection({
      snapshot: {
        servers,
        conversations: [conversation, makeConversation({ id: 'c2', title: 'Vendor VAT numbers', updatedAt: now })],
        consentRequests: [...requests],
        settings: { ...defaultSettings, theme, welcomed: true },
        ...change,
      },
      answers: {
        'conversation.get': () => ({ revision: 10, conversation, messages, branches: {} }),
        'server.catalogue': () => ({ tools, resources: [], resourceTemplates: [], prompts: [], fetchedAt: now }) as never,
        'audit.list': () => ({ rows: logRows.toReversed(), found: logRows.length, related: [], chats: logChats }),
        'audit.verify': () => intact,
        'rule.uses': () => ({ uses: { w: { times: 12, last: now - 3_600_000 } } }),
        'rule.test': () =>
          ({
            verdict: { kind: 'ask', why: { kind: 'no-rule' } },
            rules: [{ id: 'w', match: 'no', conditions: ['no'], expired: false, void: false, otherArguments: ['mode'] }],
          }) as never,
        'consent.answer': () => ({ accepted: true }),
      },
    })
  }
}

const editSchema: JsonObject = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'Where it is' },
    edits: { type: 'array', items: { type: 'object', properties: { oldText: { type: 'string' }, newText: { type: 'string' } } } },
    url: { type: 'string', format: 'uri' },
    dryRun: { type: 'boolean' },
    mode: { enum: ['append', 'replace'] },
    lines: { type: 'integer', minimum: 1 },
  },
  required: ['path'],
}
const editArguments: JsonObject = {
  path: '/home/me/notes/2026/09/a-rather-long-folder-name-of-somebody/lisbon-expenses.md',
  edits: [{ oldText: 'Hotel 264.00\nTrain 40.20\nMeals 106.00', newText: 'Hotel 264.00\nTrain 48.20\nMeals\u200b 106.00' }],
  url: 'https://files.northbank.example:8443/receipts?claim=CL-2291&state=9f1c27ab0d',
  dryRun: false,
  mode: 'append',
  note: 'First line\nSecond line, which is somewhat longer than the first one so that it has to wrap somewhere\n\nLast line',
}
const call = (change: Partial<Parameters<typeof makeToolRequest>[0]> = {}) =>
  makeToolRequest({ tool: 'edit_file', title: undefined, inputSchema: editSchema, arguments: editArguments, ...change })

const anything: JsonObject = {
  type: 'object',
  required: ['name', 'mail', 'size', 'level'],
  properties: {
    name: { type: 'string', title: 'Your name', minLength: 2, maxLength: 40, description: 'As it stands on the card' },
    mail: { type: 'string', title: 'Email', format: 'email' },
    site: { type: 'string', title: 'Page', format: 'uri' },
    day: { type: 'string', title: 'Day', format: 'date' },
    moment: { type: 'string', title: 'Moment', format: 'date-time' },
    code: { type: 'string', title: 'Code', pattern: '^[A-Z]{3}-[0-9]{4}$' },
    count: { type: 'integer', title: 'How many', minimum: 1, maximum: 9, default: 2 },
    share: { type: 'number', title: 'Share', minimum: 0, maximum: 1 },
    size: {
      type: 'string',
      title: 'Size',
      oneOf: [
        { const: 's', title: 'Small' },
        { const: 'l', title: 'Large' },
      ],
    },
    level: { type: 'string', title: 'Level', enum: ['low', 'high'] },
    tags: { type: 'array', title: 'Tags', minItems: 1, items: { type: 'string', enum: ['one', 'two', 'three'] } },
    sure: { type: 'boolean', title: 'I am sure', description: 'It cannot be undone' },
    token: { type: 'string', title: 'API token' },
    odd: { type: 'object', title: 'Something else' },
  },
}
const step = (index: number) => ({ group: 'g', index, count: 3 })
const form = (id: string, more: object = {}): ConsentRequest => ({
  ...base,
  id,
  kind: 'elicitation-form',
  message: 'A few things for the Lisbon claim.',
  requestedSchema: anything,
  expiresAt: now + 240_000,
  ...more,
})
const page = (url: string): ConsentRequest => ({ ...base, kind: 'elicitation-url', message: 'Confirm the pay-out of € 418.20.', url })
const stdio = (...args: string[]): LaunchTarget => ({ transport: 'stdio', command: 'npx', args, envNames: ['NOTES_TOKEN'], cwd: '~/notes' })

const rule = (id: string, change: Partial<Rule>): Rule => ({
  id,
  effect: 'allow',
  server: 'files',
  scope: { kind: 'always' },
  createdAt: now - 86_400_000,
  ...change,
})
const inNotes = [{ kind: 'path-inside', argument: '/path', folder: '/home/me/notes', real: '/home/me/notes' }] as const
const rules: Rule[] = [
  rule('w', { tool: 'write_file', conditions: [...inNotes], onlyArguments: ['path', 'content'], fingerprint: 'f' }),
  rule('d', {
    effect: 'deny',
    tool: 'edit_file',
    conditions: [{ kind: 'url-host', argument: '/url', host: 'northbank.example', subdomains: true }],
  }),
  rule('a', { effect: 'ask', server: undefined, tool: 'delete_*' }),
  rule('o', { readOnly: true, definitions: { read_file: 'f' }, expiresAt: now + 3_600_000 }),
  rule('c', { tool: 'move_file', scope: { kind: 'conversation', conversationId: 'c1' }, fingerprint: 'f' }),
  rule('s', { server: 'ledger', sampling: { step: 'requests', tokensPerDay: 20_000 } }),
]

let logged = 0
const logRow = (minutes: number, change: Partial<AuditRow>): AuditRow =>
  makeAuditRow(++logged, { time: now + minutes * 60_000, conversationId: 'c1', ...change })
/** Rows of one call: asked, decided, sent, ended. */
function callRows(
  minutes: number,
  tool: string,
  args: object,
  decided: Partial<AuditRow> = {},
  result: object = {},
  server = 'files',
): AuditRow[] {
  const about = { server, tool }
  const callId = `call${logged}`
  const detail = { request: 'tool-call', callId, arguments: { text: JSON.stringify(args) } }
  const by = { decision: 'allowed', by: 'person', ...decided, detail: { ...detail, scope: 'once', ...decided.detail } }
  const rows = [logRow(minutes, { ...about, kind: 'request', detail }), logRow(minutes, { ...about, kind: 'decision', ...by })]
  if (by.decision === 'denied') return rows
  const end = { callId, durationMs: 400, bytes: 18_000, ...result }
  return [
    ...rows,
    logRow(minutes, { ...about, kind: 'call', decision: 'sent', by: by.by, detail: { callId } }),
    logRow(minutes, { ...about, kind: 'result', decision: 'code' in end ? 'failed' : 'done', detail: end }),
  ]
}
const modelRows = (minutes: number): AuditRow[] => {
  const detail = { method: 'model', exchangeId: `x${logged}`, model: 'anthropic/claude-sonnet-4-5' }
  return [
    logRow(minutes, { kind: 'exchange', decision: 'sent', detail }),
    logRow(minutes + 0.03, {
      kind: 'exchange',
      decision: 'done',
      detail: { ...detail, inputTokens: 1800, outputTokens: 282, cost: 0.0096 },
    }),
  ]
}
const outside = { conversationId: null }
const logRows: AuditRow[] = [
  logRow(-1500, { ...outside, kind: 'key', decision: 'saved', by: 'person', detail: { provider: 'anthropic' } }),
  logRow(-1490, {
    ...outside,
    kind: 'launch',
    server: 'notes',
    decision: 'allowed',
    by: 'person',
    detail: { request: 'launch', requestId: 'l' },
  }),
  logRow(-1490, { ...outside, kind: 'launch', server: 'notes', decision: 'started' }),
  logRow(-1480, { ...outside, kind: 'config', decision: 'chat-folder', by: 'person', detail: { name: 'Invoices' } }),
  ...modelRows(-9),
  ...callRows(
    -9,
    'search_files',
    { path: '~/invoices/inbox', pattern: '*.pdf' },
    { by: 'rule', detail: { rule: 'search_files of files where path is inside ~/invoices' } },
  ),
  ...callRows(-8, 'read_file', { path: 'vendors.csv' }, {}, { durationMs: 1200 }, 'ledger'),
  ...[1, 2, 3, 4, 5].flatMap((n) =>
    callRows(
      -7,
      'move_file',
      { source: `scan-023${n}.pdf`, destination: `2026-09-0${n}_holm-aster.pdf` },
      { detail: { group: { id: 'g', size: 5 } } },
      { bytes: 120, durationMs: 90 },
    ),
  ),
  ...modelRows(-6),
  ...callRows(-6, 'delete_file', { path: 'old-list.csv' }, { decision: 'denied', by: 'rule', detail: { rule: 'delete_* of any server' } }),
  ...callRows(
    -4,
    'create_issue',
    { title: 'Three VAT numbers are missing' },
    { decision: 'denied', detail: { word: 'leave Anna’s name out' } },
    {},
    'ledger',
  ),
  ...callRows(
    -3,
    'create_issue',
    { title: 'Three VAT numbers are missing' },
    { detail: { edited: true } },
    { bytes: 900, sandbox: { reached: [], blocked: ['telemetry.ledger.example:443'] } },
    'ledger',
  ),
  ...callRows(
    -2,
    'run',
    { command: 'tail -200 sync.log' },
    { detail: { scope: 'conversation' } },
    { code: 'tool.timeout', durationMs: 60_000 },
    'ledger',
  ),
]
const logChats = [
  {
    id: 'c1',
    title: 'Tidy September invoices',
    asked: [
      { at: now - 600_000, text: 'Move September’s invoices to 2026/09, renamed.' },
      { at: now - 270_000, text: 'Open an issue for the three missing numbers.' },
    ],
  },
]
const intact = { fault: null, rows: logRows.length, hash: 'b'.repeat(64), kept: logRows.length - 3 }
const waiting = Array.from({ length: 4 }, (_, index) =>
  makeToolRequest({
    createdAt: now - 120_000 * (index + 1),
    id: `b${index}`,
    callId: undefined,
    arguments: { source: `~/invoices/scan-02${index}.pdf`, destination: `~/invoices/2026/09/${index}.pdf` },
  }),
)

const vendors = 'vendor,country,vat,since\nHolm & Aster Print,SE,,2024\nIbsen Legal,NO,NO984661185,2021'
const dockEdit = makeToolRequest({
  id: 'edit',
  createdAt: now,
  callId: undefined,
  tool: 'edit_file',
  arguments: {
    path: '/home/me/invoices/2026/vendors.csv',
    edits: [{ oldText: vendors, newText: vendors.replace(',,2024', ',SE556704118201,2024') }],
  },
})
const dockWrite = makeToolRequest({
  id: 'write',
  createdAt: now,
  callId: undefined,
  tool: 'write_file',
  arguments: { path: '/home/me/invoices/2026/summary.md', content: Array.from({ length: 14 }, (_, at) => `- Line ${at + 1}`).join('\n') },
})
const first = (server: string, command: string, args: string[], change: object = {}): ConsentRequest => ({
  ...base,
  id: `start-${server}`,
  callId: undefined,
  kind: 'launch',
  why: { kind: 'first-launch' },
  server,
  fingerprint: server,
  target: { transport: 'stdio', command, args, envNames: [], ...change },
})
const sandbox = {
  kind: 'on',
  read: [],
  write: ['/home/me/notes'],
  hosts: ['registry.npmjs.org'],
  denyRead: [],
  denyWrite: [],
  denyHosts: [],
  ownFolder: true,
}
const firstStarts = [
  first('files', 'npx', ['-y', '@modelcontextprotocol/server-filesystem@2026.1.0', '/home/me/invoices'], { sandbox }),
  first('notes', 'npx', ['-y', 'notes-mcp', '--dir', '/home/me/my notes'], { sandbox, envNames: ['NOTES_TOKEN'] }),
  first('calendar', 'node', ['/home/me/mcp/calendar/index.js']),
  first('ledger', 'uvx', ['ledger-mcp'], { variables: [{ name: 'PYTHONPATH', value: '/tmp/x', effect: 'code' }] }),
]
const many = Array.from({ length: 50 }, (_, at) => first(`server-${at + 1}`, 'npx', ['-y', `server-${at + 1}@1.0.0`]))
const waitsFor = (requests: readonly ConsentRequest[]): Partial<Snapshot> => ({
  conversations: [
    makeConversation({
      activity: {
        kind: 'waiting',
        turnId: 't1',
        requests: requests.length,
        servers: requests.map(({ server }) => ({ name: server, asked: true })),
      },
    }),
  ],
})

export const consentScenes: Readonly<Record<string, (theme: Theme) => FakeConnection>> = {
  'activity-broken': (theme) => {
    const link = scene([])(theme)
    link.answer({ 'audit.verify': () => ({ ...intact, fault: { seq: 12, reason: 'its hash does not match' } }) })
    return link
  },
  'ask-edit': scene([call()]),
  'ask-flow': scene([
    call({
      server: 'ledger',
      why: { kind: 'flow' },
      privateFlow: { from: [{ kind: 'server', server: 'notes' }, { kind: 'attached' }], untrusted: [{ kind: 'server', server: 'notes' }] },
      ownFlow: true,
      arguments: { to: 'anna@books.example', body: 'The number is SE556704\nThanks' },
      flows: {
        origins: [
          { server: 'notes', tool: 'read_note', callId: 'n1' },
          { server: 'files', resource: 'file:///home/me/notes/a.md', messageId: 'm1' },
        ],
        marks: [
          { argument: '/to', origin: 0, spans: [[0, 18]] },
          { argument: '/body', origin: 1, spans: [[14, 22]] },
        ],
        unseen: true,
      },
    }),
  ]),
  'ask-batch': scene([...waiting, form('f1', { conversationId: undefined, callId: undefined })]),
  dock: scene([...waiting, dockEdit, form('f1')]),
  'dock-edit': scene([dockEdit, form('f1')]),
  'dock-write': scene([dockWrite]),
  'dock-starts': scene(firstStarts, waitsFor(firstStarts)),
  'dock-start': scene(firstStarts.slice(1, 2)),
  'dock-fifty': scene(many, waitsFor(many)),
  'ask-form': scene([form('r1')]),
  'ask-steps': scene([form('r1', { step: step(1) }), form('r2', { step: step(2) }), form('r3', { step: step(3) })]),
  'ask-url': scene([page('https://connect.northbank.example/sca/confirm?claim=CL-2291&return=ledger&state=9f1c27ab0d')]),
  'ask-url-own': scene([page('https://pay.ledger.example/confirm')]),
  'ask-url-like': scene([page('https://lеdger.example/confirm')]),
  'ask-roots': scene([
    {
      ...base,
      kind: 'roots',
      roots: [
        { uri: 'file:///home/me/projects/a-rather-long-folder-name-of-somebody/and-another-one-below-it' },
        { uri: 'file:///home/me/notes' },
      ],
      agreed: ['file:///home/me/notes'],
      missing: ['/home/me/gone'],
    },
  ]),
  'ask-import': scene([
    {
      ...base,
      conversationId: undefined,
      callId: undefined,
      server: 'Cursor',
      why: { kind: 'person-asks' },
      kind: 'config-import',
      servers: [
        {
          name: 'notes',
          from: 'Cursor',
          file: '~/.cursor/mcp.json',
          target: stdio('-y', 'notes-mcp@2.2.0'),
          secrets: ['NOTES_TOKEN'],
          replaces: { target: stdio('-y', 'notes-mcp@2.1.0') },
        },
        {
          name: 'mail',
          from: 'Cursor',
          file: '~/.cursor/mcp.json',
          target: { transport: 'streamable-http', url: 'https://mail.example/mcp', headerNames: ['Authorization'] },
          secrets: [],
        },
      ],
    },
  ]),
  'rules-full': scene([], { rules }),
}
