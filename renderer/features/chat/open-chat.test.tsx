import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import type { ConversationActivity } from '#app/chat/conversation.ts'
import { createFakeConnection } from '#renderer/testing/fake-link.ts'
import { renderWith, settle } from '#renderer/testing/render.tsx'
import { WaitingServers } from './open-chat.tsx'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

async function show(activity: ConversationActivity) {
  const link = createFakeConnection({ answers: { 'chat.answerWithout': () => ({}) } })
  const view = await renderWith(<WaitingServers conversationId="c1" activity={activity} />, link)
  await act(settle)
  return { ...view, link }
}
const asked = (...names: string[]) => names.map((name) => ({ name, asked: true }))

it('names the servers that the turn waits for, and answers without them on a press', async () => {
  const { container, link } = await show({ kind: 'waiting', turnId: 't1', requests: 2, servers: asked('files', 'notes') })
  expect(container.textContent).toContain('Waits for files and notes to start.')
  expect([...container.querySelectorAll('b')].map((one) => one.textContent)).toEqual(['files', 'notes'])
  fireEvent.click(screen.getByRole('button', { name: 'Answer without them' }))
  await act(settle)
  expect(link.asked).toContainEqual({ name: 'chat.answerWithout', params: { conversationId: 'c1' } })
})

it('counts what it does not name', async () => {
  const { container } = await show({ kind: 'waiting', turnId: 't1', requests: 6, servers: asked('a', 'b', 'c', 'd', 'e', 'f') })
  expect(container.textContent).toContain('a, b, c and 3 more')
})

it('says nothing of a start that is quick, and something of one that is not', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 10_000 })
  const { container } = await show({ kind: 'working', turnId: 't1', since: 9_800, servers: [{ name: 'files', asked: false }] })
  expect(container.textContent).toBe('')
  cleanup()
  const later = await show({ kind: 'working', turnId: 't1', since: 8_000, servers: [{ name: 'files', asked: false }] })
  expect(later.container.textContent).toContain('Waits for files to start.')
})
