import { describe, expect, it } from 'vitest'
import { chipsOf, filterValue, withFilter, withoutChip } from './search-page.tsx'

describe('filters in the field', () => {
  it('are written in front and leave the word that is being typed at the end', () =>
    expect(withFilter('kestrel va', 'server', 'github')).toBe('server:github kestrel va'))
  it('stand alone with room for a word', () => expect(withFilter('', 'after', '2026-09-01')).toBe('after:2026-09-01 '))
  it('replace those of the same name', () =>
    expect(withFilter('server:a x server:b tool:t ', 'server', 'my files')).toBe('server:"my files" x tool:t '))
  it('are taken away', () => expect(withFilter('server:"my files" x', 'server', undefined)).toBe('x'))
  it('are read back, the last one counting', () => expect(filterValue('server:a server:"my files"', 'server')).toBe('my files'))
  it('go as chips, one at a time', () => {
    const text = 'tool:read kestrel in:title'
    const [tool] = chipsOf(text)
    expect(tool && withoutChip(text, tool)).toBe('kestrel in:title')
  })
})
