import { act, cleanup } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { makeConversation } from '#renderer/testing/builders.ts'
import { createFakeConnection } from '#renderer/testing/fake-link.ts'
import { renderWith, settle } from '#renderer/testing/render.tsx'
import { retryLabel, WorkingLine } from './message-list.tsx'

afterEach(cleanup)

describe('retryLabel', () => {
  it('tells each reason apart, counts down, and never shows a code', () => {
    const at = (reason: string, ms: number): string => retryLabel({ at: 10_000 + ms, reason }, 10_000)
    const codes = ['model.overloaded', 'model.rate-limited', 'model.server-error', 'model.offline', 'model.other']
    const words = codes.map((code) => at(code, 3001))
    expect(new Set(words).size).toBe(codes.length)
    for (const line of words) expect([line.includes('4 s'), line.includes('model.')]).toEqual([true, false])
    expect(at('model.overloaded', 0)).not.toMatch(/\d/)
  })
})

it('says why the model is asked again, and only while it is', async () => {
  const working = { kind: 'working', turnId: 't', since: 0 } as const
  const retry = { at: Date.now() + 60_000, reason: 'model.overloaded' }
  const link = createFakeConnection({ snapshot: { conversations: [makeConversation({ activity: { ...working, retry } })] } })
  const { container } = await renderWith(<WorkingLine conversationId="c1" />, link)
  const shown = (): boolean => / \d+ s$/.test(container.textContent ?? '')
  const whileRetrying = shown()
  act(() => link.tell('conversation.changed', { conversation: makeConversation({ activity: working }) }))
  await act(settle)
  expect([whileRetrying, shown(), container.textContent === '']).toEqual([true, false, false])
})
