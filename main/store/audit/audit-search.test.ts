import { afterEach, beforeEach, expect, it, test } from 'vitest'
import type { Conversation } from '#app/chat/conversation.ts'
import { type AuditFilter, auditCountLimit } from '#app/consent/audit-row.ts'
import { makeProfile, type TestProfile } from '../store.testing.ts'

let profile: TestProfile
beforeEach(() => {
  profile = makeProfile()
})
afterEach(() => profile.dispose())

const found = (filter: AuditFilter): number[] =>
  profile
    .store()
    .audit.list({ limit: 9, filter })
    .map(({ seq }) => seq)

it('finds the other rows of the same calls and exchanges, whatever the filter left out', () => {
  const { audit } = profile.store()
  const call = { server: 'files', tool: 'read', detail: { callId: '0198-aa-01' } }
  audit.append({ ...call, kind: 'request', detail: { ...call.detail, requestId: 'q1' } })
  audit.append({ ...call, kind: 'decision', decision: 'denied', by: 'rule' })
  audit.append({ ...call, kind: 'call', detail: { callId: '0198-aa-02' } })
  audit.append({ kind: 'exchange', decision: 'sent', detail: { exchangeId: 'e1' } })
  audit.append({ kind: 'exchange', decision: 'done', detail: { exchangeId: 'e1' } })
  const related = (filter: AuditFilter): number[] => audit.related(audit.list({ limit: 9, filter })).map(({ seq }) => seq)
  expect([related({ decisions: ['denied'] }), related({ decisions: ['done'] }), related({}), related({ text: 'nowhere' })]).toEqual([
    [1],
    [4],
    [],
    [],
  ])
})

function fill(): void {
  const { audit, conversations } = profile.store()
  const chat: Conversation = { id: 'chat-1', title: 'Tidy Rechnungen', model: 'm', createdAt: 1, updatedAt: 1, activity: { kind: 'idle' } }
  conversations.put(chat)
  const at = (time: number): void => {
    profile.clock.time = time
  }
  at(100)
  audit.append({ kind: 'request', server: 'files', tool: 'move_file', conversationId: 'chat-1', detail: { request: 'tool-call' } })
  at(200)
  const text = JSON.stringify({ path: '/home/maya/Scan-0231.pdf', note: 'one\nÉlan' })
  audit.append({ kind: 'decision', server: 'files', tool: 'move_file', decision: 'denied', by: 'person', detail: { arguments: { text } } })
  at(300)
  audit.append({ kind: 'launch', server: 'notes', decision: 'allowed', by: 'rule', detail: { target: { args: ['-y', 'notes-mcp'] } } })
}

test.each<[string, AuditFilter, number[]]>([
  ['nothing asked', {}, [3, 2, 1]],
  ['a word of the tool', { text: 'move' }, [2, 1]],
  ['the beginning of a word', { text: 'den' }, [2]],
  ['a path', { text: '/home/maya/scan-0231' }, [2]],
  ['a word after a line break, without its accent', { text: 'elan' }, [2]],
  ['several words', { text: 'files denied' }, [2]],
  ['the title of the conversation', { text: 'rechnungen' }, [1]],
  ['a title and a word', { text: 'tidy move' }, [1]],
  ['nothing that is there', { text: 'nowhere' }, []],
  ['signs alone', { text: '" * ( -' }, [3, 2, 1]],
  ['operators as words', { text: 'files OR notes' }, []],
  ['a server', { server: 'notes' }, [3]],
  ['kinds', { kinds: ['request', 'launch'] }, [3, 1]],
  ['decisions', { decisions: ['denied'] }, [2]],
  ['by whom', { by: ['rule'] }, [3]],
  ['a time', { since: 200, until: 300 }, [2]],
  ['words and filters', { text: 'files', kinds: ['request'] }, [1]],
  ['no kind at all', { kinds: [] }, []],
])('finds by %s', (_title, filter, rows) => {
  fill()
  expect(found(filter)).toEqual(rows)
  const { audit } = profile.store()
  expect(audit.count(filter)).toBe(rows.length)
  expect([...audit.all(filter)].map(({ seq }) => seq)).toEqual(rows.toReversed())
  expect(rows.length < 2 ? [] : audit.list({ limit: 9, before: rows[0] ?? 0, filter }).map(({ seq }) => seq)).toEqual(rows.slice(1))
})

it('finds what was asked and done in the name of one agent, also with words', () => {
  const { audit } = profile.store()
  for (const agentId of ['0198-aa-01', '0198-aa-02', '0198-aa-01'])
    audit.append({ kind: 'call', server: 'files', tool: 'read', detail: { agent: 'Claude Code', agentId } })
  const filters: AuditFilter[] = [
    { agent: '0198-aa-01' },
    { agent: '0198-aa-01', text: 'claude' },
    { agent: '0198-aa-01', server: 'x' },
    { agent: '0198-aa-0' },
  ]
  expect(filters.map(found)).toEqual([[3, 1], [3, 1], [], []])
  expect([...audit.all({ agent: '0198-aa-02' })].map(({ seq }) => seq)).toEqual([2])
})

it('counts no further than somebody reads', () => {
  const store = profile.store()
  store.transaction(() => {
    for (let n = 0; n < auditCountLimit + 5; n++) store.audit.append({ kind: 'call' })
  })
  expect([store.audit.count({}), store.audit.count({ kinds: ['call'] })]).toEqual([auditCountLimit + 1, auditCountLimit + 1])
})
