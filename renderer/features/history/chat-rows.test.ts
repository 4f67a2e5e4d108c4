import { describe, expect, it } from 'vitest'
import { inOrder } from '#app/chat/chat-folder.ts'
import type { Conversation } from '#app/chat/conversation.ts'
import { makeConversation } from '#renderer/testing/builders.ts'
import { type ChatRow, chatRows, chatsBetween, type Day, dateGroup, type Known, rowAfterKey, rowAfterRemoval } from './chat-rows.ts'

/** The calendar of a time zone, wherever the test runs. */
function calendarOf(timeZone: string): (time: number) => Day {
  const format = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: 'numeric', day: 'numeric' })
  return (time) => {
    const parts = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, Number(value)]))
    return { year: parts['year'] ?? 0, month: parts['month'] ?? 0, day: parts['day'] ?? 0 }
  }
}

describe('dateGroup', () => {
  const at = (text: string): number => Date.parse(text)

  it.each([
    ['UTC', '2026-11-21T09:00Z', '2026-11-21T00:00Z', 'Today'],
    ['UTC', '2026-11-21T09:00Z', '2026-11-22T00:00Z', 'Today'],
    ['UTC', '2026-11-21T09:00Z', '2026-11-20T23:59Z', 'Yesterday'],
    ['UTC', '2026-11-21T09:00Z', '2026-11-19T23:59Z', 'Previous 7 days'],
    ['UTC', '2026-11-21T09:00Z', '2026-11-14T00:00Z', 'Previous 7 days'],
    ['UTC', '2026-11-21T09:00Z', '2026-11-13T23:59Z', 'November'],
    ['UTC', '2026-11-21T09:00Z', '2026-01-01T00:00Z', 'January'],
    ['UTC', '2026-11-21T09:00Z', '2025-12-31T23:59Z', '2025'],
    ['UTC', '2026-01-02T09:00Z', '2025-12-30T09:00Z', 'Previous 7 days'],
    // The same moments, seen from elsewhere.
    ['Pacific/Auckland', '2026-11-21T09:00Z', '2026-11-20T12:00Z', 'Today' /* 01:00 of the 21st, at 22:00 */],
    ['America/Los_Angeles', '2026-11-21T07:00Z', '2026-11-21T00:00Z', 'Today' /* both on the 20th */],
    ['America/Los_Angeles', '2026-11-21T09:00Z', '2026-11-21T07:00Z', 'Yesterday'],
    ['Pacific/Kiritimati', '2025-12-31T12:00Z', '2025-12-31T09:00Z', 'Yesterday' /* new year came in between */],
    // A day of 25 hours, and one of 23.
    ['Europe/Berlin', '2026-10-26T23:30Z', '2026-10-24T22:30Z', 'Previous 7 days'],
    ['Europe/Berlin', '2026-10-25T22:30Z', '2026-10-24T22:30Z', 'Today'],
    ['Europe/Berlin', '2026-03-29T21:30Z', '2026-03-28T22:59Z', 'Yesterday'],
  ])('in %s at %s, %s is %s', (zone, now, time, title) => {
    expect(dateGroup(at(time), at(now), calendarOf(zone))).toBe(title)
  })
})

const now = Date.parse('2026-11-21T09:00Z')
const chat = (id: string, part: Partial<Conversation> = {}): Conversation => makeConversation({ id, updatedAt: now, ...part })
const known = (part: Partial<Known>): Known => ({
  list: [],
  sections: { pinned: { end: null }, loose: { end: null } },
  folders: [],
  ...part,
})
function wordOf(row: ChatRow): string {
  switch (row.kind) {
    case 'heading':
      return `# ${row.title}`
    case 'folder':
      return `> ${row.folder.name}`
    case 'chat':
      return row.inside ? `  ${row.key}` : row.key
    case 'empty':
      return `(${row.text})`
    case 'more':
      return `… ${row.section}`
  }
}
const words = (rows: readonly ChatRow[]): string[] => rows.map(wordOf)
const rowsOf = (part: Partial<Known>): string[] => words(chatRows(known(part), now, calendarOf('UTC')))
const folder = (id: string, part: object = {}) => ({ id, name: `Folder ${id}`, createdAt: 1, ...part })

describe('chatRows', () => {
  it('has the pinned first, then folders by name with what lies in them, then the rest by date', () => {
    const list = [
      chat('today'),
      chat('in', { folderId: 'f' }),
      chat('pinned', { pinned: true, folderId: 'f' }),
      chat('archived', { archivedAt: 1 }),
      chat('old', { updatedAt: now - 40 * 86_400_000 }),
    ]
    const sections = { pinned: { end: null }, loose: { end: null }, 'folder:f': { end: null }, 'folder:10': { end: null } }
    const folders = [folder('10'), folder('f', { name: 'folder 9' }), folder('closed', { name: 'Zoo', closed: true })]
    expect(rowsOf({ list, sections, folders })).toEqual([
      '# Pinned',
      'pinned',
      '# Folders',
      '> folder 9',
      '  in',
      '> Folder 10',
      '(No chats)',
      '> Zoo',
      '# Today',
      'today',
      '# October',
      'old',
    ])
  })

  it('shows nothing below the place up to which a section is known, and asks for the rest', () => {
    const list = [chat('a', { updatedAt: now }), chat('b', { updatedAt: now - 5 }), chat('far', { updatedAt: now - 90 })]
    const sections = { pinned: { end: null }, loose: { end: { updatedAt: now - 5, id: 'b' } } }
    expect(rowsOf({ list, sections, folders: [folder('new')] })).toEqual([
      '# Folders',
      '> Folder new',
      '… folder:new',
      '# Today',
      'a',
      'b',
      '… loose',
    ])
  })

  it('is empty where there is nothing', () => {
    expect(rowsOf({})).toEqual([])
  })
})

it('folders of one name stay in the order of their making', () => {
  expect(inOrder([folder('b', { name: 'x', createdAt: 2 }), folder('a', { name: 'X', createdAt: 1 })]).map(({ id }) => id)).toEqual([
    'a',
    'b',
  ])
})

describe('keys', () => {
  const rows = chatRows(known({ list: [chat('c', { pinned: true }), chat('b'), chat('a')], folders: [folder('f', { closed: true })] }), now)
  // 0 Pinned, 1 c, 2 Folders, 3 f, 4 Today, 5 b, 6 a
  it.each([
    ['ArrowDown', 1, 3],
    ['ArrowDown', 6, 6],
    ['ArrowUp', 3, 1],
    ['ArrowUp', 1, 1],
    ['Home', 6, 1],
    ['End', 1, 6],
  ])('%s leads from %i to %i', (key, from, to) => {
    expect(rowAfterKey(rows, from, key)).toBe(to)
  })

  it.each([
    [5, ['b'], 'a'],
    [6, ['b', 'a'], 'f'],
    [6, ['a', 'b', 'c', 'f'], undefined],
  ])('the focus at %i goes, without %j, to %s', (at, gone, left) => {
    expect(rowAfterRemoval(rows, at, new Set(gone))?.key).toBe(left)
  })

  it('between two rows lie the chats, whichever comes first', () => {
    expect([chatsBetween(rows, 1, 5), chatsBetween(rows, 6, 3)]).toEqual([
      ['c', 'b'],
      ['b', 'a'],
    ])
  })
})
