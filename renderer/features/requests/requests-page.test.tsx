import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { makeConversation, makeToolRequest } from '#renderer/testing/builders.ts'
import { createFakeConnection } from '#renderer/testing/fake-link.ts'
import { renderAt } from '#renderer/testing/render-page.tsx'

const cards = (): (string | null)[] =>
  [...document.querySelectorAll('main [data-request]')].map((card) => card.getAttribute('data-request'))

const listed = (): (string | null)[] => [...document.querySelectorAll('main [data-listed]')].map((one) => one.getAttribute('data-listed'))

describe('the requests page', () => {
  it('shows every open request by its chat, oldest first, and loses them as they are answered', async () => {
    const link = createFakeConnection({
      snapshot: {
        conversations: [makeConversation(), makeConversation({ id: 'c2', title: 'Vendors' })],
        consentRequests: [
          makeToolRequest({ id: 'second', createdAt: 2 }),
          makeToolRequest({ id: 'other', createdAt: 3, conversationId: 'c2' }),
          makeToolRequest({ id: 'first', createdAt: 1 }),
        ],
      },
    })
    renderAt(link, '#/requests')
    await waitFor(() => expect([listed(), cards()]).toEqual([['first', 'second', 'other'], ['first']]))
    expect(screen.getAllByRole('link', { name: 'Open the chat' }).map((one) => one.getAttribute('href'))).toEqual([
      '#/chat/c1',
      '#/chat/c2',
    ])
    act(() => {
      window.location.hash = '#/requests/other'
    })
    await waitFor(() => expect(cards()).toEqual(['other']))
    link.tell('consent.closed', { id: 'first', outcome: 'allowed', by: 'person' })
    await waitFor(() => expect([listed(), cards()]).toEqual([['second', 'other'], ['other']]))
  })

  it('leaves a line where what it showed was answered elsewhere, and puts no other card under the pointer', async () => {
    const link = createFakeConnection({
      snapshot: { consentRequests: [makeToolRequest({ id: 'a', createdAt: 1 }), makeToolRequest({ id: 'b', createdAt: 2 })] },
    })
    renderAt(link, '#/requests')
    await waitFor(() => expect(cards()).toEqual(['a']))
    link.tell('consent.closed', { id: 'a', outcome: 'denied', by: 'person' })
    await waitFor(() => expect([cards(), listed()]).toEqual([[], ['b']]))
    expect(document.querySelector('.b [data-ended="a"]')).not.toBeNull()
  })

  it('has a call that gives no word among them, which is waited for or cancelled here too', async () => {
    const call = { conversationId: 'c1', callId: 'silent', server: 'files', tool: 'read', since: 2, endsAt: Date.now() + 60_000 }
    const link = createFakeConnection({
      snapshot: { conversations: [makeConversation()], overdueCalls: [call] },
      answers: { 'chat.waitForCall': () => ({}), 'chat.cancelCall': () => ({}) },
    })
    renderAt(link, '#/requests')
    const entry = await screen.findByRole('group', { name: /read/ })
    expect(screen.getByRole('link', { name: 'Open the chat' }).getAttribute('href')).toBe('#/chat/c1')
    expect(screen.getAllByText('1').length).toBeGreaterThan(0)
    within(entry).getByRole('button', { name: 'Wait longer' }).click()
    within(entry).getByRole('button', { name: 'Cancel' }).click()
    const which = { conversationId: 'c1', callId: 'silent' }
    await waitFor(() => expect([link.paramsOf('chat.waitForCall'), link.paramsOf('chat.cancelCall')]).toEqual([[which], [which]]))
    link.tell('overdueCalls.changed', { overdueCalls: [] })
    await waitFor(() => expect(document.querySelector('main .empty')).not.toBeNull())
  })

  it('goes from one to the next by the arrow keys', async () => {
    const link = createFakeConnection({
      snapshot: { consentRequests: [makeToolRequest({ id: 'a', createdAt: 1 }), makeToolRequest({ id: 'b', createdAt: 2 })] },
    })
    renderAt(link, '#/requests')
    await waitFor(() => expect(listed()).toEqual(['a', 'b']))
    const rows = [...document.querySelectorAll<HTMLElement>('[data-listed] a')]
    rows[0]?.focus()
    const focused = (): number => rows.indexOf(document.activeElement as HTMLElement)
    const went = ['ArrowDown', 'ArrowDown', 'ArrowUp', 'End', 'Home'].map((key) => {
      fireEvent.keyDown(document.activeElement ?? document.body, { key })
      return focused()
    })
    expect(went).toEqual([1, 1, 0, 1, 0])
  })

  it('says when nothing waits', async () => {
    renderAt(createFakeConnection(), '#/requests')
    await waitFor(() => expect(document.querySelector('main .empty')).not.toBeNull())
  })

  it('goes to the heading of the request that the address names, never to a button', async () => {
    const link = createFakeConnection({ snapshot: { consentRequests: [makeToolRequest({ id: 'a' }), makeToolRequest({ id: 'b' })] } })
    renderAt(link, '#/requests/b')
    await waitFor(() => expect(document.activeElement?.id).toBe('request-b'))
    expect(document.activeElement?.tagName).not.toBe('BUTTON')
  })
})

describe('several calls', () => {
  const calls = ['a', 'b', 'c'].map((id, index) => makeToolRequest({ id, callId: id, createdAt: index + 1 }))
  const armed = async (name: RegExp): Promise<HTMLElement> => {
    await waitFor(() => expect(screen.getByRole('button', { name }).getAttribute('aria-disabled')).toBeNull(), { timeout: 3000 })
    return screen.getByRole('button', { name })
  }
  const tick = (name: RegExp): void => act(() => screen.getByRole('checkbox', { name }).click())

  it('are allowed together, exactly those that were ticked, and not as the bar appears', async () => {
    const link = createFakeConnection({ snapshot: { consentRequests: calls }, answers: { 'consent.answer': () => ({ accepted: true }) } })
    renderAt(link, '#/requests')
    await waitFor(() => expect(listed()).toEqual(['a', 'b', 'c']))
    tick(/^Select all 3/)
    act(() => screen.getByRole('button', { name: 'Allow these 3 once' }).click())
    expect(link.paramsOf('consent.answer')).toEqual([])
    act(() => link.tell('consent.opened', { request: makeToolRequest({ id: 'late', callId: 'late', createdAt: 9 }) }))
    act(() => link.tell('consent.closed', { id: 'b', outcome: 'withdrawn' }))
    const button = await armed(/^Allow these 2 once/)
    act(() => button.click())
    const once = { kind: 'allow', scope: 'once' } as const
    await waitFor(() =>
      expect(link.paramsOf('consent.answer')).toEqual([
        { id: 'a', answer: once },
        { id: 'c', answer: once },
      ]),
    )
  })

  it('are denied together, with a word, and the turn is stopped with the last', async () => {
    const link = createFakeConnection({ snapshot: { consentRequests: calls }, answers: { 'consent.answer': () => ({ accepted: true }) } })
    renderAt(link, '#/requests')
    await waitFor(() => expect(listed()).toEqual(['a', 'b', 'c']))
    tick(/^Select all 3/)
    const bar = within(screen.getByRole('region', { name: 'Chosen calls' }))
    act(() => bar.getByRole('button', { name: 'Deny with a word…' }).click())
    fireEvent.change(bar.getByRole('textbox'), { target: { value: 'not now' } })
    act(() => bar.getByRole('button', { name: 'Deny and stop' }).click())
    const no = { kind: 'deny', word: 'not now' } as const
    await waitFor(() =>
      expect(link.paramsOf('consent.answer')).toEqual([
        { id: 'a', answer: no },
        { id: 'b', answer: no },
        { id: 'c', answer: { ...no, stop: true } },
      ]),
    )
  })

  it('with something to warn of cannot be ticked, and one that does not fit only once it was opened', async () => {
    const odd = makeToolRequest({ id: 'odd', callId: 'odd', createdAt: 5, why: { kind: 'tool-changed' } })
    const long = makeToolRequest({ id: 'long', callId: 'long', createdAt: 6, tool: 'long', arguments: { text: 'x'.repeat(400) } })
    renderAt(createFakeConnection({ snapshot: { consentRequests: [...calls, odd, long] } }), '#/requests')
    await waitFor(() => expect(listed()).toHaveLength(5))
    const boxes = (): boolean[] =>
      ['odd', 'long'].map((id) => document.querySelector<HTMLInputElement>(`[data-listed="${id}"] input`)?.disabled ?? false)
    expect(boxes()).toEqual([true, true])
    act(() => {
      window.location.hash = '#/requests/long'
    })
    await waitFor(() => expect(boxes()).toEqual([true, false]))
  })
})
