// For looking at what a tool shows, and at the page around it: drawn, with words for the person, reaching out, before it is
// agreed to, put away, and asking for a call. The document of the frames is `view.html`.

import type { ToolCall } from '#app/chat/message.ts'
import type { ConsentRequest } from '#app/consent/request.ts'
import { HostError } from '#app/errors.ts'
import type { OpenedMcpApp } from '#app/mcp-apps/app-view.ts'
import { makeAnswer, makeCall, makeConversation, makeServer, makeSnapshot, makeToolRequest, makeUserMessage } from '../builders.ts'
import { createFakeConnection, type FakeConnection } from '../fake-link.ts'

const given = { from: 'Lisbon', to: 'Setúbal' }
const text = '51 km in 48 minutes, by the bridge of 25 April.'
const ready: OpenedMcpApp = {
  kind: 'ready',
  server: 'maps',
  uri: 'ui://maps/route',
  domains: { connect: [], resource: [], baseUri: [] },
  refused: [],
  refusedPermissions: [],
  // It stands beside the harness, which has no host that would serve one.
  id: '../view.html',
  tool: { name: 'route', inputSchema: { type: 'object' } },
  arguments: given,
  border: true,
}
const reach = {
  domains: {
    connect: [
      'https://tiles.maps.example',
      'wss://traffic.maps.example',
      'https://a-very-long-name-of-a-place.of-the-maps.deeply.nested.maps.example',
    ],
    resource: ['https://*.cdn.maps.example'],
    baseUri: [],
  },
  refused: [
    { text: 'https://*', why: 'wildcard' },
    { text: 'http://192.168.0.4', why: 'private' },
    { text: 'https://embed\u200b.example', why: 'frames' },
  ],
  refusedPermissions: ['geolocation', 'clipboardWrite'],
} satisfies Partial<OpenedMcpApp>
const asks: OpenedMcpApp = { kind: 'asks', server: 'maps', uri: 'ui://maps/route', ...reach, fingerprint: 'f1' }

const decision = { allowed: true, by: 'person', scope: 'once' } as const
const called = (id: string, change: Partial<ToolCall> = {}): ToolCall =>
  makeCall({
    id,
    server: 'maps',
    tool: 'route',
    modelName: 'maps__route',
    arguments: given,
    view: 'ui://maps/route',
    state: {
      kind: 'done',
      decision,
      startedAt: 1,
      durationMs: 820,
      result: { content: [{ type: 'text', text }], isError: false, bytes: 2048 },
    },
    ...change,
  })

function scene(calls: readonly ToolCall[], opened: (callId: string) => OpenedMcpApp, requests: readonly ConsentRequest[] = []) {
  return (theme: 'light' | 'dark'): FakeConnection => {
    const now = Date.now()
    const activity = requests.length > 0 ? ({ kind: 'waiting', turnId: 't1', requests: 1 } as const) : ({ kind: 'idle' } as const)
    const conversation = makeConversation({ title: 'To Setúbal by car', updatedAt: now, activity })
    const messages = [
      makeUserMessage({ text: 'Show me the way from Lisbon to Setúbal.' }),
      makeAnswer({
        parts: [
          { kind: 'text', text: 'This is the quickest way at this hour.' },
          ...calls.map((call) => ({ kind: 'tool-call' as const, call })),
          { kind: 'text', text: 'You are there in 48 minutes.' },
        ],
      }),
    ]
    return createFakeConnection({
      snapshot: {
        servers: [makeServer({ name: 'maps' }), makeServer({ name: 'ferries', state: { kind: 'stopped', reason: 'user' } })],
        conversations: [conversation],
        consentRequests: [...requests],
        settings: { ...makeSnapshot().settings, theme, welcomed: true },
      },
      answers: {
        'conversation.get': () => ({ revision: 10, conversation, messages, branches: {} }),
        'mcpApp.open': ({ callId }) => opened(callId),
        'mcpApp.result': () => ({ kind: 'result', result: { content: [{ type: 'text', text }] } }),
      },
    })
  }
}

const unreadable = (): never => {
  throw new HostError('view.unreadable', 'The view of route could not be read: “maps” answered that there is no ui://maps/route.')
}
const asksFor = makeToolRequest({
  server: 'maps',
  tool: 'save_route',
  title: 'Save a route',
  callId: 'v1-1',
  why: { kind: 'view-asks' },
  view: { callId: 'v1', tool: 'route' },
  description: 'Keeps a route under a name.',
  arguments: { name: 'To Setúbal', ...given },
})

const filler = Array.from({ length: 20 }, (_, index) => `<p>${index}</p>`).join('\n')
const flow =
  'flowchart TD\n  accTitle: Approval flow\n  A[Invoice arrives] --> B[Read vendor and date]\n  B --> C{VAT number?}\n  C -- no --> D[Open an issue]\n  C -- yes --> E[Add to ledger]'
const fence = (info: string, code: string): string => `\`\`\`${info}\n${code}\n\`\`\``
const vendors = [
  'vendor,country,amount,vat',
  ...Array.from({ length: 38 }, (_, index) => `Vendor ${index},NO,${index * 12.5},NO98466126${index}`),
].join('\n')
const script = Array.from({ length: 24 }, (_, index) => `total += rows[${index}].amount  # sum the row`).join('\n')

/** Artifacts of two answers; the frame shows `view.html`, since the harness has no host that would serve a page of an answer. */
const artifacts = (theme: 'light' | 'dark'): FakeConnection => {
  const conversation = makeConversation({ title: 'Tidy September invoices', updatedAt: Date.now() })
  const page = (text: string): string => fence('html', `<title>September spend by vendor</title>\n${text}\n${filler}`)
  const messages = [
    makeUserMessage({ id: 'q1', text: 'Chart the September spend by vendor.' }),
    makeAnswer({
      id: 'a1',
      parts: [{ kind: 'text', text: `Here is September by vendor. **Ibsen Legal** is two thirds of it.\n\n${page('1')}` }],
    }),
    makeUserMessage({ id: 'q2', text: 'Make the largest one stand out, and draw how one is approved.' }),
    makeAnswer({
      id: 'a2',
      parts: [
        {
          kind: 'text',
          text: ['Done.', page('2'), fence('mermaid', flow), fence('csv vendors.csv', vendors), fence('python sum.py', script)].join(
            '\n\n',
          ),
        },
      ],
    }),
  ]
  return createFakeConnection({
    snapshot: {
      conversations: [conversation],
      settings: { ...makeSnapshot().settings, theme, welcomed: true },
    },
    answers: {
      'conversation.get': () => ({ revision: 10, conversation, messages, branches: {} }),
      'mcpApp.openArtifact': () => ({ id: '../testing/view.html', offset: 0 }),
    },
  })
}

export const mcpAppScenes = {
  artifacts,
  view: scene([called('v1')], () => ready),
  'view-words': scene([called('v1')], () => ({ ...ready, id: '../testing/view.html#words' })),
  'view-reaching': scene([called('v1')], () => ({ ...ready, ...reach })),
  'view-asks': scene([called('v1')], () => asks),
  'view-call': scene([called('v1')], () => ready, [asksFor]),
  'view-closed': scene([called('v1'), called('v2', { server: 'ferries', tool: 'timetable', modelName: 'ferries__timetable' })], unreadable),
}
