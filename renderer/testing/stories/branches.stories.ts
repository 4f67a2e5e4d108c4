// A chat whose messages have versions beside them, for the harness page.
import type { Message } from '#app/chat/message.ts'
import { makeAnswer, makeCall, makeUserMessage } from '../builders.ts'

const decision = { allowed: true, by: 'person', scope: 'once' } as const

export const branchMessages: Message[] = [
  makeUserMessage({ id: 'u1', text: 'Which of September’s invoices are from vendors without a VAT number?' }),
  makeAnswer({
    id: 'a1',
    model: 'anthropic/sonnet',
    parts: [
      {
        kind: 'tool-call',
        call: makeCall({
          id: 'b1',
          tool: 'search_files',
          arguments: { path: '~/invoices/inbox', pattern: '*.pdf' },
          state: {
            kind: 'done',
            decision,
            startedAt: 1,
            durationMs: 400,
            result: { content: [{ type: 'text', text: '14 files' }], isError: false, bytes: 3100 },
          },
        }),
      },
    ],
    usage: { inputTokens: 4100, outputTokens: 60 },
  }),
  makeAnswer({
    id: 'a2',
    model: 'anthropic/sonnet',
    parts: [
      {
        kind: 'text',
        text: 'Three of them: **Holm & Aster Print**, **Kestrel Hosting** and **Café Lindgren**. All three are below the threshold.',
      },
    ],
    usage: { inputTokens: 4400, outputTokens: 320 },
  }),
  makeUserMessage({ id: 'u2', turnId: 't2', text: 'Write to them, politely, in two sentences.' }),
  makeAnswer({
    id: 'a3',
    turnId: 't2',
    model: 'anthropic/sonnet',
    parts: [
      {
        kind: 'text',
        text: 'We are closing our books for September and could not find a VAT number on your invoice.\n\nCould you send it to us, or tell us that you have none?',
      },
    ],
  }),
]

export const branchChoices: Record<string, string[]> = { a2: ['u2', 'u3'], u1: ['a0', 'a1', 'a9'] }

/** A question, two whole answers, and one that was cut off. */
export const twoAnswers: Message[] = [
  makeUserMessage({ id: 'u1', text: 'Which of September’s invoices are from vendors without a VAT number?' }),
  makeAnswer({
    id: 'a8',
    model: 'anthropic/sonnet',
    parts: [
      {
        kind: 'text',
        text: 'Three of them: **Holm & Aster Print**, **Kestrel Hosting** and **Café Lindgren**. All three are below the threshold, so nothing has to be corrected before the quarter ends.\n\n| Vendor | Amount |\n|---|---|\n| Holm & Aster Print | 412.00 |\n| Kestrel Hosting | 96.50 |\n| Café Lindgren | 31.20 |',
      },
    ],
    usage: { inputTokens: 4400, outputTokens: 320, cost: 0.0312 },
    durationMs: 5200,
  }),
  makeAnswer({
    id: 'a9',
    model: 'openai/gpt-5.7',
    parts: [
      { kind: 'text', text: 'I found two: Holm & Aster Print and Kestrel Hosting.\n\n```sh\ngrep -L "VAT" ~/invoices/2026/09/*.txt\n```' },
    ],
    usage: { inputTokens: 4210, outputTokens: 96, cost: 0.0121 },
    durationMs: 2400,
  }),
  makeAnswer({ id: 'a10', model: 'openai/gpt-5.7', state: 'interrupted', parts: [{ kind: 'text', text: 'I found two: Holm' }] }),
]
