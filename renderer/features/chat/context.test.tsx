import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Conversation } from '#app/chat/conversation.ts'
import { ChatPage } from '#renderer/pages/chat-page.tsx'
import { loadAllPages } from '#renderer/pages/pages.ts'
import { makeConversation } from '#renderer/testing/builders.ts'
import { createFakeConnection } from '#renderer/testing/fake-link.ts'
import { renderWith } from '#renderer/testing/render.tsx'
import { filledContext, summarisedMessages } from '#renderer/testing/stories/context.stories.ts'

beforeAll(loadAllPages)

const model = { id: 'anthropic/sonnet', provider: 'anthropic', name: 'Sonnet', contextTokens: 200_000, ai: true } as const

async function open(change: Partial<Conversation> = {}) {
  const conversation = makeConversation({ model: model.id, contextTokens: filledContext.used, ...change })
  const link = createFakeConnection({
    snapshot: { conversations: [conversation], models: [model] },
    answers: {
      'conversation.get': () => ({ revision: 10, conversation, messages: [...summarisedMessages] }),
      'conversation.context': () => filledContext,
    },
  })
  await renderWith(<ChatPage id="c1" />, link)
  await screen.findByRole('button', { name: /^Summary of 84/ })
  return link
}
afterEach(cleanup)

const press = (name: RegExp | string): boolean => fireEvent.click(screen.getByRole('button', { name }))

describe('the context', () => {
  it('is shown part by part, with what each server says under its name', async () => {
    await open()
    press(/^Context:/)
    const table = await screen.findByRole('table', { name: 'Tokens' })
    expect(within(table).getAllByRole('row')).toHaveLength(8)
    expect(screen.getByText('Search before you list: lists are long.').closest('.origin')?.textContent).toContain('github')
  })

  it('lets a result be left out and put back, and the older part be summed up with a word on what to keep', async () => {
    const link = await open()
    press(/^Context:/)
    await screen.findByRole('table', { name: 'Tokens' })
    press(/Leave out “list_pull_requests”/)
    press(/Put back “read_file”/)
    press(/Leave out “lease/)
    fireEvent.change(screen.getByRole('textbox', { name: /to keep/ }), { target: { value: 'the amounts' } })
    press('Compact now')
    expect(link.paramsOf('conversation.leaveOut')).toEqual([
      { id: 'c1', item: { kind: 'result', id: 'call1' }, leftOut: true },
      { id: 'c1', item: { kind: 'result', id: 'call2' }, leftOut: false },
      { id: 'c1', item: { kind: 'attachment', id: 'a1' }, leftOut: true },
    ])
    expect(link.paramsOf('conversation.compact')).toEqual([{ id: 'c1', keep: 'the amounts' }])
  })
})

describe('what a chat came to', () => {
  it('stands below its context, with what it cost where that is known, and is asked for again when something was counted', async () => {
    const link = await open()
    const total = {
      requests: 3,
      inputTokens: 12_000,
      outputTokens: 800,
      cacheReadTokens: 8000,
      cacheWriteTokens: 0,
      cost: 0.42,
      unpriced: 0,
    }
    link.answer({ 'usage.ofChat': () => total })
    press(/^Context:/)
    expect(await screen.findByText(/20k tokens read, 800 written, \$0\.42/)).toBeTruthy()
    link.answer({ 'usage.ofChat': () => ({ ...total, outputTokens: 900, unpriced: 3 }) })
    link.tell('usage.changed', {})
    expect(await screen.findByText(/20k tokens read, 900 written\./)).toBeTruthy()
    expect(link.paramsOf('usage.ofChat')).toEqual([{ conversationId: 'c1' }, { conversationId: 'c1' }])
  })
})

describe('a summary', () => {
  it('stands in place of what it covers, which can be shown above it', async () => {
    await open()
    expect(screen.queryByText('Tidy my invoices.')).toBeNull()
    press('Messages')
    expect(screen.getByText('Tidy my invoices.')).toBeTruthy()
    press('Messages')
    expect(screen.queryByText('Tidy my invoices.')).toBeNull()
  })

  it('is read, edited and undone', async () => {
    const link = await open()
    press(/^Summary of 84 messages/)
    expect(screen.getByText('Open tasks')).toBeTruthy()
    press('Edit')
    fireEvent.change(screen.getByRole('textbox', { name: 'Summary' }), { target: { value: 'Mine' } })
    press('Save')
    fireEvent.click(within(screen.getByRole('region', { name: /^Summary of 84/ })).getByRole('button', { name: 'Undo' }))
    expect(link.paramsOf('conversation.changeSummary')).toEqual([
      { id: 'c1', messageId: 'm5', text: 'Mine' },
      { id: 'c1', messageId: 'm5', undone: true },
    ])
  })

  it('waits with what changes the messages until the answer is done', async () => {
    await open({ activity: { kind: 'working', turnId: 't', since: 0 } })
    expect(screen.getAllByRole('button', { name: 'Undo' }).every((button) => (button as HTMLButtonElement).disabled)).toBe(true)
  })
})
