import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Conversation } from '#app/chat/conversation.ts'
import type { Snapshot } from '#app/contract/snapshot.ts'
import { makeConversation, makeToolRequest } from '#renderer/testing/builders.ts'
import { createFakeConnection, type FakeConnection } from '#renderer/testing/fake-link.ts'
import { settle } from '#renderer/testing/render.tsx'
import { renderAt } from '#renderer/testing/render-page.tsx'

const now = Date.now()
const chat = (id: string, part: Partial<Conversation> = {}): Conversation =>
  makeConversation({ id, title: `Chat ${id}`, updatedAt: now, activity: { kind: 'idle' }, ...part })
const work = { id: 'w', name: 'Work', createdAt: 1 }
const sections = { pinned: { end: null }, loose: { end: null }, 'folder:w': { end: null } }

async function open(snapshot: Partial<Snapshot>): Promise<FakeConnection> {
  const link = createFakeConnection({ snapshot: { sections, ...snapshot } })
  renderAt(link, '#/requests')
  await act(settle)
  return link
}
const grid = () => screen.getByRole('grid', { name: 'Chats' })
const link = (id: string) => within(grid()).getByRole('link', { name: new RegExp(`^Chat ${id}`) })
const focused = () => document.activeElement?.textContent
const press = (key: string, how: object = {}) => fireEvent.keyDown(document.activeElement ?? window, { key, ...how })
const changes = (fake: FakeConnection) =>
  fake.paramsOf('conversation.change').map(({ choice, change }) => [change.kind, choice.kind === 'these' ? choice.ids.join(' ') : ''])
const three = { conversations: [chat('c'), chat('b'), chat('a')] }

describe('the sidebar’s chats', () => {
  it('show the chat that is on the page, also one that has just begun', async () => {
    const shown: string[] = []
    const scroll = vi.spyOn(HTMLElement.prototype, 'scrollIntoView').mockImplementation(function (this: HTMLElement) {
      shown.push(this.textContent ?? '')
    })
    onTestFinished(() => scroll.mockRestore())
    const fake = await open(three)
    act(() => {
      window.location.hash = '#/chat/new'
      window.dispatchEvent(new HashChangeEvent('hashchange'))
    })
    await act(settle)
    expect(shown).not.toContain('Chat new')
    act(() => fake.tell('conversation.changed', { conversation: chat('new', { updatedAt: now + 1 }) }))
    await act(settle)
    expect(shown.filter((text) => text.includes('Chat new'))).toHaveLength(1)
  })

  it('are walked through by arrows, past headings, and one of them is where Tab goes', async () => {
    await open({ conversations: [chat('p', { pinned: true }), chat('b'), chat('a')], chatFolders: [{ ...work, closed: true }] })
    expect(
      within(grid())
        .getAllByRole('link')
        .filter(({ tabIndex }) => tabIndex === 0),
    ).toHaveLength(1)
    act(() => link('p').focus())
    const seen = ['ArrowDown', 'ArrowDown', 'End', 'ArrowUp', 'Home'].map((key) => {
      press(key)
      return focused()
    })
    expect(seen).toEqual(['Work', 'Chat b', 'Chat a', 'Chat b', 'Chat p'])
  })

  it('say in words what is with each of them', async () => {
    await open({
      conversations: [
        chat('1', { activity: { kind: 'working', turnId: 't', since: 1 } }),
        chat('2', { activity: { kind: 'idle' }, unread: true }),
        chat('3', { activity: { kind: 'failed', turnId: 't', error: { code: 'model.offline', message: '' } } }),
        chat('4'),
      ],
      consentRequests: [makeToolRequest({ conversationId: '4' })],
    })
    expect(['1', '2', '3', '4'].map((id) => link(id).textContent)).toEqual([
      'Chat 1working',
      'Chat 2unread answer',
      'Chat 3failed',
      'Chat 4waits for you',
    ])
  })

  it('are deleted by a key, with a way back, and the focus stays in the list', async () => {
    const fake = await open(three)
    act(() => link('b').focus())
    press('Delete')
    expect([changes(fake), focused()]).toEqual([[['delete', 'b']], 'Chat a'])
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(fake.paramsOf('conversation.undo')).toEqual([{ undo: 'u1' }])
  })

  it('are chosen together by Shift and Control, by click and by key, and changed as one', async () => {
    const fake = await open(three)
    fireEvent.click(link('c'), { ctrlKey: true })
    fireEvent.click(link('a'), { shiftKey: true })
    expect(within(grid()).getAllByRole('row', { selected: true })).toHaveLength(3)
    fireEvent.contextMenu(link('b'))
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Archive 3 chats' }))
    act(() => link('c').focus())
    press('Escape')
    press('ArrowDown', { shiftKey: true })
    press('Delete')
    expect(changes(fake)).toEqual([
      ['archive', 'c b a'],
      ['delete', 'c b'],
    ])
  })

  it('are renamed in place by F2', async () => {
    const fake = await open(three)
    act(() => link('b').focus())
    press('F2')
    const field = screen.getByRole('textbox', { name: 'Title' })
    fireEvent.change(field, { target: { value: 'Better' } })
    fireEvent.keyDown(field, { key: 'Enter' })
    expect(fake.paramsOf('conversation.rename')).toEqual([{ id: 'b', title: 'Better' }])
    await waitFor(() => expect(focused()).toBe('Chat b'))
  })

  it('have a menu by key, which moves them to a folder, a new one too', async () => {
    const fake = await open({ ...three, chatFolders: [work] })
    fake.answer({ 'chatFolder.save': () => ({ id: 'fresh' }) })
    for (const [choice, name] of [
      ['Work', undefined],
      ['A new folder', 'Home'],
    ] as const) {
      act(() => link('b').focus())
      press('F10', { shiftKey: true })
      fireEvent.click(await screen.findByRole('menuitem', { name: 'Move to folder …' }))
      fireEvent.click(await screen.findByRole('radio', { name: choice }))
      if (name) fireEvent.change(screen.getByRole('textbox', { name: 'Folder name' }), { target: { value: name } })
      fireEvent.click(screen.getByRole('button', { name: 'Move' }))
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    }
    expect(fake.paramsOf('conversation.change').map(({ change }) => change)).toEqual([
      { kind: 'move', folderId: 'w' },
      { kind: 'move', folderId: 'fresh' },
    ])
  })

  it('are dragged onto a folder, and nothing else that is dropped there counts', async () => {
    const fake = await open({ ...three, chatFolders: [work] })
    const data = new Map<string, string>()
    const dataTransfer = {
      setData: (type: string, text: string) => data.set(type, text),
      getData: (type: string) => data.get(type) ?? '',
      get types() {
        return [...data.keys()]
      },
    }
    const folder = within(grid()).getByRole('button', { name: 'Work' })
    data.set('text/plain', 'c')
    fireEvent.drop(folder, { dataTransfer })
    expect(changes(fake)).toEqual([])
    fireEvent.dragStart(link('c'), { dataTransfer })
    fireEvent.drop(folder, { dataTransfer })
    expect(changes(fake)).toEqual([['move', 'c']])
  })

  it('a folder is closed and opened for all windows, by key too, and deleted with its chats kept', async () => {
    const fake = await open({ conversations: [chat('in', { folderId: 'w' })], chatFolders: [work] })
    fake.answer({ 'chatFolder.remove': () => ({ undo: 'u2' }) })
    const button = within(grid()).getByRole('button', { name: 'Work', expanded: true })
    act(() => button.focus())
    press('ArrowLeft')
    expect(fake.paramsOf('chatFolder.setClosed')).toEqual([{ id: 'w', closed: true }])
    act(() => fake.tell('chatFolders.changed', { chatFolders: [{ ...work, closed: true }] }))
    expect(within(grid()).queryByRole('link')).toBeNull()
    press('Delete')
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
    expect([fake.paramsOf('chatFolder.remove'), fake.paramsOf('conversation.undo')]).toEqual([[{ id: 'w' }], [{ undo: 'u2' }]])
  })

  it('fetch what lies below, once, and keep what was told meanwhile', async () => {
    const old = chat('old', { updatedAt: 5 })
    const fake = createFakeConnection({
      snapshot: { conversations: [chat('a')], sections: { pinned: { end: null }, loose: { end: { updatedAt: now, id: 'a' } } } },
    })
    fake.answer({
      'conversation.section'() {
        fake.tell('conversation.changed', { conversation: { ...old, title: 'Chat old, renamed' } })
        fake.tell('conversation.removed', { id: 'gone' })
        return { conversations: [old, chat('gone', { updatedAt: 4 })], more: false }
      },
    })
    renderAt(fake, '#/requests')
    await act(settle)
    expect(
      within(grid())
        .getAllByRole('link')
        .map(({ textContent }) => textContent),
    ).toEqual(['Chat a', 'Chat old, renamed'])
    expect(fake.paramsOf('conversation.section')).toEqual([{ section: 'loose', limit: 60, after: { updatedAt: now, id: 'a' } }])
  })
})
