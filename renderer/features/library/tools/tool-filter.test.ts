import { expect, it } from 'vitest'
import type { ListedServer, ListedTool } from '#app/chat/tools/tool-overview.ts'
import { mostAccepted, mostTaken } from '#app/server/list-limits.ts'
import { allTools, filterTools, limitNotes, type ToolFilter } from './tool-filter.ts'

const tool = (name: string, part: Partial<ListedTool> = {}): ListedTool => ({
  name,
  modelName: name,
  tokens: 1,
  enabled: true,
  fingerprint: 'f',
  known: 'approved',
  ...part,
})
const servers: readonly ListedServer[] = [
  {
    name: 'files',
    enabled: true,
    trusted: false,
    tools: [
      tool('read', { claims: 'read-only', description: 'Reads a File' }),
      tool('write', { claims: 'destructive', known: 'changed' }),
      tool('move', { enabled: false }),
    ],
  },
  { name: 'mail', enabled: false, trusted: true, tools: [tool('send', { known: 'new', title: 'Send a letter' })] },
]
const everything = allTools(servers)
const names = (filter: Partial<ToolFilter>): string[] =>
  filterTools(everything, { search: '', server: '', kind: 'all', ...filter }).map((one) => one.tool.name)

it.each<[string, Partial<ToolFilter>, readonly string[]]>([
  ['nothing leaves all', {}, ['read', 'write', 'move', 'send']],
  ['words, in any order and case', { search: 'FILE reads' }, ['read']],
  ['a title', { search: 'letter' }, ['send']],
  ['the name of a server', { search: 'mail' }, ['send']],
  ['a server', { server: 'files' }, ['read', 'write', 'move']],
  ['what is on, its server too', { kind: 'on' }, ['read', 'write']],
  ['what is off, with its server or alone', { kind: 'off' }, ['move', 'send']],
  ['what changed', { kind: 'changed' }, ['write']],
  ['what is new', { kind: 'new' }, ['send']],
  ['what claims to read only', { kind: 'read-only' }, ['read']],
  ['all of it together', { kind: 'on', server: 'files', search: 'w' }, ['write']],
])('%s', (_name, filter, expected) => {
  expect(names(filter)).toEqual(expected)
})

it('says where a list or what was accepted goes no further', () => {
  const server = (name: string, count: number, known: 'new' | 'approved') => ({
    ...{ name, enabled: true, trusted: false },
    tools: Array.from({ length: count }, (_, at) => tool(`t${at}`, { known })),
  })
  const { tools } = mostTaken
  expect(limitNotes([server('a', tools - 1, 'new'), server('b', mostAccepted - 1, 'approved')])).toEqual([])
  expect(limitNotes([server('a', tools, 'new'), server('b', 1, 'approved')])).toHaveLength(1)
  expect(limitNotes([server('a', tools, 'approved')])).toHaveLength(2)
})
