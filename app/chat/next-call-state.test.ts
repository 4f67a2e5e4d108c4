import { describe, expect, test } from 'vitest'
import type { Decision, ToolCallState } from './message.ts'
import { nextCallState, type ToolCallEvent } from './next-call-state.ts'

const decision: Decision = { allowed: true, by: 'person', scope: 'once' }
const no: Decision = { allowed: false, by: 'person', scope: 'once', word: 'not now' }
const result = { content: [], isError: false, bytes: 2 }
const error = { code: 'tool.timeout', message: 'Too slow.' } as const

const blocked = [{ kind: 'host', target: 'api.example', port: 443, refused: 'not-granted' }] as const
const overdue = { since: 90, endsAt: 200 }

const queued: ToolCallState = { kind: 'queued' }
const waiting: ToolCallState = { kind: 'waiting', requestId: 'r' }
const running: ToolCallState = { kind: 'running', decision, startedAt: 100 }
const done: ToolCallState = { kind: 'done', decision, startedAt: 100, durationMs: 50, result }

describe('a tool call', () => {
  test.each<[string, ToolCallState, ToolCallEvent, ToolCallState]>([
    ['is queued once it is written', { kind: 'writing' }, { kind: 'written' }, queued],
    ['waits when the person is asked', queued, { kind: 'asked', requestId: 'r' }, waiting],
    ['runs without a question when a rule allows it', queued, { kind: 'allowed', decision, at: 100 }, running],
    ['runs once it is allowed', waiting, { kind: 'allowed', decision, at: 100 }, running],
    ['ends when it is denied', waiting, { kind: 'denied', decision: no }, { kind: 'denied', decision: no }],
    ['fails before it was sent', queued, { kind: 'failed', error, at: 5 }, { kind: 'failed', error }],
    ['shows progress', running, { kind: 'progressed', progress: { progress: 1 } }, { ...running, progress: { progress: 1 } }],
    ['is overdue when there was no word', running, { kind: 'overdue', overdue }, { ...running, overdue }],
    ['is overdue no longer', { ...running, overdue }, { kind: 'overdue' }, running],
    ['is not overdue before it runs', waiting, { kind: 'overdue', overdue }, waiting],
    ['ends as it does, overdue or not', { ...running, overdue }, { kind: 'finished', result, at: 150 }, done],
    ['is done with its result', running, { kind: 'finished', result, at: 150 }, done],
    ['fails while it runs', running, { kind: 'failed', error, at: 150 }, { kind: 'failed', decision, durationMs: 50, error }],
    ['is cancelled while it waits', waiting, { kind: 'cancelled' }, { kind: 'cancelled' }],
    ['is cancelled while it runs', running, { kind: 'cancelled' }, { kind: 'cancelled', decision, startedAt: 100 }],
    ['has an unknown end when the connection dies', running, { kind: 'lost' }, { kind: 'unknown', decision, startedAt: 100 }],
    ['has an unknown end when the host dies', running, { kind: 'cut-off' }, { kind: 'unknown', decision, startedAt: 100 }],
    ['never ran when the host dies before', waiting, { kind: 'cut-off' }, { kind: 'cancelled' }],
    ['shows what the sandbox refused', running, { kind: 'blocked', blocked }, { ...running, blocked }],
    ['keeps what was refused with its result', { ...running, blocked }, { kind: 'finished', result, at: 150 }, { ...done, blocked }],
    [
      'keeps what was refused with its error',
      { ...running, blocked },
      { kind: 'failed', error, at: 150 },
      { kind: 'failed', decision, durationMs: 50, error, blocked },
    ],
    ['has nothing refused before it runs', waiting, { kind: 'blocked', blocked }, waiting],
    ['cannot be allowed twice', running, { kind: 'allowed', decision: no, at: 1 }, running],
    ['cannot be finished before it runs', waiting, { kind: 'finished', result, at: 1 }, waiting],
  ])('%s', (_, state, event, expected) => {
    expect(nextCallState(state, event)).toEqual(expected)
  })

  test('that timed out keeps what came later beside its end, once', () => {
    const failed: ToolCallState = { kind: 'failed', decision, durationMs: 50, error }
    const late = nextCallState(failed, { kind: 'late', result, at: 300 })
    expect(late).toEqual({ ...failed, late: { at: 300, result } })
    expect(nextCallState(late, { kind: 'late', result: { ...result, bytes: 9 }, at: 400 })).toBe(late)
  })

  test.each<[string, ToolCallState]>([
    ['was cancelled', { kind: 'cancelled', decision, startedAt: 1 }],
    ['failed otherwise', { kind: 'failed', error: { code: 'server.exited', message: 'Gone.' } }],
    ['is done', done],
    ['runs', running],
  ])('that %s has no late result', (_, state) => {
    expect(nextCallState(state, { kind: 'late', result, at: 300 })).toBe(state)
  })

  test.each<ToolCallState>([done, { kind: 'denied', decision: no }, { kind: 'failed', error }, { kind: 'cancelled' }])(
    'that is $kind stays so',
    (ended) => {
      const late: ToolCallEvent[] = [
        { kind: 'finished', result, at: 9 },
        { kind: 'cancelled' },
        { kind: 'cut-off' },
        { kind: 'allowed', decision, at: 1 },
      ]
      for (const event of late) expect(nextCallState(ended, event)).toBe(ended)
    },
  )
})
