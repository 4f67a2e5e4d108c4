import { describe, expect, it } from 'vitest'
import { entryOf, wireEntry } from './registry.testing.ts'
import { latestOf, readServerList } from './registry-entry.ts'

describe('a list of servers', () => {
  it('is read past entries that are none, which are counted', () => {
    const page = readServerList({
      servers: [wireEntry({ surprise: 1 }), null, 7, { server: { description: 'nameless' } }, wireEntry({ name: 'a/b', title: 42 })],
      metadata: { nextCursor: 'a/b:1', count: 5 },
    })
    expect(page?.entries.map(({ name, title }) => [name, title])).toEqual([
      ['io.github.somebody/weather', undefined],
      ['a/b', undefined],
    ])
    expect([page?.unread, page?.next]).toEqual([3, 'a/b:1'])
  })

  it('is none without its servers, and ends where no cursor is told', () => {
    expect(readServerList({ error: 'no' })).toBeUndefined()
    expect(readServerList('<html>')).toBeUndefined()
    for (const metadata of [{}, { nextCursor: null }, { nextCursor: '' }, undefined])
      expect(readServerList({ servers: [], metadata })).toEqual({ entries: [], unread: 0 })
  })

  it('has one entry a name: the latest', () => {
    const [old, latest] = [entryOf({ version: '1' }, { isLatest: false }), entryOf({ version: '2' })]
    expect(latestOf([old, latest]).map(({ version }) => version)).toEqual(['2'])
    expect(latestOf([latest, old]).map(({ version }) => version)).toEqual(['2'])
  })
})

describe('an entry', () => {
  it('loses a package that cannot be read whole, and says so', () => {
    const good = { registryType: 'npm', identifier: 'a', version: '1', transport: { type: 'stdio' } }
    const entry = entryOf({ packages: [good, { ...good, packageArguments: [{ type: 'sideways', value: '--safe' }] }], remotes: 'none' })
    expect([entry.packages.length, entry.unread]).toEqual([1, 2])
  })

  it('takes what is null for what is not there, and numbers and truth for their words', () => {
    const argument = { type: 'named', name: '--port', default: 8080, value: null, choices: null, isRequired: true, variables: null }
    const entry = entryOf({
      title: null,
      packages: [{ registryType: 'npm', identifier: 'a', packageArguments: [argument], environmentVariables: null }],
    })
    expect(entry.packages[0]?.packageArguments[0]).toMatchObject({ default: '8080', isRequired: true, isSecret: false, format: 'string' })
  })

  it('reads the older shape, where the server’s fields stand beside its meta', () => {
    const { server, _meta } = wireEntry({ status: 'deprecated' })
    const flat = readServerList({ servers: [{ ...(server as object), _meta: {} }] })
    expect(flat?.entries.map(({ name, status }) => [name, status])).toEqual([['io.github.somebody/weather', 'deprecated']])
    expect(readServerList({ servers: [{ server, _meta }] })?.entries[0]?.status).toBe('active')
  })

  it('is none when it is far too long', () => {
    const packages = Array.from({ length: 50 }, () => ({
      registryType: 'npm',
      identifier: 'x'.repeat(2000),
      packageArguments: [],
      runtimeArguments: [],
      environmentVariables: Array.from({ length: 3 }, (_, at) => ({ name: `A${at}`, value: 'y'.repeat(4000) })),
    }))
    expect(readServerList({ servers: [wireEntry({ packages })] })).toEqual({ entries: [], unread: 1 })
  })
})
