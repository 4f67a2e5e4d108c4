import { describe, expect, it } from 'vitest'
import { oauthSettings } from '../auth-status.ts'
import { sandboxLists } from '../sandbox/sandbox-keys.ts'
import { configSchema, configSchemaAt } from './config-schema.ts'
import { readConfig } from './read-config.ts'

const keysAt = (...path: (string | number)[]): Set<string> => new Set(Object.keys(configSchemaAt(path)?.properties ?? {}))

describe('the schema of servers.json', () => {
  it('knows every key that an entry is read by, and no other', () => {
    const wrong = Object.fromEntries([...keysAt('mcpServers', 'x')].map((key) => [key, null]))
    const { problems } = readConfig(JSON.stringify({ mcpServers: { x: wrong } }), 'f')
    const named = problems.flatMap(({ message }) => /^“(\w+)” is null/.exec(message)?.[1] ?? [])
    // The reader stops before these where a command and an address are both given.
    const later = ['args', 'cwd', 'env', 'headers', 'oauth', 'sandbox', 'sandboxEnabled']
    expect(new Set([...named, ...later])).toEqual(keysAt('mcpServers', 'x'))
  })

  it('offers values that are read without a problem', () => {
    for (const key of ['start', 'disabled', 'trusted', 'timeout', 'startTimeout', 'idleMinutes']) {
      const { enum: choices, default: byDefault } = configSchemaAt(['mcpServers', 'x', key]) ?? {}
      for (const value of choices ?? [byDefault])
        expect([key, value, readConfig(JSON.stringify({ mcpServers: { x: { command: 'x', [key]: value } } }), 'f').problems]).toEqual([
          key,
          value,
          [],
        ])
    }
  })

  it('knows how one signs in', () => expect(keysAt('mcpServers', 'x', 'oauth')).toEqual(new Set(Object.keys(oauthSettings.shape))))

  it('knows what a sandbox may be given', () => {
    const groups = Object.keys(sandboxLists) as (keyof typeof sandboxLists)[]
    expect(keysAt('mcpServers', 'x', 'sandbox')).toEqual(new Set(groups))
    for (const group of groups) expect(keysAt('mcpServers', 'x', 'sandbox', group)).toEqual(new Set(Object.keys(sandboxLists[group])))
  })

  it('is found by a path, through names of the person’s own and places in lists', () => {
    expect(configSchemaAt(['mcpServers', 'mine', 'args', 3])?.type).toBe('string')
    expect(configSchemaAt(['mcpServers', 'mine', 'env', 'constructor'])?.type).toBe('string')
    expect([configSchemaAt(['constructor']), configSchemaAt(['mcpServers', 'mine', 'nothing', 'more'])]).toEqual([undefined, undefined])
    expect(configSchemaAt([])).toBe(configSchema)
  })
})
