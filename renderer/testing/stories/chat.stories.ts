// What messages are made of and how turns end, for looking at: rich text, results of every kind, attachments, text from the
// right, and each way that a turn stops, waits or goes on. Blobs are whatever the page is served under their names.

import type { BlobRef } from '#app/blob.ts'
import type { Attachment } from '#app/chat/attachments/attachment.ts'
import type { ResultBlock } from '#app/chat/content.ts'
import type { Conversation } from '#app/chat/conversation.ts'
import type { AssistantMessage, AssistantPart, Message, ToolCallState } from '#app/chat/message.ts'
import type { Snapshot } from '#app/contract/snapshot.ts'
import { defaultSettings } from '#app/settings.ts'
import { makeAnswer, makeCall, makeConversation, makeServer, makeSummary, makeUserMessage } from '../builders.ts'
import { createFakeConnection, type FakeConnection } from '../fake-link.ts'
import { filledContext, summarisedMessages } from './context.stories.ts'

type Theme = 'light' | 'dark'
const now = Date.now()
const model = { id: 'anthropic/sonnet', provider: 'anthropic', name: 'Claude Sonnet', contextTokens: 200_000, ai: true } as const

function scene(messages: readonly Message[], change: Partial<Conversation> = {}, facts: Partial<Snapshot> = {}) {
  return (theme: Theme): FakeConnection => {
    const conversation = makeConversation({
      title: 'The lease and its papers',
      model: model.id,
      updatedAt: now,
      contextTokens: 41_000,
      ...change,
    })
    return createFakeConnection({
      snapshot: {
        servers: [makeServer()],
        conversations: [conversation],
        models: [model],
        settings: { ...defaultSettings, theme, welcomed: true, defaultModel: model.id },
        ...facts,
      },
      answers: {
        'conversation.get': () => ({ revision: 10, conversation, messages: [...messages], branches: {} }),
        'server.catalogue': () => ({ tools: [], resources: [], resourceTemplates: [], prompts: [], fetchedAt: now }),
        'conversation.context': () => ({ ...filledContext, used: conversation.contextTokens ?? 0 }),
      },
    })
  }
}

const ask = makeUserMessage({ text: 'Go through the lease.' })
const answer = (parts: readonly AssistantPart[], change: Partial<AssistantMessage> = {}): AssistantMessage =>
  makeAnswer({ model: model.id, parts: [...parts], ...change })
const says = (text: string): AssistantPart => ({ kind: 'text', text })
const fence = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``

const rich = [
  '# What the lease says\n\nThe rent is **€ 900 a month**[^1], paid on the *first*. ~~It was 850.~~',
  '| Term | Value | Where it stands in the lease, and what it means for you | Amount |\n|---|:-:|---|--:|\n| Rent | monthly | Clause 2, with the index of consumer prices from the second year on | € 900.00 |\n| Deposit | once | Clause 4 | € 1,800.00 |\n| Heating | monthly | Annex B, settled once a year | € 75.50 |',
  '- [x] read the lease\n- [x] find the notice period\n- [ ] ask about the **annex**\n  - [ ] and the inventory',
  'Over a year with an index of 2 % that is $12 \\cdot 900 \\cdot 1.02 = 11\\,016$, and over $n$ years:\n\n$$\n\\sum_{k=0}^{n-1} 12 \\cdot 900 \\cdot \\left(1 + \\frac{2}{100}\\right)^k = \\frac{10800\\,(1.02^n - 1)}{0.02}\n$$',
  fence(
    'ts',
    'const total = rows.reduce((sum, { amount }) => sum + amount, 0) // all of it, also what is paid once and comes back at the end',
  ),
  fence('mermaid', 'flowchart LR\n  A[Read the lease] --> B{Notice in time?}\n  B -->|yes| C[Leave in May]\n  B -->|no| D[One more year]'),
  '> The tenant gives notice in writing, **three months** ahead.\n\n1. Write it\n2. Send it\n   1. by post\n   2. and by mail',
  '[^1]: Clause 2, *first* paragraph. Without heating.',
].join('\n\n')

const cited: AssistantPart = {
  kind: 'text',
  text: 'Notice is three months, in writing. The deposit comes back within six weeks.',
  citations: [
    {
      start: 0,
      end: 35,
      title: 'lease.pdf',
      quote: 'Notice shall be given in writing three months before the end of a quarter.',
      pages: [3, 3],
      source: {},
    },
    {
      start: 36,
      end: 77,
      title: 'lease.pdf',
      quote: 'The deposit is returned, with interest, no later than six weeks after.',
      pages: [4, 5],
      source: {},
    },
  ],
}

const fromTheRight: readonly Message[] = [
  makeUserMessage({ text: 'מה כתוב בחוזה? תסביר לי את `clause 2` בבקשה.' }),
  answer([
    says(
      '## שכר הדירה\n\nשכר הדירה הוא **900 €** לחודש, לפי סעיף 2 (Clause 2).\n\n- ראשית, הודעה מראש\n- [x] לקרוא את החוזה\n\n> שלושה חודשים מראש\n\n| סעיף | סכום |\n|---|--:|\n| שכר | 900 |\n\n```\nnpm start\n```\n\nThis paragraph is English again.',
    ),
  ]),
  makeUserMessage({ id: 'm3', turnId: 't2', text: 'اكتب لي رسالة إلى المالك.' }),
  answer([says('إلى السيد المالك،\n\nأود إنهاء العقد في نهاية الشهر القادم.\n\n1. الإيجار\n2. التأمين')], { id: 'm4', turnId: 't2' }),
]

const blob = (digit: string, mimeType: string, bytes = 48_000): BlobRef => ({ sha256: digit.repeat(64), bytes, mimeType })
const photo = blob('a', 'image/png', 9_400_000)
const done = (content: readonly ResultBlock[], structuredContent?: object): ToolCallState => ({
  kind: 'done',
  decision: { allowed: true, by: 'person', scope: 'once' },
  startedAt: now,
  durationMs: 420,
  result: {
    content: [...content],
    ...(structuredContent === undefined ? {} : { structuredContent: structuredContent as never }),
    isError: false,
    bytes: 9400,
  },
})
const call = (id: string, tool: string, state: ToolCallState, more: object = {}): AssistantPart => ({
  kind: 'tool-call',
  call: makeCall({ id, tool, arguments: { path: '~/lease' }, state, ...more }),
})

const results: readonly AssistantPart[] = [
  call('scaled', 'photo', done([{ type: 'image', blob: photo, forModel: { kind: 'scaled', blob: blob('b', 'image/jpeg', 380_000) } }])),
  call('left-out', 'scan', done([{ type: 'image', blob: photo, forModel: { kind: 'left-out', why: 'no-window' } }])),
  call('undrawable', 'raw', done([{ type: 'image', blob: photo, forModel: { kind: 'left-out', why: 'undrawable' } }])),
  call('audio', 'voice', done([{ type: 'audio', blob: blob('c', 'audio/wav') }])),
  call(
    'resources',
    'papers',
    done([
      { type: 'text', text: 'Three papers were found.' },
      { type: 'resource', uri: 'file:///home/maya/lease/notes.md', mimeType: 'text/markdown', text: '# Notes\n\nAsk about the *annex*.' },
      { type: 'resource', uri: 'file:///home/maya/lease/keys.zip', mimeType: 'application/zip', blob: blob('d', 'application/zip') },
      {
        type: 'resource-link',
        uri: 'https://registry.example/leases/2291?view=full',
        name: 'lease-2291',
        title: 'The lease in the registry',
        description: 'As it was filed.',
        mimeType: 'text/html',
      },
      { type: 'resource-link', uri: 'file:///home/maya/lease/annex-b.pdf', name: 'annex-b.pdf', mimeType: 'application/pdf' },
    ]),
  ),
  call(
    'table',
    'costs',
    done([{ type: 'text', text: '{}' }], {
      rows: [
        { what: 'Rent', month: 900, due: '2026-10-01', paid: true },
        { what: 'Heating', month: 75.5, due: '2026-10-01', paid: false },
        { what: 'Deposit', month: null, due: '2026-09-01', paid: true },
      ],
    }),
  ),
  call(
    'tree',
    'inspect',
    done([], { lease: { parties: ['Maya', 'Holm & Aster'], terms: { rent: 900, notice: { months: 3, written: true } } } }),
  ),
]

const attach = (change: Partial<Attachment> & Pick<Attachment, 'id' | 'name' | 'kind'>): Attachment => ({
  blob: blob('a', 'image/png'),
  ...change,
})
const attachments: readonly Attachment[] = [
  attach({ id: 'a1', name: 'lease.pdf', kind: 'pdf', pages: 12, blob: blob('e', 'application/pdf', 2_400_000) }),
  attach({
    id: 'a2',
    name: 'kitchen-with-a-very-long-name-from-a-telephone-20260903_101112.png',
    kind: 'image',
    changed: ['scaled', 'metadata-removed'],
  }),
  attach({ id: 'a3', name: 'notes.md', kind: 'text', length: 1840, blob: blob('f', 'text/plain', 1900) }),
  attach({
    id: 'a4',
    name: 'vendors.csv',
    kind: 'text',
    length: 18_000,
    blob: blob('f', 'text/plain', 18_000),
    from: { server: 'files', uri: 'file:///v.csv' },
  }),
  attach({ id: 'a5', name: 'old.png', kind: 'image', leftOut: true }),
  attach({
    id: 'a6',
    name: 'plan.png',
    kind: 'image',
    from: { server: 'files', uri: 'file:///p.png' },
    forModel: { kind: 'left-out', why: 'undrawable' },
  }),
]

const wrong = (id: string, error: NonNullable<AssistantMessage['error']>, parts: readonly AssistantPart[] = []): readonly Message[] => [
  { ...ask, id: `q-${id}`, turnId: `t-${id}` },
  answer(parts, { id, turnId: `t-${id}`, state: 'failed', error }),
]
const ends: readonly Message[] = [
  ...wrong('refused', { code: 'model.refused', message: 'The model refused to answer.', data: { model: model.id } }),
  ...wrong('cut', { code: 'model.bad-answer', message: 'The answer broke off before its end.' }, [says('The lease says that the rent')]),
  { ...ask, id: 'q-json', turnId: 't-json' },
  answer(
    [
      call(
        'broken',
        'read_file',
        {
          kind: 'failed',
          error: {
            code: 'tool.arguments-invalid',
            message: 'The arguments are not the JSON of an object.',
            data: { tool: 'files__read_file' },
          },
        },
        { arguments: undefined, rawArguments: '{"path": "~/lease/annex-b.pdf", "from": ' },
      ),
      says('I wrote that badly. Once more.'),
    ],
    { id: 'json', turnId: 't-json' },
  ),
  { ...ask, id: 'q-length', turnId: 't-length' },
  answer([says('Clause 1 names the parties. Clause 2 sets the rent. Clause 3')], { id: 'length', turnId: 't-length', cut: 'max-tokens' }),
  { ...ask, id: 'q-stopped', turnId: 't-stopped' },
  answer([says('Clause 1 names')], { id: 'stopped', turnId: 't-stopped', state: 'stopped' }),
  { ...ask, id: 'q-off', turnId: 't-off' },
  answer(
    [
      says('Clause 1'),
      call('lost', 'send_mail', { kind: 'unknown', decision: { allowed: true, by: 'person', scope: 'once' }, startedAt: now }),
    ],
    {
      id: 'off',
      turnId: 't-off',
      state: 'interrupted',
    },
  ),
]

const atWork = [ask, answer([says('I begin with the first clause.')], { state: 'streaming' })]
const begun = [ask, answer([], { state: 'streaming' })]
const read = [ask, answer([call('x', 'read_file', done([{ type: 'text', text: 'ok' }]))])]
const working: Conversation['activity'] = { kind: 'working', turnId: 't1', since: now - 4000 }

/** More messages than are drawn at once; “lighthouse” stands in the first question, a far call, code and the last answer. */
const long = Array.from({ length: 120 }, (_, at) => [
  makeUserMessage({ id: `q${at}`, text: at === 0 ? 'Where is the lighthouse?' : `Question ${at}, about the lease.`, createdAt: at }),
  answer(
    [
      ...(at === 40 ? [call('far', 'read_file', done([{ type: 'text', text: 'A lighthouse, far off.' }]))] : []),
      says(
        at === 80
          ? '```\nconst lighthouse = 1\n```'
          : at === 119
            ? 'The *light*house, at last.'
            : `Answer ${at}. ${'It goes on. '.repeat(40)}`,
      ),
    ],
    { id: `a${at}` },
  ),
]).flat()

export const chatScenes: Readonly<Record<string, (theme: Theme) => FakeConnection>> = {
  'chat-rich': scene([
    ask,
    answer([
      { kind: 'thinking', text: 'The lease has twelve pages.\nThe rent is in clause 2.' },
      says(rich),
      cited,
      { kind: 'thinking', text: '', redacted: 'x' },
    ]),
  ]),
  'chat-long': scene(long),
  'chat-right': scene(fromTheRight, { title: 'החוזה והניירות' }),
  'chat-results': scene([{ ...ask, attachments: [...attachments] }, answer([...results, says('That is all there is.')])]),
  'chat-ends': scene(ends, { activity: { kind: 'interrupted', turnId: 't-off' } }),
  'chat-steps': scene(read, { activity: { kind: 'paused', turnId: 't1', reason: 'step-limit' } }),
  'chat-cost': scene(read, { activity: { kind: 'paused', turnId: 't1', reason: 'cost-limit' } }),
  'chat-unread': scene([...read, makeUserMessage({ id: 'm3', text: 'And the annex.', steered: 'waiting' })], {
    activity: { kind: 'paused', turnId: 't1', reason: 'unread' },
  }),
  'chat-retry': scene(begun, { activity: { ...working, retry: { at: now + 600_000, reason: 'Anthropic is overloaded.' } } }),
  'chat-steered': scene([...atWork, makeUserMessage({ id: 'm3', text: 'Look at the annex, too.', steered: 'waiting' })], {
    activity: working,
  }),
  'chat-thinking': scene([ask, answer([{ kind: 'thinking', text: 'The lease has' }], { state: 'streaming' })], { activity: working }),
  'chat-compacting': scene(
    [...summarisedMessages.slice(0, 4), makeSummary({ id: 'm5', state: 'writing', text: '## What the person wants\n\nInvoices' })],
    {
      activity: { ...working, compacting: 84 },
    },
  ),
  'chat-undone': scene([
    ...summarisedMessages.slice(0, 4),
    makeSummary({ id: 'm5', undone: true, covers: { until: 'm2', messages: 84 }, tokens: { before: 161_000, after: 58_000 } }),
    makeSummary({ id: 'm6', edited: true, by: 'person', covers: { until: 'm4', messages: 4 }, tokens: { before: 161_000, after: 58_000 } }),
  ]),
  'chat-full': scene(read, { contextTokens: 197_000 }),
  'chat-budget': scene(read, {}, { notices: [{ kind: 'budget', budget: { unit: 'dollars', amount: 20 }, used: 21.4, level: 'over' }] }),
}
