// A sidebar with everything in it, and 5,000 chats below.
import type { Conversation } from '#app/chat/conversation.ts'
import { newestFirst, sectionOf } from '#app/chat/conversation.ts'
import { makeConversation, makeSnapshot, makeToolRequest } from '../builders.ts'
import { createFakeConnection, type FakeConnection } from '../fake-link.ts'

const hour = 3_600_000

export function historyScene(theme: 'light' | 'dark'): FakeConnection {
  const now = Date.now()
  const chat = (id: string, title: string, hoursAgo: number, part: Partial<Conversation> = {}): Conversation =>
    makeConversation({ id, title, updatedAt: now - hoursAgo * hour, activity: { kind: 'idle' }, ...part })
  const all = [
    chat('c1', 'Tidy September invoices', 0.1, { activity: { kind: 'waiting', turnId: 't', requests: 1 } }),
    chat('p1', 'House rules for suppliers', 300, { pinned: true }),
    chat('f1', 'Vendor VAT numbers', 1, { folderId: 'w' }),
    chat('f2', 'Bank CSV into the ledger, with the corrections that Anna sent', 30, { folderId: 'w', unread: true }),
    chat('c2', 'Release notes for 2.4', 2, { activity: { kind: 'working', turnId: 't', since: now } }),
    chat('c3', 'Why did the sync job fail?', 20, {
      activity: { kind: 'failed', turnId: 't', error: { code: 'model.offline', message: '' } },
    }),
    chat('c4', 'Lisbon trip, expenses', 26, { unread: true }),
    ...Array.from({ length: 5000 }, (_, index) => chat(`o${index}`, `Older chat ${index + 1}`, 50 + index * 6)),
  ].sort(newestFirst)
  const after = (id: string | undefined, from: readonly Conversation[]) =>
    from.slice(id === undefined ? 0 : from.findIndex((one) => one.id === id) + 1)
  const first = all.filter(({ pinned }) => !pinned).slice(0, 60)
  const end = first.at(-1)
  return createFakeConnection({
    snapshot: {
      settings: { ...makeSnapshot().settings, theme, welcomed: true },
      conversations: [...first, ...all.filter(({ pinned }) => pinned)],
      sections: { pinned: { end: null }, loose: { end: end ? { updatedAt: end.updatedAt, id: end.id } : null }, 'folder:w': { end: null } },
      chatFolders: [
        {
          id: 'w',
          name: 'Bookkeeping',
          createdAt: 1,
          systemPrompt: 'Amounts in euros. Dates as 2026-09-30.',
          servers: ['files', 'ledger'],
          roots: ['/home/maya/books'],
        },
        { id: 'h', name: 'House', createdAt: 2, closed: true },
      ],
      consentRequests: [makeToolRequest({ conversationId: 'c1', callId: undefined })],
    },
    answers: {
      'conversation.get': ({ id }) => ({
        revision: 10,
        conversation: all.find((one) => one.id === id) ?? chat(id, id, 1),
        messages: [],
        versions: {},
      }),
      'conversation.section': ({ section, after: place, limit }) => {
        const found = after(
          place?.id,
          all.filter((one) => sectionOf(one) === section),
        )
        return { conversations: found.slice(0, limit), more: found.length > limit }
      },
      'conversation.find': ({ after: place, limit }) => {
        const found = after(place?.id, all)
        return { conversations: found.slice(0, limit), more: found.length > limit, found: all.length }
      },
      'conversation.deleted': () => ({ deleted: [{ conversation: chat('d1', 'An old draft', 90), deletedAt: now - hour }], more: false }),
      'folder.list': () => ({ folders: [{ path: '/home/maya/books', there: true }], told: [] }),
    },
  })
}
