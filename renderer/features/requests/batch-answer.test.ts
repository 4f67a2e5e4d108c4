import { describe, expect, it } from 'vitest'
import type { ToolCallRequest } from '#app/consent/request.ts'
import { makeSignInRequest, makeToolRequest } from '#renderer/testing/builders.ts'
import { briefArguments, chosenOf, sharedLabel, shownAs, tickOf } from './request-list.tsx'

const origin = { server: 'mail', tool: 'read', callId: 'x' }

describe('what may be ticked', () => {
  it.each<[string, Partial<ToolCallRequest>, 'may' | 'unread' | 'alone']>([
    ['a plain call', {}, 'may'],
    ['one without arguments', { arguments: {} }, 'may'],
    ['one whose arguments are longer than its row', { arguments: { text: 'x'.repeat(400) } }, 'unread'],
    ['one with lines in a value', { arguments: { text: 'a\nb' } }, 'unread'],
    ['one whose value looks like another argument', { arguments: { a: '1  to: /etc' } }, 'unread'],
    ['one with a part that has parts', { arguments: { where: { deep: 1 } } }, 'unread'],
    ['one with a character that cannot be seen', { arguments: { to: 'a\u202eb' } }, 'alone'],
    ['one of a changed tool', { why: { kind: 'tool-changed' } }, 'alone'],
    ['one that a rule may mean', { why: { kind: 'unsure-rule', ruleId: 'r' } }, 'alone'],
    ['one that carries what another server said', { flows: { origins: [origin], marks: [] } }, 'alone'],
  ])('%s', (_title, part, kind) => {
    expect(tickOf(makeToolRequest(part), false, undefined).kind).toBe(kind)
    expect(tickOf(makeToolRequest(part), true, undefined).kind).toBe(kind === 'alone' ? 'alone' : 'may')
  })

  it('is no question of another kind, and none that the person has begun to edit', () => {
    expect(tickOf(makeSignInRequest(), true, undefined).kind).toBe('alone')
    for (const draft of [{ edited: {} }, { text: '{' }]) expect(tickOf(makeToolRequest(), true, draft).kind).toBe('alone')
  })
})

it('together means those that were ticked, as they were then, and of one conversation', () => {
  const a = makeToolRequest({ id: 'a' })
  const b = makeToolRequest({ id: 'b' })
  const other = makeToolRequest({ id: 'other', conversationId: 'c2' })
  const ticked = { a: shownAs(a), b: shownAs(b), gone: 'x', other: shownAs(other) }
  const ids = (...requests: ToolCallRequest[]) => chosenOf(requests, ticked).map(({ id }) => id)
  expect(ids(a, b, other, makeToolRequest({ id: 'late' }))).toEqual(['a', 'b'])
  expect(ids(a, { ...b, argumentsText: '{}' })).toEqual(['a'])
  expect(ids(a, { ...b, fingerprint: 'other' })).toEqual(['a'])
})

it('a row says every argument, and when it does not', () => {
  expect(briefArguments({ arguments: { from: '/a', n: 2 } })).toEqual({ text: 'from: /a  n: 2', whole: true })
  expect(briefArguments({ arguments: { text: 'x'.repeat(400) } }).text).toHaveLength(161)
})

it('what they share is the tool, else whose tools they are', () => {
  const [a, b] = [makeToolRequest(), makeToolRequest({ tool: 'delete_file' })]
  expect([sharedLabel([a, a]), sharedLabel([a, b])]).toEqual(['same tool, “move_file” of “files”', '2 tools of “files”'])
})
