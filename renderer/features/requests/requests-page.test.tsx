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
    await waitFor(() => expect([listed(), cards()]).toEqual([['first', 'second', 'other'], ['first second']]))
    expect(screen.getAllByRole('link', { name: 'Open chat' }).map((one) => one.getAttribute('href'))).toEqual(['#/chat/c1', '#/chat/c2'])
    act(() => {
      window.location.hash = '#/requests/other'
    })
    await waitFor(() => expect(cards()).toEqual(['other']))
    link.tell('consent.closed', { id: 'first', outcome: 'allowed', by: 'person' })
    await waitFor(() => expect([listed(), cards()]).toEqual([['second', 'other'], ['other']]))
  })

  it('leaves a line where what it showed was answered elsewhere, and puts no other card under the pointer', async () => {
    const link = createFakeConnection({
      snapshot: { consentRequests: [makeToolRequest({ id: 'a', createdAt: 1 }), makeToolRequest({ id: 'b', tool: 'read', createdAt: 2 })] },
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
    expect(screen.getByRole('link', { name: 'Open chat' }).getAttribute('href')).toBe('#/chat/c1')
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
      snapshot: { consentRequests: [makeToolRequest({ id: 'a', createdAt: 1 }), makeToolRequest({ id: 'b', tool: 'read', createdAt: 2 })] },
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

  it('are answered together, exactly those that are ticked, and not as the question appears', async () => {
    const link = createFakeConnection({ snapshot: { consentRequests: calls }, answers: { 'consent.answer': () => ({ accepted: true }) } })
    renderAt(link, '#/requests')
    await waitFor(() => expect([listed(), cards()]).toEqual([['a', 'b', 'c'], ['a b c']]))
    act(() => screen.getByRole('button', { name: 'Allow 3' }).click())
    expect(link.paramsOf('consent.answer')).toEqual([])
    act(() => link.tell('consent.closed', { id: 'b', outcome: 'withdrawn' }))
    act(() => link.tell('consent.opened', { request: makeToolRequest({ id: 'late', callId: 'late', createdAt: 9 }) }))
    act(() => screen.getAllByRole('checkbox')[2]?.click())
    const button = await armed(/^Allow 2/)
    act(() => button.click())
    const once = { kind: 'allow', scope: 'once', group: { id: 'a', size: 2 } } as const
    await waitFor(() =>
      expect(link.paramsOf('consent.answer')).toEqual([
        { id: 'a', answer: once },
        { id: 'c', answer: once },
      ]),
    )
  })

  it('are named once: below the line of the group each has what differs', async () => {
    const moves = [1, 2].map((n) =>
      makeToolRequest({ id: `m${n}`, callId: `m${n}`, createdAt: n, arguments: { source: `a${n}`, destination: `b${n}` } }),
    )
    renderAt(createFakeConnection({ snapshot: { consentRequests: moves } }), '#/requests')
    await waitFor(() => expect(listed()).toEqual(['m1', 'm2']))
    const shown = [...document.querySelectorAll('[data-listed]')].map((one) => [
      one.querySelector('.t'),
      one.querySelector('.brief-arguments')?.textContent,
    ])
    expect(shown).toEqual([
      [null, 'a1 → b1'],
      [null, 'a2 → b2'],
    ])
  })

  it('can be read one by one, and together again', async () => {
    renderAt(createFakeConnection({ snapshot: { consentRequests: calls } }), '#/requests/b')
    await waitFor(() => expect(cards()).toEqual(['b']))
    act(() => screen.getByRole('link', { name: /Answer together/ }).click())
    await waitFor(() => expect(cards()).toEqual(['a b c']))
    act(() => screen.getByRole('button', { name: 'Review each' }).click())
    await waitFor(() => expect(cards()).toEqual(['a']))
  })

  it('with something to warn of, or too long for a row, are questions by themselves', async () => {
    const odd = makeToolRequest({ id: 'odd', callId: 'odd', createdAt: 5, why: { kind: 'tool-changed' } })
    const long = makeToolRequest({ id: 'long', callId: 'long', createdAt: 6, arguments: { text: 'x'.repeat(400) } })
    renderAt(createFakeConnection({ snapshot: { consentRequests: [...calls, odd, long] } }), '#/requests')
    await waitFor(() => expect([listed().length, cards()]).toEqual([5, ['a b c']]))
  })
})
