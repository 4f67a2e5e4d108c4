// The meter of the context and a summary, as facts of a host.
import type { ContextSummary } from '#app/chat/context-summary.ts'
import type { Message, SummaryMessage } from '#app/chat/message.ts'
import type { Snapshot } from '#app/contract/snapshot.ts'
import { makeAnswer, makeSummary, makeUserMessage } from '../builders.ts'

export const models: Snapshot['models'] = [
  { id: 'practice/practice', provider: 'practice', name: 'Practice model', ai: false },
  { id: 'anthropic/sonnet', provider: 'anthropic', name: 'Claude Sonnet', contextTokens: 200_000, ai: true },
  { id: 'anthropic/haiku', provider: 'anthropic', name: 'Claude Haiku', contextTokens: 200_000, ai: true },
]

/** A chat of 2000 messages. */
export const longMessages = (text: string): Message[] =>
  Array.from({ length: 2000 }, (_, index) =>
    index % 2 === 0
      ? makeUserMessage({ id: `m${index}`, text: `Question ${index}` })
      : makeAnswer({ id: `m${index}`, parts: [{ kind: 'text', text: `Answer ${index}\n\n${text}` }] }),
  )

export const filledContext: ContextSummary = {
  model: 'anthropic/sonnet',
  limit: 200_000,
  reserved: 32_000,
  used: 164_300,
  parts: {
    system: {
      tokens: 1900,
      servers: [
        { server: 'files', tokens: 240, text: 'Paths are relative to the folders that you were told of.\nAsk before you delete.' },
        { server: 'github', tokens: 610, text: 'Search before you list: lists are long.' },
      ],
    },
    tools: {
      tokens: 11_200,
      servers: [
        { server: 'github', tokens: 8800, count: 41 },
        { server: 'files', tokens: 2400, count: 8 },
      ],
    },
    summary: { tokens: 2100, messages: 84 },
    messages: { tokens: 38_100, count: 61 },
    attachments: { tokens: 6400, count: 2 },
    results: { tokens: 104_600, count: 37 },
  },
  largest: [
    { kind: 'result', id: 'call1', server: 'github', name: 'list_pull_requests', tokens: 31_200, leftOut: false },
    { kind: 'result', id: 'call2', server: 'files', name: 'read_file', tokens: 18_000, leftOut: true },
    { kind: 'result', id: 'call3', server: 'files', name: 'search_a_very_long_name_of_a_tool_in_many_files', tokens: 7300, leftOut: false },
    { kind: 'attachment', id: 'a1', name: 'lease.pdf', tokens: 6000, leftOut: false },
  ],
  compaction: { kind: 'possible', messages: 40 },
}

const summary: SummaryMessage = makeSummary({
  id: 'm5',
  covers: { until: 'm2', messages: 84 },
  tokens: { before: 161_000, after: 58_000 },
  text: '## What the person wants\n\nInvoices of **2026** sorted by date.\n\n## Open tasks\n\n- [ ] ask about the VAT numbers',
})

export const summarisedMessages: readonly Message[] = [
  makeUserMessage({ id: 'm1', text: 'Tidy my invoices.' }),
  makeAnswer({ id: 'm2', model: 'anthropic/sonnet', parts: [{ kind: 'text', text: 'I have moved the first 40.' }] }),
  makeUserMessage({ id: 'm3', text: 'Go on, and look into the long one.' }),
  makeAnswer({
    id: 'm4',
    model: 'anthropic/sonnet',
    parts: [
      {
        kind: 'tool-call',
        call: {
          id: 'own1',
          providerId: 'p9',
          modelName: 'assent__read_result',
          own: true,
          arguments: { result: '0mwrbngp3001ji9jqyurvg', offset: 32_000 },
          state: {
            kind: 'done',
            decision: { allowed: true, by: 'host', scope: 'once' },
            startedAt: 1,
            durationMs: 3,
            result: { content: [{ type: 'text', text: 'more' }], isError: false, bytes: 20_100 },
          },
        },
      },
      { kind: 'text', text: 'It has two pages; the second is the terms.' },
    ],
  }),
  summary,
  makeSummary({
    id: 'm6',
    state: 'failed',
    text: '',
    covers: { until: 'm3', messages: 12 },
    leftOut: ['a', 'b', 'c'],
    error: { code: 'model.offline', message: 'Anthropic could not be reached.' },
  }),
]
