// A call that gives no word for its time, over stdio: somebody is asked whether to wait before it is cancelled
// (MCP, "Timeouts": a request that gets no answer in time should be cancelled, and progress may put that off).
import { describe, expect, it } from 'vitest'
import type { CallTimeout } from '#main/servers/client/requests/running-calls.ts'
import { eventually } from '#main/servers/lifecycle/servers.testing.ts'
import { called } from '../http/raw-http.ts'
import { call, closeAfterEach, fails, started, tokenOf } from './raw-stdio.ts'
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

describe('a call without a word', () => {
  it('goes on as often as somebody waits, and gives its result', async () => {
    const { made, servers } = await started(deaf)
    const told: (CallTimeout | undefined)[] = []
    const onOverdue = (overdue: CallTimeout | undefined): void => {
      told.push(overdue)
      if (told.filter(Boolean).length < 3) overdue?.wait()
      else made.wire.send(called(callOf(made.wire), 'at last'))
    }
    expect(await call(servers, 'echo', {}, { onOverdue, timeoutMs: 300 })).toBe('at last')
    expect(told.map((overdue) => overdue?.since === told[0]?.since)).toEqual([true, false, true, false, true])
    expect(made.wire.said()).not.toContain('notifications/cancelled')
  })

  it('is cancelled after as long again when nobody says anything, and the server works on', async () => {
    const { made, servers } = await started(deaf)
    const told: unknown[] = []
    await expect(call(servers, 'echo', {}, { onOverdue: (overdue) => told.push(overdue), timeoutMs: 200 })).rejects.toEqual(
      fails('tool.timeout'),
    )
    expect(told).toEqual([expect.objectContaining({ wait: expect.any(Function) })])
    await eventually(() => expect(made.wire.said()).toContain('notifications/cancelled'))
    expect(await call(servers, 'other')).toBe('here')
  })

  it('is overdue no longer when progress comes', async () => {
    const { made, servers } = await started(deaf)
    const told: (CallTimeout | undefined)[] = []
    const onOverdue = (overdue: CallTimeout | undefined): void => {
      told.push(overdue)
      const message = callOf(made.wire)
      if (overdue)
        made.wire.send({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: tokenOf(message), progress: 1 } })
      else made.wire.send(called(message, 'done'))
    }
    expect(await call(servers, 'echo', {}, { onOverdue, timeoutMs: 1000 })).toBe('done')
    expect(told.map(Boolean)).toEqual([true, false])
  })

  it('that a person cancels meanwhile ends as cancelled', async () => {
    const { servers } = await started(deaf)
    const control = new AbortController()
    const onOverdue = (): void => control.abort()
    await expect(call(servers, 'echo', {}, { onOverdue, timeoutMs: 300, signal: control.signal })).rejects.toEqual(fails('cancelled'))
  })
})
