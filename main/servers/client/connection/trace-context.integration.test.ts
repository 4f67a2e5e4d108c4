// Trace context on the wire, with servers written by hand that tell what they were sent.
import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import { approve, closeServers, makeServers, raw } from '#main/servers/lifecycle/servers.testing.ts'
import { readTrace } from './trace-context.ts'

afterEach(async () => {
  expect(await closeServers()).toEqual([])
})

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01'
const given = { TRACEPARENT, TRACESTATE: 'vendor=1', BAGGAGE: 'who=me' }
const { signal } = new AbortController()

async function metas(name: string, trace: ReturnType<typeof readTrace>): Promise<JsonObject[]> {
  const servers = makeServers({ a: raw(name) }, { trace })
  await servers.start('a')
  await servers.call(approve(servers, 'a', 'plain'), { signal })
  const { result } = await servers.call(approve(servers, 'a', 'seen'), { signal })
  const seen = JSON.parse((result as { content: { text: string }[] }).content[0]?.text ?? '') as { method: string; params?: JsonObject }[]
  return seen
    .filter(({ method }) => method.startsWith('tools/') || method.startsWith('tasks/'))
    .map(({ params }) => (params?.['_meta'] ?? {}) as JsonObject)
}

describe.each(['core-tasks', 'modern-tasks'])('the trace of the environment (%s)', (name) => {
  it('goes with each request, beside what the protocol says there', async () => {
    const sent = await metas(name, readTrace(given))
    expect(sent.length).toBeGreaterThanOrEqual(5)
    const traced = { traceparent: TRACEPARENT, tracestate: 'vendor=1', baggage: 'who=me' }
    expect(sent).toEqual(sent.map(() => expect.objectContaining(traced)))
    expect(sent.some((meta) => 'progressToken' in meta)).toBe(true)
  })

  it('is not made up where there is none', async () => {
    expect((await metas(name, readTrace({}))).some((meta) => 'traceparent' in meta)).toBe(false)
  })
})
