import { describe, expect, it } from 'vitest'
import { toolModelName } from './tool-names.ts'

describe('the name of a server’s tool', () => {
  it('is never that of a tool of the host’s own', () => {
    for (const server of ['assent', 'Assent', 'assent_', 'assent__read', 'assent ', 'a\u0000ssent'])
      for (const tool of ['read_result', '_read_result', 'result', 'find_tools'])
        expect(toolModelName(server, tool)).not.toMatch(/^assent__(?:read_result|find_tools)$/i)
  })
  it('depends on both names and nothing else', () => {
    expect(toolModelName('files', 'read')).toBe('files__read')
    expect(toolModelName('assent', 'read')).toBe(toolModelName('assent', 'read'))
    expect(toolModelName('assent', 'read')).not.toBe(toolModelName('assent', 'write'))
  })
  it('is within every provider’s limits, and no other tool’s, whatever the two are called', () => {
    const parts = [
      'a',
      'A',
      '7zip',
      '-x',
      '_',
      '__',
      'a_',
      '_a',
      'a__b',
      'b',
      'büro',
      'bu\u0308ro',
      '書類',
      'a.b',
      'a/b',
      'a b',
      'x'.repeat(60),
      `${'x'.repeat(60)}y`,
    ]
    const names = parts.flatMap((server) => ['', ...parts].map((tool) => toolModelName(server, tool)))
    expect(names.filter((name) => !/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/.test(name))).toEqual([])
    expect(new Set(names).size).toBe(names.length)
  })
})
