import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { makeConversation, makeToolRequest } from '#renderer/testing/builders.ts'
import { createFakeLink } from '#renderer/testing/fake-link.ts'
import { renderAt } from '#renderer/testing/render-page.tsx'

const cards = (): (string | null)[] =>
  [...document.querySelectorAll('main [data-request]')].map((card) => card.getAttribute('data-request'))

describe('the requests page', () => {
  it('shows every open request by its chat, oldest first, and loses them as they are answered', async () => {
    const link = createFakeLink({
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
    await waitFor(() => expect(cards()).toEqual(['first', 'second', 'other']))
    expect(screen.getAllByRole('link', { name: 'Open the chat' }).map((one) => one.getAttribute('href'))).toEqual([
      '#/chat/c1',
      '#/chat/c2',
    ])
    link.tell('consent.closed', { id: 'first', outcome: 'allowed' })
    await waitFor(() => expect(cards()).toEqual(['second', 'other']))
  })

  it('has a call that gives no word among them, which is waited for or cancelled here too', async () => {
    const call = { conversationId: 'c1', callId: 'silent', server: 'files', tool: 'read', since: 2, endsAt: Date.now() + 60_000 }
    const link = createFakeLink({
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

  it('says when nothing waits', async () => {
    renderAt(createFakeLink(), '#/requests')
    await waitFor(() => expect(document.querySelector('main .empty')).not.toBeNull())
  })

  it('goes to the heading of the request that the address names, never to a button', async () => {
    const link = createFakeLink({ snapshot: { consentRequests: [makeToolRequest({ id: 'a' }), makeToolRequest({ id: 'b' })] } })
    renderAt(link, '#/requests/b')
    await waitFor(() => expect(document.activeElement?.id).toBe('request-b'))
    expect(document.activeElement?.tagName).not.toBe('BUTTON')
  })
})
