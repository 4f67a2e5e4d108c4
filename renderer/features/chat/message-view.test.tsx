import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, beforeAll, expect, it } from 'vitest'
import type { Message } from '#app/chat/message.ts'
import { ChatPage } from '#renderer/pages/chat-page.tsx'
import { loadAllPages } from '#renderer/pages/pages.ts'
import { makeAnswer, makeConversation, makeServer, makeToolRequest, makeUserMessage } from '#renderer/testing/builders.ts'
import { createFakeConnection } from '#renderer/testing/fake-link.ts'
import { renderWith, settle } from '#renderer/testing/render.tsx'

beforeAll(loadAllPages)
afterEach(cleanup)

async function open(messages: Message[]) {
  const conversation = makeConversation()
  const link = createFakeConnection({
    snapshot: { conversations: [conversation], servers: [makeServer()] },
    answers: { 'conversation.get': () => ({ revision: 10, conversation, messages, branches: {} }) },
  })
  const view = await renderWith(<ChatPage id="c1" />, link)
  await act(settle)
  return view
}

it('an answer that ends at its limit of length says so, one that came to its end does not', async () => {
  const answer = (change: Parameters<typeof makeAnswer>[0]): Message =>
    makeAnswer({ parts: [{ kind: 'text', text: 'Clause 3' }], ...change })
  await open([
    makeUserMessage(),
    answer({ cut: 'max-tokens' }),
    makeUserMessage({ id: 'm3', turnId: 't2' }),
    answer({ id: 'm4', turnId: 't2' }),
  ])
  const said = screen.getAllByRole('article', { name: 'Answer' }).map((one) => one.querySelector('.warntext') !== null)
  expect(said).toEqual([true, false])
})

it('an image of the model is drawn from the store, and a page that it cites opens after a question', async () => {
  const citations = [{ start: 0, end: 0, title: 'On kettles', url: 'https://kettles.example/a', quote: '', source: {} }]
  const blob = { sha256: 'a'.repeat(64), bytes: 70, mimeType: 'image/png' }
  await open([
    makeUserMessage(),
    makeAnswer({
      parts: [
        { kind: 'text', text: 'A dot', citations },
        { kind: 'image', blob },
      ],
    }),
  ])
  expect(screen.getByRole('img', { name: /Image/ }).getAttribute('src')).toBe(`/blob/${blob.sha256}`)
  act(() => screen.getByText('https://kettles.example/a').click())
  expect(screen.getByRole('dialog', { name: 'Open a page of kettles.example?' })).toBeTruthy()
})

it('what a call asked, and was withdrawn, goes with the call', async () => {
  const request = makeToolRequest({ callId: 'deleted' })
  const { callId: _, ...loose } = request
  const { container, stores } = await open([makeUserMessage(), makeAnswer()])
  const linesAfter = (ended: typeof loose): number => {
    act(() => stores.consent.setState((state) => ({ ...state, ended: [{ request: ended, end: undefined }] })))
    return container.querySelectorAll('[data-ended]').length
  }
  // One that no call made stays until the person takes it away.
  expect([linesAfter(request), linesAfter(loose)]).toEqual([0, 1])
})
