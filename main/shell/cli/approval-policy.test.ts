import { expect, it } from 'vitest'
import type { ConsentAnswer, ConsentKind, ConsentRequest } from '#app/consent/request.ts'
import { type CliPolicyOptions, createCliPolicy } from './approval-policy.ts'

const common = { id: 'r', createdAt: 0, server: 's', why: { kind: 'no-rule' } } as const
const requests: Readonly<Partial<Record<ConsentKind, ConsentRequest>>> = {
  'tool-call': {
    ...common,
    kind: 'tool-call',
    tool: 't',
    trusted: false,
    inputSchema: {},
    arguments: {},
    argumentsText: '{}',
    fingerprint: 'f',
  },
  launch: { ...common, kind: 'launch', target: { transport: 'stdio', command: 'x', args: [], envNames: [] }, fingerprint: 'f' },
  'elicitation-form': { ...common, kind: 'elicitation-form', message: 'm', requestedSchema: {} },
  'sign-in': {
    ...common,
    kind: 'sign-in',
    resource: 'https://mcp.example/mcp',
    issuer: 'https://auth.example',
    url: 'https://auth.example/authorize',
    scopes: [],
    granted: [],
    client: 'registered',
  },
  'sampling-result': { ...common, kind: 'sampling-result', model: 'm', text: 'answer', calls: [] },
}
const unsandboxed: ConsentRequest = {
  ...common,
  kind: 'launch',
  target: {
    transport: 'stdio',
    command: 'x',
    args: [],
    envNames: [],
    sandbox: { kind: 'missing', reason: 'not-installed', remedy: 'Install bubblewrap.' },
  },
  fingerprint: 'f',
}
const asked: ConsentAnswer = { kind: 'deny', word: 'asked' }

it.each<[string, ConsentKind, Partial<CliPolicyOptions>, Partial<ConsentAnswer> & { kind: string }, boolean]>([
  ['none refuses a tool', 'tool-call', { approve: 'none' }, { kind: 'deny' }, true],
  ['all allows a tool once', 'tool-call', { approve: 'all' }, { kind: 'allow', scope: 'once' }, false],
  ['ask asks', 'tool-call', { approve: 'ask', ask: async () => asked }, { kind: 'deny', word: 'asked' }, true],
  ['ask without a terminal refuses', 'tool-call', { approve: 'ask' }, { kind: 'deny' }, true],
  ['all starts the servers of a named file', 'launch', { approve: 'all', launchUnasked: true }, { kind: 'allow', scope: 'once' }, false],
  ['all does not start the profile’s own unasked', 'launch', { approve: 'all' }, { kind: 'deny' }, true],
  [
    'all signs in to the servers of a named file',
    'sign-in',
    { approve: 'all', launchUnasked: true },
    { kind: 'allow', scope: 'once' },
    false,
  ],
  ['all does not sign in to the profile’s own unasked', 'sign-in', { approve: 'all' }, { kind: 'deny' }, true],
  [
    'all asks at a terminal before it signs in to those',
    'sign-in',
    { approve: 'all', ask: async () => asked },
    { word: 'asked', kind: 'deny' },
    true,
  ],
  [
    'ask asks before it signs in',
    'sign-in',
    { approve: 'ask', ask: async () => asked, launchUnasked: true },
    { word: 'asked', kind: 'deny' },
    true,
  ],
  ['none signs in nowhere', 'sign-in', { approve: 'none', launchUnasked: true }, { kind: 'deny' }, true],
  [
    '--elicit fills in forms, whatever else is refused',
    'elicitation-form',
    { approve: 'none', elicit: { a: 1 } },
    { kind: 'allow', content: { a: 1 } },
    false,
  ],
  ['all leaves a form unanswered when nobody said with what', 'elicitation-form', { approve: 'all' }, { kind: 'cancel' }, false],
  ['all hands over the model’s answer as it is', 'sampling-result', { approve: 'all' }, { kind: 'allow', text: 'answer' }, false],
])('%s', async (_title, kind, options, expected, refused) => {
  const request = requests[kind]
  if (!request) throw new Error(kind)
  const policy = createCliPolicy({ approve: 'none', launchUnasked: false, ...options })
  expect(await policy.answer(request)).toMatchObject(expected)
  expect(policy.refused).toBe(refused)
})

it('tells of a form that it cancelled, and of no other', async () => {
  const told: string[] = []
  const onUnanswered = (request: ConsentRequest): void => void told.push(request.kind)
  for (const options of [{}, { elicit: { a: 1 } }, { ask: async () => asked }, { approve: 'none' as const }])
    for (const request of Object.values(requests))
      await createCliPolicy({ approve: 'all', launchUnasked: true, onUnanswered, ...options }).answer(request)
  expect(told).toEqual(['elicitation-form'])
})

it('fills in what the server proposes where --elicit says nothing', async () => {
  const requestedSchema = { type: 'object', properties: { a: { type: 'number', default: 7 }, b: { type: 'string', default: 'x' } } }
  const policy = createCliPolicy({ approve: 'none', elicit: { a: 1 }, launchUnasked: false })
  const answer = await policy.answer({ ...common, kind: 'elicitation-form', message: 'm', requestedSchema })
  expect(answer).toMatchObject({ kind: 'allow', content: { a: 1, b: 'x' } })
})

it.each([
  ['all', undefined, 'deny'],
  ['all', async () => asked, 'asked'],
  ['ask', undefined, 'deny'],
] as const)('--approve %s starts nothing unasked without the sandbox that it is to have', async (approve, ask, expected) => {
  const policy = createCliPolicy({ approve, launchUnasked: true, ...(ask ? { ask } : {}) })
  const answer = await policy.answer(unsandboxed)
  expect(answer).toMatchObject(expected === 'asked' ? asked : { kind: 'deny' })
  if (approve === 'all' && !ask) expect(answer).toMatchObject({ word: expect.stringContaining('Install bubblewrap.') })
})

const launchOf = (change: object, why: 'first-launch' | 'launch-sandbox' = 'first-launch'): ConsentRequest => ({
  ...common,
  why: { kind: why },
  kind: 'launch',
  target: { transport: 'stdio', command: 'x', args: [], envNames: [], ...change },
  fingerprint: 'f',
})
const suggested = launchOf({
  sandbox: { kind: 'on', ownFolder: true, read: [], write: ['/a'], denyRead: [], denyWrite: [], hosts: [], denyHosts: [] },
})
const byDefault = launchOf({ sandbox: { kind: 'missing', reason: 'not-installed', remedy: 'Install bubblewrap.', byDefault: true } })
const before = launchOf({ sandbox: { kind: 'on' } }, 'launch-sandbox')

it.each<[string, Partial<CliPolicyOptions>, ConsentRequest, object, number]>([
  ['all accepts what is suggested', { approve: 'all', launchUnasked: true }, suggested, { kind: 'allow', scope: 'once' }, 0],
  [
    'all starts an entry that says nothing where there is no sandbox, with a word',
    { approve: 'all', launchUnasked: true },
    byDefault,
    { kind: 'allow', scope: 'once' },
    1,
  ],
  [
    'all accepts what is suggested for one that was allowed before',
    { approve: 'all', launchUnasked: true },
    before,
    { kind: 'allow', scope: 'once' },
    0,
  ],
  [
    'none leaves one that was allowed before as it was, with a word',
    { approve: 'none' },
    before,
    { kind: 'allow', scope: 'once', sandbox: { kind: 'off' } },
    1,
  ],
  ['all leaves one of the profile as it was', { approve: 'all' }, before, { kind: 'allow', scope: 'once', sandbox: { kind: 'off' } }, 1],
  ['whoever is there is asked', { approve: 'all', ask: async () => asked }, before, asked, 0],
  ['--sandbox on does with nothing less', { approve: 'none', sandbox: 'on' }, before, { kind: 'allow', scope: 'once' }, 0],
  [
    'none starts none whose values changed since',
    { approve: 'none' },
    { ...before, changedValues: ['TOKEN'] } as ConsentRequest,
    { kind: 'deny' },
    0,
  ],
  ['none refuses a first launch', { approve: 'none' }, suggested, { kind: 'deny' }, 0],
])('%s', async (_title, options, request, expected, told) => {
  const words: string[] = []
  const policy = createCliPolicy({
    approve: 'none',
    launchUnasked: false,
    onUnsandboxed: ({ server }) => void words.push(server),
    ...options,
  })
  expect(await policy.answer(request)).toMatchObject(expected)
  expect(words.length).toBe(told)
  expect(policy.refused).toBe(expected === asked || !('scope' in expected))
})
