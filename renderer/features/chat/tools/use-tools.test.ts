import { describe, expect, it } from 'vitest'
import type { ListedServer } from '#app/chat/tools/tool-overview.ts'
import { type RowFacts, toolPickerRows } from './use-tools.ts'

const server = (name: string, tools: readonly string[], enabled = true): ListedServer => ({
  name,
  enabled,
  trusted: false,
  tools: tools.map((tool) => ({
    name: tool,
    modelName: `${name}__${tool}`,
    description: `It does ${tool}.`,
    tokens: 10,
    enabled: tool !== 'banned',
    fingerprint: 'f',
    known: 'new',
  })),
})
const servers = [server('files', ['read', 'write', 'banned']), server('mail', ['send']), server('old', ['dig'], false)]
const rows = (change: Partial<RowFacts> = {}) =>
  toolPickerRows({ servers, off: undefined, scope: 'chat', search: '', opened: new Set(['files', 'old']), ...change })
const said = (change?: Partial<RowFacts>): string[] =>
  rows(change).map(
    (row) => `${row.kind === 'server' ? row.server.name : row.tool.name} ${row.state.fixed ?? (row.state.on ? 'on' : 'off')}`,
  )

describe('in a chat', () => {
  it('what is off everywhere is off, and stays so', () => {
    expect(said()).toEqual([
      'files on',
      'read on',
      'write on',
      'banned off-everywhere',
      'mail on',
      'old off-everywhere',
      'dig off-everywhere',
    ])
  })

  it('its own switches count', () => {
    expect(said({ off: { servers: ['mail'], tools: { files: ['write'] } }, opened: new Set(['files', 'mail']) })).toEqual([
      'files on',
      'read on',
      'write off',
      'banned off-everywhere',
      'mail off',
      'send server-off',
      'old off-everywhere',
    ])
  })

  it('a server says how many of its tools are on, and what they cost', () => {
    expect(rows({ off: { servers: [], tools: { files: ['write'] } } })[0]).toMatchObject({ on: 1, tokens: 10 })
  })
})

it('everywhere, the switches of a chat do not count', () => {
  const off = { servers: ['files', 'mail'], tools: {} }
  expect(said({ scope: 'everywhere', off })).toEqual([
    'files on',
    'read on',
    'write on',
    'banned off',
    'mail on',
    'old off',
    'dig server-off',
  ])
})

it('a search opens the servers that have something of it, and leaves out the others', () => {
  expect(said({ search: 'SEND', opened: new Set() })).toEqual(['mail on', 'send on'])
  expect(said({ search: 'does write', opened: new Set() })).toEqual(['files on', 'write on'])
  expect(said({ search: 'mail', opened: new Set() })).toEqual(['mail on', 'send on'])
})
