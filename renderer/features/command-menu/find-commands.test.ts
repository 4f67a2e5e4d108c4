import { describe, expect, it } from 'vitest'
import { findCommands, mostOfGroup } from './command-menu.tsx'
import type { Command, CommandGroup } from './use-command-list.ts'

const command = (words: string, rest: Partial<Command> = {}): Command => ({ id: words, words, icon: 'chat', act: () => undefined, ...rest })
const idsOf = (query: string, groups: readonly CommandGroup[]): string[] =>
  findCommands(query, groups).flatMap(({ title, items }) => items.map(({ id }) => `${title}: ${id}`))

const pages: CommandGroup = {
  title: 'Commands',
  commands: [
    command('Settings'),
    command('Requests'),
    command('Restart server…', { also: 'reload reconnect' }),
    command('Record, today'),
    command('New chat'),
  ],
}
const chats: CommandGroup = {
  title: 'Chats',
  commands: [command('Release notes for 2.4', { detail: 'running' }), command('Vendor VAT numbers'), command('Lisbon trip')],
  atFirst: 2,
}

describe('findCommands', () => {
  it('shows, before anything is typed, what each group says', () => {
    expect(findCommands(' ', [pages, chats]).map(({ items }) => items.length)).toEqual([5, 2])
  })

  it('keeps the order of the groups, and puts the better match of each first', () => {
    expect(idsOf('re', [pages, chats])).toEqual([
      'Commands: Requests',
      'Commands: Record, today',
      'Commands: Restart server…',
      'Chats: Release notes for 2.4',
    ])
  })

  it.each([
    ['letters in their order', 'vvn', ['Chats: Vendor VAT numbers']],
    ['words in any order', 'server restart', ['Commands: Restart server…']],
    ['another name for it', 'reconnect', ['Commands: Restart server…']],
    ['what stands beside the words', 'running', ['Chats: Release notes for 2.4']],
    ['nothing where nothing fits', 'xyzzy', []],
  ])('finds %s', (_name, query, expected) => {
    expect(idsOf(query, [pages, chats])).toEqual(expected)
  })

  it('does not find scattered letters in what stands beside the words', () => {
    expect(idsOf('rnc', [{ title: 'Commands', commands: [command('Stop', { also: 'reload reconnect' })] }])).toEqual([])
  })

  it('takes what the host found as it is, and no group beyond its share', () => {
    const many = Array.from({ length: 30 }, (_, index) => command(`Chat ${index}`))
    expect(findCommands('zz', [{ title: 'Found', commands: many, found: true }])[0]?.items).toHaveLength(mostOfGroup)
    expect(findCommands('chat', [{ title: 'Chats', commands: many }])[0]?.items).toHaveLength(mostOfGroup)
  })
})
