import { expect, it } from 'vitest'
import { commandLine } from './command-line.ts'

import type { ServerDefinition } from './definition.ts'

const common = { enabled: true, start: 'needed', trusted: false } as const

it.each<[ServerDefinition, string]>([
  [
    { ...common, transport: 'stdio', command: 'uvx', args: ['ledger mcp', '', '-v'], env: { TOKEN: 'hush' } } as const,
    'uvx "ledger mcp" "" -v',
  ],
  [{ ...common, transport: 'streamable-http', url: 'https://a.example/mcp', headers: {} }, 'https://a.example/mcp'],
  [{ ...common, transport: 'builtin', module: 'demo' }, 'built in: demo'],
])('is what runs, and nothing of its environment: %j', (definition, line) => {
  expect(commandLine(definition)).toBe(line)
})
