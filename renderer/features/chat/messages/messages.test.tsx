import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { editKey } from '#app/chat/drafts.ts'
import { HostError } from '#app/errors.ts'
import { ChatPage } from '#renderer/pages/chat-page.tsx'
import { loadAllPages } from '#renderer/pages/pages.ts'
import { makeAnswer, makeConversation } from '#renderer/testing/builders.ts'
import { createFakeConnection, type FakeAnswers } from '#renderer/testing/fake-link.ts'
import { renderWith, settle } from '#renderer/testing/render.tsx'
import { branchChoices, branchMessages, twoAnswers } from '#renderer/testing/stories/branches.stories.ts'

beforeAll(loadAllPages)

beforeEach(() => {
  window.location.hash = '#/chat/c1'
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

interface Facts {
  readonly answers?: FakeAnswers
  readonly drafts?: Record<string, string>
  readonly deleted?: string[]
  readonly activity?: Parameters<typeof makeConversation>[0]
}

async function openChat({ answers = {}, drafts = {}, deleted = [], activity = {} }: Facts = {}) {
  const conversation = makeConversation({ model: 'p/one', ...activity })
  const model = (id: string, name: string) => ({ id, provider: 'p', name, ai: true })
  const link = createFakeConnection({
    snapshot: { conversations: [conversation], drafts, models: [model('p/one', 'One'), model('p/two', 'Two')] },
    answers: {
      'conversation.get': () => ({ revision: 10, conversation, messages: [...branchMessages], branches: branchChoices, deleted }),
      'message.edit': () => ({}),
      'message.regenerate': () => ({}),
      'message.show': () => ({}),
      'message.restore': () => ({}),
      'message.delete': () => ({ ids: ['u2', 'a3'] }),
      'message.fork': () => ({ conversationId: 'c9' }),
      ...answers,
    },
  })
  const view = await renderWith(<ChatPage id="c1" />, link)
  await act(settle)
  return { ...view, composer: () => screen.getByLabelText('Message') as HTMLTextAreaElement }
}

const press = async (name: string | RegExp, nth = 0): Promise<void> => {
  const button = screen.getAllByRole('button', { name })[nth]
  if (!button) throw new Error(`no button ${name}`)
  fireEvent.click(button)
  await act(settle)
}
const choose = async (opener: string, item: string, nth = 0): Promise<void> => {
  await press(opener, nth)
  fireEvent.click(await screen.findByRole('menuitem', { name: item }))
  await act(settle)
}
const clipboard = (): string[] => {
  const copied: string[] = []
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText: async (text: string) => void copied.push(text) } })
  return copied
}

describe('other words for a message', () => {
  const begin = async (facts?: Facts) => {
    const view = await openChat(facts)
    await press('Edit message')
    return { ...view, box: screen.getByRole('textbox', { name: 'Edit message' }) as HTMLTextAreaElement }
  }

  it('stop the answer that is being written, which is said before, and go once it has ended', async () => {
    const activity = { activity: { kind: 'working', turnId: 't1', since: 0 } } as const
    const { box, link, stores } = await begin({ activity, answers: { 'chat.stop': () => ({}) } })
    screen.getByText('Sending stops the running answer.')
    fireEvent.change(box, { target: { value: 'Which ones?' } })
    fireEvent.keyDown(box, { key: 'Enter' })
    await act(settle)
    expect([link.paramsOf('chat.stop'), link.paramsOf('message.edit')]).toEqual([[{ conversationId: 'c1' }], []])
    act(() => stores.conversations.setState(({ list }) => ({ list: list.map((one) => ({ ...one, activity: { kind: 'idle' } })) })))
    await act(settle)
    expect(link.paramsOf('message.edit')).toEqual([{ conversationId: 'c1', messageId: 'u1', text: 'Which ones?' }])
  })

  it('are written in its place, from what it said; Enter sends them', async () => {
    const { box, link, stores } = await begin()
    expect([box.value, document.activeElement === box]).toEqual([branchMessages[0]?.role === 'user' && branchMessages[0].text, true])
    fireEvent.change(box, { target: { value: 'Which ones?' } })
    expect(stores.drafts.read(editKey('u1'))).toBe('Which ones?')
    fireEvent.keyDown(box, { key: 'Enter' })
    await act(settle)
    expect(link.paramsOf('message.edit')).toEqual([{ conversationId: 'c1', messageId: 'u1', text: 'Which ones?' }])
    expect([screen.queryByRole('textbox', { name: 'Edit message' }), stores.drafts.read(editKey('u1'))]).toEqual([null, ''])
  })

  it.each([
    ['Shift+Enter', { key: 'Enter', shiftKey: true }],
    ['Enter of an input method', { key: 'Enter', isComposing: true }],
    ['the chord that allows a request', { key: 'Enter', ctrlKey: true }],
    ['Escape of an input method', { key: 'Escape', keyCode: 229 }],
  ])('stay as they are on %s', async (_name, key) => {
    const { box, link } = await begin()
    fireEvent.keyDown(box, key)
    await act(settle)
    expect([link.paramsOf('message.edit').length, screen.getByRole('textbox', { name: 'Edit message' })]).toEqual([0, box])
  })

  it('are let go by Escape, and focus is where it was', async () => {
    const { box, link, stores } = await begin()
    fireEvent.change(box, { target: { value: 'x' } })
    fireEvent.keyDown(box, { key: 'Escape' })
    await act(settle)
    expect([stores.drafts.read(editKey('u1')), link.paramsOf('message.edit')]).toEqual(['', []])
    expect(document.activeElement).toBe(screen.getAllByRole('button', { name: 'Edit message' })[0])
  })

  it('are kept when the host does not take them', async () => {
    const busy = (): never => {
      throw new HostError('chat.busy', 'An answer is still being written.')
    }
    const { box } = await begin({ answers: { 'message.edit': busy } })
    fireEvent.change(box, { target: { value: 'Kept' } })
    fireEvent.keyDown(box, { key: 'Enter' })
    await act(settle)
    expect((screen.getByRole('textbox', { name: 'Edit message' }) as HTMLTextAreaElement).value).toBe('Kept')
  })

  it('that were begun before a reload are gone on with', async () => {
    await openChat({ drafts: { [editKey('u2')]: 'half' } })
    expect((screen.getByRole('textbox', { name: 'Edit message' }) as HTMLTextAreaElement).value).toBe('half')
  })
})

describe('versions', () => {
  const group = (of: string) => within(screen.getByRole('group', { name: `Versions of this ${of}` }))

  it('of an answer are switched under its last message, though they begin with its first', async () => {
    const { link } = await openChat()
    expect(group('answer').getByText(/2 \/ 3/)).toBeTruthy()
    fireEvent.click(group('answer').getByRole('button', { name: 'Next version' }))
    await act(settle)
    expect(link.paramsOf('message.show')).toEqual([{ conversationId: 'c1', messageId: 'a9' }])
  })

  it('are switched by the arrow keys, not beyond the ends', async () => {
    const { link } = await openChat()
    const previous = group('question').getByRole('button', { name: 'Previous version' })
    expect(previous.getAttribute('aria-disabled')).toBe('true')
    for (const key of ['ArrowLeft', 'ArrowRight']) fireEvent.keyDown(previous, { key })
    await act(settle)
    expect(link.paramsOf('message.show')).toEqual([{ conversationId: 'c1', messageId: 'u3' }])
  })

  it('are fetched again when the host shows another path, and focus stays on the switch', async () => {
    const { link } = await openChat()
    const other = branchMessages.map((message) => (message.id === 'u2' ? { ...message, id: 'u3', text: 'Call them.' } : message))
    link.answer({
      'conversation.get': () => ({ revision: 20, conversation: makeConversation(), messages: other, branches: branchChoices }),
    })
    fireEvent.click(group('question').getByRole('button', { name: 'Next version' }))
    act(() => link.tell('conversation.pathChanged', { conversationId: 'c1' }))
    await act(settle)
    expect(screen.queryByText('Call them.')).not.toBeNull()
    expect(group('question').getByText(/2 \/ 2/)).toBeTruthy()
    await vi.waitFor(() => expect(document.activeElement).toBe(group('question').getByRole('button', { name: 'Next version' })))
  })
})

describe('an answer', () => {
  it('is given again, by the same model or another', async () => {
    const { link } = await openChat()
    await choose('Regenerate', 'Regenerate')
    await choose('Regenerate', 'with Two', 1)
    expect(link.paramsOf('message.regenerate')).toEqual([
      { conversationId: 'c1', messageId: 'a2' },
      { conversationId: 'c1', messageId: 'a3', model: 'p/two' },
    ])
  })

  it('is copied in its words, and with its tool calls', async () => {
    const copied = clipboard()
    await openChat()
    await press('Copy answer')
    await choose('More about this answer', 'Copy with tool calls')
    expect([copied[0]?.startsWith('Three of them: **Holm'), copied[1]?.startsWith('**Tool call** `files` `search_files`: done')]).toEqual([
      true,
      true,
    ])
  })

  it('tells what it took where the provider said so', async () => {
    await openChat()
    expect(screen.getAllByText(/tokens read/).map(({ textContent }) => textContent)).toEqual(['8.5k tokens read, 380 written'])
  })

  it('is deleted, and Undo brings it back', async () => {
    const { link, stores } = await openChat()
    await choose('More about this answer', 'Delete answer', 1)
    const toast = stores.view.getState().toasts.at(-1)
    toast?.action?.run()
    await act(settle)
    expect([link.paramsOf('message.delete'), link.paramsOf('message.restore')]).toEqual([
      [{ conversationId: 'c1', messageId: 'a3' }],
      [{ conversationId: 'c1', ids: ['u2', 'a3'] }],
    ])
  })

  it('is gone on from in a new chat', async () => {
    const { link } = await openChat()
    await choose('More about this answer', 'Fork from here')
    expect([link.paramsOf('message.fork'), window.location.hash]).toEqual([[{ conversationId: 'c1', messageId: 'a2' }], '#/chat/c9'])
  })

  it('has no row while its turn runs', async () => {
    await openChat({ activity: { activity: { kind: 'working', turnId: 't2', since: 0 } } })
    expect(screen.getAllByRole('button', { name: 'Copy answer' })).toHaveLength(1)
  })
})

describe('a quote', () => {
  it('stands in the composer, below what is there', async () => {
    const { composer } = await openChat({ drafts: { c1: 'Look:' } })
    await choose('More about this answer', 'Quote', 1)
    expect(composer().value).toBe(
      'Look:\n\n> We are closing our books for September and could not find a VAT number on your invoice.\n>\n> Could you send it to us, or tell us that you have none?\n\n',
    )
  })

  it('is of what is selected, in one answer only', async () => {
    const { composer, container } = await openChat()
    const select = (from: Element | null | undefined, to: Element | null | undefined): void => {
      if (!from || !to) throw new Error('nothing to select')
      document.getSelection()?.setBaseAndExtent(from, 0, to, to.childNodes.length)
      document.dispatchEvent(new Event('selectionchange'))
    }
    const [, second, third] = container.querySelectorAll('.answer')
    select(second?.querySelector('strong'), third?.querySelector('p'))
    await new Promise(requestAnimationFrame)
    expect(screen.queryByRole('button', { name: 'Quote' })).toBeNull()
    select(second?.querySelector('strong'), second?.querySelector('strong'))
    fireEvent.click(await screen.findByRole('button', { name: 'Quote' }))
    expect(composer().value).toBe('> Holm & Aster Print\n\n')
  })
})

describe('the menu of the chat', () => {
  it('copies all of it', async () => {
    const copied = clipboard()
    await openChat()
    await choose('More about this chat', 'Copy as Markdown')
    expect(copied[0]?.startsWith('# Tidy September invoices\n\n## You\n\nWhich of')).toBe(true)
  })

  it('brings back what was deleted last, also after a reload', async () => {
    const { link } = await openChat({ deleted: ['u7', 'a7'] })
    await choose('More about this chat', 'Restore the last deleted')
    expect(link.paramsOf('message.restore')).toEqual([{ conversationId: 'c1', ids: ['u7', 'a7'] }])
  })
})

describe('two answers', () => {
  const beside = { model: 'p/two', begun: 0, after: 'u1', leaf: 'a9', activity: { kind: 'idle' } } as const
  const [question, one, two, cutOff] = twoAnswers
  type Shown = Partial<Parameters<typeof makeConversation>[0]>
  const openBoth = async (change: Shown = {}, second = two) => {
    const activity = { beside, ...change }
    const messages = [question, one].flatMap((message) => message ?? [])
    return openChat({
      activity,
      answers: {
        'conversation.get': () => ({
          revision: 10,
          conversation: makeConversation({ model: 'p/one', ...activity }),
          messages,
          beside: second ? [second] : [],
        }),
        'chat.stop': () => ({}),
        'chat.resume': () => ({}),
      },
    })
  }
  const column = (name: string) => within(screen.getByRole('region', { name }))

  it('stand beside each other, each with its model and what it took, and one is kept', async () => {
    const { link } = await openBoth()
    expect(column('anthropic/sonnet').getByText(/4.4k tokens read, 320 written, \$0.03/).textContent).toContain('5.2 s')
    expect(column('Two').getByText(/4.2k tokens read, 96 written, \$0.01/)).toBeTruthy()
    expect(column('Two').getByText(/I found two/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Regenerate' })).toBeNull()
    await press('Keep this one: Two')
    expect(link.paramsOf('message.show')).toEqual([{ conversationId: 'c1', messageId: 'a9' }])
  })

  it('stream both, each under its own name, and each is stopped alone', async () => {
    const working = { kind: 'working', turnId: 't1', since: 0 } as const
    const { link } = await openBoth({ activity: working, beside: { ...beside, activity: working } }, undefined)
    const begun = makeAnswer({ id: 'a9', model: 'p/two', state: 'streaming', createdAt: 5, parts: [{ kind: 'text', text: 'I ' }] })
    act(() => link.tell('message.changed', { message: begun, beside: true }, 11))
    act(() => link.tell('message.delta', { conversationId: 'c1', messageId: 'a9', part: 0, offset: 2, text: 'found two' }, 12))
    await waitFor(() => expect(column('Two').getByText('I found two')).toBeTruthy())
    expect(column('anthropic/sonnet').queryByText(/I found/)).toBeNull()
    await press('Stop: Two')
    await press('Stop: anthropic/sonnet')
    expect(link.paramsOf('chat.stop')).toEqual([
      { conversationId: 'c1', which: 'beside' },
      { conversationId: 'c1', which: 'shown' },
    ])
    expect(screen.queryByRole('button', { name: /^Keep/ })).toBeNull()
  })

  it('are there after a crash, and the one that was cut off goes on by itself', async () => {
    const { link } = await openBoth({ beside: { ...beside, activity: { kind: 'interrupted', turnId: 't9' } } }, cutOff)
    fireEvent.click(column('Two').getByRole('button', { name: 'Go on' }))
    await act(settle)
    expect(link.paramsOf('chat.resume')).toEqual([{ conversationId: 'c1', beside: true }])
  })

  it('are asked for at the latest answer alone', async () => {
    const { link } = await openChat({ answers: { 'message.compare': () => ({}) } })
    await choose('Regenerate', 'Compare two answers…', -1 + screen.getAllByRole('button', { name: 'Regenerate' }).length)
    fireEvent.click(await screen.findByRole('menuitem', { name: /^beside Two/ }))
    await act(settle)
    expect(link.paramsOf('message.compare')).toEqual([{ conversationId: 'c1', messageId: branchMessages.at(-1)?.id, model: 'p/two' }])
    await press('Regenerate', 0)
    expect(screen.queryByRole('menuitem', { name: 'Compare two answers…' })).toBeNull()
  })

  it('are asked for with each question once a second model is chosen', async () => {
    const { link } = await openChat()
    fireEvent.click(screen.getByTitle('Model'))
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Ask a second model too…' }))
    fireEvent.click(await screen.findByRole('menuitemradio', { name: /^Two/ }))
    await act(settle)
    expect(link.paramsOf('conversation.setModel')).toEqual([{ id: 'c1', model: 'p/one', second: 'p/two' }])
    act(() => link.tell('conversation.changed', { conversation: makeConversation({ model: 'p/one', secondModel: 'p/two' }) }))
    expect(screen.getByTitle('Model').textContent).toContain('One + Two')
  })
})
