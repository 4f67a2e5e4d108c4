import { fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { ChatFolder } from '#app/chat/chat-folder.ts'
import { HostError } from '#app/errors.ts'
import { makeAnswer, makeConversation, makeServer, makeUserMessage } from '#renderer/testing/builders.ts'
import { createFakeConnection, type FakeConnection } from '#renderer/testing/fake-link.ts'
import { renderAt } from '#renderer/testing/render-page.tsx'
import { kestrelFound } from '#renderer/testing/stories/search.stories.ts'

const now = Date.now()
const found = kestrelFound(now)

async function open(
  hash = '#/search',
  answer: () => ReturnType<typeof kestrelFound> = () => found,
  chatFolders: ChatFolder[] = [],
): Promise<FakeConnection> {
  const conversation = makeConversation()
  const link = createFakeConnection({
    snapshot: { conversations: [conversation], servers: [makeServer()], chatFolders },
    answers: {
      'search.find': answer,
      'conversation.get': () => ({ revision: 1, conversation, messages: [makeUserMessage(), makeAnswer({ id: 'm3' })] }),
    },
  })
  renderAt(link, hash)
  await screen.findByRole('searchbox')
  return link
}
const field = (): HTMLInputElement => screen.getByRole('searchbox', { name: 'Search in all chats' })
const hits = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('.search-hit')]
const type = (text: string): boolean => fireEvent.change(field(), { target: { value: text } })

describe('the search page', () => {
  it('asks for what is typed and shows where it was found, marked, under its chat', async () => {
    const link = await open()
    type('kestrel vat')
    await waitFor(() => expect(hits()).toHaveLength(5))
    expect(link.paramsOf('search.find').at(-1)).toMatchObject({ text: 'kestrel vat', where: 'all' })
    expect([...document.querySelectorAll('.search-title')].map(({ textContent }) => textContent)).toEqual([
      'Tidy September invoices',
      'Vendor VAT numbers',
      'Bank CSV into the ledger',
    ])
    expect([...(hits()[1]?.querySelectorAll('mark') ?? [])].map(({ textContent }) => textContent)).toEqual(['Kestrel', 'vat'])
    expect(hits()[1]?.textContent).toContain('zero-width space')
    expect(hits()[1]?.getAttribute('href')).toBe('#/chat/c1/at/m2/b')
    expect(screen.getByRole('radio', { name: /All 11/ })).toBeTruthy()
  })

  it('keeps what is asked in the address', async () => {
    const link = await open('#/search/kestrel/results')
    await waitFor(() => expect(link.paramsOf('search.find')).toMatchObject([{ text: 'kestrel', where: 'results' }]))
    type('vat')
    expect(window.location.hash).toBe('#/search/vat/results')
  })

  it('goes by arrows from the field to the hits and back; Enter opens the first', async () => {
    await open('#/search/kestrel')
    await waitFor(() => expect(hits()).toHaveLength(5))
    fireEvent.keyDown(field(), { key: 'ArrowDown' })
    expect(document.activeElement).toBe(hits()[0])
    fireEvent.keyDown(document.activeElement as Element, { key: 'ArrowDown' })
    expect(document.activeElement).toBe(hits()[1])
    fireEvent.keyDown(document.activeElement as Element, { key: 'ArrowUp' })
    fireEvent.keyDown(document.activeElement as Element, { key: 'ArrowUp' })
    expect(document.activeElement).toBe(field())
  })

  it('opens at the message, which is marked; back leads to the search as it was, without asking again', async () => {
    const link = await open('#/search/kestrel')
    await waitFor(() => expect(hits()).toHaveLength(5))
    fireEvent.click(hits()[0] as Element)
    window.location.hash = '#/chat/c1/at/m3'
    await waitFor(() => expect(document.querySelector('.found-message')).not.toBeNull())
    window.location.hash = '#/search/kestrel'
    await waitFor(() => expect(hits()).toHaveLength(5))
    expect(document.activeElement).toBe(hits()[0])
    expect(link.paramsOf('search.find')).toHaveLength(1)
  })

  it('has the branch shown that a message lies on', async () => {
    const link = await open()
    window.location.hash = '#/chat/c1/at/elsewhere'
    await waitFor(() => expect(link.paramsOf('message.show')).toEqual([{ conversationId: 'c1', messageId: 'elsewhere' }]))
  })

  it('writes filters into the field and takes them away as chips', async () => {
    await open('#/search/kestrel')
    fireEvent.change(screen.getByRole('combobox', { name: 'Server' }), { target: { value: 'files' } })
    expect(field().value).toBe('server:files kestrel')
    fireEvent.click(screen.getByRole('button', { name: 'Remove server files' }))
    expect(field().value).toBe('kestrel')
  })

  it('looks through a folder of chats, or through the archive', async () => {
    await open('#/search/kestrel', undefined, [{ id: 'f', name: 'Tax 2026', createdAt: 1 }])
    const chats = screen.getByRole('combobox', { name: 'Chats' })
    fireEvent.change(chats, { target: { value: 'folder:Tax 2026' } })
    expect(field().value).toBe('folder:"Tax 2026" kestrel')
    fireEvent.change(chats, { target: { value: 'in:archive' } })
    expect(field().value).toBe('in:archive kestrel')
    expect(chats).toHaveProperty('value', 'in:archive')
    fireEvent.change(chats, { target: { value: '' } })
    expect(field().value).toBe('kestrel')
  })

  it('looks through one chat only, and through all again', async () => {
    const link = await open('#/search/kestrel')
    fireEvent.click(await screen.findByRole('button', { name: '4 more in this chat' }))
    await waitFor(() => expect(link.paramsOf('search.find').at(-1)).toMatchObject({ conversationId: 'c6' }))
    fireEvent.click(screen.getByRole('button', { name: 'Search in all chats' }))
    expect(window.location.hash).toBe('#/search/kestrel')
  })

  it('shows older ones below, without those of before', async () => {
    const older = { hits: [{ ...found.hits[0], place: 3, conversationId: 'old' } as never], more: {}, next: null }
    const link = await open('#/search/kestrel', () => ({ ...found, next: 19 }))
    const button = await screen.findByRole('button', { name: 'Show older ones' })
    link.answer({ 'search.find': () => older })
    fireEvent.click(button)
    await waitFor(() => expect(hits()).toHaveLength(6))
    expect(link.paramsOf('search.find').at(-1)).toMatchObject({ before: 19 })
  })

  it('says that nothing was found, and what went wrong', async () => {
    const link = await open('#/search/kestrel', () => ({ hits: [], more: {}, next: null }))
    expect(await screen.findByText('Nothing found.')).toBeTruthy()
    link.answer({
      'search.find': () => {
        throw new HostError('internal', 'The search failed.')
      },
    })
    type('vat')
    fireEvent.click(await screen.findByRole('button', { name: 'Try again' }))
    expect(link.paramsOf('search.find').length).toBeGreaterThan(2)
  })
})
