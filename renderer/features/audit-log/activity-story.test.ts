import { describe, expect, it } from 'vitest'
import type { AuditRow } from '#app/consent/audit-row.ts'
import { makeAuditRow } from '#renderer/testing/builders.ts'
import { type Action, actionDecidedBy, ranMs, storyOf } from './activity-story.ts'
import { actionOutcome, actionPieces } from './audit-labels.ts'

const chats = [{ id: 'c1', title: 'Invoices', asked: [{ at: 10, text: 'move them' }] }]
let seq = 0
const row = (time: number, change: Partial<AuditRow>): AuditRow => makeAuditRow(++seq, { time, conversationId: 'c1', ...change })

/** Rows of one call that ran: decided, sent, ended. */
function ran(callId: string, time: number, decided: Partial<AuditRow> = {}): AuditRow[] {
  const about = { server: 'files', tool: 'read' }
  return [
    row(time, {
      ...about,
      kind: 'decision',
      decision: 'allowed',
      by: 'person',
      ...decided,
      detail: { request: 'tool-call', callId, scope: 'once', ...decided.detail },
    }),
    row(time + 1, { ...about, kind: 'call', decision: 'sent', by: 'person', detail: { callId, bytes: 7 } }),
    row(time + 2, { ...about, kind: 'result', decision: 'done', detail: { callId, durationMs: 400, bytes: 1000 } }),
  ]
}
const newestFirst = (rows: readonly AuditRow[]): AuditRow[] => [...rows].sort((a, b) => b.seq - a.seq)
const actions = (rows: readonly AuditRow[]): Action[] =>
  storyOf(newestFirst(rows), chats).flatMap(({ turns }) => turns.flatMap((turn) => turn.actions))
const line = (action: Action) => [
  actionPieces(action)
    .map(({ text }) => text)
    .join(''),
  actionDecidedBy(action),
  ranMs(action),
  actionOutcome(action).words,
]

describe('the story of the audit log', () => {
  it('makes one line of all rows of a call, under what the person asked in which chat', () => {
    const asked = row(20, {
      kind: 'request',
      server: 'files',
      tool: 'read',
      decision: null,
      by: null,
      detail: { request: 'tool-call', callId: 'a' },
    })
    const [chapter] = storyOf(newestFirst([asked, ...ran('a', 30)]), chats)
    expect([chapter?.chat?.title, chapter?.turns.map((turn) => [turn.asked?.text, turn.actions.map(line)])]).toEqual([
      'Invoices',
      [['move them', [['files used read', 'You, once', 400, '1.0 KB']]]],
    ])
  })

  it('merges what a model was sent and what it answered, and all its answers of a turn', () => {
    const model = (exchangeId: string, time: number) => [
      row(time, { kind: 'exchange', decision: 'sent', detail: { method: 'model', exchangeId, model: 'a/claude' } }),
      row(time + 5, {
        kind: 'exchange',
        decision: 'done',
        detail: { method: 'model', exchangeId, model: 'a/claude', inputTokens: 90, outputTokens: 10, cost: 0.01 },
      }),
    ]
    expect(actions([...model('x', 20), ...ran('a', 30), ...model('y', 40)]).map(line)).toEqual([
      ['claude answered × 2', '', 10, '200 tokens, $0.02'],
      ['files used read', 'You, once', 400, '1.0 KB'],
    ])
  })

  it('leaves out completions, and what only repeats an answer to a server', () => {
    const methods = ['completion/complete', 'sampling/createMessage', 'elicitation/create', 'roots/list']
    expect(actions(methods.map((method) => row(1, { kind: 'exchange', decision: 'sent', by: 'person', detail: { method } })))).toEqual([])
  })

  it('puts calls that one press allowed into one line, however long it took; others apart, however fast they came', () => {
    const inGroup = (id: string) => ({ detail: { group: { id, size: 3 } } })
    const together = [1, 2, 3].flatMap((n) => ran(`t${n}`, 1000 * n, inGroup('a')))
    const other = ran('other', 3005, { detail: { group: { id: 'b', size: 2 } } })
    const before = [...ran('old', 3010), ...ran('old too', 3015)]
    expect(actions([...together, ...other, ...before]).map(line)).toEqual([
      ['files used read × 3', 'You, 3 at once', 1200, '3.0 KB'],
      ['files used read', 'You, 2 at once', 400, '1.0 KB'],
      ['files used read', 'You, once', 400, '1.0 KB'],
      ['files used read', 'You, once', 400, '1.0 KB'],
    ])
  })

  it('puts calls that one press denied into one line', () => {
    const denied = ['a', 'b'].map((callId, at) =>
      row(30 + at, {
        ...{ kind: 'decision', server: 'files', tool: 'read', decision: 'denied', by: 'person' },
        detail: { request: 'tool-call', callId, group: { id: 'a', size: 2 } },
      }),
    )
    expect(actions(denied).map(line)).toEqual([['files wanted to use read × 2', 'You, 2 at once', undefined, 'Denied']])
  })

  it.each<[string, Partial<AuditRow>, readonly string[]]>([
    ['the person, with a reason', { by: 'person', detail: { word: 'not now' } }, ['You: “not now”', 'Denied']],
    ['a rule', { by: 'rule', detail: { rule: 'every tool of files' } }, ['Rule: every tool of files', 'Blocked']],
    ['the mode of the chat', { by: 'mode' }, ['Chat mode', 'Blocked']],
  ])('says that %s denied a call', (_who, { by = null, detail = {} }, [who, words]) => {
    const denied = row(30, {
      kind: 'decision',
      server: 'files',
      tool: 'read',
      decision: 'denied',
      by,
      detail: { request: 'tool-call', callId: 'd', ...detail },
    })
    expect(actions([denied]).map(line)).toEqual([['files wanted to use read', who, undefined, words]])
  })

  it('says what the sandbox refused, in a line of its own', () => {
    const rows = ran('a', 30)
    const last = rows.at(-1) as AuditRow
    const refused = { ...last, detail: { ...last.detail, sandbox: { reached: [], blocked: ['evil.example:443'] } } }
    expect(actions([...rows.slice(0, -1), refused]).map(line)[1]).toEqual([
      'files tried to reach evil.example:443',
      'Sandbox',
      undefined,
      'Blocked',
    ])
  })

  it('joins a start to how it ended, and tells both outside of a chat', () => {
    const start = (time: number, decision: string, by: string | null, detail = {}) =>
      row(time, { kind: 'launch', server: 'notes', tool: null, decision, by, conversationId: null, detail })
    const rows = [
      start(1, 'allowed', 'person', { request: 'launch', requestId: 'r' }),
      start(2, 'started', null),
      start(3, 'allowed', 'rule', { request: 'launch', requestId: 's' }),
      start(4, 'failed', null, { code: 'server.exited' }),
    ]
    expect(storyOf(newestFirst(rows), chats).map(({ conversationId }) => conversationId)).toEqual([null])
    expect(actions(rows).map(line)).toEqual([
      ['notes started', 'You', undefined, 'Started'],
      ['notes started', 'Rule', undefined, 'Failed'],
    ])
  })

  it('begins a chapter for each chat and day, the latest first', () => {
    const day = 86_400_000
    const noon = day / 2
    const rows = [
      ...ran('a', noon + day * 10),
      ...ran('b', noon + day * 12),
      ...ran('c', noon + day * 12 + 5).map((one) => ({ ...one, conversationId: 'gone' })),
    ]
    expect(storyOf(newestFirst(rows), chats).map(({ conversationId, chat }) => [conversationId, chat?.title])).toEqual([
      ['gone', undefined],
      ['c1', 'Invoices'],
      ['c1', 'Invoices'],
    ])
  })
})
