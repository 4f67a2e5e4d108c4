// For looking at the library's tools: one with a rich form and runs of every kind, one that changed, and thousands.
import type { ManualRun } from '#app/chat/tools/manual-run.ts'
import type { ListedServer } from '#app/chat/tools/tool-overview.ts'
import { definitionOf } from '#app/consent/tool-definition.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import { makeConversation, makeServer, makeSnapshot } from '../builders.ts'
import { createFakeConnection, type FakeConnection } from '../fake-link.ts'
import { manyTools, summariesOf, toolAnswers } from './tools.stories.ts'

const richTool: ToolEntry = {
  name: 'book_room',
  title: 'Book a room',
  description: 'Books a room in the office.\nIt answers with the booking, or says why there is none.',
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  inputSchema: {
    type: 'object',
    required: ['room', 'day', 'people'],
    properties: {
      room: {
        oneOf: [
          { const: 'r1', title: 'Garden' },
          { const: 'r2', title: 'Attic' },
        ],
        description: 'Which room.',
      },
      day: { type: 'string', format: 'date', description: 'The day of it.', default: '2026-11-23' },
      people: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string', minLength: 1 }, mail: { type: 'string', format: 'email' } },
        },
      },
      extras: { type: 'array', uniqueItems: true, items: { enum: ['screen', 'whiteboard', 'coffee'] } },
      note: { type: ['string', 'null'], description: 'For the host.' },
      pay: {
        oneOf: [
          {
            title: 'By card',
            type: 'object',
            required: ['kind', 'last4'],
            properties: { kind: { const: 'card' }, last4: { type: 'string', pattern: '^[0-9]{4}$' } },
          },
          {
            title: 'By invoice',
            type: 'object',
            required: ['kind', 'to'],
            properties: { kind: { const: 'invoice' }, to: { type: 'string' } },
          },
        ],
      },
    },
  },
  outputSchema: { type: 'object', properties: { booking: { type: 'string' }, price: { type: 'number' } } },
  modelName: 'office__book_room',
  tokens: 212,
  enabled: true,
  fingerprint: 'now',
}
const changedTool: ToolEntry = {
  ...richTool,
  name: 'cancel_room',
  title: 'Cancel a room',
  description: 'Cancels a booking, and tells everybody.',
  modelName: 'office__cancel_room',
  inputSchema: { type: 'object', required: ['booking'], properties: { booking: { type: 'string' } } },
}

const decision = { allowed: true, by: 'person', scope: 'once', byHand: true } as const
const at = (hour: number): number => new Date(2026, 10, 22, hour, 30).getTime()
const run = (id: string, hour: number, state: ManualRun['state'], part: Partial<ManualRun> = {}): ManualRun => ({
  id,
  server: 'office',
  tool: 'book_room',
  at: at(hour),
  arguments: { room: 'r2', day: '2026-11-23', people: [{ name: 'Maya' }] },
  fingerprint: 'now',
  state,
  ...part,
})
const runs: readonly ManualRun[] = [
  run('h4', 13, {
    kind: 'running',
    decision,
    startedAt: Date.now() - 6000,
    progress: { progress: 3, total: 8, message: 'asking the calendar' },
  }),
  run('h3', 12, {
    kind: 'done',
    decision,
    startedAt: at(12),
    durationMs: 812,
    result: {
      content: [{ type: 'text', text: 'Booked the attic.' }],
      structuredContent: { booking: 'b-204', price: 40, seats: [4, 2] },
      isError: false,
      bytes: 120,
    },
  }),
  run('h2', 11, {
    kind: 'done',
    decision,
    startedAt: at(11),
    durationMs: 90,
    result: { content: [{ type: 'text', text: 'The attic is taken on that day.' }], isError: true, bytes: 40 },
  }),
  run(
    'h1',
    10,
    {
      kind: 'failed',
      decision,
      durationMs: 60_000,
      error: { code: 'tool.timeout', message: 'book_room of “office” gave no word for 60 s, so it was cancelled.' },
    },
    { masked: true },
  ),
]

function office(theme: 'light' | 'dark'): FakeConnection {
  const listed: ListedServer[] = [
    {
      name: 'office',
      enabled: true,
      trusted: false,
      tools: [richTool, changedTool].map((tool, index) => ({
        name: tool.name,
        modelName: tool.modelName,
        title: tool.title ?? tool.name,
        tokens: tool.tokens,
        enabled: true,
        claims: 'destructive',
        fingerprint: 'now',
        known: index === 0 ? 'approved' : 'changed',
      })),
    },
    ...manyTools(['files', 'mail', 'ledger'], 9),
  ]
  return sceneOf(theme, listed)
}

function sceneOf(theme: 'light' | 'dark', listed: readonly ListedServer[]): FakeConnection {
  const before = { ...changedTool, description: 'Cancels a booking.' }
  return createFakeConnection({
    snapshot: {
      conversations: [makeConversation({ title: 'Rooms', updatedAt: Date.now() })],
      servers: summariesOf(listed).map((view) => makeServer(view)),
      settings: { ...makeSnapshot().settings, theme },
    },
    answers: {
      ...toolAnswers(listed, 1_000_000),
      'tool.get': ({ tool: name }) =>
        name === changedTool.name
          ? { tool: changedTool, approved: { fingerprint: 'before', approvedAt: at(9), definition: definitionOf(before) } }
          : {
              tool: name === richTool.name ? richTool : { ...richTool, name },
              approved: { fingerprint: 'now', approvedAt: at(9), definition: definitionOf(richTool) },
            },
      'tool.runs': ({ tool }) => ({ runs: tool === richTool.name ? [...runs] : [], more: false }),
      'tool.getRun': ({ id }) => ({ run: runs.find((one) => one.id === id) ?? null }),
      'tool.run': ({ server, tool, fingerprint, arguments: text }) => ({
        run: {
          id: 'h9',
          server,
          tool,
          at: Date.now(),
          arguments: JSON.parse(text) as ManualRun['arguments'],
          fingerprint,
          state: { kind: 'queued' },
        },
      }),
      'tool.cancelRun': () => ({}),
      'tool.waitForRun': () => ({}),
      'tool.forgetRuns': () => ({ gone: 3 }),
      'server.setToolEnabled': () => ({}),
    },
  })
}

const many = (theme: 'light' | 'dark'): FakeConnection =>
  sceneOf(
    theme,
    manyTools(
      Array.from({ length: 50 }, (_, n) => `server-${n}`),
      100,
    ),
  )

export const manualRunScenes = { office, 'many-tools': many }
