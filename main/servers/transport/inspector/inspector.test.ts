import { expect, it } from 'vitest'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import { createInspector, createMessageHistory } from './inspector.ts'
import { captureText, longestText } from './wire-tap.ts'

function bench({ mask = String }: { readonly mask?: (text: string) => string } = {}) {
  const clock = manualClock()
  const told: number[] = []
  const inspector = createInspector({ clock, mask, onNews: (last) => told.push(last), onMode: () => undefined })
  const say = (direction: 'sent' | 'received', message: unknown) =>
    inspector.tap.tell({ direction, ...captureText(typeof message === 'string' ? message : JSON.stringify(message)) })
  return { clock, told, inspector, say, all: () => inspector.journal.all() }
}
const request = (id: number, method: string, params: object = {}) => ({ jsonrpc: '2.0', id, method, params })
const result = (id: number) => ({ jsonrpc: '2.0', id, result: {} })

it('keeps nothing until it is switched on, and nothing more once it is switched off', () => {
  const { inspector, say, all } = bench()
  say('sent', request(1, 'a'))
  inspector.inspect('on')
  say('sent', request(2, 'b'))
  inspector.inspect(undefined)
  say('sent', request(3, 'c'))
  expect([inspector.tap.on, all().map(({ method }) => method)]).toEqual([false, ['b']])
})

it('begins anew with the next connection where that was asked for', () => {
  const { inspector, say, all } = bench()
  inspector.inspect('on')
  say('sent', request(1, 'before'))
  inspector.inspect('next-start')
  say('sent', request(2, 'not yet'))
  inspector.connecting(String)
  say('sent', request(1, 'initialize'))
  expect([inspector.mode, all().map(({ method }) => method)]).toEqual(['on', ['initialize']])
})

it('pairs answers by id and direction, progress by token, and what is called off, with the time between', async () => {
  const { clock, inspector, say, all } = bench()
  inspector.inspect('on')
  say('sent', request(1, 'tools/call', { _meta: { progressToken: 9 } }))
  say('received', request(1, 'roots/list'))
  clock.advance(5)
  say('received', { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 9 } })
  clock.advance(7)
  say('received', result(1))
  say('sent', result(1))
  say('received', result(1))
  say('sent', request(2, 'x'))
  say('sent', { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } })
  expect(all().map(({ of, ms, method }) => [of, ms, method])).toEqual([
    [undefined, undefined, 'tools/call'],
    [undefined, undefined, 'roots/list'],
    [1, 5, 'notifications/progress'],
    [1, 12, 'tools/call'],
    [2, 12, 'roots/list'],
    [undefined, undefined, undefined],
    [undefined, undefined, 'x'],
    [7, 0, 'notifications/cancelled'],
  ])
})

it('tells the items of a batch apart', () => {
  const { inspector, say, all } = bench()
  inspector.inspect('on')
  say('received', [result(1), { jsonrpc: '2.0', method: 'a' }, 7])
  expect(all().map(({ kind, text }) => [kind, text])).toEqual([
    ['result', JSON.stringify(result(1))],
    ['notification', '{"jsonrpc":"2.0","method":"a"}'],
    ['other', '7'],
  ])
})

it('masks what the server was given and what any other was, also where the cut goes through it', () => {
  const { inspector, say, all } = bench({ mask: (text) => text.replaceAll('known-to-all', '•••') })
  inspector.inspect('on')
  inspector.connecting((text) => text.replaceAll('its-own', '•••').replace(/its-…$/, '•••…'))
  say('sent', request(1, 'a', { own: 'its-own', all: 'known-to-all' }))
  say('received', `${'x'.repeat(longestText - 4)}its-own`)
  const shown = all()
  expect([shown[0]?.text.includes('its-own'), shown[0]?.text.includes('known-to-all'), shown[1]?.text.slice(-5), shown[1]?.cut]).toEqual([
    false,
    false,
    'x•••…',
    true,
  ])
})

it('shows the HTTP around messages without what lets somebody in', () => {
  const { inspector, all } = bench()
  inspector.inspect('on')
  const headers = [
    ['Authorization', 'Bearer abc.def'],
    ['X-Api-Key', 'k'],
    ['Mcp-Session-Id', 'sess'],
    ['DPoP', 'proof'],
    ['MCP-Protocol-Version', '2025-06-18'],
    ['Date', 'today'],
  ] as const
  const to = inspector.tap.tell({ direction: 'sent', bare: true, text: '', size: 0, http: { line: 'GET https://a.example/mcp', headers } })
  inspector.tap.tell({ direction: 'received', bare: true, text: '', size: 0, http: { line: '200 OK', headers: [] }, of: to })
  inspector.tap.tell({ direction: 'received', text: '/messages?sessionId=1', size: 21, event: { name: 'endpoint' } })
  const [asked, answered, endpoint] = all()
  expect([asked?.kind, asked?.http?.headers.map(({ name, value }) => `${name}: ${value}`)]).toEqual([
    'http',
    ['Authorization: Bearer •••', 'X-Api-Key: •••', 'Mcp-Session-Id: •••', 'DPoP: •••', 'MCP-Protocol-Version: 2025-06-18'],
  ])
  expect([answered?.of, endpoint?.text]).toEqual([asked?.seq, '/messages?•••'])
})

it('keeps so many and so much and no more, tells that there is news now and then, and gives it in parts', () => {
  const clock = manualClock()
  const told: number[] = []
  const journal = createMessageHistory({ clock, onNews: (last) => told.push(last), maxMessages: 1000, maxSize: 1_000_000 })
  const message = (seq: number, text = 'x') => ({ seq, time: 0, direction: 'sent', kind: 'other', size: 1, text, cut: false }) as const
  for (let seq = 1; seq <= 5000; seq++) journal.add(message(seq))
  expect([journal.all().length, journal.all()[0]?.seq, journal.at(4500)?.seq, journal.at(10)]).toEqual([1000, 4001, 4500, undefined])
  clock.advance(250)
  expect(told).toEqual([5000])
  const part = journal.after(0)
  expect([part.first, part.last, part.messages[0]?.seq, part.messages.length < 1000]).toEqual([4001, 5000, 4001, true])
  expect(journal.after(4990).messages.map(({ seq }) => seq)).toEqual([4991, 4992, 4993, 4994, 4995, 4996, 4997, 4998, 4999, 5000])
  for (let seq = 5001; seq <= 5100; seq++) journal.add(message(seq, 'y'.repeat(100_000)))
  expect(journal.all().length < 10).toBe(true)
  journal.clear()
  expect(journal.after(0)).toEqual({ messages: [], first: 5101, last: 5100 })
})
