import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ChatPage } from '#renderer/pages/chat-page.tsx'
import { loadAllPages } from '#renderer/pages/pages.ts'
import { makeConversation, makeUserMessage } from '#renderer/testing/builders.ts'
import { createFakeConnection } from '#renderer/testing/fake-link.ts'
import { renderWith, settle } from '#renderer/testing/render.tsx'

beforeAll(loadAllPages)
afterEach(cleanup)

const count = 50
const conversation = makeConversation({ id: 'c1' })
const messages = Array.from({ length: count }, (_, index) =>
  makeUserMessage({ id: `u${index}`, text: `Number ${index}. ${'a'.repeat(400)}`, createdAt: index }),
)
const drawn = (): string[] => screen.queryAllByText(/^Number \d+\./).map((one) => /\d+/.exec(one.textContent ?? '')?.[0] ?? '')

describe('the messages of a chat that is opened', () => {
  it('are drawn from its end as far as the window reaches, and then all of them', async () => {
    const seen: string[][] = []
    const all = Promise.withResolvers<void>()
    const observer = new MutationObserver(() => {
      seen.push(drawn())
      if (seen.at(-1)?.length === count) all.resolve()
    })
    observer.observe(document.body, { childList: true, subtree: true })
    const link = createFakeConnection({
      snapshot: { conversations: [conversation] },
      answers: { 'conversation.get': () => ({ revision: 10, conversation, messages }) },
    })
    await renderWith(<ChatPage id="c1" />, link)
    await act(settle)
    await all.promise
    observer.disconnect()
    const first = seen.find((one) => one.length > 0) ?? []
    expect(first).toEqual(Array.from({ length: first.length }, (_, index) => String(count - first.length + index)))
    expect(first.length).toBeLessThan(15)
  })
})
