import { expect, it } from 'vitest'
import { nameForEntry } from './registry-entry.ts'
import { registryAddressProblem, tidyRegistryAddress } from './registry-url.ts'

it.each([
  ['io.github.somebody/weather-mcp', 'weather'],
  ['com.acme/mcp', 'acme'],
  ['io.github.somebody/mcp-server', 'somebody'],
  ['io.github.x/server-files', 'files'],
  ['a/b‮c d', 'b-c-d'],
  ['плохо', 'плохо'],
  ['///', 'server'],
])('%s is called %s', (entry, name) => {
  expect(nameForEntry(entry)).toBe(name)
})

it.each(['http://registry.example', 'ftp://a', 'registry.example', 'https://me:pw@registry.example', 'https://registry.example/?a=1'])(
  '%s is no address of a registry',
  (text) => {
    expect(registryAddressProblem(text)).toBeTruthy()
  },
)

it.each([
  ['https://registry.example/', 'https://registry.example'],
  ['https://registry.example/mcp/v0.1/servers', 'https://registry.example/mcp'],
  [' https://Registry.example/v0 ', 'https://registry.example'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
])('%s is kept as %s', (text, kept) => {
  expect(registryAddressProblem(text.trim())).toBeUndefined()
  expect(tidyRegistryAddress(text)).toBe(kept)
})
