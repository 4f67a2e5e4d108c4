import { describe, expect, it } from 'vitest'
import type { LaunchRequest, ToolCallRequest } from '#app/consent/request.ts'
import { makeLaunchRequest, makeSignInRequest, makeToolRequest } from '#renderer/testing/builders.ts'
import { isPlainStart } from '../launch/launch-card.tsx'
import { briefArguments, isAlikeCall, questionsOf } from './questions.ts'

const origin = { server: 'mail', tool: 'read', callId: 'x' }

describe('calls that are answered together', () => {
  it.each<[string, Partial<ToolCallRequest>, boolean]>([
    ['a plain call', {}, true],
    ['one without arguments', { arguments: {} }, true],
    ['one whose arguments are longer than its row', { arguments: { text: 'x'.repeat(400) } }, false],
    ['one with lines in a value', { arguments: { text: 'a\nb' } }, false],
    ['one whose value looks like another argument', { arguments: { a: '1  to: /etc' } }, false],
    ['one with a part that has parts', { arguments: { where: { deep: 1 } } }, false],
    ['one with a character that cannot be seen', { arguments: { to: 'a\u202eb' } }, false],
    ['one of a changed tool', { why: { kind: 'tool-changed' } }, false],
    ['one that a rule may mean', { why: { kind: 'unsure-rule', ruleId: 'r' } }, false],
    ['one that carries what another server said', { flows: { origins: [origin], marks: [] } }, false],
    ['one that may send private data', { privateFlow: { from: [{ kind: 'attached' }], untrusted: [] } }, false],
    ['one that may mean Assent’s own data', { why: { kind: 'own-folder' } }, false],
    ['one of a view', { view: { callId: 'v', tool: 'show' } }, false],
  ])('%s', (_title, part, may) => expect(isAlikeCall(makeToolRequest(part), undefined)).toBe(may))

  it('none that the person has begun to edit', () => {
    for (const draft of [{ edited: {} }, { text: '{' }]) expect(isAlikeCall(makeToolRequest(), draft)).toBe(false)
  })

  it('a row says every argument, and when it does not', () => {
    expect(briefArguments({ arguments: { from: '/a', n: 2 } })).toEqual({ text: 'from: /a  n: 2', whole: true })
    expect(briefArguments({ arguments: { text: 'x'.repeat(400) } }).text).toHaveLength(161)
  })
})

describe('first starts that are answered together', () => {
  const program = { transport: 'stdio' as const, command: 'npx', args: ['-y', 'notes-mcp'], envNames: [] }
  const sandbox = { kind: 'on' as const, write: [], hosts: [], denyRead: [], denyWrite: [], denyHosts: [], ownFolder: true }
  it.each<[string, Partial<LaunchRequest>, boolean]>([
    ['a plain command', {}, true],
    ['one in a sandbox', { target: { ...program, sandbox: { ...sandbox, read: ['/home/me/notes'] } } }, true],
    ['one that reads a place of secrets', { target: { ...program, sandbox: { ...sandbox, read: ['~/.ssh'] } } }, false],
    [
      'one with a variable that chooses code',
      { target: { ...program, variables: [{ name: 'NODE_OPTIONS', value: '-r x', effect: 'code' }] } },
      false,
    ],
    ['one with a character that cannot be seen', { target: { ...program, args: ['a\u200bb'] } }, false],
    ['one with letters of another alphabet', { target: { ...program, args: ['nоtes-mcp'] } }, false],
    ['a long command', { target: { ...program, args: ['x'.repeat(500)] } }, false],
    ['one that changed', { why: { kind: 'launch-changed' }, previous: program }, false],
    ['one whose values changed', { changedValues: ['TOKEN'] }, false],
    ['a test of a connection', { connectionTest: true }, false],
    ['an address', { target: { transport: 'streamable-http', url: 'https://mcp.example/mcp', headerNames: [] } }, true],
    [
      'an address with letters of another alphabet',
      { target: { transport: 'sse', url: 'https://xn--e1awd7f.example/', headerNames: [] } },
      false,
    ],
  ])('%s', (_title, part, may) => expect(isPlainStart(makeLaunchRequest({ target: program, ...part }), undefined)).toBe(may))

  it('none whose sandbox the person has edited', () => {
    expect(isPlainStart(makeLaunchRequest({ target: program }), { kind: 'off' })).toBe(false)
  })
})

describe('questions', () => {
  const a = makeToolRequest({ id: 'a' })
  const b = makeToolRequest({ id: 'b' })
  const shape = (...args: Parameters<typeof questionsOf>) =>
    questionsOf(...args).map(({ kind, requests }) => [kind, ...requests.map(({ id }) => id)])
  const starts = ['s1', 's2'].map((id) => makeLaunchRequest({ id, server: id }))

  it('joins alike calls and first starts; starts come first, then what came first', () => {
    const other = makeToolRequest({ id: 'other', tool: 'delete_file' })
    const changed = makeToolRequest({ id: 'changed', fingerprint: 'new' })
    expect(shape([makeSignInRequest({ id: 'sign' }), a, other, b, changed, ...starts], {})).toEqual([
      ['starts', 's1', 's2'],
      ['one', 'sign'],
      ['calls', 'a', 'b'],
      ['one', 'other'],
      ['one', 'changed'],
    ])
  })

  it('keeps calls of two agents, or from two folders, apart', () => {
    const agent = { client: 'g1', name: 'Claude Code', folder: '/a', verified: true }
    const asked = [agent, agent, { ...agent, client: 'g2' }, { ...agent, folder: '/b' }].map((one, index) =>
      makeToolRequest({ id: `${index}`, callId: `${index}`, createdAt: index, agent: one }),
    )
    expect(questionsOf(asked, {}).map(({ requests }) => requests.length)).toEqual([2, 1, 1])
  })

  it('takes a call with something to warn of out of its group, and one that was edited', () => {
    const warned = makeToolRequest({ id: 'w', flows: { origins: [origin], marks: [] } })
    expect(shape([a, warned, b, makeToolRequest({ id: 'e' })], { e: { edited: {} } })).toEqual([
      ['calls', 'a', 'b'],
      ['one', 'w'],
      ['one', 'e'],
    ])
  })

  it('never joins calls of two chats', () => {
    expect(shape([a, { ...b, conversationId: 'c2' }], {})).toEqual([
      ['one', 'a'],
      ['one', 'b'],
    ])
  })

  it('reads one by one what the person asked to', () => {
    const [group] = questionsOf([a, b], {})
    expect(shape([a, b], {}, new Set([group?.key ?? '']))).toEqual([
      ['one', 'a'],
      ['one', 'b'],
    ])
  })
})
