import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import type { ToolCall } from '#app/chat/message.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { makeCall, makeServer, makeSignInRequest } from '#renderer/testing/builders.ts'
import { createFakeConnection } from '#renderer/testing/fake-link.ts'
import { renderWith, settle } from '#renderer/testing/render.tsx'
import { CallGroup } from './call-group.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const running: ToolCall['state'] = { kind: 'running', decision: { allowed: true, by: 'person', scope: 'once' }, startedAt: 1 }
const calls = [1, 2].map((number) => makeCall({ id: `call${number}`, server: 'tracker', state: running }))
const waiting: ServerSummary['signIn'] = { kind: 'waiting', issuer: 'https://auth.example', url: 'https://auth.example/a', since: 1 }
const notices = (): number => screen.queryAllByRole('region', { name: 'Sign-in: tracker' }).length

async function show(servers: ServerSummary[], shown: readonly ToolCall[] = calls) {
  const request = makeSignInRequest()
  const link = createFakeConnection({ snapshot: { servers, consentRequests: [request] } })
  return renderWith(<CallGroup conversationId="c1" calls={shown} />, link)
}

it('the first call that waits for a sign-in says so, and the browser’s way back stands below', async () => {
  const { link, container } = await show([makeServer({ name: 'tracker' })])
  const asking = [...container.querySelectorAll('.call-and-cards')].map((place) => place.querySelectorAll('.call.you').length)
  expect([asking, notices()]).toEqual([[1, 0], 0])
  act(() => {
    link.tell('consent.closed', { id: 'r1', outcome: 'allowed' })
    link.tell('server.changed', { server: makeServer({ name: 'tracker', signIn: waiting }) })
  })
  await act(settle)
  expect([container.querySelectorAll('[data-request]').length, notices()]).toEqual([0, 1])
})

it('a sign-in of a server is no matter of calls to others, nor of calls that are over', async () => {
  const done = calls.map((call): ToolCall => ({ ...call, state: { kind: 'cancelled', startedAt: 1 } }))
  const { container } = await show([makeServer({ name: 'other', signIn: waiting })], [makeCall({ server: 'other', state: running })])
  expect([container.querySelectorAll('[data-request]').length, notices()]).toEqual([0, 0])
  cleanup()
  await show([makeServer({ name: 'tracker', signIn: waiting })], done)
  expect(notices()).toBe(0)
})

it('what a window did not answer itself leaves a line in its place, until it is taken away', async () => {
  const { link, container } = await show([makeServer({ name: 'tracker' })])
  act(() => link.tell('consent.closed', { id: 'r1', outcome: 'withdrawn', because: 'taken-back', word: 'timed out' }))
  await act(settle)
  const line = container.querySelector('.call-and-cards [data-ended="r1"]')
  expect([container.querySelectorAll('[data-request]').length, line?.textContent]).toEqual([0, expect.stringContaining('timed out')])
  act(() => screen.getByRole('button', { name: 'Dismiss' }).click())
  expect(container.querySelectorAll('[data-ended]')).toHaveLength(0)
})

it('a search of the provider’s own is one quiet line: whose it was, for what, and how many tools it found', async () => {
  const decision = { allowed: true, by: 'host', scope: 'once' } as const
  const result = { content: [], structuredContent: { found: ['a__b', 'c__d'] }, isError: false, bytes: 9 }
  const {
    server: _server,
    tool: _tool,
    ...call
  } = makeCall({
    modelName: 'assent__find_tools',
    own: true,
    arguments: { query: 'track parcel' },
    ranAt: { name: 'Anthropic', blocks: [] },
    state: { kind: 'done', decision, startedAt: 1, durationMs: 0, result },
  })
  await show([], [call])
  const line = screen.getByRole('button', { name: /looks for tools/ })
  expect(['Anthropic', 'track parcel', '2 found'].filter((words) => !line.textContent?.includes(words))).toEqual([])
})

it('pictures of a result stand below the line of its call, which need not be opened', async () => {
  const blob = { sha256: 'a'.repeat(64), bytes: 3, mimeType: 'image/png' }
  const picture = { type: 'image' as const, blob }
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'
  vi.stubGlobal('fetch', async () => new Response(svg))
  const chart = { type: 'image', mimeType: 'image/svg+xml', kept: { sha256: 'b'.repeat(64), bytes: svg.length } }
  const state: ToolCall['state'] = {
    ...{ kind: 'done', decision: { allowed: true, by: 'person', scope: 'once' }, startedAt: 1, durationMs: 1 },
    result: { content: [{ type: 'text', text: 'A chart' }, picture, { type: 'unknown', value: chart }], isError: false, bytes: 3 },
  } as ToolCall['state']
  const { container } = await show([makeServer({ name: 'tracker' })], [makeCall({ id: 'c', server: 'tracker', state })])
  const images = () => [...container.querySelectorAll('img')].map((image) => image.getAttribute('src'))
  const drawn = [`/blob/${blob.sha256}`, `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`]
  await waitFor(() => expect(images()).toEqual(drawn))
  act(() => screen.getByRole('button', { expanded: false }).click())
  await waitFor(() => expect(images()).toEqual(drawn))
})
