// A result that comes although its call was cancelled for having taken too long (MCP, "Cancellation": the sender should
// ignore it; it may have been on its way). It is no answer any more, but what the tool did is worth knowing.
import { expect, it } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import { eventually } from '#main/servers/lifecycle/servers.testing.ts'
import { called } from '../http/raw-http.ts'
import { call, closeAfterEach, fails, started } from './raw-stdio.ts'
import { type Message, older, type Wire } from './relayed.ts'

closeAfterEach()

/** Leaves every call unanswered but those of the tool `other`. */
const deaf = older('2025-06-18', (message, wire) => {
  if (message.params?.['name'] === 'other') wire.send(called(message, 'here'))
  return message.method === 'tools/call'
})
const callOf = (wire: Wire): Message => {
  const message = wire.seen.find(({ method }) => method === 'tools/call')
  if (!message) throw new Error('it was not called')
  return message
}

async function timedOut() {
  const { made, servers } = await started(deaf)
  const late: JsonObject[] = []
  const end = await call(servers, 'echo', {}, { timeoutMs: 100, onLate: ({ result }) => late.push(result) }).catch(
    (error: unknown) => error,
  )
  await eventually(() => expect(made.wire.said()).toContain('notifications/cancelled'))
  /** Whatever was sent before has been dealt with when this has been answered. */
  const settled = () => call(servers, 'other')
  const rows = () => servers.audit.entries.filter(({ tool }) => tool === 'echo').map(({ kind, decision }) => [kind, decision])
  return { made, servers, late, end, settled, rows }
}

it('is told and put on record, once, and the call stays ended', async () => {
  const { made, late, end, settled, rows } = await timedOut()
  expect(end).toEqual(fails('tool.timeout'))
  made.wire.send(called(callOf(made.wire), 'at last'), called(callOf(made.wire), 'again'))
  await settled()
  expect(late).toMatchObject([{ content: [{ text: 'at last' }] }])
  expect(rows()).toEqual([
    ['call', 'sent'],
    ['result', 'failed'],
    ['result', 'late'],
  ])
})

it('is not heard when the call was cancelled by a person', async () => {
  const control = new AbortController()
  const { made, servers } = await started(deaf)
  const late: unknown[] = []
  const calling = call(servers, 'echo', {}, { signal: control.signal, onLate: (one) => late.push(one) })
  calling.catch(() => undefined)
  await eventually(() => expect(made.wire.said()).toContain('tools/call'))
  control.abort()
  await expect(calling).rejects.toEqual(fails('cancelled'))
  made.wire.send(called(callOf(made.wire), 'at last'))
  await call(servers, 'other')
  expect([late, servers.audit.entries.filter(({ decision }) => decision === 'late')]).toEqual([[], []])
})

it.each<[string, (message: Message) => object]>([
  ['an error', ({ id }) => ({ jsonrpc: '2.0', id, error: { code: -32000, message: 'cancelled' } })],
  ['no object', ({ id }) => ({ jsonrpc: '2.0', id, result: null })],
  ['a question', ({ id }) => ({ jsonrpc: '2.0', id, result: { resultType: 'input_required', inputRequests: {} } })],
  ['of an id that was never used', (message) => called({ ...message, id: 9999 }, 'nobody asked')],
])('is not told when it is %s', async (_, answer) => {
  const { made, late, settled, rows, servers } = await timedOut()
  made.wire.send(answer(callOf(made.wire)))
  await settled()
  expect([late, rows().length, servers.state('raw').kind]).toEqual([[], 2, 'ready'])
})

it('is left out, with a word in the log, when it is too large', async () => {
  const { made, late, settled, servers, rows } = await timedOut()
  made.wire.send(called(callOf(made.wire), 'x'.repeat(9 * 1024 * 1024)))
  await settled()
  await eventually(() => expect(servers.log('raw').lines.some(({ text }) => text.includes('echo'))).toBe(true))
  expect([late, rows().length]).toEqual([[], 2])
})

it('does not come from a server that was started anew, whatever ids it uses', async () => {
  const { made, servers, late, settled } = await timedOut()
  const old = callOf(made.wire)
  await servers.restart('raw')
  made.wire.send(called(old, 'from another life'))
  await settled()
  expect(late).toEqual([])
})
