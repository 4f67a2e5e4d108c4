import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ToolCall } from '#app/chat/message.ts'
import { HostError } from '#app/errors.ts'
import type { OpenedMcpApp } from '#app/mcp-apps/app-view.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { ChatDock } from '#renderer/features/consent/dock/dock.tsx'
import { composerId, focusNextRequest } from '#renderer/navigation/focus.ts'
import { makeCall, makeServer } from '#renderer/testing/builders.ts'
import { createFakeConnection, type FakeAnswers } from '#renderer/testing/fake-link.ts'
import { renderWith, settle } from '#renderer/testing/render.tsx'
import { contextText, messageText } from './app-bridge.ts'
import { hasMcpApp, ToolMcpApp } from './tool-app.tsx'
import { createLiveMcpApps } from './use-tool-app.ts'

/** All that is on the page is near the window. */
function Seen(told: IntersectionObserverCallback) {
  const observer = {
    observe: () => told([{ isIntersecting: true } as IntersectionObserverEntry], observer as never),
    disconnect: () => undefined,
  }
  return observer
}
beforeEach(() => vi.stubGlobal('IntersectionObserver', Seen))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const decision = { allowed: true, by: 'person', scope: 'once' } as const
const done: ToolCall['state'] = { kind: 'done', decision, startedAt: 1, durationMs: 1, result: { content: [], isError: false, bytes: 2 } }
const call = makeCall({ id: 'k1', server: 'maps', tool: 'route', view: 'ui://maps/route', state: done })
const facts = {
  server: 'maps',
  uri: 'ui://maps/route',
  domains: { connect: [], resource: [], baseUri: [] },
  refused: [],
  refusedPermissions: [],
}
const ready: OpenedMcpApp = {
  kind: 'ready',
  ...facts,
  id: 'v'.repeat(32),
  tool: { name: 'route', inputSchema: {} },
  arguments: {},
  border: true,
}
const asks: OpenedMcpApp = {
  kind: 'asks',
  ...facts,
  domains: { ...facts.domains, connect: ['https://tiles.example.com'] },
  refused: [{ text: '*', why: 'not-an-origin' }],
  fingerprint: 'f1',
}

async function show(answers: FakeAnswers, running = true) {
  const state: ServerSummary['state'] = { kind: 'stopped', reason: 'user' }
  const link = createFakeConnection({
    snapshot: { servers: [makeServer({ name: 'maps', ...(running ? {} : { state }) })] },
    answers: { 'mcpApp.close': () => ({}), ...answers },
  })
  const made = await renderWith(
    <>
      <ToolMcpApp conversationId="c1" call={call} />
      <ChatDock conversationId="c1" activity={{ kind: 'idle' }} reviewing={false} />
      <textarea id={composerId} aria-label="Message" />
    </>,
    link,
  )
  await act(settle)
  return { ...made, link }
}

describe('what a tool shows', () => {
  it('is there for a call that ran or runs, and names a view', () => {
    const states: ToolCall['state'][] = [
      done,
      { kind: 'running', decision, startedAt: 1 },
      { kind: 'denied', decision },
      { kind: 'queued' },
    ]
    expect(states.map((state) => hasMcpApp({ ...call, state }))).toEqual([true, true, false, false])
    const { view: _, ...plain } = call
    expect(hasMcpApp(plain)).toBe(false)
  })

  it('is drawn by itself where it reaches nothing, and closed with its place', async () => {
    const { container, link, unmount } = await show({ 'mcpApp.open': () => ready })
    const frame = container.querySelector('iframe')
    expect([frame?.getAttribute('sandbox'), frame?.getAttribute('allow')]).toEqual(['allow-scripts allow-forms', ''])
    expect(container.textContent).toContain('no network')
    unmount()
    expect(link.paramsOf('mcpApp.close')).toEqual([{ id: ready.kind === 'ready' ? ready.id : '' }])
  })

  it('is not drawn by itself while its server does not run: to look at a chat starts nothing', async () => {
    const { link, container } = await show({ 'mcpApp.open': () => ready }, false)
    expect([link.paramsOf('mcpApp.open'), container.querySelector('iframe')]).toEqual([[], null])
    await act(async () => screen.getByRole('button', { name: 'Start' }).click())
    expect(link.paramsOf('mcpApp.open')).toHaveLength(1)
  })

  it('names the places that it reaches in the dock, before it is drawn, and what it does not get; focus goes back', async () => {
    const { container, link, stores } = await show({ 'mcpApp.open': ({ agreed }) => (agreed === 'f1' ? ready : asks) })
    expect([container.querySelector('iframe'), container.querySelector('.tool-app .ask')]).toEqual([null, null])
    expect(container.querySelector('.dock')?.textContent).toMatch(/Talks to.*tiles\.example\.com.*Refused/s)
    const message = screen.getByRole('textbox', { name: 'Message' })
    message.focus()
    act(() => focusNextRequest(stores))
    expect(document.activeElement).toBe(container.querySelector('.dock h2'))
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Don’t show it' })))
    expect(link.paramsOf('mcpApp.open')).toHaveLength(1)
    expect([container.querySelector('.dock'), document.activeElement]).toEqual([null, message])
    expect(container.textContent).toContain('hidden')
  })

  it('is drawn once it was allowed in the dock, and asks no more when its call is gone', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
    const { container, link, stores, unmount } = await show({ 'mcpApp.open': ({ agreed }) => (agreed === 'f1' ? ready : asks) })
    fireEvent.click(screen.getByRole('button', { name: 'Show it' }))
    expect(link.paramsOf('mcpApp.open')).toHaveLength(1)
    act(() => void vi.advanceTimersByTime(700))
    fireEvent.click(screen.getByRole('button', { name: 'Show it' }))
    await act(settle)
    expect([link.paramsOf('mcpApp.open').at(-1), container.querySelector('.dock')]).toEqual([
      expect.objectContaining({ agreed: 'f1' }),
      null,
    ])
    expect(container.querySelector('iframe')).not.toBeNull()
    unmount()
    vi.useRealTimers()
    const asked = await show({ 'mcpApp.open': () => asks })
    expect(asked.stores.view.getState().mcpAppRequests).toHaveLength(1)
    asked.unmount()
    expect([stores, asked.stores].map(({ view }) => view.getState().mcpAppRequests)).toEqual([[], []])
  })

  it('says why there is none', async () => {
    const { container } = await show({
      'mcpApp.open': () => {
        throw new HostError('view.unreadable', '“maps” has no interface there.')
      },
    })
    expect(container.textContent).toContain('“maps” has no interface there.')
  })
})

it('only a few live at a time: the first gives way', () => {
  const gone: number[] = []
  const alive = createLiveMcpApps(2)
  const [, leave] = [1, 2].map((one) => alive.add(() => gone.push(one)))
  alive.add(() => gone.push(3))
  expect(gone).toEqual([1])
  leave?.()
  alive.add(() => gone.push(4))
  expect(gone).toEqual([1])
})

it('what a view says is text; what is not, is named', () => {
  expect(
    messageText([
      { type: 'text', text: 'Go on' },
      { type: 'image', data: 'x' },
    ]),
  ).toBe('Go on\n[image: left out]')
  expect(messageText([{ type: 'text', text: ' ' }])).toBeUndefined()
  expect(contextText({ content: [{ type: 'text', text: 'At 7' }], structuredContent: { at: 7 } })).toBe('At 7\n\n{\n  "at": 7\n}')
  expect(contextText({})).toBe('')
})
